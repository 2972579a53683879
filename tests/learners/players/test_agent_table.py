"""A table is read as its learner plays, however people spell boards, cells and numbers."""

import csv
import io
import json
from functools import cache

import numpy as np
import pytest
from made import sentences

from afterstate_lab.game import reachable_boards
from afterstate_lab.game.exact import minimax_values
from afterstate_lab.learners.library import train
from afterstate_lab.learners.players.answers import parse_table

SPELLED = {
    "ours": str,
    "lower case, dashes": lambda board: str(board).lower().replace(".", "-"),
    "blanks in three lines": lambda board: "\n".join(
        str(board).replace(".", " ")[row : row + 3] for row in (0, 3, 6)
    ),
    "underscores": lambda board: str(board).replace(".", "_"),
    "a list of 1, -1, 0": lambda board: str([{".": 0, "X": 1, "O": -1}[m] for m in str(board)]),
    "an array of floats": lambda board: str(
        np.array([{".": 0.0, "X": 1.0, "O": -1.0}[m] for m in str(board)]).reshape(3, 3)
    ),
    "a tuple of texts": lambda board: str(tuple(str(board).replace(".", " "))),
    "numpy's numbers": lambda board: str(tuple(np.int64(".XO".index(m)) for m in str(board))),
    "1, 2, 0": lambda board: str(board).translate(str.maketrans(".XO", "012")),
    "a number of a spreadsheet": lambda board: str(
        int(str(board).translate(str.maketrans(".XO", "012")))
    ),
}  # fmt: skip


def csv_of(head, rows, delimiter=","):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([head, *rows])
    return out.getvalue().encode()


def values_of_moves(rows):
    """Every way to write a learner's values of moves; each with the file's kind."""
    boards = {}
    for row in rows:
        boards.setdefault(row.board, {})[row.cell] = row.value
    nine = {b: [values.get(c, float("nan")) for c in range(1, 10)] for b, values in boards.items()}
    head = ("board", "cell", "value")
    triples = [(row.board, row.cell, row.value) for row in rows]
    german = [
        (board, f"{cell}.0", f"{value:.17g}".replace(".", ",")) for board, cell, value in triples
    ]
    return {
        "csv": csv_of(head, triples),
        "from 0": csv_of(head, [(b, cell - 1, v) for b, cell, v in triples]),
        "semicolons": csv_of(head, german, ";"),
        "UTF-16 with tabs": csv_of(head, german, "\t").decode().encode("utf-16"),
        "nine numbers": json.dumps(nine).encode(),
        "by cell": json.dumps(boards).encode(),
        "by board and cell": json.dumps({f"{b}:{c - 1}": v for b, c, v in triples}).encode(),
        "by a tuple": json.dumps({str((b, c)): v for b, c, v in triples}).encode(),
        "objects": json.dumps([dict(zip(head, row, strict=True)) for row in triples]).encode(),
    }


@cache
def learned(rule):
    """The rows of a learner's table, and what it plays on every board with a choice."""
    run = train(rule, rule, 300, 2)
    best = {str(b): run.best(b) for b in reachable_boards() if len(b.legal_cells) > 1}
    plays = {b: [(c in cells) / len(cells) for c in range(1, 10)] for b, cells in best.items()}
    return run.table(), plays


def answers(table, boards):
    return {board: table.answer(board) for board in boards}


@pytest.mark.quick("from 0")
@pytest.mark.parametrize("way", values_of_moves([]))
def test_values_of_moves_are_played_greedily_from_every_kind_of_file(way):
    rows, plays = learned("q")
    data = values_of_moves(rows)[way]
    table = parse_table(data, is_json=data[:1] in (b"{", b"["))
    assert answers(table, plays) == plays
    assert table.notes[0].startswith("read as values of moves")
    zero = way in ("from 0", "by board and cell")
    cells = f"cells from {int(not zero)} (there is a cell {0 if zero else 9})"
    assert table.notes[1:] == ([] if way == "nine numbers" else [cells])


@pytest.mark.quick("a number of a spreadsheet")
@pytest.mark.parametrize("spelling", SPELLED)
def test_values_of_boards_after_the_move_are_played_from_every_spelling(spelling):
    spell = SPELLED[spelling]
    known, plays = learned("td")
    rows = [(row.player, spell(row.board), row.value) for row in known]
    tables = (
        parse_table(csv_of(("player", "board", "value"), rows), is_json=False),
        parse_table(json.dumps({board: value for _, board, value in rows}).encode(), is_json=True),
    )
    for table in tables:
        assert answers(table, plays) == plays
        assert table.notes == [
            "read as values of boards after its move: it plays the largest, ties at random"
        ]


@pytest.mark.parametrize("row", sentences("learners/players/tables.txt"))
def test_cells_and_kinds_of_numbers_are_taken_from_the_whole_table(row):
    text, board, said, notes = row
    table, chances = parse_table(text.encode(), is_json=True), [0.0] * 9
    for cell, chance in (one.split(": ") for one in filter(None, said.split(", "))):
        chances[int(cell) - 1] = float(chance)
    assert table.answer(board) == chances
    assert "; ".join(table.notes) == notes


def test_values_of_one_side_for_both_are_played_downwards_by_the_other():
    """X's view of all boards, as -1 for a win of O: exact values, which nobody beats."""
    worth = {str(b): float(v) for b, v in zip(reachable_boards(), minimax_values(), strict=True)}
    table = parse_table(json.dumps(worth).encode(), is_json=True)
    assert "boards that O won have the smallest: O plays the smallest" in table.notes
    for board in reachable_boards():
        if len(board.legal_cells) > 1:
            after = {cell: worth[str(board.play(cell))] for cell in board.legal_cells}
            best = (max if board.to_move == "X" else min)(after.values())
            played = table.answer(str(board))
            assert {cell for cell in range(9) if played[cell]} == {
                cell for cell, value in after.items() if value == best
            }
