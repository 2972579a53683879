"""A log: a window on past lines, newest at the bottom, with the current line marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.span import Line, Pen, Words, blank, crop, fit, on, width
from afterstate_lab.tui.blocks.speech import joined, spoken

MEASURE: Final = 72
"""Maximum number of columns of a sentence."""
FEWEST: Final = 6
"""Minimum number of rows, if there are as many lines."""


@dataclass(frozen=True, kw_only=True)
class Log(Block):
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
    yields: int | None = None
    """The piece of heads and lines to hide if the widest line does not fit."""
    earlier: int = 0
    """First lines that are shown only to a user who asks for the log."""

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        heads, lines, _ = self._fitted(columns - 2)
        body: list[Line] = [(*blank(1), *pen.line(heads, "dim"))] if heads else []
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
        _, lines, above = self._fitted(columns - 2)
        return Room(max(1, min(FEWEST, len(lines) + above)))

    def say(self) -> Iterator[str]:
        yield from (spoken(joined(words)) for words in self.lines)

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        _, lines, above = self._fitted(columns - 2)
        seen = self._window(lines, rows - above)
        number = seen[y - above] if 0 <= y - above < len(seen) else None
        return None if number is None else lines[number][0]

    def _fitted(self, columns: int) -> tuple[Words, list[tuple[int, Words]], int]:
        """Return heads, rows with their lines, and the number of rows of heads.

        Sentences (lines of one piece) are wrapped; the piece that yields is hidden.
        """
        at, whole = self.yields, (self.heads, *self.lines)
        is_wide = at is not None and any(
            width(words) > columns for words in whole if not isinstance(words, str) and words[1:]
        )

        def shorter(words: Words) -> Words:
            if at is None or not is_wide or isinstance(words, str) or len(words) < 3:
                return words
            return (*words[:at], *words[at + 1 :])

        rows: list[tuple[int, Words]] = []
        for number, words in enumerate(map(shorter, self.lines)):
            if isinstance(words, str) or len(words) != 1 or len(words[0][0]) <= columns:
                rows.append((number, words))
            else:
                text, role = words[0]
                measure = max(1, min(MEASURE, columns))
                rows += [(number, ((row, role),)) for row in wrap(text, measure)]
        return shorter(self.heads), rows, int(bool(self.heads))

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
