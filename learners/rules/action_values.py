"""Rules that value moves: Q-learning, Sarsa, Expected Sarsa and double Q-learning.

S is the board with the player to move, S' the board at its next turn: the opponent's reply lies in
between. The position before the player's t-th own move (from 1) lies 2 (t - 1) plies into the game,
one more for O. R is the worth of the result, at the end only, and Q(terminal, .) = 0.
"""

from __future__ import annotations

from afterstate_lab.learners.engine.backups import SEVERAL, backup, backup_towards, step_size
from afterstate_lab.learners.engine.choices import best_of, estimate, exploration_rate, tied_move
from afterstate_lab.learners.engine.dice import COIN, EXPLORE, PICK, dice_word
from afterstate_lab.learners.engine.play import GAME, KEY_HIGH, KEY_LOW
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation, TargetKind, Term


def first_move(game, me, t):
    """The first of the padded moves of the position before the player's t-th move."""
    return 9 * game.path[2 * t - 2 + me.side]


def number_of_moves(me, t):
    """How many legal moves that position has."""
    return 11 - 2 * t - me.side


def best_pair(v, game, me, t):
    """max over legal a of Q(S_t, a), and the entry of the first that has it."""
    row = first_move(game, me, t)
    found = game.entry[row]
    best = v[found]
    for i in range(1, number_of_moves(me, t)):
        entry = game.entry[row + i]
        value = v[entry]
        if value > best:
            best = value
            found = entry
    return best, found


class QLearning(Rule):
    """Q-learning: an action value moves towards the best value of the next turn.

        Q(S, A) <- Q(S, A) + alpha [ R + gamma max_a Q(S', a) - Q(S, A) ]

    Off-policy (S&B 6.5, equation 6.8): the maximum is over what it could do, so exploratory moves
    are learned from like any others.
    """

    name = "q"
    summary = "Q-learning, off-policy, on moves"
    equation = Equation(
        "Q(S,A) ← Q(S,A) + α [ R + γ max Q(S′,a) − Q(S,A) ]",
        (
            Term(
                "max Q(S′,a)",
                "the highest value at the player's next turn",
                TargetKind.BEST_PAIR,
                typed="max_a Q(S',a)",
            ),
        ),
    )
    source = "S&B 6.5, (6.8)"
    options = (*options.STEPPED, options.GAMMA, *options.REWARDS, options.INITIAL, *options.SHARING)
    by_state = False
    is_off_policy = True

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if t < 2:
            return
        pair = steps[t - 1]
        r = v[steps[t]] if over else 0.0
        best, read = (0.0, me.nothing) if over else best_pair(v, game, me, t)
        backup_towards(v, tape, me, pair, read, r + me.gamma * best, step_size(v, me, pair))


class Sarsa(Rule):
    """Sarsa: an action value moves towards that of the next move made.

        Q(S, A) <- Q(S, A) + alpha [ R + gamma Q(S', A') - Q(S, A) ]

    On-policy (S&B 6.4, equation 6.7): A' is the move that the player really made at its next turn,
    exploratory or not, so the values include what its exploration costs.
    """

    name = "sarsa"
    summary = "Sarsa, on-policy, on moves"
    equation = Equation("Q(S,A) ← Q(S,A) + α [ R + γ Q(S′,A′) − Q(S,A) ]")
    source = "S&B 6.4, (6.7)"
    options = options.ACTION_VALUES
    by_state = False

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if t < 2:
            return
        pair = steps[t - 1]
        r = v[steps[t]] if over else 0.0
        pair_next = me.nothing if over else steps[t]
        backup(v, tape, me, pair, pair_next, r, step_size(v, me, pair))


class ExpectedSarsa(Rule):
    """Expected Sarsa: an action value moves towards what the policy expects of the next turn.

        Q(S, A) <- Q(S, A) + alpha [ R + gamma sum_a pi(a | S') Q(S', a) - Q(S, A) ]

    pi is the player's own epsilon-greedy policy at the time: with probability epsilon any legal
    move, else one of the best, which share that mass, so sum_a pi(a) Q(a) = epsilon mean_a Q(a) +
    (1 - epsilon) max_a Q(a). With epsilon = 0 this is Q-learning (S&B 6.6, equation 6.9).
    """

    name = "expected-sarsa"
    summary = "Expected Sarsa, on-policy, on moves"
    equation = Equation(
        "Q(S,A) ← Q(S,A) + α [ R + γ Σ π(a)Q(S′,a) − Q(S,A) ]",
        (
            Term(
                "Σ π(a)Q(S′,a)",
                "what the player can expect of its next turn",
                TargetKind.EXPECTED_PAIR,
                variable="expected",
                typed="sum_a pi(a|S') Q(S',a)",
            ),
        ),
    )
    source = "S&B 6.6, (6.9)"
    options = options.ACTION_VALUES
    by_state = False

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if t < 2:
            return
        pair = steps[t - 1]
        r = v[steps[t]] if over else 0.0
        expected, read = 0.0, me.nothing
        if not over:
            epsilon = exploration_rate(me, game.clock[GAME])
            best, _ = best_pair(v, game, me, t)
            row, n = first_move(game, me, t), number_of_moves(me, t)
            total = 0.0
            for i in range(n):
                total += v[game.entry[row + i]]
            expected, read = (1.0 - epsilon) * best + epsilon * (total / n), SEVERAL
        target = r + me.gamma * expected
        backup_towards(v, tape, me, pair, read, target, step_size(v, me, pair))


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
    """Double Q-learning: two tables, each learning the value of what the other would not choose.

        Q1(S, A) <- Q1(S, A) + alpha [ R + gamma Q2(S', argmax_a Q1(S', a)) - Q1(S, A) ]

    or, as a coin falls, the same with Q1 and Q2 exchanged (S&B 6.7, equation 6.10; van Hasselt,
    2010): one table says which move is best, the other what it is worth, so the luck of one
    estimate is not taken for value. The player behaves epsilon-greedily in Q1 + Q2. Ties of the
    argmax are broken by the same throw of the coin.
    """

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
        # The lowest of 32 random bits is the coin, the others break ties.
        word = dice_word(game.clock[KEY_LOW], game.clock[KEY_HIGH], 2 * t - 1 + me.side, COIN)
        q1 = me.second * (word & 1)
        q2 = me.second - q1
        pair = steps[t - 1] + q1
        r = v[steps[t]] if over else 0.0
        valued = me.nothing
        if not over:
            row, n = first_move(game, me, t), number_of_moves(me, t)
            best, move, ties = best_of(v, game, row, n, q1)
            argmax = tied_move(v, game, q1, best, move, (word >> 1) * ties >> 31)
            valued = q2 + game.entry[argmax]
        backup(v, tape, me, pair, valued, r, step_size(v, me, pair))
