"""Exact metrics of two players, from memory or from given policies.

`evaluate` is plain Python over flat arrays, as the engine is, and gives the same bits compiled and
interpreted. It computes the columns that are requested, a bit each.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import count
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Side, space
from afterstate_lab.game.constants import EDGES, GOES_ON, O_WON, POSITIONS, X_WON
from afterstate_lab.game.exact import (
    Floats,
    Ints,
    Policy,
    Walk,
    by_ply,
    endings,
    expect,
    minimax_values,
    one_by_one,
    optimal_edges,
    perfect_policy,
    prefer,
    rank,
    read_only,
    resigning,
    respond,
    terminal_rewards,
    terminal_values,
    uniform_policy,
)
from afterstate_lab.learners.engine.entries import movers
from afterstate_lab.learners.kernel import compiler
from afterstate_lab.learners.kernel.hooks import Specializer, WithHooks
from afterstate_lab.learners.kernel.memory import Layout, Table
from afterstate_lab.learners.rules.spec import PlayerSpec

(
    WIN,
    DRAW,
    LOSS,
    PERFECT_WIN,
    PERFECT_DRAW,
    PERFECT_LOSS,
    PLAY_VALUE,
    WORST_LOSS,
    OPTIMAL,
    MISSED_WINS,
    BEHAVIOUR_VALUE,
    RMS_MINIMAX,
    RMS_OPTIMAL,
    RMS_BEHAVIOUR,
) = range(14)
"""The columns: of a side's greedy play against random moves, perfect play, and the opponent; the
last three are mean squares, since compiled code calls no library for roots."""
COLUMNS: Final = 14
RANDOM: Final = 1 << WIN | 1 << DRAW | 1 << LOSS
"""Requests these columns, a bit each, as the following do theirs."""
PERFECT: Final = RANDOM << PERFECT_WIN
PLAY: Final = 1 << PLAY_VALUE
MEETS: Final = RANDOM, PERFECT, PLAY
WORST: Final = 1 << WORST_LOSS
MOVES: Final = 1 << OPTIMAL | 1 << MISSED_WINS
OF_PLAY: Final = RANDOM | PERFECT | WORST | MOVES
"""What a policy determines without any values."""
BEHAVIOUR: Final = 1 << BEHAVIOUR_VALUE | 1 << RMS_BEHAVIOUR
UNIFORM_AT, PERFECT_AT, GREEDY_AT, BEHAVIOUR_AT = (n * EDGES for n in range(4))
"""Where policies lie."""
Given = dict[tuple[int, Side], Policy]
"""Policies by where they begin, `GREEDY_AT` or `BEHAVIOUR_AT`, and side."""
EVALUATOR: Final = "evaluator"
"""The name by which `learners.precompile` compiles `evaluate`."""


class Rules(NamedTuple):
    """What is known of the game."""

    blunders: NDArray[np.uint8]
    """[16167] Whether a move loses some of its position's value."""
    wins: NDArray[np.uint8]
    """[16167] Whether a move wins at once."""
    hopeful: NDArray[np.uint8]
    """[5478] Whether resigning there loses some of the position's value."""


class Judged(NamedTuple):
    """A side, and what is compared of its table."""

    second: int
    """As in `game.exact.prefer`: -1 for a player whose policy is given."""
    rewards: Floats
    """What it gets if X wins, for a draw, and if O wins."""
    values: int
    """Number of its values that are compared with exact ones, at least 1."""
    compared: int
    """Number of steps over the following, each one of them or an array of all."""
    entries: Any
    """Their places in memory."""
    positions: Any
    """The positions that have these."""
    minimax: Floats
    """[5478] In its own rewards."""
    lost: Floats
    """[5478] Scratch for its worst losses; those of finished games are given."""
    now: Floats
    """[5478] Scratch for the values of its positions under the behaviour."""


def total(one: Any) -> Any:
    """The sum of what one step adds; interpreted, of an array."""
    return one


