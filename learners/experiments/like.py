"""Is an agent like correct learners, and if not, which mistake of the museum does it look like?

The agent is compared with two kinds of learners that were trained as it was: correct ones, and
ones with a mistake. Half of the seeds of each kind give directions in the space of policies, by
ridge regression of the kinds on the moves (Hastie et al., Elements of Statistical Learning, 4.2).
The other half of the seeds show how each kind is spread over these directions, and over the errors
and ties by ply: a normal distribution for each, as in quadratic discriminant analysis (4.3), with
the covariance of a mistake shrunk towards that of all. The limits of what is normal are quantiles
of the correct learners in that second half, which nothing was fitted to but 2 moments.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.game.constants import POSITIONS
from afterstate_lab.game.exact import Bools, Floats, optimal_edges, reached_positions
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.engine.entries import movers
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.experiments import expect
from afterstate_lab.learners.judge.evaluation import Evaluation
from afterstate_lab.learners.rules.museum import MEANT, PIECES, PREFIX
from afterstate_lab.learners.rules.spec import PlayerSpec, built_in
from afterstate_lab.learners.tape.run import Stop, never

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.players.judged import Judged

SEEDS_WRONG: Final = 100
"""Learners of each mistake: half to know their moves, half to know how much they differ."""
HARD: Final = PREFIX + "draws-teach-nothing"
"""A mistake that is hard to see after `FEW_GAMES`: it takes as many learners as correct ones."""
FEW_GAMES: Final = 10_000
FIRST_SEED: Final = 1 << 40
"""Seeds that nobody takes: an agent is not compared with itself."""
NEVER_LEARNS: Final = "museum:lost-copy", "museum:before-own-move", "museum:value-of-the-end"
"""Mistakes that end in the same agent: all its values stay as they are."""
OTHERS: Final = MEANT, "mc", "q"
"""Correct learners that an agent may be of instead."""
LEAVES_NO_MARK: Final = tuple(
    PREFIX + one for one in ("reverse-chain", "next-move-counts", "learns-from-exploring")
)
"""Mistakes whose agents play as correct ones do, or nearly so; `grade` finds them."""
ALARMS: Final = 0.008
"""The share of correct agents that are found not normal, on one side or the other."""
LEAST_DOUBT: Final = -1.0
"""The log odds of a mistake below which an agent is normal, however few correct ones have them."""
LEAST_ODDS: Final = 2.0
"""The log odds against any other kind below which none is named."""
SHRINKAGE: Final = 0.3
"""How much of a mistake's covariance is that of all."""
RIDGE: Final = 0.01
"""How much is added to the variance of a feature of each kind, of that of all."""
PENALTY: Final = 1_000.0
"""That of ridge regression."""
STRANGE: Final = 2.0
"""How many times as far from a kind of learners as the farthest of them an agent is none of it."""
UNIFORM, FIRST, LAST, ANY = range(4)
"""How an agent breaks ties: by chance at every move, or always with the first or the last cell, or
another one."""
LEAST_SHARE: Final = 0.02
"""Odds below which a mistake is not listed."""
TELLING: Final = 100
"""The number of boards on which moves are counted, where two kinds of learners differ most."""


def kinds(spec: PlayerSpec) -> dict[str, PlayerSpec]:
    """Return learners with the options of a correct one, by name: itself ("") first, then learners
    with a mistake, then other correct ones. What no option makes are mistakes of `td`."""
    win, _, loss = spec.rewards
    ranges = {option.name: option.range for option in spec.rule.options}
    made = {
        PREFIX + "draw-as-loss": ("draw", loss),
        PREFIX + "born-winners": ("initial", win),
        NEVER_LEARNS[0]: ("learn", "off"),
    }
    found = {name: spec.with_setting(*one) for name, one in made.items() if one[0] in ranges}
    hidden = *NEVER_LEARNS, *LEAVES_NO_MARK
    of_td = [one for one in PIECES.values() if one.name not in (*made, *hidden)]
    for rule in (*of_td, *map(built_in, OTHERS)):
        shared = [o.name for o in rule.options if ranges.get(o.name) == o.range]
        found[rule.name] = PlayerSpec(rule, {name: spec.settings[name] for name in shared})
    of_others = {name: one for name, one in found.items() if one != spec}
    return {"": spec} | of_others


def is_mistake(kind: str) -> bool:
    return kind.startswith(PREFIX)


