"""Every parser of what comes from outside, and the law that it keeps, fed with any bytes.

The law: an input is either read, and then reads back as itself where it can be written, or it is
refused by the documented error in one sentence that can be printed. Nothing else ever happens.
`test_fuzz_*.py` feed the targets by hypothesis, `tests/benchmarks/fuzz.py` by atheris.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from fuzz_seeds import GAMES, PLAN, arrays_of_td

from afterstate_lab.game import Board, IllegalMoveError, InvalidBoardError, Side
from afterstate_lab.learners.ask.conditions import parse as parse_condition
from afterstate_lab.learners.ask.questions import QuizQuestion, quiz
from afterstate_lab.learners.errors import DamagedError, UsageError, printable
from afterstate_lab.learners.experiments.plan import Plan, SidedMetric
from afterstate_lab.learners.experiments.run import read_trial
from afterstate_lab.learners.players.agent_table import Complaint, parse_table
from afterstate_lab.learners.players.policy_file import (
    ARRAY,
    LONGEST,
    ArchiveError,
    array_of,
    checked_policy,
    read_arrays,
)
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs import contents
from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.learners.runs.store import checked_name, checked_note, info_of
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.tui.cli.bench import kept_figures
from afterstate_lab.tui.lab.experiments.experiment import swept
from afterstate_lab.tui.lab.goal import games_of, goal_of
from afterstate_lab.tui.lab.lectures import lecture_line, read_lecture_line
from afterstate_lab.tui.lab.lessons.guide import progress_of
from afterstate_lab.tui.lab.lessons.lesson_file import MOST_STEPS, Lesson
from afterstate_lab.tui.lab.outcomes import Message
from afterstate_lab.tui.lab.own_keys import clash
from afterstate_lab.tui.lab.session import Predictions
from afterstate_lab.tui.lab.stepping import go_to_place
from afterstate_lab.tui.lab.table.filter import parse_filter
from afterstate_lab.tui.lab.table.rows import TableRows, table_rows
from afterstate_lab.tui.preferences import Preferences, take

ARRAYS_OF_ROWS = (
    "entries", "boards", "cells", "values", "parts", "truth", "policy", "visits",
)  # fmt: skip
LONGEST_SENTENCE = 2_600
"""Characters: a sentence may quote a path of 300 and name every player."""
Target = Callable[[bytes], bool]
"""Takes an input; whether it was read."""


class BrokenLawError(AssertionError):
    """An input did what no input may do."""


def holds(is_lawful: bool, what: str) -> None:
    """Fail where the law does not hold."""
    if not is_lawful:
        raise BrokenLawError(what)


def refused(error: Exception) -> bool:
    """See that a refusal is one sentence that can be printed; False, for an input not read."""
    sentence = str(error)
    holds(bool(sentence) and sentence.isprintable(), f"not one printable sentence: {sentence!r}")
    holds(len(sentence) <= LONGEST_SENTENCE, f"a sentence of {len(sentence)} characters")
    return False


def attempt(read: Callable[[], Any], error: type[Exception] = UsageError) -> Any:
    """What is read; None where it is refused, as it may be."""
    try:
        return read()
    except error as refusal:
        return refused(refusal) or None


def back(parse: Callable[[str], Any], data: bytes) -> Any:
    """What a text is read as, which can be printed and reads back as itself; None if refused."""
    read = attempt(lambda: parse(text_of(data)))
    if read is not None:
        holds(str(read).isprintable(), "what cannot be printed")
        holds(parse(str(read)) == read, "what reads back as something else")
    return read


def text_of(data: bytes) -> str:
    """Any text there is: lone surrogates, too, as a command line may hold them."""
    return data.decode("utf-8", "surrogateescape")


def spec(data: bytes) -> bool:
    """A player spec."""
    return back(parse_player, data) is not None


def address(data: bytes) -> bool:
    """An address: it opens no file, and runs no code."""
    read = back(Address.parse, data)
    if read is None or read.games > GAMES or "sha256-" in str(read):
        return read is not None
    holds(str(read).isascii(), "an address that is not ASCII")
    opened = attempt(lambda: open_address(read))
    if opened is None or attempt(opened.memory) is None:
        return False
    holds(opened.run.games == read.games, "an address that opens another run")
    return True


def lecture(data: bytes) -> bool:
    """The lines of a lecture."""
    before = None
    for number, line in enumerate(text_of(data).split("\n"), 1):
        stop = attempt(lambda: read_lecture_line(line, number, before))  # noqa: B023
        if stop is not None:
            written = lecture_line(stop, before)
            holds(
                (written.removesuffix("\n") or "-").isprintable(), "a line that cannot be printed"
            )
            again = read_lecture_line(written[:-1], number, before)
            holds(again is not None and again.address == stop.address, "a stop that is another one")
            before = stop
    return before is not None


def condition(data: bytes) -> bool:
    """A breakpoint's condition."""
    read = back(parse_condition, data)
    if read is None or attempt(lambda: read.check(run().layout) or True) is None:
        return False
    read.rows(run().record(0, GAMES))
    return True


