"""What an experiment asks: variants ("arms" in files), seeds, games, and the metrics to measure.

`REQUIRED` and `OPTIONAL` are the keys of its file; `learners.experiments` shows one. `turning` is
the knob: it turns one option of two players, to see what they learn at each setting.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from afterstate_lab.game import Side
from afterstate_lab.learners import VERSION
from afterstate_lab.learners.errors import UsageError, did_you_mean, hint, shown
from afterstate_lab.learners.files import is_file
from afterstate_lab.learners.judge.figures import (
    FIGURES,
    FLAG,
    RMS_MINIMAX,
    VALUE,
    WIN,
    Figure,
)
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.options import IntegerOption, Option, RateOption, shortest
from afterstate_lab.learners.rules.spec import LONGEST_SPEC, PlayerSpec, runs_code
from afterstate_lab.learners.toml_reader import (
    Keypath,
    Keys,
    TomlError,
    TomlText,
    any_words,
    choice,
    items,
    tables,
    whole,
    words,
)

MOST_SEEDS: Final = 1_000
MOST_GAMES: Final = 10**10
MOST_ARMS: Final = 500
MOST_NUMBERS: Final = 50_000_000
"""Maximum number of measured numbers of a plan: 400 MB."""
MOST_SETTINGS: Final = 100
"""Maximum number of values of an option that is turned."""
LONGEST: Final = 2_000
"""Maximum number of characters of a question or an answer."""

BAND_KINDS: Final = "Student's t", "Clopper-Pearson"
"""Of a mean, and of a share of the seeds."""
METRICS: Final = {figure.name: figure for figure in FIGURES if figure.symbol}
"""The metrics of experiments, by name."""


@dataclass(frozen=True)
class SidedMetric:
    """A metric of X or of O."""

    metric: Figure
    side: Side

    @classmethod
    def parse(cls, written: Any) -> SidedMetric:
        """Read a metric such as ``value X``."""
        if not isinstance(written, str):
            raise UsageError(f'must be texts such as "value X", not {shown(written)}')
        name, _, side = written.strip().rpartition(" ")
        is_sided = side in Side.__members__
        name = (name if is_sided else written).strip()
        if name not in METRICS:
            raise UsageError(f"unknown metric {shown(name)}{hint(name, METRICS)}")
        if not is_sided:
            raise UsageError(f"{shown(written)} needs a side: {name} X or {name} O")
        return cls(METRICS[name], Side[side])

    def __str__(self) -> str:
        return f"{self.metric.name} {self.side.mark}"

    @property
    def symbol(self) -> str:
        return self.metric.symbol.format(self.side.mark)

    @property
    def is_share(self) -> bool:
        """Whether each trial has 0 or 1, so that the mean is a share of the seeds."""
        return self.metric.kind is FLAG

    @property
    def band_kind(self) -> str:
        """The kind of its 95% intervals over seeds."""
        return BAND_KINDS[self.is_share]

    def limits(self, arm: Arm) -> tuple[float, float]:
        """Return the least and the most that it can be of a variant's player."""
        if self.metric.kind is not VALUE:
            return 0.0, self.metric.kind.most
        spec = arm.o if self.side else arm.x
        rewards = spec.rewards
        return min(rewards), max(rewards)


def option_value(value: Any) -> str:
    """Return a value of a sweep as text of a spec; the option checks the rest."""
    found = shortest(value) if isinstance(value, float) else str(value).strip()
    if not found.isprintable():
        raise UsageError(f"{shown(found)} has characters that cannot be printed")
    return found


REQUIRED: Final[Keys] = {
    "title": (words,),
    "games": (whole, 1, MOST_GAMES),
    "seeds": (whole, 1, MOST_SEEDS),
    "metrics": (items, SidedMetric.parse, 16),
}
OPTIONAL: Final[Keys] = {
    "source": (any_words,),
    "question": (words, LONGEST),
    "prediction": (any_words, LONGEST),
    "measured": (any_words, LONGEST),
    "answer": (any_words, LONGEST),
    "measure": (tables, "measure", 1),
    "arms": (tables, "arms", MOST_ARMS),
    "sweep": (tables, "sweep", 8),
}
MEASURE: Final[Keys] = {
    "points": (whole, 1, 1_000),
    "spacing": (choice, "linear", "log"),
    "judge": (choice, "end", "run"),
}
ARM: Final[Keys] = {
    "name": (words, 40),
    "x": (words, LONGEST_SPEC),
    "o": (words, LONGEST_SPEC),
}
SWEEP: Final[Keys] = {"option": (words,), "values": (items, option_value, 100)}


