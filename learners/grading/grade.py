"""Compare a rule with a known-correct one, game by game, from the same starting values.

A game is a pure function of memory, players, random numbers and index. So each game is played twice
with the same random numbers: by the reference, and by the rule *from the reference's memory before
that game*. If no game differs, the two learn the same from any number of games; if one does, the
others can still be compared, and each property is checked over all games. A game in which the rule
chooses other moves is replayed with the reference's moves, to judge only what it learns.

A rule is someone else's code, so `graded` grades it in a separate process:

    python -m afterstate_lab.learners.grading.grade < request.json

It answers with one JSON object per line: `{"at": [seed, game]}` before each span of games, then
`{"report": …}` or `{"error": sentence}`.
"""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import PurePath
from types import FunctionType
from typing import Any, Final, NamedTuple

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
from afterstate_lab.learners.errors import RuleFileError, UsageError, printable, shown
from afterstate_lab.learners.files import own_command
from afterstate_lab.learners.grading.submissions import gradescope_test, results
from afterstate_lab.learners.kernel.kernel import EVENTS_A_GAME, empty_columns
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.host import limit, own_output
from afterstate_lab.learners.players.process import Child, LateAnswer, NoAnswer
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.players.user_rule import HOOKS
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.options import shortest
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.tape.recording import (
    Backup,
    Cursor,
    Event,
    GameOver,
    Learning,
    Move,
    NoBackup,
    Recording,
)
from afterstate_lab.learners.tape.run import Run, script_of
from afterstate_lab.learners.tape.update import codes_of, record_of

GAMES: Final = 300
SEEDS: Final = 3
ULPS: Final = 4.0
"""Allowed difference of a written number, in units in the last place."""
GAMES_AT_ONCE: Final = 64
POINTS_FOR_SAME: Final = 2
SECONDS: Final = 60
"""Time limit, in seconds."""
LONGEST: Final = 1 << 22
"""Maximum number of bytes of an answer."""
MEGABYTES: Final = 2048
"""Address space of the process; numpy reserves several hundred."""


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
) -> Grade:
    """Play the games of a reference with a rule, on both sides, and compare every event.

    Args:
        rule: the rule to grade; options that only the reference was given are set as there.
        against: the reference.
        games: games of each seed.
        seeds: the seeds 0 .. seeds - 1.
        ulps: units in the last place by which a written number may differ.
        progress: told before each 64 games the seed and the game.
    """
    own = {option.name for option in rule.rule.options} - {name for name, _ in rule.given}
    for name, value in against.given:
        if name in own:
            rule = rule.with_setting(name, value)
    check_comparable(rule, against)
    found = Grade(rule, against, games, seeds)
    for seed in range(seeds):
        reference = Run(against, against, seed)
        for first in range(0, games, GAMES_AT_ONCE):
            if progress is not None:
                progress(seed, first)
            last = min(games, first + GAMES_AT_ONCE)
            reference.train(last - first)
            grade_games(found, reference, reference.record(first, last), ulps)
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


PHASES: Final = {
    EventDifference.CHOICE: "choice",
    EventDifference.TARGET: "target",
    EventDifference.RESULT: "choice",
}
"""The phase in which each difference arises; the write, if not listed."""
SAME: Final = "same"


def report(grade: Grade) -> dict[str, Any]:
    """Return what `grade --json` prints."""
    return {
        "rule": str(grade.rule),
        "against": str(grade.against),
        "games": grade.games,
        "seeds": grade.seeds,
        "verdict": SAME if grade.is_same else "differs",
        "ulps": grade.ulps,
        "backups": grade.backups,
        "first": None if grade.first is None else first_json(grade, grade.first),
        "properties": [property_json(grade, which) for which in grade.properties],
        "score": grade.score,
        "max_score": grade.most,
    }


def property_json(grade: Grade, which: Property) -> dict[str, Any]:
    check = grade.checks[which]
    return {
        "name": which.name.lower().replace("_", "-"),
        "says": which.value,
        "holds": grade.holds(which),
        "held": check.held,
        "failed": check.failed,
        "example": check.example and check.example._asdict(),
    }


