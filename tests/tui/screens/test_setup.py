"""The setup on the screen: keys, typing ahead, the mouse, and a line that is wrong."""

from __future__ import annotations

from textual.widgets import Input

from tui.screens.setup import SetupScreen


def setup_screen(app) -> SetupScreen:
    assert isinstance(app.screen, SetupScreen)
    return app.screen


async def test_menace_is_chosen_as_the_opponent_in_five_keys(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "tab", "m", "e", "enter")
        await pilot.pause()
        assert str(app.session.run.o) == "menace"


async def test_a_line_that_is_wrong_begins_nothing_and_says_why(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", *"tdd", "enter")
        setup = setup_screen(app)
        said = "".join(text for line in setup.about._shown for text, _ in line)
        assert "There is no player 'tdd' — did you mean td?" in said
        await pilot.press("ctrl+u", *"random", "enter")
        await pilot.pause()
        assert str(app.session.run.x) == "random"
        assert app.session.run.games == 0


async def test_escape_leaves_the_line_and_then_the_setup(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        run = app.session.run
        await pilot.press("o", "q", "escape")
        setup = setup_screen(app)
        assert setup.focused is None
        await pilot.press("escape")
        assert app.session.run is run
        assert not isinstance(app.screen, SetupScreen)


async def test_players_and_values_are_chosen_by_the_mouse(lab):
    app = lab()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("o")
        setup = setup_screen(app)
        await pilot.click(setup.choices, offset=(3, 4))
        await pilot.pause()
        assert str(setup.controller.specs["X"]) == "mc"
        await pilot.click(setup.lines["O"], offset=(3, 0))
        await pilot.pause()
        assert setup.focused is setup.lines["O"]
        await pilot.press("backspace", "backspace", *"q:alpha=.5", "enter")
        await pilot.pause()
        assert (str(app.session.run.x), str(app.session.run.o)) == ("mc", "q:alpha=0.5")


async def test_the_lines_say_what_is_chosen(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "down", "right")
        assert [line.value for line in app.screen.query(Input)] == ["td:alpha=0.2", "td", "7"]
