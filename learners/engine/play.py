"""The engine: plays games and lets the players learn. Train, watch, play and step all run this.

A game is a pure function of (memory, players, seed, game number, script). The script holds the
moves given from outside, by ply; a player who needs one that is not there ends the call, and the
game is later played again from its start with a longer script.

The source below is plain Python over flat arrays. `learners.engine.specialize` binds `turn` and
`conclude` to the hooks of each player's rule (`choose`, `after_step`, `after_game`) and hands the
whole to the interpreter or to the compiler; the bits are the same. Compiled, an array is its bare
address: it has no length and no slices, and an index counts from its start; only a rule's own
options that are lists have their length. `v`, `tape` and the players are described in
`learners.engine.backups`;

    game    `Ground`: the moves of every position, and the path of the game being played
    steps   the player's own time steps: steps[t] is the entry of S_t (or of its t-th pair)
    greedy  greedy[t]: whether the t-th own move was greedy
"""

from __future__ import annotations

from typing import Final, NamedTuple

from learners.engine.backups import MOVE, OUTCOME, packed, record
from learners.engine.choices import RESIGNS, WAITS, is_greedy
from learners.engine.dice import WORDS, game_key

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
"""The results of the last so many games are kept one by one."""


class Ground(NamedTuple):
    """What a game is played on: padded moves (nine a position, in cell order) and its path."""

    successor: object
    """uint32[5478 * 9]: the position after each move."""
    cell: object
    """uint8[5478 * 9]: the cell that each move marks."""
    outcome: object
    """uint8[5478]: 0 goes on, 1 X won, 2 O won, 3 draw."""
    entry: object
    """uint32[5478 * 9]: the mover's memory entry for each move."""
    path: object
    """int64[10]: the position after each ply of the game being played."""
    clock: object
    """int64[4]: the number of the game being played, its plies once it is over, and the two words
    of its key, from which a hook can throw dice (`learners.engine.dice`)."""


def nothing(v, tape, me, steps, greedy, t, over, game):
    """The hook of a rule that has nothing to do there."""


def unbound(*arguments):
    """Stands for a hook until `learners.engine.specialize` binds it to the players' rules."""
    raise NotImplementedError


choose = after_step = after_game = unbound
turn_x = turn_o = conclude_x = conclude_o = rate_x = rate_o = unbound
counts_moves = False
"""Bound to True for a player whose step size depends on how many greedy moves it has made."""


def tell_move(tape, me, game, ply, move, was_greedy, given):
    """Record the move that was made at `ply`."""
    tape.at[1] = packed(0, me.side, ply, 0, game.clock[0])
    if given:
        detail = SCRIPTED + EXPLORED - was_greedy
    elif me.draws:
        detail = DRAWN
    else:
        detail = EXPLORED - was_greedy
    record(tape, MOVE, detail, move, 0.0, 0.0, 0.0, 0.0, 0.0)


def scripted_move(game, row, n, cell):
    """The padded move that marks `cell`, of the n from `row` on; `WAITS` where it is not free.

    A script out of a stranger's file may give any cell.
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
        tell_move(tape, me, game, ply, move, was_greedy, given)
    steps[t] = game.entry[move]
    greedy[t] = was_greedy
    if counts_moves and was_greedy:
        v[me.counter] += 1.0
    s = game.successor[move]
    game.path[ply] = s
    after_step(v, tape, me, steps, greedy, t, 0, game)
    return s


def conclude(v, tape, me, steps, greedy, t, moved_last, s, result, game):
    """Let the player, who has made t moves, learn from the end of the game.

    The last time step of a state-value learner is the terminal board, its own or its opponent's;
    that of an action-value learner, or after a resignation, is the reward.
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


def speak_as(tape, me, game, ply):
    """Record what follows under the player's name."""
    if tape is not None:
        tape.at[1] = packed(0, me.side, ply, 0, game.clock[0])


def play_games(
    v, game, x, o, steps_x, greedy_x, steps_o, greedy_o, low, high, first, last, script, tape, tally
):
    """Play the games numbered first .. last - 1, learning as the players' rules do.

    Args:
        v: float64[2N], memory, written in place.
        game: `Ground`.
        x: parameters of X, a named tuple made by `learners.kernel.parameters`.
        o: parameters of O.
        steps_x: uint32[8], scratch; so are greedy_x, steps_o and greedy_o (uint8[8]).
        low: first word of the seed.
        high: second word of the seed.
        first: number of the first game.
        last: number after the last game.
        script: int8[10] by ply, the cell given from outside or -1; or None for no script at all.
        tape: `TapeColumns` with room for all events, or None.
        tally: int64[4 + RECENT]: results counted by result code, then the latest ones.

    Returns:
        The number of the first game that is not over (`last`, or the one that waits for a move).
    """
    for number in range(first, last):
        game.clock[0] = number
        key_low, key_high = game_key(low, high, number)
        game.clock[2] = key_low
        game.clock[3] = key_high
        chance_x = rate_x(x, number) * WORDS
        chance_o = rate_o(o, number) * WORDS
        steps_x[0] = x.start
        steps_o[0] = o.start
        s = 0
        t = 1
        ply = 1
        while True:
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
            ply += 1
            t += 1
        if after == WAITS:
            return number
        x_to_end = ply & 1
        if after == RESIGNS:
            result = RESIGNED + (O_WINS if x_to_end else X_WINS)
            ply -= 1
        moves_x = (ply + 1) >> 1
        moves_o = ply >> 1
        game.clock[1] = ply
        if x_to_end:
            speak_as(tape, x, game, ply)
            conclude_x(v, tape, x, steps_x, greedy_x, moves_x, after != RESIGNS, s, result, game)
        speak_as(tape, o, game, ply)
        o_ended = not x_to_end and after != RESIGNS
        conclude_o(v, tape, o, steps_o, greedy_o, moves_o, o_ended, s, result, game)
        if not x_to_end:
            speak_as(tape, x, game, ply)
            conclude_x(v, tape, x, steps_x, greedy_x, moves_x, False, s, result, game)
        if tape is not None:
            record(tape, OUTCOME, result, result & 3, 0.0, 0.0, 0.0, 0.0, 0.0)
        tally[result & 3] += 1
        tally[4 + number % RECENT] = result & 3
    return last
