"""Compare a rule with a known-correct one, game by game, from the same starting values.

A game is a pure function of memory, players, random numbers and index. So each game is played twice
with the same random numbers: by the reference, and by the rule *from the reference's memory before
that game*. If no game differs, the two learn the same from any number of games; if one does, the
others can still be compared, and each property is checked over all games. A game in which the rule
chooses other moves is replayed with the reference's moves, to judge only what it learns.

A rule is someone else's code, so `graded` grades it in a separate process:

    python -m afterstate_lab.learners.grading.grade < request.json

It answers with one JSON object: `{"report": …}` or `{"error": sentence}`.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import PurePath
from types import FunctionType
from typing import Any, Final, NamedTuple

import numpy as np

from afterstate_lab.game import space
from afterstate_lab.game.exact import Floats
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.ask.what_if import (
    EventDifference,
    EventPair,
    WhatIf,
    event_pairs,
    transplant,
)
from afterstate_lab.learners.errors import RuleFileError, UsageError, printable, shown
from afterstate_lab.learners.files import own_command
from afterstate_lab.learners.grading.submissions import results
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
    NUMBERS,
    Backup,
    Cursor,
    Event,
    GameOver,
    Learning,
    Move,
    NoBackup,
    Recording,
)
from afterstate_lab.learners.tape.run import Run, Script, script_of
from afterstate_lab.learners.tape.update import codes_of, record_of

GAMES: Final = 300
SEEDS: Final = 3
ULPS: Final = 4.0
"""Allowed difference of a written number, in units in the last place."""
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


@lean_dataclass
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
    checks: defaultdict[Property, Check] = field(default_factory=lambda: defaultdict(Check))
    backups: int = 0
    """Number of compared backups of the reference."""
    ulps: float = 0.0
    """Maximum distance of two equal numbers, in units in the last place."""
    first: FirstDifference | None = None

    @property
    def properties(self) -> list[Property]:
        """The properties that the reference has cases of."""
        return [which for which in Property if which in self.checks or which in ALWAYS]

    def holds(self, which: Property) -> bool:
        """Return whether there were cases of a property, and it held in all.

        A rule that never backs up does not pass by leaving values as they are.
        """
        learns = self.checks[Property.TERMINAL].held > 0 or which is not Property.EXPLORATORY
        return learns and self.checks[which].held > 0 and not self.checks[which].failed


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
    for entries in (table.entries for table in layout):
        kinds += [entries.boards.tolist(), entries.cells.tolist(), entries.live.tolist()]
    return [*kinds, layout.is_shared, spec.rule.tables]


def grade(
    rule: PlayerSpec, against: PlayerSpec, *, games: int = GAMES, seeds: int = SEEDS
) -> Grade:
    """Play the games of a reference with a rule, on both sides, and compare every event.

    Args:
        rule: the rule to grade; options that only the reference was given are set as there.
        against: the reference.
        games: games of each seed.
        seeds: the seeds 0 .. seeds - 1.
    """
    own = {option.name for option in rule.rule.options} - rule.given.keys()
    for name, value in against.given.items():
        if name in own:
            rule = rule.with_setting(name, value)
    check_comparable(rule, against)
    found = Grade(rule, against, games, seeds)
    for seed in range(seeds):
        student = Student(found, Run(against, against, seed))
        for _ in range(games):
            student.grade_game()
    return found


class Student:
    """The rule to grade, with the memory of a reference.

    Args:
        found: takes what is found.
        reference: whose games it plays.
    """

    def __init__(self, found: Grade, reference: Run) -> None:
        self.found, self.reference = found, reference
        self.run = Run(found.rule, found.rule, reference.seed)
        self.fresh = self.run.layout.fresh()
        own, others = self.run.layout, reference.layout
        self.tables = [*zip(others, own, strict=True)]
        """For each side, the tables of the reference and of the rule."""

    def grade_game(self) -> None:
        """Play the next game of the reference with the rule, and compare their events, before the
        first game their values too."""
        found, recording = self.found, self.reference.play()
        game = recording.first
        own = self.play(recording.before, game)
        asked = WhatIf(recording, own, (False, False), self.run)
        if not game:
            expected, place = self.memory(recording.before), Place(self.reference.seed, 1, 0)
            wrong = np.flatnonzero(expected != self.fresh).tolist()
            found.checks[Property.INITIAL].count(not wrong, place)
            if wrong and found.first is None:
                initial = wrong[0], float(expected[wrong[0]]), float(self.fresh[wrong[0]])
                found.first = FirstDifference(place, None, self.reference, asked, initial)
        pairs = event_pairs(recording, own, game, ULPS)
        found.ulps = max([found.ulps, *(p.ulps for p in pairs if p.difference is None)])
        differing = next((pair for pair in pairs if pair.difference is not None), None)
        chooses_alike = not any(pair.difference is EventDifference.CHOICE for pair in pairs)
        ply = differing.event.ply if differing is not None else 1
        place = Place(self.reference.seed, game + 1, ply)
        found.checks[Property.CHOICE].count(chooses_alike, place)
        if differing is not None and found.first is None:
            found.first = FirstDifference(place, differing, self.reference, asked)
        if not chooses_alike:
            moves = {one.ply: one.cell for one in recording.events() if isinstance(one, Move)}
            own = self.play(recording.before, game, script_of(moves))
            pairs = event_pairs(recording, own, game, ULPS)
        plies = recording.board.ply
        for pair in pairs:
            for which, holds in cases(pair, plies):
                found.checks[which].count(holds, place._replace(ply=pair.event.ply))
            found.backups += isinstance(pair.one, Backup)
        is_same = not any(pair.difference for pair in pairs)
        if not is_same:  # does it have the reference's values all the same?
            expected, learned = self.memory(self.reference.memory), Cursor(own, own.size).v
            room = ULPS * np.spacing(np.maximum(np.abs(expected), 1.0))
            beyond = np.abs(learned - expected) - room
            is_same = all((table.values(beyond) <= 0.0).all() for _, table in self.tables)
        found.checks[Property.SAME_TABLE].count(is_same, place)

    def memory(self, known: Floats) -> Floats:
        """Return the memory of the reference with the rule's own rewards."""
        memory = self.fresh.copy()
        for was, own in self.tables:
            transplant(was, known, own, memory)
        return memory

    def play(self, known: Floats, game: int, script: Script | None = None) -> Recording:
        """Play a game from the memory of the reference before it."""
        self.run.scripts = {} if script is None else {game: script}
        try:
            room = empty_columns(EVENTS_A_GAME)
            return self.run.record_on(self.memory(known), game, game + 1, room)
        except RuleFileError as error:
            where = f"in game {game + 1:,} of seed {self.run.seed}"
            raise RuleFileError(f"{error} ({where})") from None


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
HINTS: Final = {
    Property.INITIAL: "Nothing is known before the first game: every value is {value} then.",
    Property.CHOICE: (
        "The same values and random numbers give the same move: check how ties are broken, at the "
        "exploration rate, and at what a finished game is worth."
    ),
    Property.EXPLORATORY: (
        "What follows an exploratory move says nothing about the board before it, so that value "
        "stays the same."
    ),
    Property.OWN_END: "The game is over, and its last value moves towards the result.",
    Property.OTHERS_END: (
        "The opponent's move ended the game: {one.player} must learn from that too, or it never "
        "learns what a loss is."
    ),
    Property.ENTRIES: (
        "Every move that is not exploratory backs up the previous value, and no other value."
    ),
    Property.TERMINAL: "The value of a finished game is its result: it never changes.",
    Property.TARGET: "The target is the one of {equation}.",
    Property.STEP: "The step size here is {one.step}, and only that part of the gap closes.",
    Property.NEW: (
        "Target and step size are right, but not the sum: new = old + step × (target − old)."
    ),
    Property.SAME_TABLE: (
        "After every game it has the same values, so only the order of its backups differs; and "
        "order counts in a comparison event by event."
    ),
}
"""What is right where each property fails first, for a student."""
SAME: Final = "same"


