"""The engine: plays games and lets the players learn. Train, watch, play and step all run this.

A game is a pure function of (memory, players, seed, game number, script). The script holds the
moves given from outside, by ply. A player who needs a scripted move that is missing ends the call;
the game is later replayed from its start with a longer script.

The source below is plain Python over flat arrays. `learners.kernel.hooks` binds `turn` and
`conclude` to the hooks of each player's rule (`choose`, `after_step`, `after_game`) and hands the
result to the interpreter or to the compiler; both give the same bits. In compiled code an array is
a bare address: it has no length, no slices and no negative indices; only options of a rule that are
lists keep their length. `v`, `tape` and the players are described in `learners.engine.backups`;

    game    `GameState`: the moves of every position, and the path of the current game
    steps   the player's own time steps: steps[t] is the entry of S_t (or of its t-th pair)
    greedy  greedy[t]: whether the t-th own move was greedy
"""

from __future__ import annotations

from math import ceil
from typing import Final, NamedTuple

from afterstate_lab.learners.engine.backups import MOVE, OUTCOME, packed, record
from afterstate_lab.learners.engine.choices import RESIGNS, WAITS, is_greedy
from afterstate_lab.learners.engine.dice import WORDS, game_key

GREEDY: Final = 0
EXPLORED: Final = 1
DRAWN: Final = 2
SCRIPTED: Final = 4
"""Choice codes of a move event; SCRIPTED may be joined to EXPLORED."""

X_WINS: Final = 1
O_WINS: Final = 2
RESIGNED: Final = 4
"""Joined to the result of an outcome event when the loser resigned."""

RECENT: Final = 256
"""Number of latest games whose results are kept one by one."""

GAME: Final = 0
PLIES: Final = 1
KEY_LOW: Final = 2
KEY_HIGH: Final = 3
"""Indices of `GameState.clock`."""


class GameState(NamedTuple):
    """The padded moves of every position (nine each, in cell order), and the current game."""

    successor: object
    """uint16[5478 * 9]: the position after each move."""
    cell: object
    """uint8[5478 * 9]: the cell that each move marks."""
    outcome: object
    """uint8[5478]: 0 not over, 1 X won, 2 O won, 3 draw."""
    entry: object
    """uint16[5478 * 9], or uint32 where memory is large: the mover's memory entry for each move."""
    path: object
    """int64[10]: the position after each ply of the current game."""
    clock: object
    """int64[4]: at `GAME` the number of the current game, at `PLIES` its length once it is over, at
    `KEY_LOW` and `KEY_HIGH` the key from which a hook can throw dice (`learners.engine.dice`)."""


def no_op(v, tape, me, steps, greedy, t, over, game):
    """The hook of a rule that does nothing at this point."""


def unbound(*arguments):
    """Placeholder for a hook until `learners.kernel.hooks` binds it to a player's rule."""
    raise NotImplementedError


choose = after_step = after_game = unbound
turn_x = turn_o = conclude_x = conclude_o = rate_x = rate_o = unbound
counts_moves = False
"""WithHooks to True for a player whose step size depends on its number of greedy moves."""


def record_move(tape, me, game, ply, move, was_greedy, given):
    """Record the move made at `ply`."""
    tape.at[1] = packed(0, me.side, ply, 0, game.clock[GAME])
    if given:
        detail = SCRIPTED + EXPLORED - was_greedy
    elif me.draws:
        detail = DRAWN
    else:
        detail = EXPLORED - was_greedy
    record(tape, MOVE, detail, move, 0, 0.0, 0.0, 0.0, 0.0, 0.0)


def scripted_move(game, row, n, cell):
    """The padded move that marks `cell`, of the n from `row` on; `WAITS` where it is not free.

    A script from an untrusted file may name any cell.
    """
    for move in range(row, row + n):
        if game.cell[move] == cell:
            return move
    return WAITS


def turn(v, game, me, steps, greedy, t, ply, s, low, high, threshold, script, tape):
    """Let the player make its t-th move, in position `s`, and learn from it.

    Returns:
        The position after the move, or `WAITS`, or `RESIGNS`.
    """
    given = False
    if script is None or script[ply] < 0:
        move, was_greedy = choose(v, game, me, 9 * s, 10 - ply, ply, low, high, threshold)
        if move < 0:
            return move
    else:
        given = True
        move = scripted_move(game, 9 * s, 10 - ply, script[ply])
        if move < 0:
            return move
        was_greedy = 1 if me.human else is_greedy(v, game, me, 9 * s, 10 - ply, move)
    if tape is not None:
        record_move(tape, me, game, ply, move, was_greedy, given)
    steps[t] = game.entry[move]
    greedy[t] = was_greedy
    s = game.successor[move]
    game.path[ply] = s
    after_step(v, tape, me, steps, greedy, t, 0, game)
    if counts_moves and was_greedy:
        v[me.counter] += 1.0
    return s


