"""What is told of a run, in events, traces and tables, is what happened and what was learned."""

import csv
import json
from itertools import groupby

import pytest
from made import run_of

from afterstate_lab.game import Board
from afterstate_lab.learners.export import HEADER, Row, table_rows
from afterstate_lab.learners.tape.events import GameOver, Move
from afterstate_lab.learners.tape.recording import Cursor
from afterstate_lab.learners.tape.run import trace


def lines(run, games):
    return [json.dumps(event) for event in trace(run, games)]


def replayed(fresh, told):
    """The table by the lines alone: what it starts with, then every backup's new value."""
    table = {(row.player, row.board, row.cell): [row.value, 0] for row in fresh}
    for event in told:
        if event["kind"] == "backup":
            entry = table[event["player"], event["board"], event["cell"]]
            assert event["old"] == entry[0]
            entry[0] = event["new"]
            entry[1] += 1
    return table


SLOW = (
    "td:decay=.8,every=20", "mc:step=1/n", "nstep", "negamax", "sarsa:symmetry=on",
    "expected-sarsa", "menace:empty=refill", "menace-code",
)  # fmt: skip


@pytest.mark.quick("td", "menace", "q")
@pytest.mark.parametrize(
    "spec",
    [
        *("td", "td:symmetry=on,epsilon=.5..0,over=50", "chain:plies=all", "tdlambda"),
        *("q", "menace", *(pytest.param(spec, marks=pytest.mark.slow) for spec in SLOW)),
    ],
)
def test_a_trace_replayed_from_its_own_lines_gives_the_exported_table(spec):
    run = run_of(spec, seed=5)
    fresh = list(table_rows(run.layout, run.memory))
    table = replayed(fresh, map(json.loads, lines(run, 150)))
    rows = list(table_rows(run.layout, run.memory))
    assert {(r.player, r.board, r.cell): [r.value, r.visits] for r in rows} == table
    assert sum(visits for _, visits in table.values()) > 150


def test_the_tables_of_double_q_learning_are_told_apart():
    run = run_of("double-q", "random")
    values = [dict.fromkeys(((r.board, r.cell) for r in table_rows(run.layout, run.memory)), 0.5)]
    values.append(dict(values[0]))
    for event in trace(run, 150):
        if event["kind"] == "backup":
            values[event["table"] - 1][event["board"], event["cell"]] = event["new"]
    for row in table_rows(run.layout, run.memory):
        entry = row.board, row.cell
        assert row.value == 0.5 * (values[0][entry] + values[1][entry])
    assert values[0] != values[1]


def test_the_first_lines_of_a_run_worked_by_hand():
    first, second, *_ = trace(run_of("td:epsilon=0"), 1)
    cell, dice = first.pop("cell"), first.pop("dice")
    assert cell == 1 + int(dice["pick"] * 9)
    about = {"game": 0, "ply": 1, "player": "X", "board": "." * 9}
    after, values = str(Board().play(cell - 1)), {str(n): 0.5 for n in range(1, 10)}
    move = {"kind": "move", "afterstate": after, "choice": "greedy", "values": values}
    numbers = {"old": 0.5, "target": 0.5, "step": 0.1, "trace": 1.0, "new": 0.5}
    assert first == about | move
    assert second == about | {"kind": "backup", "rule": "td", "cell": None} | numbers


EPSILON = 0.4
SPEC = f"td:epsilon={EPSILON}"


@pytest.fixture(scope="module")
def recording():
    run = run_of(SPEC, games=140, seed=1)
    return run.record(100, 140)


@pytest.fixture(scope="module")
def games(recording):
    return [list(events) for _, events in groupby(recording.events(), lambda event: event.game)]


def test_the_moves_of_a_game_are_a_game(games):
    for events in games:
        board = Board()
        for ply, move in enumerate((e for e in events if isinstance(e, Move)), start=1):
            assert (move.ply, move.player, move.board) == (ply, board.to_move, board.id)
            board = board.play(move.cell)
            assert move.afterstate == board.id
        end = events[-1]
        assert isinstance(end, GameOver)
        assert (end.result, end.ply) == (board.winner or "draw", board.ply)
        assert not end.resigned


def test_a_move_is_exploratory_iff_a_sibling_was_valued_strictly_higher(recording):
    found = set()
    for row, event in enumerate(recording.events()):
        if not isinstance(event, Move):
            continue
        v = Cursor(recording, row).v
        table = recording.layout.x if event.player == "X" else recording.layout.o
        values = table.values(v)[0]
        board = Board.from_id(event.board)
        best = max(values[board.play(cell).id] for cell in board.legal_cells)
        assert event.exploratory == bool(values[event.afterstate] < best)
        assert event.choice == ("exploratory" if event.exploratory else "greedy")
        if event.exploratory:
            assert event.explore < EPSILON
            assert event.cell == board.legal_cells[int(event.pick * len(board.legal_cells))]
        found.add(event.choice)
    assert found == {"greedy", "exploratory"}


def test_a_scripted_move_is_called_so_and_may_be_exploratory():
    events = run_of().play({1: 0, 2: 3, 3: 1, 4: 8, 5: 4}).events()
    moves = [event for event in events if isinstance(event, Move)]
    assert [move.choice for move in moves[:5]] == ["scripted"] * 5
    # X at 1 and 2 could have won with 3, worth 1; it was made to play 5.
    assert [move.exploratory for move in moves[:5]] == [False, False, False, False, True]


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
