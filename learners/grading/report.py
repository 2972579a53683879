"""Report a grade in words, as plain data and for Gradescope."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final

from afterstate_lab.game import space
from afterstate_lab.learners.ask.what_if import EventDifference, EventPair
from afterstate_lab.learners.grading.grade import POINTS_FOR_SAME, FirstDifference, Grade, Property
from afterstate_lab.learners.grading.submissions import gradescope_test, results
from afterstate_lab.learners.rules.options import shortest
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.tape.recording import (
    Backup,
    Event,
    GameOver,
    Learning,
    Move,
    NoBackup,
    Recording,
)
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.update import codes_of, record_of

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
    if not grade.is_brief and grade.holds(Property.SAME_TABLE):
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
