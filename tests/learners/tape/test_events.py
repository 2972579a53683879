"""Events: what they say is what happened, checked against the rules and against memory."""

from itertools import groupby

import pytest

from afterstate_lab.game import Board
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import GameOver, Move
from afterstate_lab.learners.tape.recording import Cursor
from afterstate_lab.learners.tape.run import Run

EPSILON = 0.4
SPEC = f"td:epsilon={EPSILON}"


@pytest.fixture(scope="module")
def recording():
    run = Run(parse_player(SPEC), parse_player(SPEC), seed=1)
    run.train(140)
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


def first_game(x, o, script=None):
    return Run(parse_player(x), parse_player(o)).play(script).events()


def test_a_scripted_move_is_called_so_and_may_be_exploratory():
    events = first_game("td", "td", {1: 0, 2: 3, 3: 1, 4: 8, 5: 4})
    moves = [event for event in events if isinstance(event, Move)]
    assert [move.choice for move in moves[:5]] == ["scripted"] * 5
    # X at 1 and 2 could have won with 3, worth 1; it was made to play 5.
    assert [move.exploratory for move in moves[:5]] == [False, False, False, False, True]