@dataclass(frozen=True)
class Arm:
    """A variant: two players, compared with other variants."""

    name: str
    x: PlayerSpec
    o: PlayerSpec
    baseline: str = ""
    """The name of the arm to compare with; empty for the plan's first."""
    family: str = ""
    """The name of the plan's arm from which a sweep made this one; else empty."""
    swept: tuple[tuple[str, str], ...] = ()
    """The options that sweeps set, with their values as text."""

    @property
    def origin(self) -> str:
        """The name of the arm in the plan."""
        return self.family or self.name


def swept(
    place: TomlText,
    arms: Sequence[Arm],
    option: str,
    values: Sequence[str],
    arm: str = "",
) -> tuple[Arm, ...]:
    """Return the arms with one for each value of an option, as in the book's Figure 2.6.

    Several sweeps of one arm make every combination.

    Args:
        place: reports what is wrong.
        arms: so far.
        option: such as `x.alpha`, or `alpha` for every learner that has it.
        values: of the option.
        arm: the name of the arm, or empty for all.
    """
    names = dict.fromkeys(one.origin for one in arms)
    if arm not in ("", *names):
        raise place.error(f"there is no arm {shown(arm)}; there is {', '.join(names)}", "arm")
    made: list[Arm] = []
    for one in arms:
        made += variants(place, one, option, values) if arm in ("", one.origin) else [one]
        if len(made) > MOST_ARMS:
            raise place.error(f"they make more than {MOST_ARMS} arms", "values")
    return tuple(made)


def variants(place: TomlText, arm: Arm, swept_option: str, values: Sequence[str]) -> Iterator[Arm]:
    """Yield an arm with each value of the option."""
    side, dot, name = swept_option.rpartition(".")
    if dot and side not in ("x", "o"):
        raise place.error("must be an option's name, or one such as x.alpha", "option")
    found = [
        (key, spec, option)
        for key, spec in (("x", arm.x), ("o", arm.o))
        for option in spec.rule.options
        if option.name == name and (key == side or (not side and spec.rule.learns))
    ]
    if not found:
        problem = f"no player of arm {shown(arm.name)} has an option {shown(name)}"
        raise place.error(problem, "option")
    if name in dict(arm.swept):
        raise place.error(f"{name} is swept twice", "option")
    for value in values:
        players: dict[str, Any] = {
            key: spec.with_setting(name, place.checked("values", option.parse, value))
            for key, spec, option in found
        }
        yield replace(
            arm,
            name=f"{arm.name} {name}={value}",
            family=arm.origin,
            swept=(*arm.swept, (name, value)),
            **players,
        )


@dataclass(frozen=True, kw_only=True)
class Plan:
    """An experiment: variants, each trained with every seed, and the metrics to measure."""

    name: str
    title: str
    source: str = ""
    question: str = ""
    prediction: str = ""
    """The question for the user's prediction."""
    measured: str = ""
    answer: str = ""
    games: int
    seeds: int
    """Every variant is trained with each of 0, 1, 2 and so on."""
    metrics: tuple[SidedMetric, ...]
    arms: tuple[Arm, ...]
    points: tuple[int, ...]
    """The numbers of games after which to measure; the first may be 0, the last is `games`."""
    log: bool = False
    """Whether the points are evenly spaced on a logarithmic scale."""
    answer_seeds: int = 0
    """The number of seeds behind the answer."""
    answer_games: int = 0
    over_run: bool = False
    """Whether variants are judged by the mean over the run, as in Figure 2.6, not by its end."""

    @classmethod
    def parse(cls, content: str, name: str = "plan", *, own_rules: bool = False) -> Plan:
        """Read a plan from TOML.

        Args:
            content: the file's content.
            name: the file's name for messages.
            own_rules: allow a user's own rules (`file.py:Class`), whose code is then run.
        """
        place = TomlText(name, content)
        asked = place.read(place.table(), REQUIRED, OPTIONAL)
        measure: dict[str, Any] = {"points": 40, "spacing": "linear", "judge": "end"}
        for path, table in asked.pop("measure", ()):
            measure |= place._replace(path=path).read(table, {}, MEASURE)
        arms = read_arms(place, asked.pop("arms", ()), own_rules)
        for path, table in asked.pop("sweep", ()):
            there = place._replace(path=path)
            arms = swept(there, arms, **there.read(table, SWEEP, {"arm": (any_words,)}))
        is_log = measure["spacing"] == "log"
        plan = cls(
            **asked,
            name=Path(name).stem,
            arms=arms,
            points=spaced(asked["games"], min(measure["points"], asked["games"]), is_log),
            log=is_log,
            answer_seeds=asked["seeds"],
            answer_games=asked["games"],
            over_run=measure["judge"] == "run",
        )
        numbers = plan.trials * len(plan.points) * len(plan.metrics)
        if numbers > MOST_NUMBERS:
            raise place.error(
                f"arms x seeds x points x metrics make {numbers:,} numbers; "
                f"the most is {MOST_NUMBERS:,}",
            )
        return plan

    @classmethod
    def load(cls, path: Path, *, own_rules: bool = False) -> Plan:
        """Read a plan from a file; see `parse`."""
        file = TomlText.load(path, "plan")
        return cls.parse(file.text, file.name, own_rules=own_rules)

    def resized(self, seeds: int | None = None, games: int | None = None) -> Plan:
        """Return it with other numbers of seeds and games and, if possible, as many points."""
        seeds = self.seeds if seeds is None else whole(seeds, 1, MOST_SEEDS)
        if games is None:
            return replace(self, seeds=seeds)
        count = min(len(self.points) - (0 in self.points), whole(games, 1, MOST_GAMES))
        return replace(self, seeds=seeds, games=games, points=spaced(games, count, self.log))

    @property
    def trials(self) -> int:
        """The number of trials: variants times seeds."""
        return len(self.arms) * self.seeds

    @property
    def answer_heading(self) -> str:
        """What the answer was found with."""
        return f"Answer, from {size(self.answer_seeds, self.answer_games)}"

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """For each variant, a hash of everything that its numbers depend on, except the seed."""
        found = []
        for arm in self.arms:
            players = identity(arm.x), identity(arm.o)
            told = program(), self.points, [*map(str, self.metrics)], players
            written = json.dumps(told, sort_keys=True).encode()
            found.append(hashlib.sha256(written).hexdigest()[:24])
        return tuple(found)


