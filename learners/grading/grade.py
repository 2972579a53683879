"""Compare a rule with a known-correct one, game by game, from the same starting values.

A game is a pure function of memory, players, random numbers and index. So each game is played twice
with the same random numbers: by the reference, and by the rule *from the reference's memory before
that game*. If no game differs, the two learn the same from any number of games; if one does, the
others can still be compared, and each property is checked over all games. A game in which the rule
chooses other moves is replayed with the reference's moves, to judge only what it learns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from types import FunctionType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import space
from afterstate_lab.learners.ask.what_if import (
    EventDifference,
    EventPair,
    WhatIf,
    event_pairs,
    transplant,
)
from afterstate_lab.learners.errors import RuleFileError, UsageError, shown
from afterstate_lab.learners.kernel.kernel import EVENTS_A_GAME, empty_columns
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.user_rule import HOOKS
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.tape.recording import (
    Backup,
    Cursor,
    GameOver,
    Move,
    NoBackup,
    Recording,
)
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.seating import script_of

GAMES: Final = 300
SEEDS: Final = 3
ULPS: Final = 4.0
"""Allowed difference of a written number, in units in the last place."""
GAMES_AT_ONCE: Final = 64
POINTS_FOR_SAME: Final = 2


class Property(Enum):
    """A property of a rule that learns as the reference does."""

    INITIAL = "starts with the same values"
    CHOICE = "chooses the same moves, from the same values and dice"
    EXPLORATORY = "backs up nothing after an exploratory move"
    OWN_END = "learns from the end of the game when it made the last move"
    OTHERS_END = "learns from the end of the game when the opponent made the last move"
    ENTRIES = "backs up the right values at every other move, and no others"
    TERMINAL = "leaves the values of finished games as they are"
    TARGET = "moves each value towards the right target"
    STEP = "uses the right step size"
    NEW = "writes old + step × (target − old)"
    SAME_TABLE = "leaves the same values after every game, whatever the order of its backups"


class Place(NamedTuple):
    """A position in the games: a seed, a game from 1, a ply."""

    seed: int
    game: int
    ply: int


@dataclass
class Check:
    """A property over all games."""

    held: int = 0
    failed: int = 0
    example: Place | None = None
    """The first position where it fails."""

    def count(self, holds: bool, place: Place) -> None:
        self.held += holds
        self.failed += not holds
        self.example = self.example or (None if holds else place)

    @property
    def holds(self) -> bool:
        """Whether there were cases and all passed."""
        return self.held > 0 and not self.failed


@dataclass(frozen=True, eq=False)
class FirstDifference:
    """The first event that differs, in the order of seeds, games and events."""

    place: Place
    pair: EventPair | None
    """None for an initial value."""
    one: Run
    what_if: WhatIf
    initial: tuple[int, float, float] | None = None
    """An entry of X (or O) with different initial values, and both values."""


@dataclass
class Grade:
    """The result of a comparison."""

    rule: PlayerSpec
    against: PlayerSpec
    games: int
    seeds: int
    is_brief: bool
    """Whether it stopped at the first difference, with checks of only some games."""
    checks: dict[Property, Check] = field(default_factory=lambda: {p: Check() for p in Property})
    backups: int = 0
    """Number of compared backups of the reference."""
    ulps: float = 0.0
    """Maximum distance of two equal numbers, in units in the last place."""
    first: FirstDifference | None = None

    @property
    def is_same(self) -> bool:
        return self.first is None

    @property
    def properties(self) -> dict[Property, Check]:
        """The checks of the properties that the reference has cases of."""
        return {p: c for p, c in self.checks.items() if c.held or c.failed or p in ALWAYS}

    def holds(self, which: Property) -> bool:
        """Return whether a property held in every case.

        A rule that never backs up does not pass by leaving values as they are.
        """
        learns = self.checks[Property.TERMINAL].held > 0 or which is not Property.EXPLORATORY
        return learns and self.checks[which].holds

    @property
    def score(self) -> int:
        """One point for each property that holds, and extra points for no difference."""
        return sum(map(self.holds, self.properties)) + POINTS_FOR_SAME * self.is_same

    @property
    def most(self) -> int:
        return len(self.properties) + POINTS_FOR_SAME


ALWAYS: Final = (Property.TARGET, Property.STEP, Property.NEW, Property.TERMINAL)
"""Properties that need at least one backup."""


def check_comparable(rule: PlayerSpec, reference: PlayerSpec) -> None:
    """Refuse two players that keep different kinds of values."""
    for spec in (rule, reference):
        if not spec.learns:
            raise UsageError(f"{shown(str(spec))} learns nothing: give a rule that learns")
    if not rule.rule.is_trusted and (name := borrowed_hook(rule.rule)):
        raise UsageError(
            f"{shown(str(rule))} runs {name}, which is part of Afterstate: write after_step or "
            "after_game yourself"
        )
    if kind_of_values(rule) != kind_of_values(reference):
        raise UsageError(
            f"{shown(str(rule))} and {shown(str(reference))} keep values of different things "
            "(boards or moves, one table or two), so their events cannot be compared"
        )


def borrowed_hook(rule: type[Rule]) -> str:
    """Return the learning hook of a built-in rule that a user's rule runs, or nothing."""
    run = [rule.after_step, rule.after_game]
    for function in run:
        own = function.__module__.partition(".")[0] != "afterstate_lab"
        if not own and function.__name__ in HOOKS:
            return function.__qualname__
        used = map(function.__globals__.get, function.__code__.co_names) if own else ()
        run += [one for one in used if isinstance(one, FunctionType) and one not in run]
    return ""