def report(grade: Grade) -> dict[str, Any]:
    """Return what `grade --json` prints."""
    properties, first = [], grade.first
    for which in grade.properties:
        check = grade.checks[which]
        properties.append(
            {
                "name": which.name.lower().replace("_", "-"),
                "says": which.value,
                "holds": grade.holds(which),
                "held": check.held,
                "failed": check.failed,
                "example": check.example and check.example._asdict(),
            }
        )
    return {
        "rule": str(grade.rule),
        "against": str(grade.against),
        "games": grade.games,
        "seeds": grade.seeds,
        "verdict": "differs" if first else SAME,
        "ulps": grade.ulps,
        "backups": grade.backups,
        "first": first and first_json(grade, first),
        "properties": properties,
        "score": sum(map(grade.holds, grade.properties)) + (0 if first else POINTS_FOR_SAME),
        "max_score": len(properties) + POINTS_FOR_SAME,
    }


def first_json(grade: Grade, first: FirstDifference) -> dict[str, Any]:
    """Return the first difference: where, what each did, and why that matters."""
    place, result = first.place, first.what_if
    words = ["afterstate", "grade", str(grade.rule), "--against", str(grade.against)]
    command = f"{shlex.join(words)} --games {grade.games} --seeds {grade.seeds} --look"
    player: str | None = None
    board: int | None = None
    if first.initial is not None:
        entry, *values = first.initial
        table = result.run.layout.table_of(entry)
        at = table.place_of(entry)
        assert at is not None
        player, board = table.side.mark, at[0]
        kind, phase, where = "initial", "values", "Before the first game"
        one, other = (
            {"did": f"begins with {named(*at)} = {shortest(value)}", "value": value}
            for value in values
        )
    else:
        pair = first.pair
        assert pair is not None and pair.difference is not None
        if isinstance(pair.event, Learning | Move):
            player, board = pair.event.player, pair.event.board
        kind, phase = pair.difference.value, PHASES.get(pair.difference, "write")
        at_ply = "at" if pair.difference is EventDifference.CHOICE else "after"
        where = f"In game {place.game:,} of seed {place.seed}, {at_ply} ply {place.ply},"
        one = side_json(first.one, result.original, pair.one, pair.one_row)
        other = side_json(result.run, result.other, pair.other, pair.other_row)
    did = f"{label(grade.against)} {one['did']}; {label(grade.rule)} {other['did']}"
    return place._asdict() | {
        "command": command,
        "player": player,
        "board": None if board is None else space().text(board),
        "kind": kind,
        "phase": phase,
        "reference": one,
        "rule": other,
        "sentence": f"{where} {did}.",
        "hint": hint_of(grade, first),
    }