def size(seeds: int, games: int) -> str:
    """Return the size of an experiment: `30 seeds of 10,000 games`."""
    return f"{seeds:,} seed{'s' * (seeds != 1)} of {games:,} game{'s' * (games != 1)}"


@cache
def program() -> str:
    """Return the version, and a hash of the sources that the numbers of a trial depend on."""
    learners = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for folder in (learners.parent / "game", learners):
        for file in sorted((*folder.rglob("*.py"), *folder.rglob("figures.toml"))):
            digest.update(file.name.encode() + b"\0" + file.read_bytes().replace(b"\r", b""))
    return f"{VERSION} (engine {digest.hexdigest()[:8]})"


def identity(spec: PlayerSpec) -> dict[str, str]:
    """Return everything that determines how a player plays: its options, and a hash of its file."""
    parts = {option.name: option.format(spec.settings[option.name]) for option in spec.rule.options}
    parts["player"] = spec.rule.name
    path, is_code, _ = spec.rule.name.rpartition(".py:")
    file = f"{path}.py" if is_code else spec.rule.name
    if is_code or file.endswith(".npz"):
        parts["sha256"] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return parts


def spaced(games: int, count: int, log: bool) -> tuple[int, ...]:
    """Return the points at which to measure, the last one at `games`.

    Args:
        games: games of a run.
        count: number of points, at least 1, without the start (game 0).
        log: space them evenly on a logarithmic scale from a thousandth of the games (at least 1),
            without the start; else evenly from 0.
    """
    if log:
        first = max(1, games // 1000) if count > 1 else games
        places = np.geomspace(first, games, count)
    else:
        places = np.linspace(0, games, count + 1)
    return tuple(sorted({round(place) for place in places.tolist()}))


def read_arms(
    place: TomlText, tables: Iterable[tuple[Keypath, Mapping[str, Any]]], own_rules: bool
) -> tuple[Arm, ...]:
    """Return the arms of the file, before sweeps."""
    arms: dict[str, Arm] = {}
    for path, table in tables:
        there = place._replace(path=path)
        told = there.read(table, ARM, {"baseline": (any_words, 40)})
        name, baseline = told["name"], told.get("baseline", "")
        if name in arms:
            raise there.error(f"two variants are named {shown(name)}", "name")
        if baseline not in ("", *arms):
            raise there.error(f"there is no arm {shown(baseline)} before it", "baseline")
        x, o = (
            there.checked(key, read_player, told[key], side, own_rules)
            for key, side in (("x", Side.X), ("o", Side.O))
        )
        arms[name] = Arm(name, x, o, baseline)
    if not arms:
        raise place.error("there is none; each begins with a line [[arms]]", "arms")
    return tuple(arms.values())


def read_player(written: str, side: Side, own_rules: bool) -> PlayerSpec:
    if runs_code(written) and not own_rules:
        raise UsageError(f"{shown(written)} runs code from a file: pass --trust to allow it")
    return checked_player(parse_player(written), side)


def checked_player(spec: PlayerSpec, side: Side) -> PlayerSpec:
    """Return a player that can take part in an experiment."""
    spec.rule.check_side(side)
    if spec.rule.human:
        raise UsageError("a person cannot take part in an experiment")
    return spec


def knobs(*players: PlayerSpec) -> dict[str, Option]:
    """Return the options of the learners whose values are numbers, by name."""
    return {
        option.name: option
        for spec in players
        if spec.rule.learns
        for option in spec.rule.options
        if type(option) in (Option, IntegerOption, RateOption)
    }


def knob(x: PlayerSpec, o: PlayerSpec, name: str) -> Option:
    """Return the option of a name."""
    known = knobs(x, o)
    if name not in known:
        names = " or ".join(dict.fromkeys(spec.rule.name for spec in (x, o)))
        near = did_you_mean(name, known) or (f". Turn {', '.join(known)}" if known else "")
        raise UsageError(f"{shown(name)} is not a numeric option of {names}{near}")
    return known[name]


def read_range(x: PlayerSpec, o: PlayerSpec, text: str) -> tuple[str, list[str]]:
    """Return the option and the values of a text such as `alpha=.05:.5:10`."""
    name, _, rest = text.partition("=")
    option = knob(x, o, name)
    *ends, many = rest.split(":")
    try:
        low, high = map(float, ends)
        count = int(many) if math.isfinite(low + high) else 0
    except ValueError:
        count = 0
    if not 1 <= count <= MOST_SETTINGS:
        raise UsageError(
            f"{shown(text)} is not a range of 1 to {MOST_SETTINGS} settings. "
            "Try alpha=.05:.5:10, from .05 to .5 in 10 settings"
        )
    for end in ends:
        option.parse(end.strip())
    form = "{:.0f}" if isinstance(option, IntegerOption) else "{:.12g}"
    return name, list(dict.fromkeys(form.format(one) for one in np.linspace(low, high, count)))


def followed(x: PlayerSpec, o: PlayerSpec) -> tuple[SidedMetric, ...]:
    """Return what shows how well each learner learns: its error; if it has no values, its wins."""
    return tuple(
        SidedMetric(RMS_MINIMAX if spec.rule.estimates else WIN, side)
        for side, spec in zip(Side, (x, o), strict=True)
        if spec.rule.learns
    )


def turning(
    x: PlayerSpec, o: PlayerSpec, name: str, values: Sequence[str], seeds: int, games: int
) -> Plan:
    """Return the experiment with a variant for each value."""
    curves = followed(x, o)
    values_of = (one.side for one in curves if one.metric is RMS_MINIMAX)
    arm = Arm(f"{x} v {o}", checked_player(x, Side.X), checked_player(o, Side.O))
    return Plan(
        name="turn",
        title=f"turn {name}",
        question=f"How does {name} change what is learned?",
        arms=tuple(variants(TomlText("turn", ""), arm, name, values)),
        seeds=seeds,
        games=games,
        log=True,
        metrics=(*curves, *(SidedMetric(METRICS["value"], side) for side in values_of)),
        points=spaced(games, 16, log=True),
    )


NUMBERS: Final = {
    "1.1": "self-play",
    "1.2": "symmetries",
    "1.3": "greedy-play",
    "1.4": "exploration",
    "1.5": "improvements",
    "6.2": "td-or-mc",
    "2.6": "step-sizes",
}
"""The experiment for each exercise, example or figure in the book, with the sweep last."""
NAMES: Final = tuple(NUMBERS.values())


@cache
def built_in(name: str) -> Plan:
    path = Path(__file__).with_name("plans") / f"{name}.toml"
    return Plan.parse(path.read_text(encoding="utf-8"), path.name)


def catalogue() -> list[Plan]:
    return [built_in(name) for name in NAMES]


def find_plan(written: str, *, own_rules: bool = False) -> Plan:
    """Return the plan that a user names: a file, a name, or the number of an exercise."""
    name = NUMBERS.get(written, written)
    if name in NAMES:
        return built_in(name)
    if written.endswith(".toml") or os.sep in written or is_file(written):
        return Plan.load(Path(written), own_rules=own_rules)
    known = f": use {', '.join([*NAMES, *sorted(NUMBERS)])}, or a file.toml"
    raise TomlError(f"unknown experiment {shown(written)}{did_you_mean(written, NAMES) or known}")
