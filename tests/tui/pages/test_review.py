"""Enter after a game shows its review; each of its moves can be stepped from, and n plays on."""

from __future__ import annotations

from piloting import page_screen, play_to_end, settled

from afterstate_lab.tui.lab.modes import Mode


async def test_enter_reviews_a_game_steps_from_a_move_and_n_plays_on(lab):
    app = lab(x="human")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await play_to_end(pilot)
        for keys in (("home", "down", "enter"), ("n",)):
            app.session.return_to_game()
            app.screen.redraw()
            await pilot.press("enter")
            await settled(pilot)
            assert page_screen(pilot).page.name == "REVIEW"
            await pilot.press(*keys)
            await settled(pilot)
            if keys != ("n",):
                assert app.session.mode is Mode.STEP
                assert app.session.timeline.event.ply == 2
        assert app.session.mode is Mode.PLAY
        assert app.session.game_goes_on
        assert app.session.run.games == 1
