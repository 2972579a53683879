"""Lists: a table, a log, a menu, and a question with choices."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any, Final, NamedTuple

from afterstate_lab.game import Board as Position
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.tui.blocks.block import NO_END, POINTER, Block, Room, Window
from afterstate_lab.tui.blocks.cells import in_a_row
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
from afterstate_lab.tui.blocks.speech import board_words, joined, spoken
from afterstate_lab.tui.theme.glyphs import UNICODE
from afterstate_lab.tui.theme.numerals import NONE

APART = 2
"""Blank columns between blocks of rows."""
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
    sign: str = ""
    """`▲` or `▼` after the head of the sorted column."""
    grows: bool = False
    """Whether it takes the remaining columns."""
    role: str = "text"
    """The role of plain text."""
    ends_early: bool = False
    """Whether a text without room ends after a clause, if one fits."""


@lean_dataclass(frozen=True)
class Table(Block):
    """Rows under heads; a wide table can have several blocks of rows side by side."""

    columns: Sequence[Column]
    items: Sequence[Any]
    cells: Callable[[Any], Sequence[Cell | Words]]
    """Returns an item's cells by column."""
    at: Window | None = field(default_factory=Window)
    """The selected row, if any."""
    folds: bool = False
    """Whether a wide table has several blocks of rows."""
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
            return Room(3, NO_END if self.folds else 3)
        return Room(min(self.count, FEWEST) + self.heads, self.count + self.heads)

    def wide(self, columns: int) -> int:
        side_by_side = self._blocks(columns - 2)
        if side_by_side > 1:
            return side_by_side * self._block + 2
        return 3 + sum(self.columns[n].width + 1 for n in self._kept(columns - 3))

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        if self.message:
            said = wrap(pen.line(self.message, "dim"), columns - 2)
            return [(*blank(1), *line) for line in said]
        many = self._blocks(columns)
        wide, high = columns // many, max(0, rows - self.heads)
        kept = self._kept(wide - 1 - (APART if many > 1 else 0))
        seen = (
            range(min(high * many, self.count))
            if self.at is None
            else self.at.fit(self.count, high * many)
        )
        drawn = [self._row(n, kept, wide, pen) for n in seen]
        lines: list[Line] = []
        if self.heads:
            heads = [((column.head, "dim"), (column.sign, "key")) for column in self.columns]
            blocks = min(many, max(1, -(-len(drawn) // max(1, high))))
            lines = [self._line(heads, kept, wide, " ", pen) * blocks]
        return [*lines, *(sum(drawn[n::high], ()) for n in range(min(high, len(drawn))))]

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

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        many, high, line = self._blocks(columns), rows - self.heads, y - self.heads
        if self.at is None or not 0 <= line < high:
            return None
        number = self.at.top + line + high * min(x // max(1, columns // many), many - 1)
        return number if number < self.count else None

    @property
    def _block(self) -> int:
        return 1 + sum(column.width + 1 for column in self.columns) + APART

    def _blocks(self, columns: int) -> int:
        return max(1, (columns + APART) // self._block) if self.folds else 1

    def _kept(self, room: int) -> list[int]:
        """Return the indices of the columns that fit, from left to right."""
        kept: list[int] = []
        for n in sorted(range(len(self.columns)), key=lambda n: self.columns[n].rank):
            if self.columns[n].width <= room:
                room -= self.columns[n].width + 1
                kept.append(n)
        return sorted(kept)

    def _row(self, number: int, kept: list[int], wide: int, pen: Pen) -> Line:
        cells = self.cells(self.items[number])
        words = [cell.words if isinstance(cell, Cell) else cell for cell in cells]
        if self.at is None or number != self.at.cursor:
            return self._line(words, kept, wide, " ", pen)
        return on(self._line(words, kept, wide, "▸", pen), "selection")

    def _line(
        self, words: Sequence[Words], kept: list[int], wide: int, mark: str, pen: Pen
    ) -> Line:
        line: Line = (pen.piece(mark, "key"),)
        taken = sum(self.columns[n].width + 1 for n in kept)
        for n in kept:
            column = self.columns[n]
            room = wide - 1 - taken + column.width if column.grows else column.width
            text = pen.line(words[n], column.role)
            if width(text) > room > 1:
                start = whole_words(text, room - 1) if column.left else ()
                clause = re.match(rf".{{1,{room}}}(?=[,:]| (as|by|over|with)\b)", joined(text))
                if clause and column.ends_early:
                    text = pen.line(clause[0], column.role)
                else:
                    text = (*start, pen.piece("…", "dim"))
            line = (*line, *fit(text, room, to_right=not column.left), *blank(1))
        return fit(line, wide)


@lru_cache(8192)
def board_cell(board: str, never: bool = False) -> Cell:
    """Return a board of nine characters for a table."""
    said = board_words(Position.parse(board)).removesuffix(".")
    return Cell(in_a_row(board, is_dim=never), said)


LONGEST_SENTENCE: Final = 72
"""Columns."""
FEWEST_LINES: Final = 6
"""Minimum number of rows of a log, if there are as many lines."""


@lean_dataclass(frozen=True, kw_only=True)
class Log(Block):
    """Lines in order, the newest at the bottom unless it is scrolled back."""

    title: Words = "log"
    lines: tuple[Words, ...]
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
        lines = self._rows(columns - 2)
        body: list[Line] = [(*blank(1), *pen.line(self.heads, "dim"))] if self.heads else []
        for number in self._window(lines, rows - len(body)):
            if number is None:
                body.append(())
                continue
            here = number == self._at(lines)
            words = crop(pen.line(without_words(lines[number][1], columns - 2)), columns - 2)
            line = fit(((pen.glyphs.cell("▸") if here else " ", "strong"), *words), columns)
            body.append(on(line, "selection") if here else line)
        return body

    def room(self, columns: int, pen: Pen) -> Room:
        high = len(self._rows(columns - 2)) + bool(self.heads)
        return Room(max(1, min(FEWEST_LINES, high)))

    def say(self) -> Iterator[str]:
        yield from (spoken(joined(words)) for words in self.lines)

    def _rows(self, columns: int) -> list[tuple[int, Words]]:
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

    def _at(self, lines: list[tuple[int, Words]]) -> int | None:
        return next((n for n, (number, _) in enumerate(lines) if number == self.cursor), None)

    def _window(self, lines: list[tuple[int, Words]], rows: int) -> list[int | None]:
        """Return the visible rows, top to bottom; None is a blank row."""
        count, cursor = len(lines), self._at(lines)
        if rows <= 0:
            return []
        jump = min(self.jump, rows)
        if self.offset:
            top = count - self.offset - rows
        else:
            top = -(-(count - rows) // jump) * jump
            if cursor is not None and cursor < top:
                both = count - rows if count - rows <= cursor else 0
                top = max(cursor // jump * jump, both)
        top = max(0, top)
        return [number if number < count else None for number in range(top, top + rows)]


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


@lean_dataclass(frozen=True, kw_only=True)
class Menu(Block):
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

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        about, remark = self._texts(columns, pen)
        first, height = self._places(rows, about, remark)
        body: list[Line] = [EMPTY] * max(rows, first + height * len(self.items))
        if first:
            body[: len(about)] = about
        for number, item in enumerate(self.items):
            mark = pen.glyphs.text("›") if number == self.at.cursor else " "
            at = first + number * height
            name, aside = pen.piece(f"  {item.name}", "strong"), pen.piece(f"  {item.aside}", "dim")
            body[at] = ((mark, "key"), pen.piece(item.key, "key"), name, aside)
            body[at + 1] = (pen.piece(f"    {item.says}"),)
        body = body[:rows]
        remark = remark[: max(1, len(body) - first - height * len(self.items))]
        body[max(0, len(body) - len(remark)) :] = remark[: len(body)]
        margin = blank(1 + max(0, columns - 2 - MEASURE) // 2)
        return [crop((*margin, *line), columns - 1) for line in body]

    def say(self) -> Iterator[str]:
        if self.about:
            yield self.about
        for number, item in enumerate(self.items, 1):
            aside = f" ({item.aside})" if item.aside else ""
            yield spoken(f"{number}. {item.name}: {item.says}{aside}")
        if self.remark:
            yield spoken(joined(self.remark))

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        first, height = self._places(rows, *self._texts(columns, Pen(UNICODE)))
        number, row = divmod(y - first, height)
        return number if first <= y < rows and number < len(self.items) and row < 2 else None

    def choose(self, row: int) -> Any:
        self.at.cursor = row
        return super().choose(row)

    def _texts(self, columns: int, pen: Pen) -> tuple[list[Line], list[Line]]:
        """Return the rows of the introduction, and of the remark."""
        about = wrap(pen.line(self.about), min(columns - 2, MEASURE)) if self.about else []
        return about, wrap(pen.line(self.remark), columns - 2) if self.remark else []

    def _places(self, rows: int, about: Sequence[Any], remark: Sequence[Any]) -> tuple[int, int]:
        """Return the row of the first item, and the rows of each item."""
        room, many = rows - max(1, len(remark)), len(self.items)
        first = len(about) + 1 if about and len(about) + 1 + 2 * many <= room else 0
        height = next((n for n in (6, 4, 3) if first + n * many <= room), 2)
        air = (room - first - height * many) // 3 if height >= 4 else 0
        return first + air, height


WIDEST: Final = 80
"""Maximum number of columns of its frame."""
WIDEST_LABEL: Final = 30
STEADY: Final = 11
"""Minimum rows of a question, so that what is above it stays in place."""
WIDE_CHOICE: Final = 6
"""Shorter choices share one row."""


class Choice(NamedTuple):
    """A possible answer."""

    key: str
    text: str
    is_right: bool | None = None
    """Whether it is right; None until revealed."""


@lean_dataclass(frozen=True, kw_only=True)
class Question(Block):
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
        many = max(STEADY, len(self._lines(columns, NO_END, pen)))
        return Room(many, many)

    def wide(self, columns: int) -> int:
        return min(columns, WIDEST)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        inside, body = columns - 2, self._lines(columns, rows, pen)
        while len(body) > rows and EMPTY in body:
            body.remove(EMPTY)
        return [(*blank(1), *crop(line, inside)) for line in body]

    def _lines(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        inside = columns - 2
        body = [*self._known(inside, pen), *self._choices(inside, pen)]
        if self.guess:
            body.append((pen.piece("your guess ", "dim"), pen.piece(self.guess, "strong")))
        if self.verdict:
            body += [EMPTY, pen.line(self.verdict), *wrap(pen.line(self.why), inside)]
        return [EMPTY, *body] if rows - len(body) > 1 else body

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

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        lines = self.draw(columns, rows, Pen(UNICODE))
        text = "".join(text for text, _ in lines[y]) if y < len(lines) else ""
        found = [
            (text.find(choice.text), number)
            for number, choice in enumerate(self.choices)
            if choice.text in text
        ]
        before = [number for at, number in sorted(found) if at <= x + 2]
        return before[-1] if before else None

    def _known(self, inside: int, pen: Pen) -> list[Line]:
        """Return the prompt and the facts."""
        column = min(max((len(label) for label, _ in self.facts), default=0), WIDEST_LABEL)
        facts: list[Line] = []
        for label, text in self.facts:
            if not label:
                facts += wrap(pen.line(text, "key"), inside)
                continue
            name = pen.line(label, "dim")
            facts.append((*name, *blank(max(2, column + 2 - width(name))), pen.piece(text)))
        before = wrap(pen.line(self.before), inside) if self.before else []
        return [*before, *wrap(pen.line(self.prompt, "strong"), inside), EMPTY, *facts, EMPTY]

    def _choices(self, inside: int, pen: Pen) -> list[Line]:
        """Return the choices, in one row if they are short."""
        lines = [
            self._choice(choice, n == self.cursor, pen) for n, choice in enumerate(self.choices)
        ]
        if not lines or any(len(choice.text) >= WIDE_CHOICE for choice in self.choices):
            return lines
        row: Line = ()
        for line in lines:
            row = (*row, *line, *blank(2))
        return [row] if width(row) <= inside else lines

    def _choice(self, choice: Choice, here: bool, pen: Pen) -> Line:
        role, sign = "strong" if here else "text", ""
        if choice.is_right is not None:
            sign = "✓" if choice.is_right else ("✗" if here else "")
            role = "better" if choice.is_right else "worse" if here else "dim"
        key = (pen.piece(f"{choice.key} ", "key"),) if choice.key else ()
        end = (pen.piece(f" {sign}", role),) if sign else ()
        return pen.piece(POINTER if here else " ", "key"), *key, pen.piece(choice.text, role), *end
