"""The log: a fixed number of rows, newest at the bottom, the tape's place marked."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from textual import events
from textual.message import Message

from tui.theme.look import Line, blank, crop, fit
from tui.views.lab import LogView, window
from tui.views.words import Words, length
from tui.widgets.pane import Pane

MEASURE: Final = 72
"""Columns of a sentence, however wide the log is."""


class LogPane(Pane[LogView]):
    """A window on lines that came; a click on one posts `LineClicked`."""

    @dataclass
    class LineClicked(Message):
        pane: LogPane
        number: int
        """Its number in the whole log."""

    def lines(self, view: LogView, columns: int, rows: int) -> list[Line]:
        inside = columns - 2
        view, _ = self._wrapped(self._narrowed(view, inside - 2), min(MEASURE, inside - 2))
        heads = (*blank(1), *self.look.line(view.heads, "dim"))
        body: list[Line] = [heads] if view.heads else []
        seen = rows - 2 - len(body)
        for row, number in enumerate(window(view, seen)):
            if number is not None:
                body.append(self._row(view, number, inside))
            elif self._is_rule(view, row, seen):
                stroke = self.look.glyphs.cell("─") * (inside - 2)
                body.append((self.look.piece(" ", "faint"), (stroke, self.look.palette.faint)))
            else:
                body.append(())
        return self.framed(view, columns, rows, body, air=0)

    def on_click(self, event: events.Click) -> None:
        if self.view is None:
            return
        inside = self.size.width - 4
        view, wholes = self._wrapped(self._narrowed(self.view, inside), min(MEASURE, inside))
        above = 2 if view.heads else 1
        rows = window(view, self.size.height - 1 - above)
        row = event.y - above
        number = rows[row] if 0 <= row < len(rows) else None
        if number is not None:
            event.prevent_default()
            self.post_message(self.LineClicked(self, view.first + wholes[number - view.first]))

    def _narrowed(self, view: LogView, columns: int) -> LogView:
        """The view without the pieces that give way, where there is no room for them."""
        whole = (view.heads, *view.lines)
        rows = [words for words in whole if not isinstance(words, str) and len(words) > 1]
        at = view.yields
        if at is None or all(length(words) <= columns for words in rows):
            return view

        def shorter(words: Words) -> Words:
            is_whole = isinstance(words, str) or len(words) < 3
            return words if is_whole else (*words[:at], *words[at + 1 :])

        return view._replace(heads=shorter(view.heads), lines=tuple(map(shorter, view.lines)))

    def _wrapped(self, view: LogView, columns: int) -> tuple[LogView, list[int]]:
        """The view with its sentences (lines of a single piece) wrapped into rows that fit.

        Returns:
            It, and for each of its rows which of the lines it is of.
        """
        lines: list[Words] = []
        wholes: list[int] = []
        for number, words in enumerate(view.lines):
            if isinstance(words, str) or len(words) != 1 or len(words[0][0]) <= columns:
                lines.append(words)
            else:
                text, role = words[0]
                lines += [((row, role),) for row in wrap(text, max(1, columns))]
            wholes += [number] * (len(lines) - len(wholes))
        return view._replace(lines=tuple(lines)), wholes

    def _row(self, view: LogView, number: int, inside: int) -> Line:
        palette = self.look.palette
        here = number == view.cursor
        words = crop(
            self.look.line(without_words(view.lines[number - view.first], inside - 2)), inside - 2
        )
        pointer = (self.look.glyphs.cell("▸") if here else " ", palette.strong)
        line = fit((pointer, *words), inside)
        return self.look.select(line) if here else line

    def _is_rule(self, view: LogView, row: int, rows: int) -> bool:
        """Whether the blank row is the ring's moving rule."""
        count = view.first + len(view.lines)
        return view.ring and not view.offset and view.cursor is None and row == count % rows


def without_words(line: Words, columns: int) -> Words:
    """A line that is too long without its last words, then without the pieces at its end.

    A word before a gap stays: what stands behind it is a column.
    """
    if isinstance(line, str) or len(line) < 3 or length(line) <= columns:
        return line
    pieces = line
    for number, (text, role) in reversed([*enumerate(line)]):
        is_column = number + 1 < len(line) and not line[number + 1][0].strip()
        if length(pieces) > columns and is_word(text) and not is_column:
            pieces = (*pieces[:number], (indent(text), role), *pieces[number + 1 :])
    while len(pieces) > 1 and length(pieces) > columns:
        pieces = pieces[:-1]
    return pieces


def is_word(text: str) -> bool:
    """Whether a piece says what the others are."""
    return text.islower() and text.replace(" ", "").isalpha()


def indent(text: str) -> str:
    """The blanks before a word."""
    return text[: len(text) - len(text.lstrip())]
