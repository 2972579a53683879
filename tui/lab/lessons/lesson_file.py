"""A lesson as it is read from TOML; every mistake is one sentence with file, line and key."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from learners.errors import UsageError
from learners.toml_reader import TomlTable, TomlText
from tui.lab.commands import ALL, COMMANDS
from tui.lab.lessons import lesson_text
from tui.lab.lessons.done import Done
from tui.lab.lessons.numbers import LIVE, check_claim, check_name
from tui.lab.modes import Mode

if TYPE_CHECKING:
    from learners.addresses.address import Address

MARK: Final = "`"
"""Stands before and after what is to be pressed or typed."""
RUN_KEYS: Final = ("x", "o", "seed", "games")
LESSON_KEYS: Final = ("title", "about", "minutes", "run", "step")
STEP_KEYS: Final = (
    "title", "text", "do", "type", "done", "modes", "look", "at", "address", *RUN_KEYS,
    "holds", "ask", "answer", "solution", "screen",
)  # fmt: skip
PANES: Final = {
    "board": 60, "log": 60, "stats": 60, "curve": 60,
    "state": 60, "next state": 60, "choice": 60, "equation": 60, "diagram": 60, "values": 60,
    "life": 110,
}  # fmt: skip
"""What can stand in the spotlight, and the columns from which on it is there."""
MOST_STEPS: Final = 60
MOST_KEYS: Final = 12
LONGEST_TITLE: Final = 30
LONGEST_ABOUT: Final = 52
"""What the list of lessons has room for in the smallest terminal."""
LONGEST_TEXT: Final = 240
"""With the names of its live numbers; `--check` sees that it fits the card with the numbers."""
LONGEST_DO: Final = 60
LEAST: Final = (60, 20)
LARGEST: Final = (500, 200)
SCREEN: Final = re.compile(r"([0-9]{2,3})x([0-9]{2,3})", re.ASCII)


@dataclass(frozen=True)
class LessonStep:
    """One thing to understand, and what to do to see it."""

    title: str
    text: str
    """What there is to see, with live numbers in braces."""
    do: str
    """What to press, keys and words to type between marks."""
    type: str
    """What to type in plain mode, the lines between marks."""
    done: Done
    modes: frozenset[Mode] = ALL
    """Where those keys answer."""
    look: str = ""
    """The pane in the spotlight."""
    address: Address | None = None
    """Where the step begins; None where the step before has ended."""
    holds: tuple[str, ...] = ()
    """What is asserted when the step begins."""
    ask: str = ""
    answer: str = ""
    solution: tuple[str, ...] = ()
    """What does the step, where its keys alone do not."""
    screen: tuple[int, int] = LEAST
    """Columns and rows that the step needs."""
    table: TomlTable | None = field(default=None, repr=False, compare=False)

    def error(self, key: str, problem: str) -> UsageError:
        assert self.table is not None
        return self.table.error(key, problem)

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


def marked(text: str) -> tuple[str, ...]:
    """The pieces of a text between marks."""
    return tuple(text.split(MARK)[1::2])


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
    def parse(cls, name: str, text: str) -> Lesson:
        """Read a lesson.

        Raises:
            TomlError: there is a mistake in it.
        """
        source = TomlText(name if name.endswith(".toml") else f"{name}.toml", text)
        top = TomlTable(source, source.table(), (), LESSON_KEYS)
        run = next(iter(top.tables("run", RUN_KEYS, 1)), None)
        if run is not None:
            address_of(run, {})
        steps = top.tables("step", STEP_KEYS, MOST_STEPS)
        if not steps:
            raise source.error((), "a lesson needs steps: [[step]] begins one")
        read = tuple(step_of(table, run, is_first=not n) for n, table in enumerate(steps))
        for step in read:
            if (step.done.kind == "never") != (step is read[-1]):
                raise step.error("done", "never is for the last step, and only for that")
        return cls(
            PurePath(name).stem,
            top.text("title", longest=LONGEST_TITLE),
            top.text("about", longest=LONGEST_ABOUT),
            top.whole("minutes", 1, 600, 10),
            read,
        )


def find_lesson(name: str) -> Lesson:
    """A lesson of the package, or of a file.

    Raises:
        UsageError: there is none, or a mistake is in it.
    """
    return Lesson.parse(name, lesson_text(name))


packaged_lesson = cache(find_lesson)
"""A lesson of the package, read once."""


def checked(table: TomlTable, key: str, check: Any, value: Any) -> Any:
    """What a check makes of a value.

    Raises:
        TomlError: the check refuses it.
    """
    try:
        return check(value)
    except UsageError as error:
        raise table.error(key, str(error)) from None


def address_of(table: TomlTable, base: dict[str, Any], place: str = "") -> Address:
    """The run that a table names, and a place in it.

    Args:
        table: a run or a step.
        base: the values of the run's keys that the table leaves out.
        place: `GAME[.PLY[.EVENT]]`, or empty.
    """
    from learners.addresses.address import Address, AddressPlace

    known: dict[str, Any] = {"x": "td", "o": "td", "seed": 0, "games": 0} | base
    for side in ("x", "o"):
        known[side] = table.text(side, known[side], longest=300)
    known["seed"] = table.whole("seed", 0, 2**31, known["seed"])
    known["games"] = table.whole("games", 0, 1_000_000, known["games"])

    def whole(text: str) -> Address:
        at = AddressPlace.parse(text) if text else None
        return Address.parse(str(Address(**known, place=at)))

    blamed = "at" if place else next((key for key in RUN_KEYS if key in table.table), "x")
    if place:
        checked(table, "x", whole, "")
    found: Address = checked(table, blamed, whole, place)
    return found


def step_of(table: TomlTable, run: TomlTable | None, *, is_first: bool) -> LessonStep:
    from learners.addresses.address import Address

    text = table.text("text", longest=LONGEST_TEXT)
    for found in LIVE.finditer(text):
        checked(table, "text", check_name, found[1])
    if "{" in LIVE.sub("", text) or "}" in LIVE.sub("", text):
        raise table.error("text", "has a brace that is alone: {new} is a live number")
    claims = tuple(texts(table, "holds"))
    for claim in claims:
        checked(table, "holds", check_claim, claim)
    done = checked(table, "done", Done.parse, table.text("done", "asked lesson"))
    do, typed = table.text("do", longest=LONGEST_DO), table.text("type", longest=200)
    for key, said in (("do", do), ("type", typed)):
        if said.count(MARK) % 2:
            raise table.error(key, f"has a {MARK} that is alone: a key stands between two")
        if not marked(said) and done.kind != "never":
            raise table.error(key, f"names no key: it stands between {MARK} and {MARK}")
    names = {mode.value: mode for mode in Mode}
    modes = texts(table, "modes")
    for mode in modes:
        if mode not in names:
            raise table.error("modes", f"must be some of {', '.join(names)}, not {mode}")
    look = table.text("look", "")
    if look and look not in PANES:
        raise table.error("look", f"must be one of {', '.join(PANES)}, not {look}")
    ask, answer = table.text("ask", "", longest=60), table.text("answer", "", longest=60)
    if bool(ask) != bool(answer) or bool(answer) != (done.kind == "answered"):
        raise table.error("done", "answered goes with the keys ask and answer, and they with it")
    for found in LIVE.finditer(answer):
        checked(table, "answer", check_name, found[1])
    place = table.text("at", "")
    if is_elsewhere := "address" in table.table:
        if place or any(key in table.table for key in RUN_KEYS):
            raise table.error("address", "names run and place: no other key may")
        where = checked(table, "address", Address.parse, table.text("address", longest=2000))
    base = dict(run.table) if run is not None else {}
    if not is_elsewhere:
        begins = is_first or bool(place) or any(key in table.table for key in RUN_KEYS)
        where = address_of(table, base, place) if begins else None
    return LessonStep(
        table.text("title", longest=LONGEST_TITLE), text, do, typed, done,
        frozenset(names[mode] for mode in modes) or ALL,
        look, where, claims, ask, answer, tuple(texts(table, "solution")),
        screen_of(table, look), table,
    )  # fmt: skip


def texts(table: TomlTable, key: str) -> list[str]:
    """A list of short texts, or one; empty where the key is missing."""
    if key not in table.table:
        return []
    value = table.table[key]
    items = [value] if isinstance(value, str) else table.items(key, MOST_KEYS)
    for item in items:
        if not isinstance(item, str) or not item.isprintable() or len(item) > 100:
            raise table.error(key, "must be texts of at most 100 printable characters")
    return items


def screen_of(table: TomlTable, look: str) -> tuple[int, int]:
    """The columns and rows that a step needs."""
    text = table.text("screen", f"{LEAST[0]}x{LEAST[1]}")
    found = SCREEN.fullmatch(text)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if size < LEAST or size[1] < LEAST[1] or size > LARGEST:
        raise table.error(
            "screen",
            f"must be columns and rows from {LEAST[0]}x{LEAST[1]} on, such as 120x40, not {text}",
        )
    if look and size[0] < PANES[look]:
        raise table.error(
            "screen" if "screen" in table.table else "look",
            f"the pane {look} is there from {PANES[look]} columns on: screen must say so",
        )
    return size