@lean_dataclass
class Likeness:
    """Where an agent's side lies among learners that were trained as it was."""

    spec: PlayerSpec
    games: int
    seeds: int
    percentiles: Mapping[str, float]
    """By metric the share of the learners with less; half of those with the same count."""
    is_normal: bool | None = None
    """None if not all learners were trained."""
    looks_like: tuple[tuple[tuple[str, ...], float], ...] = ()
    """Mistakes that end in the same agent, and their odds; the likeliest first."""
    why: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """Whether it is normal, or what it looks like, in a few words."""
        if self.is_normal or not self.looks_like:
            return "normal" if self.is_normal else "not normal"
        names, odds = self.looks_like[0]
        return f"{' or '.join(names)}, with odds {odds:.2f}"

    def as_json(self) -> dict[str, Any]:
        """Return what `judge --like --json` adds to a side."""
        return {
            "spec": str(self.spec),
            "games": self.games,
            "seeds": self.seeds,
            "normal": self.is_normal,
            "percentiles": dict(self.percentiles),
            "looks_like": [{"players": [*names], "odds": odds} for names, odds in self.looks_like],
            "why": [*self.why],
        }


@lean_dataclass
class Comparison:
    """Correct learners and others, trained as an agent was, to compare agents with."""

    spec: PlayerSpec
    games: int
    samples: Mapping[Side, Mapping[str, expect.Sample]]
    """By side and kind; "" is the correct one."""
    is_whole: bool
    """Whether every learner was trained."""
    _fits: dict[tuple[Side, int, bytes], Fit] = field(default_factory=dict)

    @classmethod
    def train(
        cls,
        spec: PlayerSpec,
        against: PlayerSpec | None,
        games: int,
        sides: Sequence[Side],
        *,
        seconds: float = expect.SECONDS,
        stop: Stop = never,
        tell: Callable[[float], object] = lambda part: None,
    ) -> Comparison:
        """Train them.

        Args:
            spec: the correct learner.
            against: whom it was trained against; None for itself.
            games: for how many games.
            sides: the sides that will be compared.
            seconds: after which half as many of each kind are enough.
            stop: whether to end now; then only metrics can be compared.
            tell: called with the part that is done, 0 to 1.

        Raises:
            UsageError: the learner does not learn, or a player cannot take part.
        """
        if not spec.learns:
            raise UsageError(f"{shown(str(spec))} does not learn, so nothing is normal for it")
        learners = kinds(spec)
        dear = ("", HARD) if games <= FEW_GAMES else ("",)
        counts = {kind: expect.SEEDS if kind in dear else SEEDS_WRONG for kind in learners}
        trained = sides if against else sides[:1]  # against itself, one sample is of both sides
        whole, done = len(trained) * sum(counts.values()), 0
        samples: dict[Side, dict[str, expect.Sample]] = {side: {} for side in trained}
        for (kind, one), side in product(learners.items(), trained):
            many = counts[kind]

            def tell_part(part: float, done: int = done, many: int = many) -> None:
                tell((done + many * part) / whole)

            samples[side][kind] = expect.sampled(
                *((against or one, one) if side else (one, against or one)),
                (games if one.learns else 0,),
                many,
                first=FIRST_SEED,
                seconds=seconds * many / whole,
                fewest=many // 2,
                keeps_policies=True,
                metrics=() if kind else None,
                stop=stop,
                tell=tell_part,
            )
            done += many
        of_first = samples[sides[0]]
        return cls(spec, games, {side: samples.get(side, of_first) for side in sides}, not stop())

    def of(self, one: Judged) -> Likeness:
        """Compare an agent's side where it answers; if not everywhere, where its games lead."""
        side, policy, answered = one.side, one.policy, np.ones(POSITIONS, dtype=np.bool_)
        if one.answers is not None and one.answers.answered[0] != one.answers.answered[1]:
            answered = reached_positions(policy, side)
        sound, numbers = self.samples[side][""], numbers_of(one.evaluation)
        if not len(sound):
            raise UsageError("no learner was trained yet, so there is nothing to compare with")
        told = Likeness(self.spec, self.games, len(sound), {})
        if not self.is_whole:
            return replace(told, percentiles=expect.percentiles(numbers, sound.numbers[:, side]))
        moves = Moves(side, answered)
        mine = policy[moves.edges].astype(np.float32)
        ties = moves.ties_of(mine, sound.policies)
        key = side, ties, answered.tobytes()
        if key not in self._fits:
            self._fits[key] = Fit(self, side, moves, ties)
        return self._fits[key].verdict(told, mine, numbers)


