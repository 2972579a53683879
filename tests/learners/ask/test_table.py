"""The rows of a table: each filter, its numbers and its order."""

import numpy as np
import pytest
from made import run_of

from afterstate_lab.game import Board, Side, space
from afterstate_lab.learners.ask.table import TableRows, exported_rows, filtered, sorted_rows

pytestmark = pytest.mark.usefixtures("interpreted")


LEARNERS = [
    "td", "td:symmetry=on", "chain:plies=all", "q", "sarsa:gamma=0.9", "double-q", "negamax",
    "menace", "menace-code",
]  # fmt: skip
COLUMNS = ["board", "value", "v*", "vpi", "error", "visits", "ply"]


def rows_of(run, side=Side.X):
    return TableRows(run.layout, run.memory, side, run.games)


def trained(x, o="random", games=60):
    return run_of(x, o, games, 7)


@pytest.fixture(scope="module")
def td():
    return rows_of(trained("td", "td", 200))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("visits>10", lambda rows: rows.visits > 10),
        ("n<=1", lambda rows: rows.visits <= 1),
        ("never", lambda rows: rows.visits == 0),
        ("error>.1", lambda rows: np.abs(rows.columns["error"]) > 0.1),
        ("error<-.1", lambda rows: rows.columns["error"] < -0.1),
        ("error>+.1", lambda rows: rows.columns["error"] > 0.1),
        ("ply=3", lambda rows: space().ply[rows.boards] == 3),
        ("V!=.5 v*=1", lambda rows: (rows.values != 0.5) & (rows.truth == 1)),
        ("vpi>=.5  visits>0", lambda rows: (rows.policy >= 0.5) & (rows.visits > 0)),
        ("never ply=7 V<.6", lambda r: (r.visits == 0) & (r.ply == 7) & (r.values < 0.6)),
        ("", lambda rows: np.ones(len(rows), dtype=bool)),
    ],
)
def test_comparisons_show_what_they_say(td, text, expected):
    assert np.array_equal(filtered(td, text), expected(td))


def test_a_board_matches_itself_and_wildcards_match_any(td):
    def shown(text):
        return [space().text(int(board)) for board in td.boards[filtered(td, text)]]

    assert shown("x.o...x..") == ["X.O...X.."]
    assert shown("ply=1 ????x????") == ["....X...."]
    assert len(shown("ply=1 ?????????")) == 9
    assert shown("X........ O........") == []


def test_a_cell_behind_a_board_is_that_of_the_move():
    rows = rows_of(trained("q", "random", 1))
    (found,) = np.flatnonzero(filtered(rows, "X...O....@2"))
    assert (space().text(int(rows.boards[found])), rows.cells[found]) == ("X...O....", 1)


# its numbers


@pytest.mark.parametrize("spec", LEARNERS)
@pytest.mark.parametrize("side", list(Side))
def test_rows_are_those_of_the_export(spec, side):
    run = trained(spec, spec)
    rows = rows_of(run, side)
    exported = [row for row in exported_rows(run.layout, run.memory) if row.player == side.mark]
    told = [
        (space().text(int(board)), int(cell) + 1 or None, value, visits)
        for board, cell, value, visits in zip(
            rows.boards, rows.cells, rows.values, rows.visits, strict=True
        )
    ]
    told.sort(key=lambda row: (row[0], row[1] or 0))
    assert told == [(row.board, row.cell, row.value, row.visits) for row in exported]


def test_a_table_of_all_boards_is_told_from_the_side_of_who_moved_and_shared_by_ply():
    rows = rows_of(trained("negamax", "td"))
    row_of = {str(Board.from_id(int(b))): n for n, b in enumerate(rows.boards)}
    worth = {"XX.OO....": 0.0, "XX.OO.X..": 0.0, "XXO.O...X": 0.0, "XX..O....": 0.5}
    assert {board: rows.truth[row_of[board]] for board in worth} == worth
    run = trained("negamax", "negamax")
    x, o = rows_of(run, Side.X), rows_of(run, Side.O)
    assert (set(x.ply.tolist()), set(o.ply.tolist())) == ({1, 3, 5, 7}, {0, 2, 4, 6, 8})
    rows = rows_of(trained("double-q"))
    assert rows.parts.shape == (2, len(rows))
    assert np.array_equal(rows.values, rows.parts.mean(axis=0))
    assert {"table 1", "table 2"} <= set(rows.columns)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("reverse", [False, True])
def test_sorting_keeps_all_rows_in_order_and_equals_by_board(td, column, reverse):
    order = sorted_rows(td, np.ones(len(td), dtype=bool), column, reverse)
    assert sorted(order.tolist()) == list(range(len(td)))
    keys = td.columns[column][order].astype(float)
    keys = np.abs(keys) if column == "error" else keys
    falls = (column in ("value", "v*", "vpi", "error", "visits")) != reverse
    steps = np.diff(-keys if falls else keys)
    assert np.all(steps >= 0)
    assert np.all(np.diff(order)[steps == 0] > 0)
    if column == "error" and not reverse:
        assert keys[0] == np.abs(td.columns["error"]).max()
