"""The drill: few questions, and the verdict of judge on any answers."""

import random

import numpy as np
import pytest

from afterstate_lab.game import Board, Side, exact, space
from afterstate_lab.game.constants import EDGES, LINES
from afterstate_lab.learners.ask.drill import LOSS, Drill, cells_of, free, state_of

MOST = {Side.X: 22, Side.O: 71}


def safe(side, path):
    state = state_of(path)
    after = space().successor[state]
    return [cell for cell in free(state) if exact.minimax_values()[after[cell]] != LOSS[side]]


def preferences(drill):
    """Float64[16167]: 1 for the answer, or for any move that wins and blocks without one."""
    states, found = space(), np.zeros(EDGES)
    for state in np.flatnonzero((states.outcome == 0) & (states.ply % 2 == drill.side)).tolist():
        found[[states.edge_of[state, cell] for cell in cells_of(state)]] = 1.0
    for name, move in drill.answers.items():
        edges = states.canonical[states.edge_state] == name
        found[edges] = states.canonical_edge[edges] == move
    return found


@pytest.mark.parametrize("side", Side)
def test_random_players_are_judged_as_judge_does_and_shown_whole_games_that_they_lose(side):
    """Each question is new, up to symmetry, and of this side."""
    players, dice, states = 24, random.Random(24), space()
    drills = [Drill(side) for _ in range(players)]
    for n, drill in enumerate(drills):
        seen = set()
        while (path := next(drill.open(), None)) is not None:
            state = state_of(path)
            name = int(states.canonical[state])
            assert name not in seen and states.ply[state] % 2 == side
            seen.add(name)
            drill.answer(path, dice.choice(free(state) if n % 3 else safe(side, path)))
        assert len(drill.answers) == len(seen) <= MOST[side]
    plays = (exact.greedy_policy(preferences(drill)) for drill in drills)
    beatable = [exact.worst_losses(play, side)[exact.START] > 0.0 for play in plays]
    assert beatable == [bool(drill.lost) for drill in drills]
    assert players / 3 <= beatable.count(False) < players
    for path, game in (lost for drill in drills for lost in drill.lost.items()):
        assert game[: len(path)] == path
        assert Board.from_id(state_of(game)).winner == side.other.mark
        for ply in range(len(path) + 1, len(game) + 1):
            assert exact.minimax_values()[state_of(game[:ply])] == LOSS[side]


def test_what_is_forced_or_cannot_lose_is_not_asked():
    """Nobody who may win at once, or must block, is asked."""
    for side in Side:
        drill = Drill(side)
        while (path := next(drill.open(), None)) is not None:
            board = Board.from_id(state_of(path))
            assert board.to_move == side.mark
            for mark in "XO":
                for cell in board.legal_cells:
                    text = str(board)[:cell] + mark + str(board)[cell + 1 :]
                    assert not any({text[n] for n in line} == {mark} for line in LINES)
            drill.answer(path, safe(side, path)[-1])
    drill = Drill(Side.X)
    drill.answer((), 4)
    assert set(drill.open()) == {(4, 0), (4, 1)}  # a corner or an edge, up to symmetry