def table_filter(data: bytes) -> bool:
    """The filter of the table."""
    return attempt(lambda: parse_filter(text_of(data)).matches(rows())) is not None


def board(data: bytes) -> bool:
    """A board."""
    text = text_of(data)
    read = attempt(lambda: Board.parse(text), InvalidBoardError)
    is_same = read is None or (str(read) == text and Board.from_id(read.id) == read)
    holds(is_same, "a board that is another one")
    return read is not None


def plan(data: bytes) -> bool:
    """An experiment's plan in TOML."""
    read = attempt(lambda: Plan.parse(text_of(data), "plan.toml"))
    if read is None:
        return False
    told = (read.title, read.question, read.source, read.prediction, read.measured, read.answer)
    holds(all(map(str.isprintable, told)), "a plan whose texts cannot be printed")
    holds(all(arm.name.isprintable() for arm in read.arms), "an arm that cannot be printed")
    read.with_seeds(1).with_games(3)
    return True


def lesson(data: bytes) -> bool:
    """A lesson in TOML, and how far a user has come in the lessons."""
    steps = progress_of(data)
    holds(all(1 <= step <= MOST_STEPS for step in steps.values()), "a step that no lesson has")
    read = attempt(lambda: Lesson.parse("mine.toml", text_of(data)))
    if read is None:
        return False
    texts = [read.title, read.about]
    for step in read.steps:
        texts += [step.title, step.text, step.do, step.type, step.ask, *step.solution]
    holds(all(map(str.isprintable, texts)), "a lesson whose texts cannot be printed")
    return True


def sweep(data: bytes) -> bool:
    """An arm for each value of an option, as it is typed in the lab."""
    read = attempt(lambda: swept(a_plan(), text_of(data)))
    arms = [] if read is None else read.arms
    holds(all(arm.name.isprintable() for arm in arms), "an arm that cannot be printed")
    return read is not None


def metric(data: bytes) -> bool:
    """What an experiment measures."""
    return back(SidedMetric.parse, data) is not None


def name(data: bytes) -> bool:
    """The name of a run, and a note."""
    return sum(back(check, data) is not None for check in (checked_name, checked_note)) > 0


@cache
def questions() -> tuple[QuizQuestion, ...]:
    """A question of each kind."""
    return quiz(run(), 6, 1)


def typed_number(data: bytes) -> bool:
    """A game to go to, a goal, a number of games, a prediction, as they are typed in the lab."""
    text = text_of(data)
    goal_of(text)
    games_of(text)
    Predictions(wanted=True).judge(text, 0.5, 0.55)
    for question in questions():
        given = question.read(text)
        holds(given is None or 0 <= question.score(given) <= 1, "an answer earns 0 to 1")
    session: Any = SimpleNamespace(timeline=timeline(), run=run())
    wrong = go_to_place(session, text)
    if isinstance(wrong, Message):
        holds(wrong.text.isprintable(), "an answer that cannot be printed")
    return wrong is None


def script(data: bytes) -> bool:
    """A person's moves: pairs of bytes, ply and cell."""
    moves = dict(zip([*map(signed, data[::2])], [*map(signed, data[1::2])], strict=False))
    games, memory = run().games, run().memory.tobytes()
    played = run().fork(games)
    is_played = attempt(lambda: played.play(moves), IllegalMoveError) is not None
    is_left = (played.games, played.memory.tobytes()) == (games, memory)
    holds(is_played or is_left, "a wrong move did harm")
    return is_played


def signed(byte: int) -> int:
    """A byte as a number from -128 to 127, what is far out being farther out."""
    number = byte - 256 if byte > 127 else byte
    return number if -100 < number < 100 else number**99


def agent_table(data: bytes) -> bool:
    """An agent as a table, in CSV and in JSON; and its answers on some boards."""
    tables = [attempt(lambda: parse_table(data, is_json=j)) for j in (False, True)]  # noqa: B023
    for table in filter(None, tables):
        for board in (".........", "X...O....", "XO.......", "XOXOXO..."):
            chances = attempt(lambda: table.answer(board), Complaint)  # noqa: B023
            if chances is not None:
                holds(abs(sum(chances) - 1.0) < 1e-9, "probabilities that do not sum to 1")
                marked = zip(chances, board, strict=True)
                holds(not any(chance for chance, mark in marked if mark != "."), "an occupied cell")
    return any(table is not None for table in tables)


def archive(data: bytes) -> bool:
    """The bytes of a `.npz`."""
    arrays = attempt(lambda: read_arrays(io.BytesIO(data), LONGEST), ArchiveError)
    holds(arrays is None or set(arrays) == set(LONGEST), "other arrays than there must be")
    return arrays is not None


def member(data: bytes) -> bool:
    """The bytes of one array of a `.npz`."""
    read = attempt(lambda: array_of(data, "x_values"), ArchiveError)
    is_array = read is not None and ARRAY.match(data) is not None
    holds(read is None or (is_array and read.dtype in (np.float64, np.uint8)), "other numbers")
    return read is not None