def side_json(run: Run, recording: Recording, event: Event | None, row: int) -> dict[str, Any]:
    """Return what one rule did at an event, what it read, and the line of code."""
    told, line = dict[str, Any](), None
    if event is None:
        did = "backs up nothing"
    elif isinstance(event, Move):
        how = "an exploratory move" if event.exploratory else "a greedy move"
        did = f"lets {event.player} mark cell {event.cell + 1} ({how})"
    elif isinstance(event, GameOver):
        end = "a draw" if event.result == "draw" else f"a win of {event.result}"
        did = f"ends the game in {end}"
    else:
        assert isinstance(event, Learning)
        game, entry = recording.first, named(event.board, event.cell)
        line = codes_of(run, recording, game)[row - recording.rows_of(game).start].line
        if isinstance(event, NoBackup):
            did = f"leaves {entry} as it is, because the move was exploratory"
        else:
            assert isinstance(event, Backup)
            read = {}
            for source, value in record_of(recording, row).reads.items():
                place = recording.layout.table_of(source).place_of(source)
                read["R" if place is None else named(*place)] = value
            told = {"entry": entry, "old": event.old, "read": read}
            told |= {key: getattr(event, key) for key in ("target", "step", "trace", "new")}
            seen = " and ".join(f"{name} = {shortest(value)}" for name, value in read.items())
            old, target, step, trace, new = (shortest(getattr(event, key)) for key in NUMBERS)
            did = (
                (f"reads {seen} and " if seen else "")
                + f"moves {entry} from {old} towards {target} by step size {step}"
                + (f" × trace {trace}" if event.trace != 1.0 else "")
                + f", to {new}"
            )
    return {"did": did, **told, "line": line and f"{line.place}: {line.text}"}


def named(board: int, cell: int | None) -> str:
    """Return V(board), or Q(board, cell)."""
    text = space().text(board)
    return f"V({text})" if cell in (None, -1) else f"Q({text}, {cell + 1})"


def label(spec: PlayerSpec) -> str:
    """Return the name of a player without folders."""
    return str(spec).replace(spec.rule.name, PurePath(spec.rule.name).name, 1)


def hint_of(grade: Grade, first: FirstDifference) -> str:
    """Return one sentence about what is right at the first difference."""
    pair, end = first.pair, first.what_if.original.events()[-1]
    rule = grade.against.rule
    failing = [Property.CHOICE]
    if pair is not None:
        failing = [which for which, holds in cases(pair, end.ply) if not holds] + failing
    which = failing[0]
    if first.initial is not None:
        which = Property.INITIAL
    elif grade.holds(Property.SAME_TABLE):
        which = Property.SAME_TABLE
    if which is Property.STEP and "alpha" not in grade.rule.settings:
        return "me.alpha is 0 because the class lists no options: options = options.STATE_VALUES."
    one = pair and pair.one
    if which is Property.TARGET and isinstance(one, Backup) and isinstance(end, GameOver):
        win, draw, loss = grade.against.rewards
        worth = {"draw": draw, one.player: win}.get(end.result, loss)
        # Another target at the end of a game is that of a board on the way there.
        if one.ply == end.ply and one.target == worth:
            ended = "is drawn" if end.result == "draw" else f"is won by {end.result}"
            return f"The game {ended}, and to {one.player} that is worth {shortest(worth)} here."
    value = shortest(first.initial[1]) if first.initial is not None else ""
    return HINTS[which].format(one=one, value=value, equation=rule.equation)