def kind_of_values(spec: PlayerSpec) -> list[object]:
    layout, kinds = Layout.of(spec, spec), list[object]()
    for entries in (layout.x.entries, layout.o.entries):
        kinds += [entries.boards.tolist(), entries.cells.tolist(), entries.live.tolist()]
    return [*kinds, layout.is_shared, spec.rule.tables]


def grade(
    rule: PlayerSpec,
    against: PlayerSpec,
    *,
    games: int = GAMES,
    seeds: int = SEEDS,
    ulps: float = ULPS,
    progress: Callable[[int, int], None] | None = None,
    is_brief: bool = False,
) -> Grade:
    """Play the games of a reference with a rule, on both sides, and compare every event.

    Args:
        rule: the rule to grade; options that only the reference was given are set as there.
        against: the reference.
        games: games of each seed.
        seeds: the seeds 0 .. seeds - 1.
        ulps: units in the last place by which a written number may differ.
        progress: told before each 64 games the seed and the game.
        is_brief: stop at the games that hold the first difference.
    """
    own = {option.name for option in rule.rule.options} - {name for name, _ in rule.given}
    for name, value in against.given:
        if name in own:
            rule = rule.with_setting(name, value)
    check_comparable(rule, against)
    found = Grade(rule, against, games, seeds, is_brief)
    for seed in range(seeds):
        reference = Run(against, against, seed)
        for first in range(0, games, GAMES_AT_ONCE):
            if progress is not None:
                progress(seed, first)
            last = min(games, first + GAMES_AT_ONCE)
            reference.train(last - first)
            grade_games(found, reference, reference.record(first, last), ulps)
            if is_brief and found.first is not None:
                return found
    return found


def grade_games(found: Grade, reference: Run, recording: Recording, ulps: float) -> None:
    """Compare some games of the reference with the rule's games."""
    student = Student(found.rule, reference)
    if recording.first == 0:
        grade_initial(found, reference, student)
    cursor = Cursor(recording)
    for game in range(recording.first, recording.last):
        rows = recording.rows_of(game)
        cursor.seek(rows.start)
        own = student.play(cursor.v, game)
        pairs = event_pairs(recording, own, game, ulps)
        found.ulps = max([found.ulps, *(p.ulps for p in pairs if p.difference is None)])
        differing = next((pair for pair in pairs if pair.difference is not None), None)
        chooses_alike = not any(pair.difference is EventDifference.CHOICE for pair in pairs)
        ply = differing.event.ply if differing is not None else 1
        place = Place(reference.seed, game + 1, ply)
        found.checks[Property.CHOICE].count(chooses_alike, place)
        if differing is not None and found.first is None:
            alone = WhatIf(reference.record(game, game + 1), own, (False, False), student.run)
            again = event_pairs(alone.original, own, game, ulps)
            first = next(pair for pair in again if pair.difference is not None)
            found.first = FirstDifference(place, first, reference, alone)
        if not chooses_alike:
            moves = recording.events(rows.start, rows.stop)
            script = script_of({move.ply: move.cell for move in moves if isinstance(move, Move)})
            own = student.play(cursor.v, game, script)
            pairs = event_pairs(recording, own, game, ulps)
        plies = max((p.event.ply for p in pairs if isinstance(p.event, GameOver | Move)), default=0)
        for pair in pairs:
            for which, holds in cases(pair, plies):
                found.checks[which].count(holds, place._replace(ply=pair.event.ply))
            found.backups += isinstance(pair.one, Backup)
        is_same = not any(pair.difference for pair in pairs)
        if not is_same:
            cursor.seek(rows.stop)
            is_same = student.knows(cursor.v, own, ulps)
        found.checks[Property.SAME_TABLE].count(is_same, place)


