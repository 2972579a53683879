"""Text with roles, before it has colours: what blocks draw, in lines and on a canvas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.tui.theme.glyphs import Glyphs

Piece = tuple[str, str]
"""A text and its role: a field of `tui.theme.palette.Palette`, `bead 3`, `heat -0.5`, or a role
on the ground of another: `text on cell`."""
Line = tuple[Piece, ...]
"""A line: pieces of text from left to right."""
Words = str | Line
"""A line, or plain text."""

EMPTY: Final[Line] = ()


BEAD_LETTERS: Final = "abcdefghi"
"""Letters for bead colours, without colours."""


@lean_dataclass
class Pen:
    """The characters and colours that a block can use."""

    glyphs: Glyphs
    paints: bool = True
    """Whether backgrounds have colours."""
    colours: bool = True
    """Whether text, beads and values have colours."""

    def piece(self, text: str, role: str = "text") -> Piece:
        """Return a piece of a line; signs that grow in the terminal's characters are replaced.

        The screen replaces all others.
        """
        if role.startswith("bead "):
            text = text.replace("●", self.bead(int(role.removeprefix("bead "))))
        return self.glyphs.text(text), role

    def bead(self, number: int) -> str:
        """Return a bead of a colour, 0-8, or its letter without colours."""
        return "●" if self.colours else BEAD_LETTERS[number]

    def line(self, words: Words, role: str = "text") -> Line:
        """Return a line of words; plain text has `role`."""
        if isinstance(words, str):
            return (self.piece(words, role),) if words else EMPTY
        return tuple(self.piece(text, part) for text, part in words)


def alike(pieces: Iterable[tuple[str, Any]]) -> tuple[tuple[str, Any], ...]:
    """Return texts and their roles or styles, neighbours of one role as one text."""
    runs = groupby(pieces, key=itemgetter(1))
    return tuple(("".join([text for text, _ in run]), role) for role, run in runs)


def width(words: Words) -> int:
    return len(words) if isinstance(words, str) else sum(len(text) for text, _ in words)


NUMBER: Final = re.compile(r"[+−-]?[\d.,]*\d[\d.,]*[kMG%]?")


def crop(line: Line, columns: int) -> Line:
    """Return the first `columns` of a line; a number is never cut."""
    if width(line) <= columns:
        return line
    whole, columns = "".join(text for text, _ in line), max(0, columns)
    around = NUMBER.search(whole, max(0, whole.rfind(" ", 0, columns) + 1))
    while around is not None and around.end() <= columns:
        around = NUMBER.search(whole, around.end())
    if around is not None:
        columns = min(columns, around.start())
    pieces: list[Piece] = []
    for text, style in line:
        if columns <= 0:
            break
        pieces.append((text[:columns], style))
        columns -= len(text)
    return tuple(pieces)


def whole_words(line: Line, columns: int) -> Line:
    """Return the first words of a line that fit, at least part of the first."""
    text = "".join(text for text, _ in line)
    end = columns if text[columns : columns + 1] in ("", " ") else text.rfind(" ", 0, columns)
    return crop(line, len(text[: end if end > 0 else columns].rstrip()))


def fit(line: Line, columns: int, *, to_right: bool = False) -> Line:
    """Return a line of exactly `columns`: cropped, or padded."""
    line = crop(line, columns)
    padding = blank(columns - width(line))
    return (*padding, *line) if to_right else (*line, *padding)


def blank(columns: int) -> Line:
    return ((" " * columns, ""),) if columns > 0 else EMPTY


def spread(left: Line, right: Line, columns: int) -> Line:
    """Return a line with `left` and `right` at its ends; `right` gives way."""
    room = columns - width(left)
    if width(right) >= room:
        right = EMPTY
    return fit((*left, *blank(room - width(right)), *right), columns)


def on(line: Line, ground: str) -> Line:
    """Return the line on the ground of a role: `bar`, `cell`, `selection`."""
    return tuple((text, f"{role} on {ground}") for text, role in line)


WORD: Final = re.compile("[^ ]* +|[^ ]+")
"""A word, with the blanks after it."""


def wrap(line: Line, columns: int) -> list[Line]:
    """Return the line wrapped at `columns`; nothing without room."""
    if columns < 1:
        return []
    rows: list[list[Piece]] = [[]]
    used = 0
    words = [(word, style) for text, style in line for word in WORD.findall(text)]
    for text, style in words:
        if used + len(text.rstrip()) > columns and used:
            rows.append([])
            used = 0
        if not used:
            text = text.lstrip() if len(rows) > 1 else text
        while len(text) > columns:
            rows[-1].append((text[:columns], style))
            rows.append([])
            text = text[columns:]
        if text:
            rows[-1].append((text, style))
            used += len(text)
    return [crop(tuple(row), columns) for row in rows if row]


def frame(
    pen: Pen,
    columns: int,
    rows: int,
    title: Words,
    right: Words,
    body: Sequence[Line],
    *,
    footer: Words = "",
    focused: bool = False,
) -> list[Line]:
    """Return the lines of a framed pane: `╭─ title ──── right ─╮`.

    Args:
        columns: The pane's whole width; the body gets two less.
        rows: The pane's whole height, at least 2; the body gets two less.
        title: Plain text gets the title's style.
        right: Plain text is dim. It gives way to the title.
        body: Missing lines are blank, extra lines are dropped.
        footer: Words in the lower border.
        focused: Whether the border is lit.
    """
    edge = "focus" if focused else "faint"
    head = "focus" if focused else "title"
    lines = [_rule(columns, "╭╮", pen.line(title, head), pen.line(right, "dim"), edge)]
    for row in range(rows - 2):
        inside = fit(body[row] if row < len(body) else EMPTY, columns - 2)
        lines.append((("│", edge), *inside, ("│", edge)))
    return [*lines, _rule(columns, "╰╯", pen.line(footer, "dim"), EMPTY, edge)]


def _rule(columns: int, ends: str, left: Line, right: Line, edge: str) -> Line:
    """Return a horizontal border with words in it."""
    if width(left) > columns - 6:
        left = (*whole_words(left, columns - 7), ("…", edge))
    left, right = (
        ((" ", edge), *words, (" ", edge)) if words else EMPTY for words in (left, right)
    )
    if width(left) + width(right) >= columns - 4:
        right = EMPTY
    middle = ("─" * (columns - 4 - width(left) - width(right)), edge)
    first, last = (f"{ends[0]}─", edge), (f"─{ends[1]}", edge)
    return crop((first, *left, middle, *right, last), columns)


class Canvas:
    """A grid of styled characters; everything outside is dropped."""

    def __init__(self, columns: int, rows: int, style: str = "") -> None:
        self.columns, self.rows = max(0, columns), max(0, rows)
        self._cells = [[(" ", style)] * self.columns for _ in range(self.rows)]

    def put(self, x: int, y: int, text: str, style: str) -> None:
        if not 0 <= y < self.rows:
            return
        row = self._cells[y]
        for column, character in enumerate(text, x):
            if 0 <= column < self.columns:
                row[column] = (character, style)

    def line(self, x: int, y: int, line: Line) -> None:
        for text, style in line:
            self.put(x, y, text, style)
            x += len(text)

    def paste(self, x: int, y: int, lines: Sequence[Line]) -> None:
        for row, line in enumerate(lines, y):
            self.line(x, row, line)

    def strike(self, x: int, y: int, glyph: str) -> None:
        """Put a character of a line through marks, which keep theirs and take its style."""
        if 0 <= y < self.rows and 0 <= x < self.columns:
            text, was = self._cells[y][x]
            is_mark = text != " " and was.startswith(("x_", "o_"))
            self._cells[y][x] = (text if is_mark else glyph, "strong")

    def is_blank(self, x: int, y: int, columns: int) -> bool:
        """Return whether a stretch is on the canvas and blank."""
        is_inside = 0 <= y < self.rows and 0 <= x <= self.columns - columns
        return is_inside and all(text == " " for text, _ in self._cells[y][x : x + columns])

    def lines(self) -> list[Line]:
        return [alike(row) for row in self._cells]


def bar(share: float, columns: int, style: str, glyphs: Glyphs) -> Line:
    """Return a bar of `share` (0…1, clipped) of `columns`."""
    parts = len(glyphs.eighths) + 1
    whole, part = divmod(round(max(0.0, min(1.0, share)) * max(0, columns) * parts), parts)
    text = "█" * whole + (glyphs.eighths[part - 1] if part else "")
    return ((text, style),) if text else ()


def stacked(shares: Sequence[tuple[str, float, str]], columns: int) -> Line:
    """Return one bar of several parts: the character, the amount and the role of each."""
    total = sum(amount for _, amount, _ in shares)
    if not total or columns <= 0:
        return ()
    pieces: list[Piece] = []
    done, start = 0.0, 0
    for fill, amount, role in shares:
        done += amount
        end = round(done / total * columns)
        if end > start:
            pieces.append((fill * (end - start), role))
        start = end
    return tuple(pieces)


HALVES: Final = " ▀▄█"
"""A cell without dots, with the upper, the lower, and both."""
