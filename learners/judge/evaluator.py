"""Exact metrics of two players, from memory or from given policies, of many tables in one call.

`evaluate` is plain Python over flat arrays, as the engine is, and gives the same bits compiled and
interpreted. It computes the columns that are requested, a bit each.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import count
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Side, space
from afterstate_lab.game.constants import EDGES, O_WON, X_WON
from afterstate_lab.game.exact import (
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
    VISITED,
) = range(15)
"""The columns: of a side's greedy play against random moves, perfect play, and the opponent."""
COLUMNS: Final = 15
ALL: Final = (1 << COLUMNS) - 1
"""Requests every column; as RANDOM and so on request theirs, a bit each."""
RANDOM: Final = 1 << WIN | 1 << DRAW | 1 << LOSS
PERFECT: Final = RANDOM << PERFECT_WIN
PLAY: Final = 1 << PLAY_VALUE
MEETS: Final = RANDOM, PERFECT, PLAY
WORST: Final = 1 << WORST_LOSS
MOVES: Final = 1 << OPTIMAL | 1 << MISSED_WINS
OF_PLAY: Final = RANDOM | PERFECT | WORST | MOVES
"""What a policy determines without any values."""
BEST: Final = 1 << RMS_OPTIMAL
BEHAVIOUR: Final = 1 << BEHAVIOUR_VALUE | 1 << RMS_BEHAVIOUR
ERRORS: Final = 1 << RMS_MINIMAX | BEST | 1 << RMS_BEHAVIOUR
COVERAGE: Final = 1 << VISITED
UNIFORM_AT, PERFECT_AT, GREEDY_AT, BEHAVIOUR_AT = (n * EDGES for n in range(4))
"""Where policies lie."""
EVALUATOR: Final = "evaluator"
"""The name by which `learners.precompile` compiles `evaluate`."""


def requested(asked: tuple[int, int]) -> NDArray[np.bool_]:
    """Return bool[2, COLUMNS]: the columns of X and O that these bits request."""
    return np.array(asked)[:, None] >> np.arange(COLUMNS) & 1 > 0


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

    side: int
    second: int
    """As in `game.exact.prefer`: -1 for a player whose policy is given."""
    if_x_wins: float
    if_drawn: float
    if_o_wins: float
    """Its rewards."""
    values: int
    """Number of its values that are compared with exact ones, at least 1."""
    compared: int
    """Number of steps over the following, each one of them or an array of all."""
    entries: Any
    """Their places in memory."""
    positions: Any
    """The positions that have these."""
    visited: int
    """Number of steps over the following."""
    visits: Any
    """Places in memory of the visit counts that are counted."""
    minimax: NDArray[np.float64]
    """[5478] In its own rewards."""


class Scratch(NamedTuple):
    """Arrays to compute in, one set per thread."""

    policies: NDArray[np.float64]
    """[4 * 16167] Uniform moves, perfect play, greedy play, behaviour."""
    results: NDArray[np.float64]
    """[5478 * 3]"""
    lost_x: NDArray[np.float64]
    """[5478] The worst losses of X."""
    lost_o: NDArray[np.float64]


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
    return (
        results[3 * s] * me.if_x_wins
        + results[3 * s + 1] * me.if_drawn
        + results[3 * s + 2] * me.if_o_wins
    )


def squares(error: Any) -> Any:
    return total(error * error)


def measure_errors(
    me: Judged, asked: int, optimum: Any, v: Any, start: int, results: Any, out: Any, at: int
) -> None:
    """Compute the mean squares of the errors: against minimax, v*, the values of these results."""
    minimax = best = behaviour = 0.0
    for i in range(me.compared):
        s = me.positions[i]
        value = rank(v, start + me.entries[i], me.second)
        minimax += squares(value - me.minimax[s])
        if asked & BEST:
            best += squares(value - optimum[s])
        if asked & BEHAVIOUR:
            behaviour += squares(value - value_of(me, results, s))
    out[at + RMS_MINIMAX] = minimax / me.values
    out[at + RMS_OPTIMAL] = best / me.values
    out[at + RMS_BEHAVIOUR] = behaviour / me.values