class Fit:
    """Normal distributions of kinds of learners over features of their moves.

    Args:
        known: the learners.
        side: X or O.
        moves: of the side.
        ties: how the agents break ties that are compared.
    """

    def __init__(self, known: Comparison, side: Side, moves: Moves, ties: int) -> None:
        self.spec, self._moves, sound = known.spec, moves, known.samples[side][""]
        self._rows = rows = {
            kind: moves.without_ties(one.policies[:, moves.edges].astype(np.float32), ties)
            for kind, one in known.samples[side].items()
        }
        self.numbers = sound.numbers[:, side]
        if ties != UNIFORM:
            policies = sound.policies.astype(np.float64)
            policies[:, moves.edges] = rows[""]
            plays = (Evaluation.of_play("", policy, side) for policy in policies)
            self.numbers = np.array([*map(numbers_of, plays)])
        halves = {kind: np.array_split(one, 2) for kind, one in rows.items()}
        self._directions = directions([first for first, _ in halves.values()])
        seen = {kind: moves.features(one, self._directions) for kind, (_, one) in halves.items()}
        ridge = RIDGE * np.diag(np.concatenate([*seen.values()]).var(axis=0) + 1e-9)
        spread = {kind: np.cov(one.T) for kind, one in seen.items()}
        shared = np.mean([one for kind, one in spread.items() if kind], axis=0)
        self._fits = {}
        for kind, one in spread.items():
            share = SHRINKAGE if kind else 0.0
            found = (1.0 - share) * one + share * shared + ridge
            size = np.linalg.slogdet(found)[1]
            self._fits[kind] = seen[kind].mean(axis=0), np.linalg.inv(found), size
        likely, _ = self._scores(seen[""])
        others = np.max([one for kind, one in likely.items() if is_mistake(kind)], axis=0)
        normal = float(np.quantile(others - likely[""], 1.0 - ALARMS / len(known.samples)))
        self._most_odds = max(LEAST_DOUBT, normal)
        """The log odds of a mistake up to which an agent is normal."""
        self._farthest = {
            kind: STRANGE * max(len(ridge), self._scores(one)[1][kind].max())
            for kind, one in seen.items()
        }
        """The squared distance up to which an agent is of a kind."""

    def verdict(
        self, told: Likeness, mine: NDArray[np.float32], numbers: Sequence[float]
    ) -> Likeness:
        """Return what is known of an agent, with whether it is normal and what it looks like."""
        told = replace(told, percentiles=expect.percentiles(numbers, self.numbers), is_normal=True)
        scores = self._scores(self._moves.features(mine[None], self._directions))
        likely, distance = ({kind: one[0] for kind, one in of.items()} for of in scores)
        order = sorted((kind for kind in likely if kind), key=likely.__getitem__, reverse=True)
        best, wrong = order[0], next(filter(is_mistake, order))
        if likely[wrong] - likely[""] <= self._most_odds and distance[""] <= self._farthest[""]:
            return told
        why = []
        for metric, number, known in zip(expect.METRICS, numbers, self.numbers.T, strict=True):
            if number < known.min() or number > known.max():
                ends = number, known.min(), known.max()
                own, least, most = (expect.number_text(metric, one) for one in ends)
                why.append(
                    f"{metric.meaning.capitalize()}: {own}; {len(known):,} {self.spec} learners "
                    f"have {least} to {most}."
                )
        is_sure = likely[best] - likely[order[1]] > LEAST_ODDS
        if distance[best] > self._farthest[best] or not is_sure:
            far, farthest = distance[""] ** 0.5, (self._farthest[""] / STRANGE) ** 0.5
            why.append(
                f"It does not move as {self.spec} learners do, nor clearly as any other learner: "
                f"it is {far:.1f} from their middle, where they are at most {farthest:.1f}."
            )
            return replace(told, is_normal=False, why=tuple(why))
        weight = {kind: math.exp(one - likely[best]) for kind, one in likely.items()}
        odds = {kind: weight[kind] / sum(weight.values()) for kind in order}
        alike = tuple(
            (NEVER_LEARNS if kind in NEVER_LEARNS else (kind,), odds[kind])
            for kind in order
            if odds[kind] >= LEAST_SHARE
        )
        why += self._telling(mine, best)
        return replace(told, is_normal=False, looks_like=alike, why=tuple(why))

    def _telling(self, mine: NDArray[np.float32], kind: str) -> Iterator[str]:
        """Explain how an agent moves where two kinds of learners differ most, with an example."""
        spec, correct, wrong, first = self.spec, self._rows[""], self._rows[kind], self._moves.first
        often, seldom = wrong.mean(axis=0), correct.mean(axis=0)
        apart = np.add.reduceat(np.abs(often - seldom), first)
        told = apart >= np.sort(apart)[-TELLING:][0]

        def like_wrong(rows: NDArray[np.float32]) -> NDArray[np.intp]:
            speaks = np.add.reduceat(rows * (often - seldom), first, axis=-1)[..., told] > 0.0
            return np.asarray(speaks.sum(axis=-1))

        of_sound, of_wrong = like_wrong(correct), like_wrong(wrong)
        yield (
            f"{spec} and {kind} differ most on {told.sum()} boards. It moves like {kind} on "
            f"{like_wrong(mine)} of them, {spec} learners on {of_sound.min()} to {of_sound.max()}, "
            f"those of {kind} on {of_wrong.min()} to {of_wrong.max()}."
        )
        move = (mine * (often - seldom)).argmax()
        s, edge = space(), self._moves.edges[move]
        yield (
            f"On {s.text(int(s.edge_state[edge]))} it plays {s.edge_cell[edge] + 1}, as "
            f"{often[move]:.0%} of {kind} and {seldom[move]:.0%} of {spec} do."
        )

    def _scores(self, seen: Floats) -> tuple[dict[str, Any], dict[str, Any]]:
        likely, distance = {}, {}
        for kind, (mean, inverse, size) in self._fits.items():
            away = seen - mean
            distance[kind] = ((away @ inverse) * away).sum(axis=1)
            likely[kind] = -0.5 * (distance[kind] + size)
        return likely, distance


