"""Double Q-learning (S&B 6.7, equation 6.10; van Hasselt, 2010).

    Q1(S, A) <- Q1(S, A) + alpha [ R + gamma Q2(S', argmax_a Q1(S', a)) - Q1(S, A) ]

or, as a coin falls, the same with Q1 and Q2 exchanged: one table says which move is best, the
other what it is worth, so the luck of one estimate is not taken for value. The player behaves
epsilon-greedily in Q1 + Q2. Ties of the argmax are broken by the same throw of the coin.
"""

from __future__ import annotations

from afterstate_lab.learners.engine.backups import backup, step_size
from afterstate_lab.learners.engine.choices import best_of, estimate, tied_move
from afterstate_lab.learners.engine.dice import COIN, EXPLORE, PICK, dice_word
from afterstate_lab.learners.engine.play import KEY_HIGH, KEY_LOW
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.action_values import first_move, number_of_moves
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation, TargetKind, Term


def epsilon_greedy_in_sum(v, game, me, row, n, ply, low, high, threshold):
    """`choices.epsilon_greedy` with moves ranked by the sum of both tables."""
    best = estimate(v, me, game.entry[row])
    move = row
    ties = 1
    for i in range(row + 1, row + n):
        value = estimate(v, me, game.entry[i])
        if value >= best:
            if value > best:
                best = value
                move = i
                ties = 1
            else:
                ties += 1
    if dice_word(low, high, ply, EXPLORE) < threshold:
        move = row + (dice_word(low, high, ply, PICK) * n >> 32)
        if estimate(v, me, game.entry[move]) < best:
            return move, 0
    elif ties > 1:
        skip = dice_word(low, high, ply, PICK) * ties >> 32
        while skip > 0:
            move += 1
            if estimate(v, me, game.entry[move]) == best:
                skip -= 1
    return move, 1


class DoubleQ(Rule):
    """Double Q-learning: two tables, each learning the value of what the other would not choose."""

    name = "double-q"
    summary = "double Q-learning: two tables, one chooses and the other values"
    equation = Equation(
        "Q₁(S,A) ← Q₁(S,A) + α [ R + γ Q₂(S′,a*) − Q₁(S,A) ]",
        (
            Term(
                "Q₂(S′,a*)",
                "what the other table says of the move that is best in this one",
                TargetKind.BEST_PAIR,
                typed="Q2(S',argmax_a Q1(S',a))",
            ),
        ),
    )
    source = "S&B 6.7, (6.10)"
    options = options.ACTION_VALUES
    by_state = False
    is_off_policy = True
    tables = 2

    choose = epsilon_greedy_in_sum
    choose_frozen = epsilon_greedy_in_sum

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if t < 2:
            return
        word = coin_word(game, me, t)
        q1 = me.second * (word & 1)
        q2 = me.second - q1
        pair = steps[t - 1] + q1
        r = v[steps[t]] if over else 0.0
        valued = me.nothing if over else q2 + best_of_table(v, game, me, t, q1, word >> 1)
        backup(v, tape, me, pair, valued, r, step_size(v, me, pair))


def coin_word(game, me, t):
    """32 random bits for the backup at the player's time step t: the lowest is the coin."""
    return dice_word(game.clock[KEY_LOW], game.clock[KEY_HIGH], 2 * t - 1 + me.side, COIN)


def best_of_table(v, game, me, t, table, word):
    """argmax over legal a of Q(S_t, a) in the table at that offset, ties by a word of 31 bits.

    Returns:
        The entry of that pair in the first table.
    """
    row, n = first_move(game, me, t), number_of_moves(me, t)
    best, move, ties = best_of(v, game, row, n, table)
    return game.entry[tied_move(v, game, table, best, move, word * ties >> 31)]