def conclude(v, tape, me, steps, greedy, t, moved_last, s, result, game):
    """Let the player, who has made t moves, learn from the end of the game.

    The last time step of a state-value learner is the terminal board, its own or its opponent's;
    for an action-value learner, or after a resignation, it is the reward.
    """
    if not (me.by_state and moved_last):
        t += 1
        greedy[t] = 1
        if me.by_state and result < RESIGNED:
            steps[t] = me.state_entry[s]
        else:
            steps[t] = me.rewards + (result & 3)
        after_step(v, tape, me, steps, greedy, t, 1, game)
    after_game(v, tape, me, steps, greedy, t, 1, game)


def set_author(tape, me, game, ply):
    """Set the game, ply and player under which the next events are recorded."""
    if tape is not None:
        tape.at[1] = packed(0, me.side, ply, 0, game.clock[GAME])


def play_games(
    game, x, o, steps_x, greedy_x, steps_o, greedy_o, low, high, first, last, v, script, tape, tally
):
    """Play the games numbered first .. last - 1, learning as the players' rules do.

    Args:
        game: `GameState`.
        x: parameters of X, a named tuple made by `learners.kernel.hooks`.
        o: parameters of O.
        steps_x: uint32[8], scratch; so are greedy_x, steps_o and greedy_o (uint8[8]).
        low: first word of the seed.
        high: second word of the seed.
        first: number of the first game.
        last: number after the last game.
        v: float64[2N], memory, written in place.
        script: int8[10] by ply, the cell given from outside or -1; or None without a script.
        tape: `TapeColumns` with room for all events, or None.
        tally: int64[4 + RECENT]: number of games by result code, then the latest results.

    Returns:
        The number of the first game that is not over (`last`, or the game that waits for a move).
    """
    for number in range(first, last):
        game.clock[GAME] = number
        key_low, key_high = game_key(low, high, number)
        game.clock[KEY_LOW] = key_low
        game.clock[KEY_HIGH] = key_high
        chance_x = ceil(rate_x(x, number) * WORDS)
        chance_o = ceil(rate_o(o, number) * WORDS)
        steps_x[0] = x.start
        steps_o[0] = o.start
        s = 0
        for t in range(1, 6):  # a known length: the compiler writes out every ply
            ply = 2 * t - 1
            after = turn_x(
                v, game, x, steps_x, greedy_x, t, ply, s, key_low, key_high, chance_x, script, tape
            )
            if after < 0:
                break
            s = after
            result = game.outcome[s]
            if result != 0:
                break
            ply += 1
            after = turn_o(
                v, game, o, steps_o, greedy_o, t, ply, s, key_low, key_high, chance_o, script, tape
            )
            if after < 0:
                break
            s = after
            result = game.outcome[s]
            if result != 0:
                break
        if after == WAITS:
            return number
        x_to_end = ply & 1
        if after == RESIGNS:
            result = RESIGNED + (O_WINS if x_to_end else X_WINS)
            ply -= 1
        moves_x = (ply + 1) >> 1
        moves_o = ply >> 1
        game.clock[PLIES] = ply
        if x_to_end:
            set_author(tape, x, game, ply)
            conclude_x(v, tape, x, steps_x, greedy_x, moves_x, after != RESIGNS, s, result, game)
        set_author(tape, o, game, ply)
        o_ended = not x_to_end and after != RESIGNS
        conclude_o(v, tape, o, steps_o, greedy_o, moves_o, o_ended, s, result, game)
        if not x_to_end:
            set_author(tape, x, game, ply)
            conclude_x(v, tape, x, steps_x, greedy_x, moves_x, False, s, result, game)
        if tape is not None:
            record(tape, OUTCOME, result, result & 3, 0, 0.0, 0.0, 0.0, 0.0, 0.0)
        tally[result & 3] += 1
        tally[4 + number % RECENT] = result & 3
    return last