def first_json(grade: Grade, first: FirstDifference) -> dict[str, Any]:
    """Return the first event that differs: where, what each did, and why that matters."""
    place, names = first.place, (label(grade.against), label(grade.rule))
    words = ["afterstate", "grade", str(grade.rule), "--against", str(grade.against)]
    command = f"{shlex.join(words)} --games {grade.games} --seeds {grade.seeds} --look"
    about: dict[str, Any] = place._asdict() | {"command": command}
    if first.pair is None:
        return about | initial_json(first, names)
    pair, result, event = first.pair, first.what_if, first.pair.event
    assert pair.difference is not None
    one = side_json(first.one, result.original, pair.one, pair.one_row)
    other = side_json(result.run, result.other, pair.other, pair.other_row)
    at = "at" if pair.difference is EventDifference.CHOICE else "after"
    where = f"In game {place.game:,} of seed {place.seed}, {at} ply {place.ply}"
    return about | {
        "player": event.player if isinstance(event, Learning | Move) else None,
        "board": space().text(event.board) if isinstance(event, Learning | Move) else None,
        "kind": pair.difference.value,
        "phase": PHASES.get(pair.difference, "write"),
        "reference": one,
        "rule": other,
        "sentence": f"{where}, {names[0]} {one['did']}; {names[1]} {other['did']}.",
        "hint": hint_of(grade, first, pair),
    }


def initial_json(first: FirstDifference, names: tuple[str, str]) -> dict[str, Any]:
    """Return the first difference as plain data if the initial values differ."""
    assert first.initial is not None
    entry, value, other = first.initial
    table = first.one.layout.table_of(entry)
    board = int(table.entries.boards[(entry - table.base) % len(table.entries.boards)])
    name = f"V({space().text(board)})" if table.entries.of_state is not None else "Q"
    did = [f"begins with {name} = {shortest(v)}" for v in (value, other)]
    return {
        "player": table.side.mark,
        "board": space().text(board),
        "kind": "initial",
        "phase": "values",
        "reference": {"did": did[0], "value": value},
        "rule": {"did": did[1], "value": other},
        "sentence": f"Before the first game {names[0]} {did[0]}; {names[1]} {did[1]}.",
        "hint": f"Nothing is known before the first game: every value is {shortest(value)} then.",
    }


def side_json(run: Run, recording: Recording, event: Event | None, row: int) -> dict[str, Any]:
    """Return what one rule did at an event, what it read, and the line of code."""
    line, read = None, dict[str, float]()
    if isinstance(event, Learning):
        game = recording.first
        line = codes_of(run, recording, game)[row - recording.rows_of(game).start].line
    if isinstance(event, Backup):
        read = reads_of(recording, row)
    told: dict[str, Any] = {"did": did(event, read)}
    if isinstance(event, Backup):
        told |= {"entry": entry_name(event), "old": event.old, "read": read}
        told |= {key: getattr(event, key) for key in ("target", "step", "trace", "new")}
    return told | {"line": line and f"{line.file}:{line.number}: {line.text}"}


def did(event: Event | None, read: Mapping[str, float]) -> str:
    """Describe what an event did: `moves V(…) from … to …`."""
    if event is None:
        return "backs up nothing"
    if isinstance(event, NoBackup):
        return f"leaves {entry_name(event)} as it is, because the move was {event.reason}"
    if isinstance(event, Move):
        how = "an exploratory move" if event.exploratory else "a greedy move"
        return f"lets {event.player} mark cell {event.cell + 1} ({how})"
    if isinstance(event, GameOver):
        ends = {"draw": "a draw"}.get(event.result, f"a win of {event.result}")
        return f"ends the game in {ends}"
    assert isinstance(event, Backup)
    seen = " and ".join(f"{name} = {shortest(v)}" for name, v in read.items())
    trace = f" × trace {shortest(event.trace)}" if event.trace != 1.0 else ""
    return (
        (f"reads {seen} and " if seen else "")
        + f"moves {entry_name(event)} from {shortest(event.old)} towards {shortest(event.target)} "
        + f"by step size {shortest(event.step)}{trace}, to {shortest(event.new)}"
    )


def reads_of(recording: Recording, row: int) -> dict[str, float]:
    """Return the values that a target was read from, by name."""
    found = {}
    for entry, value in record_of(recording, row).reads.items():
        table = recording.layout.table_of(entry)
        n, name = entry - table.base, "R"
        if 0 <= n < table.size:
            n %= len(table.entries.boards)
            name = named(int(table.entries.boards[n]), int(table.entries.cells[n]))
        found[name] = value
    return found


