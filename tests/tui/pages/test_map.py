"""The map of 765 positions: every cell is a value of the table, and few change at a time."""

import re

import numpy as np
import pytest
from reading import BARE, done, lab_of, press, session_of

from afterstate_lab.game import Board, Side, reachable_boards, space
from afterstate_lab.learners.ask.table import (
    UNKNOWN,
    TableRows,
    mind,
)
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.lab.panes import stats_view
from afterstate_lab.tui.pages.explain import explain, glossary, look_up
from afterstate_lab.tui.pages.map import CHANGES, MapPage
from afterstate_lab.tui.pages.page import Leave
from afterstate_lab.tui.pages.value import ValueCard

CLASSES: dict[str, list[int]] = {}
for board in reachable_boards():
    name = space().text(space().canonical[board.id])
    CLASSES.setdefault(name, []).append(board.id)
NEXT = {
    board.id: [board.play(cell).id for cell in board.legal_cells] for board in reachable_boards()
}
NAMES = {board: name for name, boards in CLASSES.items() for board in boards}
PLY, OUTCOME = space().ply.tolist(), space().outcome.tolist()
SUCCESSOR, CANONICAL = space().successor.tolist(), space().canonical.tolist()
SPECS = ("td", "td:symmetry=on", "chain:plies=all", "q", "double-q", "negamax", "mc:draw=.2")


def told(run, memory, side, game):
    """By board, its number in the table of a side and its visits, looked up one by one."""
    rows = TableRows(run.layout, memory, side, game)
    found, into = {}, {}
    for board, cell, value, visits in zip(
        *(c.tolist() for c in (rows.boards, rows.cells, rows.values, rows.visits)), strict=True
    ):
        if cell < 0:
            found[board] = value, visits
        else:
            into.setdefault(board, []).append((value, visits, cell))
            after = SUCCESSOR[board][cell]
            if not OUTCOME[after] and found.get(after, (0, -1))[1] < visits:
                found[after] = value, visits
    return rows, found, into


def expected(run, memory, side, game):
    """What the map shows of each class: the number of the image that was visited most."""
    rows, found, into = told(run, memory, side, game)
    win, draw, loss = rows.table.rule.rewards(rows.table.spec.settings)
    worth = (None, win if side is Side.X else loss, loss if side is Side.X else win, draw)
    by_class = rows.table.spec.settings.get("symmetry") == "on"

    def own(board):
        return found.get(CANONICAL[board] if by_class else board)

    def of(board):
        if OUTCOME[board]:
            return worth[OUTCOME[board]], 0
        if (known := own(board)) is not None:
            return known
        if PLY[board] % 2 != side:
            return np.nan, 0  # nobody has moved there yet
        moves = [number[:2] for number in into.get(board, ())] or [
            (worth[OUTCOME[after]], 0) if OUTCOME[after] else own(after) for after in NEXT[board]
        ]
        return max(value for value, _ in moves), sum(visits for _, visits in moves)

    for boards in CLASSES.values():
        numbers = [of(board) for board in boards]
        yield max(numbers, key=lambda number: number[1])


def map_of(session, board=""):
    return MapPage(lab_of(session), board)


@pytest.mark.quick("td", "q")
@pytest.mark.parametrize("spec", SPECS)
def test_every_cell_is_the_number_of_the_table(spec, monkeypatch):
    monkeypatch.setattr(EvaluatedState, "v_pi", lambda *_: np.zeros(5478))  # not looked at here
    run = Run(parse_player(spec), parse_player(spec), 3)
    run.train(80)
    for side, game in ((Side.X, 80), (Side.O, 80), (Side.O, 7)):
        memory = run.memory_at(game)
        shown = mind(run.layout, memory, side)
        wanted = dict(zip(CLASSES, expected(run, memory, side, game), strict=True))
        numbers = (wanted[NAMES[number]] for number in shown.boards.tolist())
        values, visits = zip(*numbers, strict=True)
        assert np.array_equal(shown.values, values, equal_nan=True)
        assert shown.visits.tolist() == list(visits)
        known = shown.entries >= 0
        if run.x.rule.tables == 1 and side is Side.X:
            assert memory[shown.entries[known]].tolist() == shown.values[known].tolist()


def test_the_third_view_is_the_error_of_what_is_known():
    page = map_of(session_of(games=3000))
    for name in ("exact", "error"):
        page.swap()
        assert page.shows == name
    off = np.where(page.mind.is_known, page.mind.values - page.truth, 0.0)
    wanted = np.sign(off) * np.digitize(abs(off), [0.5 * (n / 3.4) ** 2 for n in (1, 2, 3)])
    assert {*wanted} == {*range(-3, 4)}
    assert np.array_equal(page.drawn, np.where(page.mind.is_known, wanted, UNKNOWN))
    high, low = (sum(sign * wanted[np.concatenate(page.rows[13:16])] >= 2) for sign in (1, -1))
    ply_7 = next(line for line in page.block().say() if line.startswith("Ply 7"))
    assert f": {high} far too high," in ply_7 and f" {low} far too low" in ply_7


def test_the_error_has_one_name_and_one_number_in_stats_map_and_glossary():
    session = session_of(games=300)
    word = look_up("rms")
    numbers = explain(word, session)[-1].removeprefix("Here and now: X ").split("  O ")
    for columns in (50, 70):
        lines = map(joined, stats_view(session).draw(columns, 12, BARE))
        told = next(line for line in lines if "rms V−mm" in line)
        found = [f"0{number}" for number in re.findall(r"\.\d+", told)]
        assert found == [f"{float(number):.3f}" for number in numbers]
    page = map_of(session)
    assert f"rms V−mm {float(numbers[0]):.3f}".replace(" 0", " ") in page.block().said
    names = [name for one in glossary() if one.figure for name in one.names]
    assert [name for name in names if name.startswith("rms") and names.count(name) > 1] == []


def test_few_cells_change_at_a_time_while_it_learns_and_all_at_rest():
    page = map_of(session_of(games=3000))
    before = page.drawn.copy()
    press(page.page, "space")
    done(page.page().work)
    assert np.count_nonzero(before != page.drawn) == CHANGES and page.game == 1
    press(page.page, "space")
    assert np.array_equal(page.drawn == UNKNOWN, ~page.mind.is_known)


def test_the_cursor_walks_and_enter_opens_the_card_of_its_board():
    page = map_of(session_of(games=100), "X...o....")
    here = page.mind.boards[page.order[page.cursor]]
    assert NAMES[here] == NAMES[Board.parse("X...O....").id]
    answer = page.card()
    assert isinstance(answer, Leave)
    page.move(-9, 0)
    assert page.mind.boards[page.order[page.cursor]] == 0
    page.move(99, 0)
    page.move(0, -1)
    assert page.cursor < 764


@pytest.mark.parametrize("steps_back", [0, 1, 4])
def test_the_card_of_a_cell_shows_the_value_that_the_map_shows(steps_back):
    session = session_of("td:epsilon=0.3", games=292, seed=511554)
    for _ in range(steps_back):
        session.timeline.step_back()
    page = map_of(session, "X.....XO.")
    shown = float(page.mind.values[page.order[page.cursor]])
    visits = int(page.mind.visits[page.order[page.cursor]])
    card = ValueCard(page.lab, page.card().outcome.data)
    assert (card.now, card.visits) == (shown, visits)


def test_it_opens_on_the_learner_that_you_play():
    for x, o, side in (("human", "td", Side.O), ("td", "human", Side.X), ("td", "td", Side.X)):
        assert MapPage(lab_of(session_of(x, o, games=0))).side is side