def explore(walk: Walk, x: float, o: float, policies: Any) -> None:
    """Write the ε-greedy policy of each side at its rate, if that is 0 or more."""
    for i in range(walk.steps):
        moves = walk.moves[i]
        rate = x if moves & 1 else o
        if rate >= 0.0:
            for j in range(moves):
                edge = walk.edges[i] + j
                greedy = policies[GREEDY_AT + edge]
                policies[BEHAVIOUR_AT + edge] = (1.0 - rate) * greedy + rate * (1.0 / moves)


def count_moves(walk: Walk, rules: Rules, side: int, policies: Any, out: Any, at: int) -> None:
    """Count the positions in which every greedy move is optimal, and those that may miss a win."""
    right = missed = 0
    for i in range(walk.steps):
        edge, moves = walk.edges[i], walk.moves[i]
        if moves & 1 == side:
            continue
        wrong = wins = others = 0
        whole = 0.0
        for j in range(moves):
            p = policies[GREEDY_AT + edge + j]
            whole = whole + p
            wrong = wrong + (p > 0.0) * rules.blunders[edge + j]
            others = others + (p > 0.0) * (1 - rules.wins[edge + j])
            wins = wins + rules.wins[edge + j]
        resigns = resigning(whole) > 0.0
        wrong = wrong + resigns * rules.hopeful[walk.positions[i]]
        right += total((wrong == 0) * 1)
        missed += total((wins > 0) * (others + resigns > 0))
    out[at + OPTIMAL] = right
    out[at + MISSED_WINS] = missed


def value_of(me: Judged, results: Any, s: Any) -> Any:
    """The value of a position."""
    at, rewards = 3 * s, me.rewards
    return results[at] * rewards[0] + results[at + 1] * rewards[1] + results[at + 2] * rewards[2]


def mean_square(me: Judged, v: Any, exact: Any) -> Any:
    """The mean square of the errors of its values against these of positions."""
    squares = 0.0
    for i in range(me.compared):
        error = rank(v, me.entries[i], me.second) - exact[me.positions[i]]
        squares += total(error * error)
    return squares / me.values


def measure_play(
    walk: Walk,
    rules: Rules,
    me: Judged,
    side: int,
    asked: int,
    policies: Any,
    results: Any,
    out: Any,
) -> None:
    """Compute the requested metrics of the greedy play of a side; see `evaluate`."""
    at = side * COLUMNS
    for k in range(3):
        if asked & MEETS[k]:
            other = BEHAVIOUR_AT if k == 2 else k * EDGES
            x, o = (other, GREEDY_AT) if side else (GREEDY_AT, other)
            expect(walk, policies, x, o, results)
            if k == 2:
                out[at + PLAY_VALUE] = value_of(me, results, 0)
            else:
                for end in range(3):
                    out[at + 3 * k + end] = results[2 - end if side else end]
    if asked & WORST:
        respond(walk, policies, GREEDY_AT, 1 - side, 1.0, 0.0, me.lost)
        out[at + WORST_LOSS] = me.lost[0]
    if asked & MOVES:
        count_moves(walk, rules, side, policies, out, at)


def measure_values(
    me: Judged, side: int, asked: int, best: Any, v: Any, results: Any, out: Any
) -> None:
    """Compute the requested metrics of the values of a side; see `evaluate`."""
    at = side * COLUMNS
    if asked & BEHAVIOUR:
        for i in range(me.compared):
            me.now[me.positions[i]] = value_of(me, results, me.positions[i])
        out[at + BEHAVIOUR_VALUE] = value_of(me, results, 0)
        out[at + RMS_BEHAVIOUR] = mean_square(me, v, me.now)
    if asked & 1 << RMS_MINIMAX:
        out[at + RMS_MINIMAX] = mean_square(me, v, me.minimax)
    if asked & 1 << RMS_OPTIMAL:
        out[at + RMS_OPTIMAL] = mean_square(me, v, best)


