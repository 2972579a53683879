"""A lesson as it is read from TOML; every mistake is one sentence with file, line and key.

A step is done when its condition holds:

mode step              that mode is on
at backup              such an event is looked at: move, backup, no backup, game over
written                a backup is looked at, with its new value written
exploratory            an exploratory move is looked at
asked NAME             a command of the table was asked for; asked NAME in play
selected               a number is selected under the microscope
predicted              a value was foretold since the step began
games 1000             so many games more were played, and no training goes on
help exact             so much help is given while a person plays
won                    a person has won a game since the step began
answered               the question of the step was answered rightly
never                  the last step: only > and T go on
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.toml_reader import (
    Declared,
    TomlText,
    any_words,
    choice,
    key,
    tables,
    whole,
    words,
)
from afterstate_lab.tui.lab.commands import ALL, BY_NAME, COMMANDS
from afterstate_lab.tui.lab.lessons.numbers import LIVE, check_claim, check_name
from afterstate_lab.tui.lab.modes import Help, Mode

if TYPE_CHECKING:
    from collections.abc import Callable

    from afterstate_lab.learners.runs.address import Address
    from afterstate_lab.tui.lab.session import Session

NAMES: Final = ("tour", "chapter-1", "menace", "sarsa-and-q", "credit", "museum")
"""The lessons of the package, in the order in which they are offered."""
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


EVENTS: Final = {
    "move": "Move", "backup": "Backup", "no backup": "NoBackup", "game over": "GameOver",
}  # fmt: skip
MODES: Final = "|".join(mode.value for mode in Mode)
CONDITION: Final = re.compile(
    rf"(mode) ({MODES})|(at) ({'|'.join(EVENTS)})|(help) ({'|'.join(one.value for one in Help)})"
    r"|(written|exploratory|selected|predicted|won|answered|never)"
    rf"|(asked) ([a-z_]+)(?: in ({MODES}))?|(games) ([1-9][0-9]{{0,6}})"
)
WORDS: Final = (
    "mode, at, written, exploratory, asked, selected, predicted, games, help, won, answered and"
    " never begin one"
)


@dataclass
class Since:
    """What has happened since a step began."""

    games: int = 0
    """Games played before."""
    predictions: int = 0
    """Predictions made before."""
    asked: set[tuple[str, Mode]] = field(default_factory=set)
    """The commands asked for, and the modes in which they were."""
    is_answered: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """A condition of the table above."""

    kind: str
    what: str = ""
    mode: Mode | None = None

    @classmethod
    def parse(cls, text: str) -> Done:
        """Read a condition.

        Raises:
            UsageError: it is none, or can never be met.
        """
        found = CONDITION.fullmatch(text)
        if found is None:
            raise UsageError(f"{shown(text)} is no condition: {WORDS}")
        kind, what, mode = (*filter(None, found.groups()), "", "")[:3]
        if kind != "asked":
            return cls(kind, what)
        command = BY_NAME.get(what)
        if command is None:
            raise UsageError(f"there is no command {shown(what)} to be asked for")
        if mode and command.modes and Mode(mode) not in command.modes:
            raise UsageError(f"{what} cannot be asked for in {mode}")
        return cls(kind, what, Mode(mode) if mode else None)

    def is_met(self, session: Session, since: Since) -> bool:
        """Whether it holds now."""
        event, kind = session.timeline.event, type(session.timeline.event).__name__
        match self.kind:
            case "mode":
                return session.mode is Mode(self.what)
            case "at":
                return kind == EVENTS[self.what]
            case "written":
                from afterstate_lab.learners.tape.timeline import WRITE

                return kind == "Backup" and session.timeline.phase == WRITE
            case "exploratory":
                return bool(getattr(event, "exploratory", False))
            case "asked":
                modes = {mode for name, mode in since.asked if name == self.what}
                return bool(modes) if self.mode is None else self.mode in modes
            case "selected":
                return session.selection is not None
            case "predicted":
                return session.predictions.asked > since.predictions
            case "games":
                more = session.run.games - since.games
                return more >= int(self.what) and not session.is_training
            case "help":
                return session.help is Help(self.what)
            case "won":
                is_new = session.run.games > since.games and session.mode is Mode.PLAY
                return is_new and session.is_over and getattr(event, "result", "") == session.human
            case "answered":
                return since.is_answered
        return False


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
    told = tuple(map(any_words, found))
    for item in told:
        check(item)
    return told


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
    from afterstate_lab.learners.runs.address import Address

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
        from afterstate_lab.learners.runs.address import Address, AddressPlace

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
class Lesson(Declared):
    """A lesson."""

    title: str = key(words, 30)
    about: str = key(words, 52)
    """What the list of lessons has room for in the smallest terminal."""
    minutes: int = key(whole, 1, 600, default=10)
    run: tuple[RunTable, ...] = tables(RunTable, 1)
    step: tuple[LessonStep, ...] = tables(LessonStep, MOST_STEPS)
    name: str = ""
    """Of the package's, or the file's."""
    steps: tuple[LessonStep, ...] = ()
    """The steps, with the addresses of those that begin somewhere."""

    @classmethod
    def parse(cls, name: str, content: str) -> Lesson:
        """Read a lesson.

        Raises:
            TomlError: there is a mistake in it.
        """
        file = name if name.endswith(".toml") else f"{name}.toml"
        lesson = cls.read(TomlText(file, content))
        if not lesson.step:
            raise lesson.table.source.error((), "a lesson needs steps: [[step]] begins one")
        base: dict[str, Any] = {}
        for run in lesson.run:
            run.moment(base)
            base = run.given
        last = len(lesson.step) - 1
        steps = (
            step.begun(base, is_first=not n, is_last=n == last)
            for n, step in enumerate(lesson.step)
        )
        return replace(lesson, name=Path(name).stem, steps=tuple(steps))


def find_lesson(name: str) -> Lesson:
    """A lesson of the package, or of a file.

    Raises:
        UsageError: there is none, or a mistake is in it.
    """
    if name in NAMES:
        ours = files(__package__).joinpath(f"{name}.toml")
        return Lesson.parse(name, ours.read_text(encoding="utf-8"))
    if not name.endswith(".toml"):
        raise UsageError(
            f"there is no lesson {shown(name)} (lessons: {', '.join(NAMES)}; or a FILE.toml)"
        )
    return Lesson.parse(name, TomlText.load(Path(name), "lesson").text)


packaged_lesson = cache(find_lesson)
"""A lesson of the package, read once."""
