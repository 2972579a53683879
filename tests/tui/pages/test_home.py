"""Home: what it shows before anything was done, its menu, and the way back to it."""

from dataclasses import replace

import pytest
from piloting import SIZES, at, saved

from afterstate_lab.game import Board
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.recording import mover_values
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.blocks.block import Window
from afterstate_lab.tui.blocks.lists import Item, Menu
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.home import FRAMES, SEED, Home
from afterstate_lab.tui.theme.glyphs import UNICODE


@pytest.mark.slow
def test_the_recording_is_what_two_td_learners_of_that_seed_learn():
    run = Run(parse_player("td"), parse_player("td"), SEED)
    for frame in FRAMES:
        run.train(frame["games"] - run.games)
        sides = evaluate_memory(run.layout, run.memory)
        values = mover_values(run.layout.x, run.memory, Board().id)
        found = [round(1000 * values[cell]) for cell in range(9)]
        beaten = [mark for mark, side in zip("XO", sides, strict=True) if side and side[f.BEATABLE]]
        names = {"both": ["X", "O"], "O": ["O"], "neither": []}
        assert (found, beaten) == (frame["values"], names[frame["beatable"]]), frame["games"]


@pytest.mark.parametrize("size", SIZES)
async def test_home(lab, monkeypatch: pytest.MonkeyPatch, size: str):
    monkeypatch.setattr("afterstate_lab.tui.pages.home.PICTURE_SECONDS", 3600.0)
    async with at(lab(at_home=True), SIZES[size]) as desk:
        await desk.settle()
        desk.compare(f"home-{size}")


@pytest.mark.slow
async def test_in_a_large_window_the_board_is_large_and_a_click_finds_its_item(lab):
    async with at(lab(at_home=True), (200, 60)) as desk:
        await desk.settle()
        board = next(place for place in desk.screen.places if place.x == place.y == 0)
        assert board.columns > 100 and board.rows > 40
        await desk.click("one update")
        await desk.settle()
        assert desk.session.mode is Mode.STEP


async def test_what_plays_beside_the_menu_comes_to_rest(lab):
    async with at(lab(at_home=True)) as desk:
        await desk.settle()
        for _ in range(len(FRAMES) + 3):
            desk.state.tick()
        assert desk.state.page().work is None
        assert desk.state.board().parts[0].right == "76,675 games"
        assert not desk.app.controller.is_started


@pytest.mark.parametrize("in_game", [0, 1])
async def test_no_line_of_the_menu_is_cut_and_the_tour_stays_with_a_run(
    lab, monkeypatch: pytest.MonkeyPatch, in_game: int
):
    saved("mine", games=30)
    info = replace(Store.open().list()[0], x="negamax", games=10**9, in_game=in_game)
    monkeypatch.setattr("afterstate_lab.tui.pages.home.games_of", lambda session: 10**9)
    async with at(lab(at_home=True)) as desk:
        await desk.settle()
        controller = desk.app.controller
        home = Home(controller)
        for is_started in (False, True):
            if is_started:
                controller.perform("watch")
            controller.hint = info
            menu = home.menu()
            assert "".join(item.key for item in menu.items) == "cpwstT>"
            text = "\n".join(map(joined, menu.draw(50, 20, Pen(UNICODE))))
            assert all(item.says in text for item in menu.items), text


@pytest.mark.parametrize("size", [(50, 20), (94, 36)])
def test_a_long_remark_takes_the_rows_of_what_stands_above_the_menu(size: tuple[int, int]):
    items = [Item(key, "name", "what it does") for key in "pwst>T"]
    remark = f"The store {'x' * 120} cannot be written: its folder or file is read-only."
    menu = Menu(items=items, at=Window(), about="What this is.", remark=remark)
    lines = list(map(joined, menu.draw(*size, Pen(UNICODE))))
    assert all(f"{item.key}  name" in "\n".join(lines) for item in items)
    assert " ".join(" ".join(lines).split()).count("is read-only.") == 1
