"""The exported table: every entry that a backup can reach, in order, to the last bit."""

import csv

import pytest
from made import run_of

from afterstate_lab.learners.export import HEADER, Row, table_rows


def rows_of(x, o, games=200):
    run = run_of(x, o, games, 3)
    return list(table_rows(run.layout, run.memory))


@pytest.mark.parametrize("spec", ["td", "q", "menace"])
def test_rows_are_sorted_and_read_back_to_the_last_bit(spec):
    rows = rows_of(spec, spec)
    keys = [(row.player, row.board, row.cell or 0) for row in rows]
    assert keys == sorted(set(keys))
    read = csv.DictReader([HEADER, *(row.as_csv() for row in rows)])
    for row, fields in zip(rows, read, strict=True):
        assert (fields["player"], fields["board"]) == (row.player, row.board)
        assert fields["cell"] == ("" if row.cell is None else str(row.cell))
        assert (float(fields["value"]), int(fields["visits"])) == (row.value, row.visits)
        assert len(fields["value"].strip("-").replace(".", "").lstrip("0")) <= 17


def test_a_row_worked_by_hand():
    assert Row("X", "X...O....", None, 0.1, 3).as_csv() == "X,X...O....,,0.10000000000000001,3"
    assert Row("O", "X........", 5, 0.5, 0).as_csv() == "O,X........,5,0.5,0"