def header(data: bytes) -> bool:
    """The header of a `.npz`, and what it says of arrays that are as they must be."""
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return False
    policy = attempt(lambda: checked_policy(Path("policy.npz"), told, arrays_of_td()))
    holds(policy is None or bool(np.isfinite(policy.memory).all()), "memory that is no number")
    return policy is not None


PARTS: dict[str, Callable[[Any], Any]] = {
    "legs": lambda value: contents.seating_changes_of(value, GAMES),
    "moves": contents.moves_of,
    "pending": contents.pending_of,
    "point": lambda value: contents.point_of((GAMES, 1, 2, 3, value)),
    "counts": lambda value: contents.point_of((value, 1, 2, 3, "[null, null]")),
    "memory": lambda value: contents.memory_of(value, 8),
    "tally": lambda value: contents.tally_of(value, GAMES),
    "scripts": lambda value: contents.scripts_of([(3, value), (value, "1........")], GAMES),
}
"""The parts of a stored run: how each is read."""


def stored(data: bytes) -> bool:
    """A value in the store, of any type that SQLite knows, in the place of every part."""

    def is_read(part: Callable[[Any], Any], value: Any) -> bool:
        return attempt(lambda: [part(value)], DamagedError) is not None

    values = sqlite_values(data)
    return sum(is_read(part, value) for value in values for part in PARTS.values()) > 0


def listed(data: bytes) -> bool:
    """The same in the place of every column of the list of runs."""
    sound: list[Any] = [1, "a", "", 0.0, 1.0, None, "td", "td", "7", 3, 1, 1, 1, 0, "00"]
    found = False
    for value in sqlite_values(data):
        for column in range(len(sound)):
            row = (*sound[:column], value, *sound[column + 1 :])
            info = attempt(lambda: info_of(row))  # noqa: B023
            if info is not None:
                found = True
                told = (info.name, info.note, info.x, info.o, info.sha256)
                holds(all(map(str.isprintable, told)), "a line that cannot be printed")
                info.updated.astimezone().strftime("%Y-%m-%d %H:%M")
                json.dumps(info.as_json(), allow_nan=False)
    return found


def sqlite_values(data: bytes) -> list[Any]:
    """Some bytes as a blob, a text, an integer and a float; and nothing at all."""
    eight = data[:8].ljust(8, b"\0")
    number = float(np.frombuffer(eight, "<f8")[0])
    return [data, data.decode("utf-8", "replace"), int.from_bytes(eight, "little", signed=True),
            None if np.isnan(number) else number, None]  # fmt: skip


def journal(data: bytes) -> bool:
    """A line of an experiment's journal."""
    found = read_trial(data, (1, 2))
    if found is None:
        return False
    again = json.dumps({"key": ""} | found[1].as_json(), allow_nan=False).encode() + b"\n"
    holds(read_trial(again, (1, 2)) is not None, "a trial that is lost")
    return True


def speeds(data: bytes) -> bool:
    """What a benchmark kept."""
    try:
        _, speeds = kept_figures(data)
    except ValueError:
        return False
    holds(all(0 < speed < float("inf") for speed in speeds.values()), "no speed")
    return True


def own_settings(data: bytes) -> bool:
    """A file of settings: whatever is wrong is told, a mistake in one sentence, and left out."""
    found = Preferences(path=Path("config.toml"))
    take(found, data)
    holds(all(map(str.isprintable, found.mistakes)), "a mistake that cannot be printed")
    holds(all(len(told) <= LONGEST_SENTENCE for told in found.mistakes), "too long a mistake")
    for command in found.keys:
        holds(clash(command, found.keys) == "", f"a clash of {command}")
    return bool(found.in_force)


def shown_text(data: bytes) -> bool:
    """Whatever is printed escaped."""
    text = text_of(data)
    holds(printable(text).isprintable(), "a text that cannot be printed")
    holds(printable(text) == text or not text.isprintable(), "a text that is changed")
    return True


@cache
def run() -> Run:
    """A short run of two learners."""
    made = Run(parse_player("td"), parse_player("q"), 7)
    made.train(GAMES)
    return made


@cache
def timeline() -> Timeline:
    """A walk through it."""
    return Timeline(run())


@cache
def rows() -> TableRows:
    """Every fortieth row of its table."""
    found = table_rows(run().layout, run().memory, Side.O, GAMES)
    assert found is not None
    few = {name: getattr(found, name)[..., ::40] for name in ARRAYS_OF_ROWS}
    return replace(found, **few)


@cache
def a_plan() -> Plan:
    """A plan of two arms."""
    return Plan.parse(PLAN)


TARGETS: dict[str, Target] = {
    target.__name__: target
    for target in (
        spec, address, lecture, condition, table_filter, board, plan, lesson, sweep, metric, name,
        typed_number, script, agent_table, archive, member, header, stored, listed, journal,
        own_settings, speeds, shown_text,
    )
}  # fmt: skip
