"""Plans: questions about learning as experiments (`learners.experiments`), and built-in ones."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np

from learners.errors import UsageError, shown, shown_path
from learners.experiments.metrics import SidedMetric
from learners.experiments.sweep import MOST_ARMS, Arm, expanded, read_sweeps
from learners.files import is_file, opened
from learners.players.resolve import parse_player
from learners.rules.spec import LONGEST_SPEC, PlayerSpec, runs_code
from learners.toml_reader import LARGEST_FILE, TomlError, TomlTable, TomlText
from learners.version import VERSION

MOST_SEEDS: Final = 1_000
MOST_GAMES: Final = 10**10
MOST_POINTS: Final = 1_000
MOST_METRICS: Final = 16
MOST_NUMBERS: Final = 50_000_000
"""Maximum number of measured numbers of a plan: 400 MB."""
LONGEST_TEXT: Final = 2_000

KEYS: Final = (
    "title", "source", "question", "prediction", "measured", "answer", "games", "seeds",
    "metrics", "measure", "arms", "sweep",
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """An experiment: arms, each trained with every seed, and the metrics measured meanwhile."""

    name: str
    title: str
    question: str
    arms: tuple[Arm, ...]
    seeds: tuple[int, ...]
    games: int
    points: tuple[int, ...]
    """The numbers of games after which to measure; the first may be 0, the last is `games`."""
    metrics: tuple[SidedMetric, ...]
    log: bool = False
    """Whether the points are evenly spaced on a logarithmic scale."""
    source: str = ""
    """The source of the question."""
    prediction: str = ""
    """What the user is asked to predict."""
    measured: str = ""
    """A description of what is measured."""
    answer: str = ""
    """The true answer."""
    answer_seeds: int = 0
    """The number of seeds that the answer was found with, whatever is run now."""
    answer_games: int = 0
    """And the number of games."""
    over_run: bool = False
    """Whether arms are judged by the mean over the run, as in Figure 2.6, not by its end."""

    @classmethod
    def parse(cls, text: str, name: str = "plan", *, own_rules: bool = False) -> Plan:
        """Read a plan from TOML.

        Args:
            text: the file's content.
            name: the file's name for messages.
            own_rules: allow a user's own rules (`file.py:Class`), whose code is then run.

        Raises:
            TomlError: it is invalid; the message says where and why.
        """
        source = TomlText(name, text)
        top = TomlTable(source, source.table(), (), KEYS)
        games = top.whole("games", 1, MOST_GAMES)
        points, log, over_run = read_points(top, games)
        seeds = read_seeds(top)
        arms = expanded(read_arms(top, own_rules), read_sweeps(top))
        plan = cls(
            name=Path(name).stem,
            title=top.text("title"),
            question=top.text("question", longest=LONGEST_TEXT),
            arms=arms,
            seeds=seeds,
            games=games,
            points=points,
            metrics=read_metrics(top),
            log=log,
            source=top.text("source", ""),
            prediction=top.text("prediction", "", longest=LONGEST_TEXT),
            measured=top.text("measured", "", longest=LONGEST_TEXT),
            answer=top.text("answer", "", longest=LONGEST_TEXT),
            answer_seeds=len(seeds),
            answer_games=games,
            over_run=over_run,
        )
        numbers = len(arms) * len(plan.seeds) * len(points) * len(plan.metrics)
        if numbers > MOST_NUMBERS:
            raise source.error(
                (),
                f"arms x seeds x points x metrics make {numbers:,} numbers; "
                f"at most {MOST_NUMBERS:,} will do",
            )
        return plan

    @classmethod
    def load(cls, path: Path, *, own_rules: bool = False) -> Plan:
        """Read a plan from a file; see `parse`.

        Raises:
            TomlError: it cannot be read, or is invalid.
        """
        try:
            with opened(path) as file:
                data = file.read(4 * LARGEST_FILE + 8)
            text = data.decode(errors="strict" if len(data) < 4 * LARGEST_FILE + 8 else "ignore")
        except UnicodeDecodeError:
            raise TomlError(f"{shown_path(path)} is no plan: it is not UTF-8 text") from None
        except (OSError, ValueError) as error:
            reason = (getattr(error, "strerror", None) or str(error)).lower()
            raise TomlError(f"the plan {shown_path(path)} cannot be read: {reason}") from None
        return cls.parse(text.replace("\r\n", "\n"), str(path), own_rules=own_rules)

    def with_seeds(self, count: int) -> Plan:
        """The plan with another number of seeds.

        Raises:
            TomlError: there are too few or too many.
        """
        if not 1 <= count <= MOST_SEEDS:
            raise TomlError(f"{count:,} seeds will not do: 1 to {MOST_SEEDS:,} will")
        more = [seed for seed in range(count + len(self.seeds)) if seed not in set(self.seeds)]
        return replace(self, seeds=(*self.seeds, *more)[:count])

    def with_games(self, games: int) -> Plan:
        """The plan with another number of games and, if possible, as many points.

        Raises:
            TomlError: there are too few or too many.
        """
        if not 1 <= games <= MOST_GAMES:
            raise TomlError(f"{games:,} games will not do: 1 to {MOST_GAMES:,} will")
        count = len(self.points) - (self.points[0] == 0)
        return replace(self, games=games, points=spaced(games, min(count, games), self.log))

    @property
    def trials(self) -> int:
        """Arms times seeds."""
        return len(self.arms) * len(self.seeds)

    @property
    def judged_by(self) -> str:
        """The figure of each trial that tables, sweeps and chances compare."""
        return "mean over the run" if self.over_run else "at the end"

    @property
    def answer_heading(self) -> str:
        """What the answer was found with."""
        return f"Answer, from {size(self.answer_seeds, self.answer_games)}"

    @property
    def run_heading(self) -> str:
        """What is run now."""
        return f"This run, {size(len(self.seeds), self.games)}"

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """For each arm a hash of all that its numbers depend on, except the seed."""
        return tuple(self._key(arm) for arm in self.arms)

    def _key(self, arm: Arm) -> str:
        parts = {
            "version": VERSION,
            "engine": sources_hash(),
            "x": identity(arm.x),
            "o": identity(arm.o),
            "points": self.points,
            "metrics": [str(metric) for metric in self.metrics],
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:24]


def size(seeds: int, games: int) -> str:
    """How much is run of each arm: `30 seeds of 10,000 games`."""
    return f"{seeds:,} seed{'s' * (seeds != 1)} of {games:,} game{'s' * (games != 1)}"


ENGINE: Final = ("engine", "experiments", "judge", "kernel", "rules")
"""The parts of `learners` that the numbers of a trial depend on, besides `game`."""


@cache
def sources_hash() -> str:
    """The first 8 hex digits of a hash of the sources that the numbers of a trial depend on."""
    learners = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for folder in (learners.parent / "game", *(learners / name for name in ENGINE)):
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes().replace(b"\r", b""))
    return digest.hexdigest()[:8]


def identity(spec: PlayerSpec) -> dict[str, str]:
    """All that determines how a player plays: every option, and a hash of its file."""
    parts = {option.name: option.format(spec.settings[option.name]) for option in spec.rule.options}
    parts["player"] = spec.rule.name
    path, is_code, _ = spec.rule.name.rpartition(".py:")
    file = f"{path}.py" if is_code else spec.rule.name
    if is_code or file.endswith(".npz"):
        parts["sha256"] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return parts


def spaced(games: int, count: int, log: bool) -> tuple[int, ...]:
    """The points at which to measure, the last one at `games`.

    Args:
        games: games of a run.
        count: number of points, at least 1, without the start (game 0).
        log: space them evenly on a logarithmic scale from a thousandth of the games (at least 1),
            without the start; else evenly from 0.
    """
    if log:
        first = max(1, games // 1000)
        places = np.geomspace(first, games, count) if count > 1 else np.array([games])
    else:
        places = np.linspace(0, games, count + 1)
    return tuple(sorted({round(place) for place in places.tolist()} | {games}))


def read_points(top: TomlTable, games: int) -> tuple[tuple[int, ...], bool, bool]:
    """The points at which to measure, whether they are logarithmic, and `Plan.over_run`."""
    tables = top.tables("measure", ("points", "spacing", "judge"), 1)
    reader = tables[0] if tables else TomlTable(top.source, {}, ("measure",), ())
    count = reader.whole("points", 1, MOST_POINTS, min(40, games))
    log = reader.choice("spacing", ("linear", "log")) == "log"
    over_run = reader.choice("judge", ("end", "run")) == "run"
    return spaced(games, min(count, games), log), log, over_run


def read_seeds(top: TomlTable) -> tuple[int, ...]:
    """The seeds; a count n means 0 .. n - 1."""
    value = top.value("seeds")
    if not isinstance(value, list):
        return tuple(range(top.whole("seeds", 1, MOST_SEEDS)))
    seeds = top.items("seeds", MOST_SEEDS)
    for seed in seeds:
        if type(seed) is not int or not 0 <= seed < 2**63:
            raise top.error("seeds", f"{shown(seed)} is no whole number from 0 to 2**63 - 1")
    if len(set(seeds)) < len(seeds):
        raise top.error("seeds", "one is given twice")
    return tuple(seeds)


def read_metrics(top: TomlTable) -> tuple[SidedMetric, ...]:
    metrics = []
    for text in top.items("metrics", MOST_METRICS):
        if not isinstance(text, str):
            raise top.error("metrics", f'must be texts such as "value X", not {shown(text)}')
        try:
            metrics.append(SidedMetric.parse(text))
        except UsageError as error:
            raise top.error("metrics", str(error)) from None
    if len(set(metrics)) < len(metrics):
        raise top.error("metrics", "one is given twice")
    return tuple(metrics)


def read_arms(top: TomlTable, own_rules: bool) -> Sequence[Arm]:
    """The arms of the file, before sweeps."""
    arms: list[Arm] = []
    for reader in top.tables("arms", ("name", "x", "o", "baseline"), MOST_ARMS):
        name = reader.text("name", longest=40)
        if any(name == arm.name for arm in arms):
            raise reader.error("name", f"there are two arms {shown(name)}")
        x, o = (read_player(reader, side, own_rules) for side in ("x", "o"))
        baseline = reader.text("baseline", "", longest=40)
        if baseline and all(baseline != arm.name for arm in arms):
            raise reader.error("baseline", f"there is no arm {shown(baseline)} before this one")
        arms.append(Arm(name, x, o, baseline))
    if not arms:
        raise top.error("arms", "there is none; each begins with a line [[arms]]")
    return arms


def read_player(reader: TomlTable, side: str, own_rules: bool) -> PlayerSpec:
    text = reader.text(side, longest=LONGEST_SPEC)
    if runs_code(text) and not own_rules:
        raise reader.error(side, f"{shown(text)} would run a file's code (allow it: --own-rules)")
    try:
        spec = parse_player(text)
        spec.rule.check_side("xo".index(side))
    except UsageError as error:
        raise reader.error(side, str(error)) from None
    if spec.rule.human:
        raise reader.error(side, "a human cannot take part in an experiment")
    return spec


NAMES = (
    "self-play", "symmetries", "greedy-play", "exploration", "improvements", "td-or-mc",
    "step-sizes",
)  # fmt: skip
"""In the book's order, the sweep last."""
NUMBERS = {
    "1.1": "self-play",
    "1.2": "symmetries",
    "1.3": "greedy-play",
    "1.4": "exploration",
    "1.5": "improvements",
    "6.2": "td-or-mc",
    "2.6": "step-sizes",
}
"""The plan of each exercise, example or figure of the book."""


@cache
def built_in(name: str) -> Plan:
    file = files("learners.experiments") / "plans" / f"{name}.toml"
    return Plan.parse(file.read_text(encoding="utf-8"), f"{name}.toml")


def catalogue() -> list[Plan]:
    return [built_in(name) for name in NAMES]


def is_path(text: str) -> bool:
    """Whether a text names the file of a plan."""
    return text.endswith(".toml") or os.sep in text or is_file(text)


def find_plan(text: str, *, own_rules: bool = False) -> Plan:
    """The plan that a user names: a file, a name, or the number of an exercise.

    Args:
        text: the user's text.
        own_rules: see `Plan.parse`.

    Raises:
        TomlError: there is no such plan, or it is invalid.
    """
    name = NUMBERS.get(text, text)
    if name in NAMES:
        return built_in(name)
    if is_path(text):
        return Plan.load(Path(text), own_rules=own_rules)
    near = difflib.get_close_matches(text, NAMES, n=1)
    known = [*NAMES, *sorted(NUMBERS)]
    hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(known)}, or a file.toml"
    raise TomlError(f"there is no plan {shown(text)}: {hint}")