def evaluate(
    walk: Walk,
    rules: Rules,
    x: Judged,
    o: Judged,
    entry: Any,
    policies: Any,
    results: Any,
    asked_x: int,
    asked_o: int,
    rate_x: float,
    rate_o: float,
    best_x: Floats,
    best_o: Floats,
    v: Any,
    out: Any,
) -> None:
    """Compute the requested metrics of both sides.

    Args:
        walk: the positions.
        rules: of the game.
        x: X.
        o: O.
        entry: int32[16167], the place in memory of the mover's value of each move.
        policies: float64[4 * 16167], uniform moves, perfect play, greedy play, behaviour; with
            those that are given.
        results: float64[5478 * 3], scratch as for `game.exact.expect`.
        asked_x: bits.
        asked_o: bits.
        rate_x: exploration of X; -1 where its behaviour is given.
        rate_o: the same of O.
        best_x: float64[5478], v* in the rewards of X.
        best_o: the same of O.
        v: float64[2N], memory.
        out: float64[2 * COLUMNS], by side and column; what is not requested stays.
    """
    asked = asked_x | asked_o
    if asked & (OF_PLAY | PLAY | BEHAVIOUR):
        prefer(walk, v, entry, x.second, o.second, policies, GREEDY_AT)
    if asked & (PLAY | BEHAVIOUR):
        explore(walk, rate_x, rate_o, policies)
    measure_play(walk, rules, x, 0, asked_x, policies, results, out)
    measure_play(walk, rules, o, 1, asked_o, policies, results, out)
    if asked & BEHAVIOUR:
        expect(walk, policies, BEHAVIOUR_AT, BEHAVIOUR_AT, results)
    measure_values(x, 0, asked_x, best_x, v, results, out)
    measure_values(o, 1, asked_o, best_o, v, results, out)


@cache
def interpreted() -> Callable[..., None]:
    """Return `evaluate` in plain Python, on the arrays of each ply.

    A total adds an array's numbers in the order of the compiled loop.
    """
    return Specializer().specialize(WithHooks(evaluate, {"total": lambda one: one.cumsum()[-1]}))


class Place(NamedTuple):
    """What a thread evaluates two players with."""

    fixed: tuple[Any, ...]
    """The first arguments of `evaluate`."""
    block: bytes
    """The same for machine code."""
    given: Given
    """The policies that were given last."""


of_thread = threading.local()
"""A thread's place, a megabyte, and whom it is for: the players that it evaluated last."""


def place_of(layout: Layout, *, compiled: bool) -> Place:
    """Return a thread's place for two players."""
    s, sides = space(), []
    after, lost = s.outcome[s.edge_successor], np.where(s.ply % 2 == 0, -1, 1)
    known = ~optimal_edges(), (after == X_WON) | (after == O_WON), minimax_values() != lost
    rules = Rules(*(one.astype(np.uint8) for one in known))
    for table in layout:
        rule = table.rule
        places = [one.astype(np.int32) for one in compared(table)]
        many = len(places[0])
        entries, positions = places if compiled else ([one] for one in places)
        judged = Judged(
            len(table.entries.boards) * (rule.tables - 1) if rule.learns else -1,
            rewards_of(table),
            max(1, many),
            many if compiled else min(1, many),
            entries,
            positions,
            minimax_rewards(table),
            terminal_values(table.side, 0.0, 0.0, 1.0),
            np.empty(POSITIONS),
        )
        sides.append(judged)
    of_edge = (table.base + table.entries.of_edge for table in layout)
    entry = np.where(movers(Side.X), *of_edge).astype(np.int32)
    policies = np.concatenate((uniform_policy(), perfect_policy(), np.zeros(2 * EDGES)))
    walk = one_by_one() if compiled else by_ply()
    fixed = walk, rules, *sides, entry, policies, endings().reshape(-1).copy()
    return Place(fixed, compiler.block(fixed) if compiled else b"", {})


