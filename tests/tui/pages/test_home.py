"""Home: what it shows before anything was done, its menu, and the way back to it."""

import pytest
from piloting import SIZES, compare, painted, screen_of, settled, state
from textual.pilot import Pilot

from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.listing import Pending
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run, Seat, Seating
from afterstate_lab.tui.blocks.block import Window
from afterstate_lab.tui.blocks.menu import Item, Menu
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.lab.first_run import FRAMES, SEED
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.home import Home
from afterstate_lab.tui.theme.glyphs import UNICODE


def home(pilot: Pilot[None]) -> Home:
    found = state(pilot)
    assert isinstance(found, Home)
    return found


def shown(pilot: Pilot[None]) -> list[str]:
    """The keys of the menu."""
    return [item.key for item in home(pilot).menu().items]


@pytest.mark.slow
def test_the_recording_is_what_two_td_learners_of_that_seed_learn():
    run = Run(parse_player("td"), parse_player("td"), SEED)
    for frame in FRAMES:
        run.train(frame.games - run.games)
        sides = evaluate_memory(run.layout, run.memory)
        boards = ["".join("X" if cell == at else "." for at in range(9)) for cell in range(9)]
        values = tuple(round(1000 * value_of(run, board)) for board in boards)
        beatable = "".join(
            mark for mark, side in zip("XO", sides, strict=True) if side and side[f.BEATABLE]
        )
        assert (values, beatable) == (frame.values, frame.beatable), frame.games


def value_of(run: Run, board: str) -> float:
    from afterstate_lab.game import Board
    from afterstate_lab.learners.tape.recording import mover_values

    cell = board.index("X")
    return mover_values(run.layout.x, run.memory, Board().id)[cell]


@pytest.mark.parametrize("size", SIZES)
async def test_home(lab, monkeypatch: pytest.MonkeyPatch, size: str):
    monkeypatch.setattr("afterstate_lab.tui.pages.home.PICTURE_SECONDS", 3600.0)
    app = lab(at_home=True)
    async with app.run_test(size=SIZES[size]) as pilot:
        await settled(pilot)
        compare(app, f"home-{size}")


@pytest.mark.slow
async def test_in_a_large_window_the_board_is_large_and_a_click_finds_its_item(lab):
    app = lab(at_home=True)
    async with app.run_test(size=(200, 60)) as pilot:
        await settled(pilot)
        board = next(place for place in screen_of(pilot).places if place.x == place.y == 0)
        assert board.columns > 100
        assert board.rows > 40
        y, line = next(
            (y, line) for y, line in enumerate(painted(pilot).split("\n")) if "one update" in line
        )
        await pilot.click(offset=(line.index("one update"), y))
        await settled(pilot)
        assert app.session.mode is Mode.STEP


async def test_what_plays_beside_the_menu_comes_to_rest(lab):
    app = lab(at_home=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for _ in range(len(FRAMES) + 3):
            home(pilot).tick()
        assert home(pilot).page().work is None
        assert home(pilot).board().right == "76,675 games"
        assert not app.controller.is_started


async def test_a_saved_run_without_a_game_shows_what_it_knows(lab):
    run = Run(parse_player("td"), parse_player("td"), 1)
    run.train(300)
    Store.open().save(run, name="mine")
    app = lab(at_home=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert shown(pilot)[0] == "c"
        values = [cell.value for cell in home(pilot).board().cells]
        assert values[4] == value_of(run, "....X....")
        await pilot.press("enter")
        await settled(pilot)
        assert app.session.run.games == 300


async def test_a_stored_game_that_waits_is_on_the_board_at_home(lab):
    run = Run(parse_player("td"), parse_player("td"), 1)
    run.seat(Seating(Seat.HUMAN, Seat.LEARNS))
    Store.open().save(run, pending=Pending({1: 4}, "X"))
    app = lab(at_home=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        cells = home(pilot).board().cells
        assert cells[4].mark == "X"
        assert sum(cell.mark == "O" for cell in cells) == 1


@pytest.mark.parametrize("size", [(50, 20), (94, 36)])
def test_a_long_remark_takes_the_rows_of_what_stands_above_the_menu(size: tuple[int, int]):
    items = [Item(key, "name", "what it does") for key in "pwst>T"]
    remark = f"The store {'x' * 120} cannot be written: its folder or file is read-only."
    menu = Menu(items=items, at=Window(), about="What this is.", remark=remark)
    lines = ["".join(text for text, _ in line) for line in menu.draw(*size, Pen(UNICODE))]
    assert all(f"{item.key}  name" in "\n".join(lines) for item in items)
    assert " ".join(" ".join(lines).split()).count("is read-only.") == 1