def lines_of(told: dict[str, Any]) -> list[str]:
    """Return a report for a student."""
    lines = [*verdict_of(told), f"{told['score']} of {told['max_score']} points"]
    for says, holds, points, why in marks_of(told):
        about = f"{says}: {why}" if why else says
        lines.append(f"  {'yes' if holds else 'NO '}  {points * holds}/{points}  {about}")
    return lines


def verdict_of(told: dict[str, Any]) -> list[str]:
    """Return whether a rule is the same, or the first difference."""
    about = f"{told['seeds']} × {told['games']:,} games, {told['backups']:,} backups"
    if (first := told["first"]) is None:
        near = f"within {told['ulps']:g} units in the last place" if told["ulps"] else "to the bit"
        return [f"same: {told['rule']} learns as {told['against']} does, {near} ({about})"]
    lines = [f"differs ({about}): {first['sentence']}"]
    if line := first["rule"].get("line"):
        lines.append(f"  in {line}")
    return [*lines, f"  {first['hint']}", f"  see it: {first['command']}"]


def marks_of(told: dict[str, Any]) -> Iterator[tuple[str, bool, int, str]]:
    """Yield what earns points, whether it does, how many, and how it fails, if it does at all."""
    for found in told["properties"]:
        why, cases, place = "", found["held"] + found["failed"], found["example"]
        if found["failed"]:
            why = (
                f"not in {found['failed']:,} of {cases:,} cases, "
                f"first in game {place['game']:,} of seed {place['seed']}, ply {place['ply']}"
            )
        elif not found["holds"]:
            why = "it never backs up a value"
        yield found["says"], found["holds"], 1, why
    everything = f"is the same as {told['against']}, event by event"
    yield everything, told["verdict"] == SAME, POINTS_FOR_SAME, ""


def gradescope(told: dict[str, Any]) -> dict[str, Any]:
    """Return a report as the `results.json` of Gradescope; a broken rule has an `error`."""
    if "error" in told:
        output = f"The rule cannot be graded: {told['error']}."
        return results([("the rule runs", False, 1, output)], output)
    return results(marks_of(told), "\n".join(verdict_of(told)))


def graded(
    rule: str,
    against: str,
    *,
    games: int = GAMES,
    seeds: int = SEEDS,
    seconds: int = SECONDS,
    beat: Callable[[], object] = int,
) -> dict[str, Any]:
    """Return the report on a rule (`learners.grading.grade`), made in another process.

    Args:
        rule: the spec of the rule to grade.
        against: the spec of the reference.
        games: games of each seed.
        seeds: how many seeds.
        seconds: the time after which the other process is ended.
        beat: called again and again meanwhile.
    """
    request = {"rule": rule, "against": against, "games": games, "seeds": seeds}
    own, variables = own_command(__name__)
    try:
        with Child("-I -S", "program", *own, **variables) as child:
            child.write([json.dumps(request)])
            answer = json.loads(child.lines(seconds, beat, LONGEST)[0])
    except LateAnswer:
        raise UsageError(
            f"{shown(rule)} was not done after {seconds:,} s: does it loop forever? "
            "(--seconds allows more)"
        ) from None
    except (NoAnswer, json.JSONDecodeError):
        raise UsageError(
            f"{shown(rule)} ended the process that ran it: it took too much memory or time, or "
            "exited"
        ) from None
    if "error" in answer:
        raise UsageError(printable(str(answer["error"])))
    return dict(answer["report"])


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
    answers, told = own_output(), dict[str, Any]()
    limit(MEGABYTES)
    request = json.loads(sys.stdin.buffer.readline())
    name = request.pop("rule")
    try:
        against = parse_player(request.pop("against"))
        told["report"] = report(grade(parse_player(name), against, **request))
    except UsageError as error:
        told["error"] = str(error)
    except MemoryError:
        told["error"] = f"{shown(name)} took more memory than it may"
    except (Exception, SystemExit) as error:
        told["error"] = f"{shown(name)} failed: {shown(error)}"
    answers.write(json.dumps(told).encode() + b"\n")


if __name__ == "__main__":
    main()