def entry_name(event: Learning) -> str:
    return named(event.board, -1 if event.cell is None else event.cell)


def named(board: int, cell: int) -> str:
    """Return V(board), or Q(board, cell)."""
    text = space().text(board)
    return f"V({text})" if cell < 0 else f"Q({text}, {cell + 1})"


def label(spec: PlayerSpec) -> str:
    """Return the name of a player without folders."""
    text = str(spec)
    path, ending, rest = text.rpartition(".py:")
    return f"{PurePath(path).name}{ending}{rest}" if ending else text


def hint_of(grade: Grade, first: FirstDifference, pair: EventPair) -> str:
    """Return one sentence about what is right at the first difference."""
    one, other, why = pair.one, pair.other, pair.difference
    events = first.what_if.original.events()
    end = events[-1]
    is_end = pair.event.ply == sum(isinstance(event, Move) for event in events)
    if grade.holds(Property.SAME_TABLE):
        return (
            "After every game it has the same values, so only the order of its backups differs; "
            "and order counts in a comparison event by event."
        )
    if why is EventDifference.CHOICE:
        return (
            "The same values and random numbers give the same move: check how ties are broken, "
            "at the exploration rate, and at what a finished game is worth."
        )
    if why is EventDifference.EXTRA and isinstance(other, Backup):
        if space().outcome[other.board]:
            return "The value of a finished game is its result: it never changes."
        if isinstance(one, NoBackup):
            return (
                "What follows an exploratory move says nothing about the board before it, so that "
                "value stays the same."
            )
        return "No value changes here."
    if why is EventDifference.MISSING and isinstance(one, Backup):
        if not is_end:
            return "Every move that is not exploratory backs up the previous value."
        if one.player == ("O" if one.ply % 2 == 0 else "X"):
            return "The game is over, and its last value moves towards the result."
        return (
            f"The opponent's move ended the game: {one.player} must learn from that too, or it "
            "never learns what a loss is."
        )
    if why is EventDifference.TARGET and isinstance(one, Backup):
        win, draw, loss = grade.against.rule.rewards(grade.against.settings)
        if is_end and isinstance(end, GameOver):
            won = win if end.result == one.player else loss
            ended = "is drawn" if end.result == "draw" else f"is won by {end.result}"
            # Another target at the end of a game is that of a board on the way there.
            if one.target == (draw if end.result == "draw" else won):
                worth = shortest(one.target)
                return f"The game {ended}, and to {one.player} that is worth {worth} here."
        return f"The target is the one of {grade.against.rule.equation}."
    if why is EventDifference.STEP and isinstance(one, Backup):
        if "alpha" not in grade.rule.settings:
            return (
                "me.alpha is 0 because the class lists no options: options = options.STATE_VALUES."
            )
        return f"The step size here is {shortest(one.step)}, and only that part of the gap closes."
    return "Target and step size are right, but not the sum: new = old + step × (target − old)."


def lines_of(told: dict[str, Any]) -> list[str]:
    """Yield a report for a student."""
    about = f"{told['seeds']} × {told['games']:,} games, {told['backups']:,} backups"
    if told["verdict"] == SAME:
        near = f"within {told['ulps']:g} units in the last place" if told["ulps"] else "to the bit"
        lines = [f"same: {told['rule']} learns as {told['against']} does, {near} ({about})"]
    else:
        first = told["first"]
        lines = [f"differs ({about}): {first['sentence']}"]
        if line := first["rule"].get("line"):
            lines.append(f"  in {line}")
        lines += [f"  {first['hint']}", f"  see it: {first['command']}"]
    lines.append(points_of(told))
    checks = [(found["holds"], 1, property_text(found)) for found in told["properties"]]
    checks.append((told["verdict"] == SAME, POINTS_FOR_SAME, everything(told)))
    for holds, points, says in checks:
        lines.append(f"  {'yes' if holds else 'NO '}  {points * holds}/{points}  {says}")
    return lines


def everything(told: dict[str, Any]) -> str:
    return f"is the same as {told['against']}, event by event"