def evaluate(
    walk: Walk,
    rules: Rules,
    x: Judged,
    o: Judged,
    entry: Any,
    scratch: Scratch,
    asked_x: int,
    asked_o: int,
    rate_x: float,
    rate_o: float,
    best_x: NDArray[np.float64],
    best_o: NDArray[np.float64],
    tables: int,
    size: int,
    v: Any,
    out: Any,
) -> None:
    """Compute the requested metrics of both sides, for each of many tables.

    Args:
        walk: the positions.
        rules: of the game.
        x: X.
        o: O.
        entry: int32[16167], the place in memory of the mover's value of each move.
        scratch: with the policies that are given.
        asked_x: bits.
        asked_o: bits.
        rate_x: exploration of X; -1 where its behaviour is given.
        rate_o: the same of O.
        best_x: float64[5478], v* in the rewards of X.
        best_o: the same of O.
        tables: number of tables.
        size: length of the memory of each, 2N.
        v: float64[tables * 2N].
        out: float64[tables * 2 * COLUMNS], by table, side and column; of errors the mean squares.
    """
    policies, results = scratch.policies, scratch.results
    for n in range(tables):
        start = n * size
        if (asked_x | asked_o) & (OF_PLAY | PLAY | BEHAVIOUR):
            prefer(walk, v, start, entry, x.second, o.second, policies, GREEDY_AT)
        if (asked_x | asked_o) & (PLAY | BEHAVIOUR):
            explore(walk, rate_x, rate_o, policies)
        for side in range(2):
            me, asked = (o, asked_o) if side else (x, asked_x)
            at = (2 * n + side) * COLUMNS
            for k in range(3):
                if asked & MEETS[k]:
                    other = BEHAVIOUR_AT if k == 2 else k * EDGES
                    expect(
                        walk,
                        policies,
                        other if side else GREEDY_AT,
                        GREEDY_AT if side else other,
                        results,
                    )
                    if k == 2:
                        out[at + PLAY_VALUE] = value_of(me, results, 0)
                    else:
                        for end in range(3):
                            out[at + 3 * k + end] = results[2 - end if side else end]
            if asked & WORST:
                lost = scratch.lost_o if side else scratch.lost_x
                respond(walk, policies, GREEDY_AT, 1 - side, 1.0, 0.0, lost)
                out[at + WORST_LOSS] = lost[0]
            if asked & MOVES:
                count_moves(walk, rules, side, policies, out, at)
        if (asked_x | asked_o) & BEHAVIOUR:
            expect(walk, policies, BEHAVIOUR_AT, BEHAVIOUR_AT, results)
        for side in range(2):
            me, asked, best = (o, asked_o, best_o) if side else (x, asked_x, best_x)
            at = (2 * n + side) * COLUMNS
            out[at + BEHAVIOUR_VALUE] = value_of(me, results, 0)
            if asked & ERRORS:
                measure_errors(me, asked, best, v, start, results, out, at)
            if asked & COVERAGE:
                visited = 0
                for i in range(me.visited):
                    visits = v[start + me.visits[i]]
                    if me.second > 0:
                        visits = visits + v[start + me.visits[i] + me.second]
                    visited += total((visits > 0.0) * 1)
                out[at + VISITED] = visited


@cache
def rules() -> Rules:
    s = space()
    after = s.outcome[s.edge_successor]
    lost = np.where(s.ply % 2 == 0, -1, 1)
    found = ~optimal_edges(), (after == X_WON) | (after == O_WON), minimax_values() != lost
    return Rules(*(one.astype(np.uint8) for one in found))


def summed(one: NDArray[Any]) -> Any:
    """`total` of an array, in the order of the compiled loop."""
    return one.cumsum()[-1]


@cache
def interpreted() -> Callable[..., None]:
    """Return `evaluate` in plain Python, on the arrays of each ply."""
    return Specializer().specialize(WithHooks(evaluate, {"total": summed}))


