"""A lesson as it is read from TOML; every mistake is one sentence with file, line and key."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from learners.errors import UsageError, shown
from learners.toml_reader import Declared, TomlText, any_words, choice, key, tables, whole, words
from tui.lab.commands import ALL, COMMANDS
from tui.lab.lessons import lesson_text
from tui.lab.lessons.done import Done
from tui.lab.lessons.numbers import LIVE, check_claim, check_name
from tui.lab.modes import Mode

if TYPE_CHECKING:
    from collections.abc import Callable

    from learners.runs.address import Address

MARK: Final = "`"
"""Stands before and after what is to be pressed or typed."""
RUN_KEYS: Final = ("x", "o", "seed", "games")
PANES: Final = {
    "board": 60, "log": 60, "stats": 60, "curve": 60,
    "state": 60, "next state": 60, "choice": 60, "equation": 60, "diagram": 60, "values": 60,
    "life": 110,
}  # fmt: skip
"""What can stand in the spotlight, and the columns from which on it is there."""
MOST_STEPS: Final = 60
MOST_KEYS: Final = 12
LEAST: Final = (60, 20)
LARGEST: Final = (500, 200)
SCREEN: Final = re.compile(r"([0-9]{2,3})x([0-9]{2,3})", re.ASCII)


def live_text(value: Any, longest: int) -> str:
    """Check a text with live numbers in braces."""
    found = words(value, longest)
    for name in LIVE.finditer(found):
        check_name(name[1])
    if "{" in LIVE.sub("", found) or "}" in LIVE.sub("", found):
        raise UsageError("has a brace that is alone: {new} is a live number")
    return found


def marked_text(value: Any, longest: int) -> str:
    """Check a text with keys between marks."""
    found = words(value, longest)
    if found.count(MARK) % 2:
        raise UsageError(f"has a {MARK} that is alone: a key stands between two")
    return found


def texts(value: Any, check: Callable[[str], object] = str) -> tuple[str, ...]:
    """Check a list of short texts, or one."""
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not 1 <= len(found) <= MOST_KEYS:
        raise UsageError(f"must be a list of 1 to {MOST_KEYS}, not {shown(value)}")
    for item in found:
        if not isinstance(item, str) or not item.isprintable() or len(item) > 100:
            raise UsageError("must be texts of at most 100 printable characters")
        check(item)
    return tuple(found)


def modes_of(value: Any) -> frozenset[Mode]:
    return frozenset(Mode(choice(name, *(mode.value for mode in Mode))) for name in texts(value))


def screen_of(value: Any) -> tuple[int, int]:
    """Check the columns and rows that a step needs."""
    written = words(value)
    found = SCREEN.fullmatch(written)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if size < LEAST or size[1] < LEAST[1] or size > LARGEST:
        raise UsageError(
            f"must be columns and rows from {LEAST[0]}x{LEAST[1]} on, such as 120x40, not {written}"
        )
    return size


def address_of(value: Any) -> Address:
    from learners.runs.address import Address

    return Address.parse(words(value, 2000))


@dataclass(frozen=True)
class RunTable(Declared):
    """A run; what it leaves out is the lesson's, or the lab's."""

    x: str = key(words, 300, default="td")
    o: str = key(words, 300, default="td")
    seed: int = key(whole, 0, 2**31, default=0)
    games: int = key(whole, 0, 1_000_000, default=0)

    @property
    def given(self) -> dict[str, Any]:
        """What it does not leave out."""
        return {name: getattr(self, name) for name in RUN_KEYS if name in self.table.values}

    def moment(self, base: dict[str, Any], place: str = "") -> Address:
        """Return the address of a place in the run.

        Args:
            base: the values of what the table leaves out.
            place: `GAME[.PLY[.EVENT]]`, or empty.
        """
        from learners.runs.address import Address, AddressPlace

        known: dict[str, Any] = {name: getattr(self, name) for name in RUN_KEYS} | base | self.given

        def address(place: str) -> Address:
            at = AddressPlace.parse(place) if place else None
            return Address.parse(str(Address(**known, place=at)))

        found = self.checked(next(iter(self.given), "x"), address, "")
        return self.checked("at", address, place) if place else found


@dataclass(frozen=True)
class LessonStep(RunTable):
    """One thing to understand, and what to do to see it."""

    title: str = key(words, 30)
    text: str = key(live_text, 240)
    """What there is to see; `--check` sees that it fits the card with its numbers."""
    do: str = key(marked_text, 60)
    """What to press, keys and words to type between marks."""
    type: str = key(marked_text, 200)
    """What to type in plain mode, the lines between marks."""
    done: Done = key(lambda value: Done.parse(words(value)), default=Done.parse("asked lesson"))
    modes: frozenset[Mode] = key(modes_of, default=ALL)
    """Where those keys answer."""
    look: str = key(choice, *PANES, default="")
    """The pane in the spotlight."""
    at: str = key(any_words, default="")
    address: Address | None = key(address_of, default=None)
    """Where the step begins; None where the step before has ended."""
    holds: tuple[str, ...] = key(texts, check_claim, default=())
    """What is asserted when the step begins."""
    ask: str = key(any_words, 60, default="")
    answer: str = key(any_words, 60, default="")
    solution: tuple[str, ...] = key(texts, default=())
    """What does the step, where its keys alone do not."""
    screen: tuple[int, int] = key(screen_of, default=LEAST)
    """Columns and rows that the step needs."""

    @property
    def keys(self) -> tuple[str, ...]:
        """What to press, in this order; the last again until the step is done."""
        return marked(self.do)

    @property
    def lines(self) -> tuple[str, ...]:
        """What to type in plain mode, likewise."""
        return marked(self.type)

    @property
    def commands(self) -> frozenset[str]:
        """The names of the commands that the keys ask for."""
        return frozenset(
            command.name
            for command in COMMANDS
            if command.modes & self.modes and any(map(command.answers_to, self.keys))
        )

    def begun(self, run: dict[str, Any], *, is_first: bool, is_last: bool) -> LessonStep:
        """Return the step with its address, after the checks of several keys together."""
        for name in ("do", "type"):
            if not marked(getattr(self, name)) and self.done.kind != "never":
                raise self.error(name, f"names no key: it stands between {MARK} and {MARK}")
        if (self.done.kind == "never") != is_last:
            raise self.error("done", "never is for the last step, and only for that")
        if bool(self.ask) != bool(self.answer) or bool(self.answer) != (
            self.done.kind == "answered"
        ):
            raise self.error("done", "answered goes with the keys ask and answer, and they with it")
        for found in LIVE.finditer(self.answer):
            self.checked("answer", check_name, found[1])
        if self.look and self.screen[0] < PANES[self.look]:
            raise self.error(
                "screen" if "screen" in self.table.values else "look",
                f"the pane {self.look} is there from {PANES[self.look]} columns on: screen must "
                "say so",
            )
        if self.address is not None:
            if self.at or self.given:
                raise self.error("address", "names run and place: no other key may")
            return self
        begins = is_first or bool(self.at) or bool(self.given)
        return replace(self, address=self.moment(run, self.at)) if begins else self


def marked(text: str) -> tuple[str, ...]:
    """The pieces of a text between marks."""
    return tuple(text.split(MARK)[1::2])


@dataclass(frozen=True)
class LessonTable(Declared):
    title: str = key(words, 30)
    about: str = key(words, 52)
    """What the list of lessons has room for in the smallest terminal."""
    minutes: int = key(whole, 1, 600, default=10)
    run: tuple[RunTable, ...] = tables(RunTable, 1)
    step: tuple[LessonStep, ...] = tables(LessonStep, MOST_STEPS)


@dataclass(frozen=True)
class Lesson:
    """A lesson."""

    name: str
    """Of the package's, or the file's."""
    title: str
    about: str
    """One line that invites."""
    minutes: int
    steps: tuple[LessonStep, ...]

    @classmethod
    def parse(cls, name: str, content: str) -> Lesson:
        """Read a lesson.

        Raises:
            TomlError: there is a mistake in it.
        """
        file = name if name.endswith(".toml") else f"{name}.toml"
        table = LessonTable.read(TomlText(file, content))
        if not table.step:
            raise table.table.source.error((), "a lesson needs steps: [[step]] begins one")
        base: dict[str, Any] = {}
        for run in table.run:
            run.moment(base)
            base = run.given
        last = len(table.step) - 1
        steps = (
            step.begun(base, is_first=not n, is_last=n == last) for n, step in enumerate(table.step)
        )
        return cls(PurePath(name).stem, table.title, table.about, table.minutes, tuple(steps))


def find_lesson(name: str) -> Lesson:
    """A lesson of the package, or of a file.

    Raises:
        UsageError: there is none, or a mistake is in it.
    """
    return Lesson.parse(name, lesson_text(name))


packaged_lesson = cache(find_lesson)
"""A lesson of the package, read once."""