def property_text(found: dict[str, Any]) -> str:
    """Describe a property, how often it failed, and where first."""
    if found["holds"]:
        return str(found["says"])
    if not found["failed"]:
        return f"{found['says']}: it never backs up a value"
    cases, place = found["held"] + found["failed"], found["example"]
    return (
        f"{found['says']}: not in {found['failed']:,} of {cases:,} cases, "
        f"first in game {place['game']:,} of seed {place['seed']}, ply {place['ply']}"
    )


def gradescope(told: dict[str, Any]) -> dict[str, Any]:
    """Return a report as the `results.json` of Gradescope; a broken rule has an `error`."""
    if "error" in told:
        score, output = 0.0, f"The rule cannot be graded: {told['error']}."
        tests = [gradescope_test("the rule runs", False, 1, output)]
    else:
        score, first, properties = float(told["score"]), told["first"], told["properties"]
        lines = lines_of(told)
        output = "\n".join(lines[: lines.index(points_of(told))])
        texts = [property_text(one).removeprefix(f"{one['says']}: ") for one in properties]
        tests = [
            gradescope_test(one["says"], one["holds"], 1, text * (not one["holds"]))
            for one, text in zip(properties, texts, strict=True)
        ]
        tests.append(gradescope_test(everything(told), first is None, POINTS_FOR_SAME, ""))
    return results(score, output, tests)


def points_of(told: Mapping[str, Any]) -> str:
    return f"{told['score']} of {told['max_score']} points"


def graded(
    rule: str,
    against: str,
    *,
    games: int = GAMES,
    seeds: int = SEEDS,
    ulps: float = ULPS,
    seconds: int = SECONDS,
    beat: Callable[[], object] = int,
) -> dict[str, Any]:
    """Return the report on a rule (`learners.grading.grade`), made in another process.

    Args:
        rule: the spec of the rule to grade.
        against: the spec of the reference.
        games: games of each seed.
        seeds: how many seeds.
        ulps: units in the last place by which a number may differ.
        seconds: the time after which the other process is ended.
        beat: called again and again meanwhile.
    """
    request = {"rule": rule, "against": against, "games": games, "seeds": seeds, "ulps": ulps}
    at = None
    own, variables = own_command(__name__)
    until = time.monotonic() + seconds
    try:
        with Child("-I -S", "program", *own, **variables) as child:
            child.write([json.dumps(request)])
            while True:
                answer = json.loads(child.line(until - time.monotonic(), beat, LONGEST))
                if "error" in answer:
                    raise UsageError(printable(str(answer["error"])))
                if "report" in answer:
                    return dict(answer["report"])
                at = answer["at"]
    except (NoAnswer, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        after = at and f"in or after game {at[1] + 1:,}, seed {at[0]}"
        where = after or "before its first game"
        if isinstance(error, LateAnswer):
            raise UsageError(
                f"{shown(rule)} was not done after {seconds:,} s, {where}: does it loop forever? "
                "(--seconds allows more)"
            ) from None
        raise UsageError(
            f"{shown(rule)} ended the process that ran it, {where}: it took too much memory or "
            "time, or exited"
        ) from None


def grade_rows(
    spec: str, check: Callable[..., None], against: str, limits: Mapping[str, Any]
) -> list[dict[str, object]]:
    told = graded(spec, against, **limits, beat=check)
    return [
        {
            "score": told["score"],
            "of": told["max_score"],
            "same": "yes" if told["verdict"] == SAME else "no",
            "first_difference": told["first"]["sentence"] if told["first"] else "",
        }
    ]


def main() -> None:
    """Answer the request on standard input."""

    answers = own_output()
    limit(MEGABYTES)
    request = json.loads(sys.stdin.buffer.readline())
    name = request.pop("rule")

    def answer(**told: Any) -> None:
        answers.write(json.dumps(told).encode() + b"\n")

    try:
        against = parse_player(request.pop("against"))
        rule = parse_player(name)
        found = grade(rule, against, progress=lambda *at: answer(at=at), **request)
        answer(report=report(found))
    except UsageError as error:
        answer(error=str(error))
    except MemoryError:
        answer(error=f"{shown(name)} took more memory than it may")
    except (Exception, SystemExit) as error:
        answer(error=f"{shown(name)} failed: {shown(error)}")


if __name__ == "__main__":
    main()