class Student:
    """The rule to grade, with the memory of a reference.

    Args:
        reference: whose games it plays.
    """

    def __init__(self, rule: PlayerSpec, reference: Run) -> None:
        self.run = Run(rule, rule, reference.seed)
        self.fresh = self.run.layout.fresh()
        own, others = self.run.layout, reference.layout
        self.tables = (others.x, own.x), (others.o, own.o)
        """For each side, the tables of the reference and of the rule."""

    def memory(self, known: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the memory of the reference with the rule's own rewards."""
        memory = self.fresh.copy()
        for was, own in self.tables:
            transplant(was, known, own, memory)
        return memory

    def play(
        self, known: NDArray[np.float64], game: int, script: tuple[int, ...] | None = None
    ) -> Recording:
        """Play a game from the memory of the reference before it."""
        self.run.scripts = {} if script is None else {game: script}
        try:
            room = empty_columns(EVENTS_A_GAME)
            return self.run.record_on(self.memory(known), game, game + 1, room)
        except RuleFileError as error:
            where = f"in game {game + 1:,} of seed {self.run.seed}"
            raise RuleFileError(f"{error} ({where})") from None

    def knows(self, known: NDArray[np.float64], own: Recording, ulps: float) -> bool:
        """Return whether the rule has the reference's values after a game."""
        expected, found = self.memory(known), Cursor(own, own.size).v
        for _, table in self.tables:
            values = table.values(expected)
            room = ulps * np.spacing(np.maximum(np.abs(values), 1.0))
            if (np.abs(table.values(found) - values) > room).any():
                return False
        return True


def grade_initial(found: Grade, reference: Run, student: Student) -> None:
    """Compare the initial values."""
    fresh = reference.memory_at(0)
    differing = None
    for table, own in student.tables:
        live = table.entries.live
        values, others = table.values(fresh)[0], own.values(student.fresh)[0]
        wrong = np.flatnonzero(live & (values != others))
        if len(wrong) and differing is None:
            entry = int(wrong[0])
            differing = table.base + entry, float(values[entry]), float(others[entry])
    place = Place(reference.seed, 1, 0)
    found.checks[Property.INITIAL].count(differing is None, place)
    if differing is not None and found.first is None:
        game = student.play(fresh, 0)
        asked = WhatIf(reference.record(0, 1), game, (False, False), student.run)
        found.first = FirstDifference(place, None, reference, asked, differing)


def cases(pair: EventPair, plies: int) -> Iterator[tuple[Property, bool]]:
    """Yield the properties that a pair of events is a case of, and whether each holds there."""
    one, other = pair.one, pair.other
    is_written = isinstance(other, Backup)
    if isinstance(other, Backup):
        touches_end = bool(space().outcome[other.board]) and other.cell is None
        yield Property.TERMINAL, not touches_end
        if touches_end:
            return
    if isinstance(one, NoBackup):
        yield Property.EXPLORATORY, not is_written
    elif isinstance(one, Backup):
        is_mover = one.player == ("O" if one.ply % 2 == 0 else "X")
        which = Property.ENTRIES
        if one.ply == plies:
            which = Property.OWN_END if is_mover else Property.OTHERS_END
        yield which, is_written
    elif is_written:
        yield Property.ENTRIES, False
    if isinstance(one, Backup) and isinstance(other, Backup):
        why = pair.difference
        yield Property.TARGET, why is not EventDifference.TARGET
        yield Property.STEP, why is not EventDifference.STEP
        yield Property.NEW, why is not EventDifference.NEW
