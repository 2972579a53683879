"""Lists: a table, a log, a menu, and a question with choices."""

from __future__ import annotations

import re
import textwrap
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Any, Final, NamedTuple

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.tui.blocks.block import NO_END, POINTER, Block, Room, Window
from afterstate_lab.tui.blocks.span import (
    EMPTY,
    Line,
    Pen,
    Words,
    blank,
    crop,
    fit,
    on,
    whole_words,
    width,
    wrap,
)
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.theme.glyphs import ASCII, UNICODE
from afterstate_lab.tui.theme.numerals import NONE

FEWEST = 4
"""Minimum number of rows, if there are as many."""


class Cell(NamedTuple):
    """Words that are read out differently; empty for silence."""

    words: Words
    said: str


class Column(NamedTuple):
    head: str
    width: int
    rank: int = 0
    """Without room, the highest rank is hidden first."""
    left: bool = True
    """Whether its text is left-aligned; numbers are not."""
    say: str = "{}"
    """The sentence for a cell; empty for silence."""
    grows: bool = False
    """Whether it takes the remaining columns."""
    role: str = "text"
    """The role of plain text."""
    ends_early: bool = False
    """Whether a text without room ends after a clause, if one fits."""


Numbered = list[tuple[int | None, Line]]
"""Lines, each with the number of the row that a click on it names."""


@lean_dataclass(kw_only=True)
class List(Block):
    """A block whose lines belong to numbered rows."""

    @abstractmethod
    def numbered(self, columns: int, rows: int, pen: Pen) -> Numbered:
        """Return at most `rows` lines with the numbers of their rows."""

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        return [line for _, line in self.numbered(columns, rows, pen)]

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        shown = self.numbered(columns, rows, Pen(UNICODE))
        return shown[y][0] if 0 <= y < len(shown) else None


@lean_dataclass
class Table(List):
    """Rows under heads."""

    columns: Sequence[Column]
    items: Sequence[Any]
    cells: Callable[[Any], Sequence[Cell | Words]]
    """Returns an item's cells by column."""
    at: Window | None = field(default_factory=Window)
    """The selected row, if any."""
    message: str = ""
    """The text if there are no rows."""
    heads: bool = True

    def __post_init__(self) -> None:
        if self.at is not None:
            self.at.hold(self.count)

    @property
    def count(self) -> int:
        return len(self.items)

    @property
    def window(self) -> Window | None:
        return self.at

    def room(self, columns: int, pen: Pen) -> Room:
        if self.message:
            return Room(3, 3)
        return Room(min(self.count, FEWEST) + self.heads, self.count + self.heads)

    def wide(self, columns: int) -> int:
        return 3 + sum(self.columns[n].width + 1 for n in self._kept(columns - 3))

    def numbered(self, columns: int, rows: int, pen: Pen) -> Numbered:
        if self.message:
            said = wrap(pen.line(self.message, "dim"), columns - 2)
            return [(None, (*blank(1), *line)) for line in said]
        kept = self._kept(columns - 1)
        heads = [((column.head, "dim"),) for column in self.columns]
        body: Numbered = [(None, self._line(heads, kept, columns, " ", pen))] * self.heads
        high, many = max(0, rows - len(body)), len(self.items)
        seen = range(many) if self.at is None else self.at.fit(many, high)
        for n in seen[:high]:
            cells = self.cells(self.items[n])
            words = [cell.words if isinstance(cell, Cell) else cell for cell in cells]
            if self.at is None or n != self.at.cursor:
                line = self._line(words, kept, columns, " ", pen)
            else:
                line = on(self._line(words, kept, columns, "▸", pen), "selection")
            body.append((None if self.at is None else n, line))
        return body

    def say(self) -> Iterator[str]:
        if self.message:
            yield self.message
        for n in range(self.count):
            yield f"{n + 1}. {self.said(n)}"

    def said(self, n: int) -> str:
        """Return a row as a sentence, without unknown values."""
        told = []
        for column, cell in zip(self.columns, self.cells(self.items[n]), strict=True):
            text = cell.said if isinstance(cell, Cell) else joined(cell).replace(NONE, "")
            if column.say and text.strip():
                told.append(column.say.format(spoken(text)))
        return f"{', '.join(told).removesuffix('.')}."

    def texts(self) -> Iterator[list[str]]:
        """Yield the heads, then each row, as ASCII text."""
        yield [column.head for column in self.columns]
        for cells in map(self.cells, self.items):
            words = (cell.words if isinstance(cell, Cell) else cell for cell in cells)
            yield [ASCII.text(joined(one)) for one in words]

    def _kept(self, room: int) -> list[int]:
        """Return the indices of the columns that fit, from left to right."""
        kept: list[int] = []
        for n in sorted(range(len(self.columns)), key=lambda n: self.columns[n].rank):
            if self.columns[n].width <= room:
                room -= self.columns[n].width + 1
                kept.append(n)
        return sorted(kept)

    def _line(
        self, words: Sequence[Words], kept: list[int], wide: int, mark: str, pen: Pen
    ) -> Line:
        line: Line = ((mark, "key"),)
        taken = sum(self.columns[n].width + 1 for n in kept)
        for n in kept:
            column = self.columns[n]
            room = wide - 1 - taken + column.width if column.grows else column.width
            text = pen.line(words[n], column.role)
            if width(text) > room > 1:
                start = whole_words(text, room - 1) if column.left else ()
                text = (*start, pen.piece("…", "dim"))
                clause = re.match(rf".{{1,{room}}}(?=[,:]| (as|by|over|with)\b)", joined(words[n]))
                if clause and column.ends_early:
                    text = pen.line(clause[0], column.role)
            line = (*line, *fit(text, room, to_right=not column.left), *blank(1))
        return fit(line, wide)


