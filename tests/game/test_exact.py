"""The exact answers against known fractions, and against recursions that share no code."""

from fractions import Fraction

import numpy as np
import pytest
import referee

from afterstate_lab.game import Board, Side, reachable_boards, space
from afterstate_lab.game import exact as solved

START = referee.EMPTY
LAST_BITS = 1e-14
"""What nine plies of rounding can cost a probability."""
ENDS = np.eye(3)[[1, 0, 2]]
"""The chances that X wins, of a draw, that O wins, by who won: 0, 1 and -1."""


def edges_of(text):
    state = Board.parse(text).id
    return slice(*space().first_edge[state : state + 2])


def row(policy, text):
    return policy[edges_of(text)].tolist()


@pytest.fixture(
    scope="session", params=[0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
def random_rows(request):
    """A random policy, by board and cell as exact chances, and as the array of its floats.

    Many moves have probability 0, and where the dice say so the mover may or must resign.
    """
    generator = np.random.default_rng(request.param)
    table: dict[str, dict[int, Fraction]] = {}
    policy = np.zeros(16167)
    for board in referee.boards():
        edges = edges_of(board)
        count = edges.stop - edges.start
        weights = generator.integers(0, 4, count).tolist()
        resigns = int(generator.integers(1, 3)) if generator.random() < 0.1 else 0
        total = sum(weights) + resigns
        if count and total == 0:
            weights[0] = total = 1
        cells = space().edge_cell[edges].tolist()
        chances = (Fraction(weight, total) for weight in weights)
        table[board] = dict(zip(cells, chances, strict=True))
        policy[edges] = [weight / total for weight in weights]
    return table.__getitem__, policy


def test_minimax_is_the_plain_recursion_everywhere():
    for board, value in zip(reachable_boards(), solved.minimax_values().tolist(), strict=True):
        assert value == solved.minimax(board) == referee.minimax(str(board))


def test_every_move_is_optimal_in_1329_positions():
    decisions = np.flatnonzero(space().outcome == 0)
    indifferent = np.logical_and.reduceat(solved.optimal_edges(), space().first_edge[decisions])
    assert (len(indifferent), indifferent.sum()) == (4520, 1329)
    assert solved.optimal_edges()[edges_of("XX.OO....")].tolist() == [True] + [False] * 4


def preferring(**preferences):
    """Preferences on the empty board, by cell name a-i; 0 elsewhere."""
    array = np.zeros(16167)
    for name, value in preferences.items():
        array["abcdefghi".index(name)] = value
    return array


def test_uniform_perfect_and_greedy_moves():
    assert row(solved.uniform_policy(), START) == [1 / 9] * 9
    assert row(solved.uniform_policy(), "XOXXOO.X.") == [1 / 2, 1 / 2]
    assert row(solved.perfect_policy(), "X........") == [0, 0, 0, 1, 0, 0, 0, 0]
    assert (solved.perfect_policy() > 0.0).tolist() == solved.optimal_edges().tolist()
    assert row(solved.greedy_policy(preferring(b=0.1)), START) == [0, 1, 0, 0, 0, 0, 0, 0, 0]
    ties = solved.greedy_policy(preferring(a=0.3, i=0.3, e=np.nextafter(0.3, 0.0)))
    assert row(ties, START) == [0.5, 0, 0, 0, 0, 0, 0, 0, 0.5]
    signs = np.where(space().ply[space().edge_state] % 2 == 0, 1.0, -1.0)
    preferences = signs * solved.minimax_values()[space().edge_successor]
    assert (solved.greedy_policy(preferences) == solved.perfect_policy()).all()


def test_epsilon_greedy_draws_from_all_moves_the_greedy_one_included():
    policy = solved.epsilon_greedy_policy(preferring(a=1.0), epsilon=0.09)
    assert row(policy, START) == pytest.approx([0.92] + [0.01] * 8, rel=1e-15)
    preferences = np.random.default_rng(0).random(16167)
    assert (
        solved.epsilon_greedy_policy(preferences, 0.0) == solved.greedy_policy(preferences)
    ).all()
    assert (solved.epsilon_greedy_policy(preferences, 1.0) == solved.uniform_policy()).all()


def test_what_a_row_misses_of_one_resigns_but_not_by_rounding():
    for policy in (solved.uniform_policy(), solved.perfect_policy()):
        assert not solved.resignation(policy).any()
        assert not policy.flags.writeable
    policy = solved.greedy_policy(np.zeros(16167))
    policy[:9] = [0.5, 0.25, 0, 0, 0, 0, 0, 0, 0]
    policy[9:17] = 0.0
    resigning = solved.resignation(policy)
    assert resigning[:3].tolist() == [0.25, 1.0, 0.0]
    assert not resigning[space().outcome > 0].any()


@pytest.mark.quick("0")
def test_any_policy_is_evaluated_as_the_plain_recursion_does(random_rows):
    rows, policy = random_rows
    recursion = referee.valued({"X": rows, "O": rows}, ENDS.__getitem__)
    exact = np.array([recursion(str(board)) for board in reachable_boards()])
    values = solved.evaluate(policy, policy)
    assert values.shape == (5478, 3)
    assert values == pytest.approx(exact.astype(float), abs=LAST_BITS)
    assert ((values == 0.0) == (exact == 0)).all()


@pytest.mark.quick("0-rewards0-1", "0-rewards1-0")
@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("rewards", [(1.0, 0.5, 0.0), (1.0, 0.0, -1.0)])
def test_optimal_values_are_those_of_the_plain_recursion(random_rows, side, rewards):
    rows, policy = random_rows
    win, draw, loss = rewards
    sign = referee.WON[side.mark]
    value = referee.best_reply(side.mark, rows, lambda ended: (draw, win, loss)[ended * sign])
    exact = [float(value(str(board))) for board in reachable_boards()]
    values = solved.optimal_response_values(policy, side, *rewards)
    assert values == pytest.approx(np.array(exact), abs=LAST_BITS)


@pytest.mark.quick("0-0")
@pytest.mark.parametrize("side", Side)
def test_the_worst_loss_is_the_opponents_best_win(random_rows, side):
    rows, policy = random_rows
    won = referee.WON[side.other.mark]
    value = referee.best_reply(side.other.mark, rows, lambda ended: int(ended == won))
    exact = [value(str(board)) for board in reachable_boards()]
    worst = solved.worst_losses(policy, side)
    assert worst == pytest.approx(np.array(exact, dtype=float), abs=LAST_BITS)
    assert ((worst > 0.0) == (np.array(exact) > 0)).all()


@pytest.mark.quick("0-0")
@pytest.mark.parametrize("side", Side)
def test_the_likeliest_refutation_is_that_of_plain_recursion(random_rows, side):
    rows, policy = random_rows
    worst, likely, length = referee.refutation(rows, side.mark)
    found = solved.likeliest_refutation(policy, side)
    assert worst > 0
    assert found.probability == pytest.approx(float(likely), rel=1e-12)
    assert len(found.cells) == length
    chance, board = 1.0, Board()
    for cell in found.cells:
        if board.ply % 2 == side:
            chance *= policy[space().edge_of[board.id, cell]]
        board = board.play(cell)
    assert board.winner in (None, side.other.mark)
    resigns = 1.0 if board.winner else solved.resignation(policy)[board.id]
    assert chance * resigns == pytest.approx(found.probability, rel=1e-12)
    assert solved.likeliest_refutation(solved.perfect_policy(), side) is None
