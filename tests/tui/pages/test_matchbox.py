"""O opens the box of the board in every mode; arrows go through the game, Enter steps there."""

from __future__ import annotations

import pytest
from piloting import page_screen, settled, state

from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.screens.lab import LabScreen


@pytest.mark.quick("p5", "t")
@pytest.mark.parametrize("keys", ["w", "s", "p5", "v", "t"])
async def test_o_opens_the_box_in_every_mode(lab, keys: str):
    app = lab("menace", "menace")
    async with app.run_test(size=(80, 24)) as pilot:
        app.session.run.train(20)
        await pilot.press("full_stop")
        if keys == "t":
            app.session.mode = Mode.TRAIN
        else:
            await pilot.press(*keys)
        behind = app.screen
        await pilot.press("O")
        await settled(pilot)
        assert page_screen(pilot).page.name == "BOX"
        await pilot.press("q")
        await settled(pilot)
        assert app.screen is behind
        assert isinstance(behind, LabScreen) == (keys != "v")


async def test_enter_steps_from_what_happened_to_a_box(lab):
    app = lab("menace", "menace")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("w", "right_curly_bracket", "end", "O")
        await settled(pilot)
        box = state(pilot)
        await pilot.press("home", "right", "enter")
        await settled(pilot)
        assert app.session.mode is Mode.STEP
        assert app.session.timeline.place == box.boxes[1].place