LONGEST_SENTENCE: Final = 72
"""Columns."""
FEWEST_LINES: Final = 6
"""Minimum number of rows of a log, if there are as many lines."""


@lean_dataclass(kw_only=True)
class Log(Block):
    """Lines in order, the newest at the bottom unless it is scrolled back."""

    title: Words = "log"
    lines: Sequence[Words]
    cursor: int | None = None
    """The current line."""
    offset: int = 0
    """Number of lines scrolled back."""
    jump: int = 4
    """Lines to scroll when full: scrolling by one repaints every row."""
    heads: Words = ""
    """A fixed row of column heads."""
    earlier: int = 0
    """First lines that are shown only to a user who asks for the log."""

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        lines = self._wrapped(columns - 2)
        here = next((n for n, (number, _) in enumerate(lines) if number == self.cursor), None)
        body = [(*blank(1), *pen.line(self.heads, "dim"))] if self.heads else []
        rows -= len(body)
        jump = max(1, min(self.jump, rows))
        newest = len(lines) - rows
        top = newest - self.offset
        if not self.offset:
            top = -(-top // jump) * jump
            if here is not None and here < top:
                top = max(here // jump * jump, newest if newest <= here else 0)
        top = max(0, top)
        for n, (_, words) in enumerate(lines[top : top + rows], top):
            mark = "▸" if n == here else " "
            words = crop(pen.line(without_words(words, columns - 2)), columns - 2)
            line = ((mark, "strong"), *words)
            body.append(on(fit(line, columns), "selection") if n == here else line)
        return body

    def room(self, columns: int, pen: Pen) -> Room:
        high = len(self._wrapped(columns - 2)) + bool(self.heads)
        return Room(max(1, min(FEWEST_LINES, high)))

    def say(self) -> Iterator[str]:
        yield from (spoken(joined(words)) for words in self.lines)

    def _wrapped(self, columns: int) -> list[tuple[int, Words]]:
        """Return rows with their lines; sentences (lines of one piece) are wrapped."""
        rows: list[tuple[int, Words]] = []
        for number, words in enumerate(self.lines):
            if isinstance(words, str) or len(words) != 1 or len(words[0][0]) <= columns:
                rows.append((number, words))
            else:
                text, role = words[0]
                measure = max(1, min(LONGEST_SENTENCE, columns))
                rows += [(number, ((row, role),)) for row in textwrap.wrap(text, measure)]
        return rows


def without_words(line: Words, columns: int) -> Words:
    """Return a long line without its last words, then without its last pieces.

    A word before a gap stays, since a column follows it.
    """
    if isinstance(line, str) or len(line) < 3 or width(line) <= columns:
        return line
    pieces = line
    for number, (text, role) in reversed([*enumerate(line)]):
        is_column = number + 1 < len(line) and not line[number + 1][0].strip()
        is_word = text.islower() and text.replace(" ", "").isalpha()
        if width(pieces) > columns and is_word and not is_column:
            indent = " " * (len(text) - len(text.lstrip()))
            pieces = (*pieces[:number], (indent, role), *pieces[number + 1 :])
    while len(pieces) > 1 and width(pieces) > columns:
        pieces = pieces[:-1]
    return pieces


MEASURE: Final = 76
"""Maximum number of columns of a line."""


class Item(NamedTuple):
    key: str
    name: str
    """The name, one to three words."""
    says: str
    """One inviting line."""
    aside: str = ""
    """Text after the name."""


@lean_dataclass(kw_only=True)
class Menu(List):
    """Items with a key, a name and an inviting line, as far apart as there is room."""

    items: Sequence[Item]
    at: Window
    about: str = ""
    """Text above the items."""
    remark: Words = ""
    """Text in the last rows."""

    def __post_init__(self) -> None:
        self.at.hold(len(self.items))

    @property
    def window(self) -> Window:
        return self.at

    def numbered(self, columns: int, rows: int, pen: Pen) -> Numbered:
        remark, many = wrap(pen.line(self.remark), columns - 2), len(self.items)
        about = [*wrap(pen.line(self.about), min(columns - 2, MEASURE)), EMPTY]
        room = rows - max(1, len(remark))
        if not self.about or len(about) + 2 * many > room:
            about = []
        high = next((n for n in (6, 4, 3) if n * many + len(about) <= room), 2)
        body: Numbered = [(None, line) for line in about]
        for number, item in enumerate(self.items):
            mark = POINTER if number == self.at.cursor else " "
            name = ((mark, "key"), (item.key, "key"), (f"  {item.name}", "strong"))
            body.append((number, pen.line((*name, (f"  {item.aside}", "dim")))))
            body.append((number, pen.line(f"    {item.says}")))
            body += [(None, EMPTY)] * (high - 2)
        remark = remark[: max(1, rows - len(body))]
        body += [(None, EMPTY)] * (rows - len(body))
        body[rows - len(remark) :] = [(None, line) for line in remark]
        margin = blank(1 + max(0, columns - 2 - MEASURE) // 2)
        return [(number, crop((*margin, *line), columns - 1)) for number, line in body]

    def say(self) -> Iterator[str]:
        if self.about:
            yield self.about
        for number, item in enumerate(self.items, 1):
            aside = f" ({item.aside})" if item.aside else ""
            yield spoken(f"{number}. {item.name}: {item.says}{aside}")
        if self.remark:
            yield spoken(joined(self.remark))


WIDEST: Final = 80
"""Maximum number of columns of its frame."""
STEADY: Final = 11
"""Minimum rows of a question, so that what is above it stays in place."""


class Choice(NamedTuple):
    """A possible answer."""

    key: str
    text: str
    is_right: bool | None = None
    """Whether it is right; None until revealed."""


@lean_dataclass(kw_only=True)
class Question(List):
    """A question above its choices."""

    prompt: str
    before: Words = ""
    """The verdict on the previous answer."""
    facts: Sequence[tuple[str, str]] = ()
    """Facts as label and text."""
    choices: Sequence[Choice] = ()
    wanted: str = ""
    """The valid answers, in words."""
    cursor: int | None = None
    guess: str = ""
    """The number at the cursor."""
    verdict: Words = ""
    why: str = ""

    def room(self, columns: int, pen: Pen) -> Room:
        many = max(STEADY, len(self.numbered(columns, NO_END, pen)))
        return Room(many, many)

    def wide(self, columns: int) -> int:
        return min(columns, WIDEST)

    def numbered(self, columns: int, rows: int, pen: Pen) -> Numbered:
        inside = columns - 2
        known = [EMPTY, *wrap(pen.line(self.before), inside)]
        known += [*wrap(pen.line(self.prompt, "strong"), inside), EMPTY]
        column = max((len(label) for label, _ in self.facts), default=0)
        for label, text in self.facts:
            told = pen.line(((f"{label:<{column}}  ", "dim"), (text, "text")))
            known += [told] if label else wrap(pen.line(text, "key"), inside)
        body: Numbered = [(None, line) for line in (*known, EMPTY)]
        for number, (key, text, is_right) in enumerate(self.choices):
            here = number == self.cursor
            role, sign = "strong" if here else "text", ""
            if is_right is not None:
                sign = " ✓" if is_right else " ✗" if here else ""
                role = "better" if is_right else "worse" if here else "dim"
            pointed = f"{POINTER if here else ' '}{key} "
            body.append((number, pen.line(((pointed, "key"), (f"{text}{sign}", role)))))
        if self.guess:
            body.append((None, pen.line((("your guess ", "dim"), (self.guess, "strong")))))
        if self.verdict:
            why = wrap(pen.line(self.why), inside)
            body += [(None, line) for line in (EMPTY, pen.line(self.verdict), *why)]
        while len(body) > rows and (None, EMPTY) in body:
            body.remove((None, EMPTY))
        return [(number, (*blank(1), *crop(line, inside))) for number, line in body]

    def say(self) -> Iterator[str]:
        yield spoken(self.prompt)
        facts = "; ".join(spoken(f"{label} {text}".lstrip()) for label, text in self.facts)
        if facts:
            yield f"{facts}."
        if self.verdict:
            yield f"{joined(self.verdict).capitalize()}. {spoken(self.why)}"
        elif self.wanted:
            offered = "; ".join(f"{choice.key}. {choice.text}" for choice in self.choices)
            yield spoken(f"Answer {self.wanted}{f': {offered}' if offered else ''}.")