class Evaluator:
    """Evaluates what is in the memory of two players; any number of threads may call it."""

    def __init__(self, layout: Layout) -> None:
        self._layout, self._own = layout, threading.local()
        of_edge = (table.base + table.entries.of_edge for table in (layout.x, layout.o))
        self._entry = np.where(movers(Side.X), *of_edge).astype(np.int32)

    def __call__(
        self,
        v: NDArray[np.float64],
        asked: tuple[int, int],
        rates: tuple[float, float] = (0.0, 0.0),
        best: Sequence[NDArray[np.float64] | None] = (None, None),
        given: Mapping[tuple[int, Side], Policy] = MappingProxyType({}),
    ) -> NDArray[np.float64]:
        """Return float64[tables, 2, COLUMNS]: the requested metrics of X and O; the rest is noise.

        Args:
            v: float64[tables, 2N], what they know.
            asked: bits, of X and of O.
            rates: their exploration; -1 where the behaviour is given.
            best: float64[5478] of each, v* in its own rewards; by default minimax.
            given: policies by their place, `GREEDY_AT` or `BEHAVIOUR_AT`, and side; a player that
                does not learn has both.
        """
        code, own = machine_code(), self._own
        if getattr(own, "code", own) is not code:
            own.code, own.given, own.fixed = code, {}, self.fixed(v[0], compiled=code is not None)
            own.block = compiler.block(own.fixed) if code else b""
        for at, policy in given.items():
            if own.given.get(at) is not policy:
                own.given[at], edges = policy, own_edges(at[1])
                own.fixed[-1].policies[at[0] + edges] = policy[edges]
        out = np.zeros((len(v), 2, COLUMNS))
        optima = (
            me.minimax if one is None else one for me, one in zip(own.fixed[2:4], best, strict=True)
        )
        call = (*asked, *rates, *optima, *v.shape)
        if code is None:
            interpreted()(*own.fixed, *call, v.reshape(-1), out.reshape(-1))
        else:
            code(own.block + compiler.block((*call, v, out)))
        errors = out[:, :, RMS_MINIMAX:VISITED]
        np.sqrt(errors, out=errors)
        return out

    def greedy(self) -> Policy:
        """Return float64[16167]: both sides' greedy moves in this thread's last table."""
        moves: Policy = self._own.fixed[-1].policies[GREEDY_AT:BEHAVIOUR_AT].copy()
        return moves

    def ends(self) -> tuple[float, float, float]:
        """Return how games of the behaviour in this thread's last table end, if that was requested:
        the chances that X wins, of a draw, that O wins."""
        x_wins, drawn, o_wins = self._own.fixed[-1].results[:3].tolist()
        return x_wins, drawn, o_wins

    def fixed(self, v: NDArray[np.float64], *, compiled: bool) -> tuple[Any, ...]:
        """Return the first arguments of `evaluate`, which hardly ever change."""
        sides = (self._judged(side, v, compiled) for side in Side)
        return one_by_one() if compiled else by_ply(), rules(), *sides, self._entry, scratch()

    def _judged(self, side: Side, v: NDArray[np.float64], compiled: bool) -> Judged:
        table = self._layout.table(side)
        rule = table.spec.rule
        boards, cells = table.entries.boards, table.entries.cells
        entries, positions = compared(table)
        counted = table.entries.live & covers(boards, cells)
        visits = self._layout.values + table.base + np.flatnonzero(counted)
        lists: list[Any] = [one.astype(np.int32) for one in (entries, positions, visits)]
        places, at, counts = lists if compiled else ([one] for one in lists)
        return Judged(
            int(side),
            len(boards) * (rule.tables - 1) if rule.learns else -1,
            *terminal_rewards(side, *rule.rewards(table.spec.settings)),
            max(1, len(entries)),
            len(places) if len(entries) else 0,
            places,
            at,
            len(counts),
            counts,
            minimax_rewards(table, v),
        )


def covers(boards: NDArray[np.int32], cells: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return which entries count for coverage: all except the empty board."""
    return (boards > 0) | (cells >= 0)


def minimax_rewards(table: Table, v: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[5478]: the minimax value of each position in the player's own rewards."""
    return minimax_by_result(v[table.rewards : table.rewards + 4].tobytes())


@lru_cache(maxsize=8)
def minimax_by_result(by_result: bytes) -> NDArray[np.float64]:
    """Return the minimax value of each position, read-only; rewards never change in a run."""
    rewards: NDArray[np.float64] = np.frombuffer(by_result)[np.array([3, 1, 2])[minimax_values()]]
    rewards.flags.writeable = False
    return rewards


@lru_cache(maxsize=2)
def compared(table: Table) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return where a player's estimates are in memory, and the positions with the exact values.

    Those are 2,097 afterstates of X and 2,422 of O, or all moves.
    """
    s, of_state = space(), table.entries.of_state
    if not (table.spec.rule.learns and table.spec.rule.estimates):
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    if of_state is None:
        edges = own_edges(table.side)
        return table.base + table.entries.of_edge[edges], s.edge_successor[edges]
    states = np.flatnonzero((s.outcome == 0) & (s.ply > 0) & (s.ply % 2 != table.side))
    return table.base + of_state[states], states


@cache
def own_edges(side: Side) -> NDArray[np.int64]:
    """Return the moves of a side whose afterstate (or pair) is compared with exact values."""
    s = space()
    return np.flatnonzero(s.ply[s.edge_state] % 2 == side)


@lru_cache(maxsize=2)
def evaluator(layout: Layout) -> Evaluator:
    return Evaluator(layout)


def scratch() -> Scratch:
    policies = np.concatenate((uniform_policy(), perfect_policy(), np.zeros(2 * EDGES)))
    lost = (terminal_values(side, 0.0, 0.0, 1.0) for side in Side)
    return Scratch(policies, endings().reshape(-1).copy(), *lost)


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
    if not _code and compiler.has_machine_code() and next(_interpreted) == FEW:
        threading.Thread(target=load, args=(EVALUATOR,), name=EVALUATOR, daemon=True).start()
    return _code[0] if _code else None


def load(*order: str) -> None:
    """Load the compiled `evaluate`, or compile it: in a child process, if that has an order."""
    v = anybody().fresh()[None]
    fixed = Evaluator(anybody()).fixed(v[0], compiled=True)
    best = [me.minimax for me in fixed[2:4]]
    arguments = (*fixed, 0, 0, 0.0, 0.0, *best, *v.shape, v, np.empty(2 * COLUMNS))
    _code.append(compiler.compiled_function(evaluate, arguments, order))