def numbers_of(one: Evaluation) -> list[float]:
    return [metric.kind.number(one.values.get(metric.name, math.nan)) for metric in expect.METRICS]


def directions(kinds: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Return the directions in which kinds of policies differ, but the first: [n, kinds - 1]."""
    rows = np.concatenate([*kinds])
    rows -= rows.mean(axis=0)
    is_of = np.repeat(np.eye(len(kinds)), [*map(len, kinds)], axis=0)
    inner = rows @ rows.T + PENALTY * np.eye(len(rows))
    return (rows.T @ np.linalg.solve(inner, is_of - is_of.mean(axis=0))[:, 1:]).astype(np.float32)


class Moves:
    """The n moves of a side, by board; policies of it are float32[..., n].

    Args:
        side: X or O.
        answered: bool[5478], the positions on which it moves.
    """

    def __init__(self, side: Side, answered: Bools) -> None:
        s = space()
        self.edges = np.flatnonzero(movers(side) & answered[s.edge_state])
        starts = np.diff(s.edge_state[self.edges], prepend=-1) != 0
        self.board = np.cumsum(starts) - 1
        """[n] Which of the boards it is made on, 0, 1, 2 and so on."""
        self.first = np.flatnonzero(starts)
        """[boards] The first move of each."""

    def ties_of(self, mine: NDArray[np.float32], policies: NDArray[Any]) -> int:
        """Return how an agent breaks ties, as seen on boards that hardly any learner knows.

        Args:
            mine: its moves.
            policies: float16[learners, 16167], theirs.
        """
        if np.any((mine > 0.0) & (mine < 1.0)):
            return UNIFORM
        played = (policies[:, self.edges] > 0.0).mean(axis=0)
        unknown = np.minimum.reduceat(played, self.first) > 0.9
        unknown &= np.bincount(self.board) > 1
        last = np.append(self.first[1:], len(self.board)) - 1
        for ties, cells in ((FIRST, self.first), (LAST, last)):
            if unknown.any() and mine[cells[unknown]].mean() > 0.95:
                return ties
        return ANY

    def without_ties(self, rows: NDArray[np.float32], ties: int) -> NDArray[np.float32]:
        """Return policies that break ties like this."""
        if ties == UNIFORM:
            return rows
        cells = space().edge_cell[self.edges] + 1.0
        weight = 10.0 - cells if ties == FIRST else cells
        if ties == ANY:
            weight = 1.0 + np.random.default_rng(0).random(rows.shape)
        rank = np.where(rows > 0.0, weight, 0.0)
        most = np.maximum.reduceat(rank, self.first, axis=1)
        played: NDArray[np.float32] = (rank == most[:, self.board]).astype(np.float32)
        return played

    def features(self, rows: NDArray[np.float32], directions: NDArray[np.float32]) -> Floats:
        """Return float64[policies, features]: directions, and errors and ties by ply."""
        s, columns = space(), [rows @ directions]
        ply, wrong = s.ply[s.edge_state[self.edges]], ~optimal_edges()[self.edges]
        for one in np.unique(ply):
            here = ply == one
            columns.append(np.log1p(rows[:, here] @ wrong[here].astype(np.float32))[:, None])
            columns.append((rows[:, here] > 0.0).mean(axis=1, keepdims=True))
        return np.concatenate(columns, axis=1, dtype=np.float64)