def evaluated(
    layout: Layout,
    v: Floats,
    asked: Sequence[int],
    rates: Sequence[float],
    best: Sequence[Floats],
    given: Given,
    out: Floats,
) -> tuple[Floats, Floats]:
    """Compute the requested metrics of X and O; any number of threads may do so.

    Args:
        layout: the players.
        v: float64[2N], what they know.
        asked: bits, of X and of O.
        rates: their exploration; -1 where the behaviour is given.
        best: float64[5478] of each, v* in its own rewards; anything where that is not asked.
        given: policies; a player that does not learn has both.
        out: float64[2 * COLUMNS]; what is not requested stays.

    Returns:
        The policies and the results of `evaluate`, valid until this thread's next call.
    """
    code = machine_code()
    wanted = layout, code
    if getattr(of_thread, "made_for", None) != wanted:
        of_thread.place = place_of(layout, compiled=code is not None)
        of_thread.made_for = wanted
    place: Place = of_thread.place
    policies, results = place.fixed[-2:]
    for at, policy in given.items():
        if place.given.get(at) is not policy:
            place.given[at], edges = policy, own_edges(at[1])
            policies[at[0] + edges] = policy[edges]
    call = (*asked, *rates, *best, v, out)
    if code is None:
        interpreted()(*place.fixed, *call)
    else:
        code(place.block + compiler.block(call))
    return policies, results


def rewards_of(table: Table) -> Floats:
    """Return what a player gets if X wins, for a draw, and if O wins, float64[3]."""
    rewards = table.spec.rewards
    return np.array(terminal_rewards(table.side, *rewards), dtype=np.float64)


@lru_cache(maxsize=8)
def minimax_rewards(table: Table) -> Floats:
    """Return float64[5478], read-only: the minimax value of each position in a player's rewards."""
    return read_only(rewards_of(table)[1 - minimax_values()])


def compared(table: Table) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return where a player's estimates are in memory, and the positions with the exact values.

    Those are 2,097 afterstates of X and 2,422 of O, or all moves.
    """
    s, of_state = space(), table.entries.of_state
    if not (table.rule.learns and table.rule.estimates):
        nothing = np.zeros(0, np.int32)
        return nothing, nothing
    if of_state is None:
        edges = own_edges(table.side)
        return table.base + table.entries.of_edge[edges], s.edge_successor[edges]
    states = np.flatnonzero((s.outcome == GOES_ON) & (s.ply > 0) & (s.ply % 2 != table.side))
    return table.base + of_state[states], states


@cache
def own_edges(side: Side) -> Ints:
    """Return the moves of a side whose afterstate (or pair) is compared with exact values."""
    return np.flatnonzero(movers(side))


@cache
def anybody() -> Layout:
    """Return two players who know nothing."""
    return Layout.of(PlayerSpec.parse("random"), PlayerSpec.parse("random"))


_code: list[Callable[[bytes], int] | None] = []
_interpreted = count()
FEW: Final = 8
"""Number of evaluations that a process does before it loads the compiled one."""


def machine_code() -> Callable[[bytes], int] | None:
    """Return the compiled `evaluate`, or None until a thread has loaded it.

    Nobody waits, since the interpreter finds the same bits. Loading begins after a few evaluations,
    where the engine is compiled.
    """
    if not _code and compiler.made_before and next(_interpreted) == FEW:
        threading.Thread(target=load, args=(EVALUATOR,), name=EVALUATOR, daemon=True).start()
    return _code[0] if _code else None


def load(*order: str) -> None:
    """Load the compiled `evaluate`, or compile it: in a child process, if that has an order."""
    fixed, none = place_of(anybody(), compiled=True).fixed, np.empty(0)
    arguments = (*fixed, 0, 0, 0.0, 0.0, none, none, none, none)
    _code.append(compiler.compiled(WithHooks(evaluate), arguments, order))
