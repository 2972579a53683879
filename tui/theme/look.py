"""How a pane looks: a palette and a set of characters; and the lines that it is drawn with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from tui.theme.glyphs import ASCII, UNICODE, Glyphs
from tui.theme.palette import DARK, PLAIN, Palette
from tui.views.words import Words

Line = tuple[tuple[str, Style], ...]
"""A line: pieces of text with their style, from left to right. Styles are laid over the ground."""

EMPTY: Final[Line] = ()


@dataclass(frozen=True, slots=True)
class Look:
    palette: Palette
    glyphs: Glyphs

    def piece(self, text: str, role: str = "text") -> tuple[str, Style]:
        """A piece of a line, in this look's characters and a role's style."""
        if role.startswith("bead "):
            text = text.replace("●", self.bead(int(role.removeprefix("bead "))))
        return self.glyphs.text(text), self.palette.style(role)

    def bead(self, number: int) -> str:
        """A bead of a colour, 0-8; where beads have no colours, its letter."""
        return self.glyphs.cell("●") if self.has_beads else BEAD_LETTERS[number % 9]

    @property
    def has_beads(self) -> bool:
        """Whether beads have colours."""
        return len(self.palette.beads) > 1

    def select(self, line: Line) -> Line:
        return tuple((text, self.palette.selected(style)) for text, style in line)

    def line(self, words: Words, role: str = "text") -> Line:
        """A line from a view's words; plain text has `role`."""
        if isinstance(words, str):
            return (self.piece(words, role),) if words else EMPTY
        return tuple(self.piece(text, part) for text, part in words)


BEAD_LETTERS: Final = "abcdefghi"
"""The colours of beads where a terminal shows none."""
DEFAULT: Final = Look(DARK, UNICODE)
BARE: Final = Look(PLAIN, ASCII)


def width(line: Line) -> int:
    return sum(len(text) for text, _ in line)


NUMBER: Final = re.compile(r"[+−-]?[\d.,]*\d[\d.,]*[kMG%]?")


def crop(line: Line, columns: int) -> Line:
    """The first `columns` of a line; a number that would be cut is left out as a whole."""
    if width(line) <= columns:
        return line
    columns = whole_numbers("".join(text for text, _ in line), max(0, columns))
    pieces: list[tuple[str, Style]] = []
    for text, style in line:
        if columns <= 0:
            break
        pieces.append((text[:columns], style))
        columns -= len(text)
    return tuple(pieces)


def whole_numbers(text: str, columns: int) -> int:
    """The most of the first `columns` characters of a text that end within no number."""
    around = NUMBER.search(text, max(0, text.rfind(" ", 0, columns) + 1))
    while around is not None and around.end() <= columns:
        around = NUMBER.search(text, around.end())
    return around.start() if around is not None and around.start() < columns else columns


def whole_words(line: Line, columns: int) -> Line:
    """The first words of a line that fit; of the first one alone, what fits."""
    text = "".join(text for text, _ in line)
    end = columns if text[columns : columns + 1] in ("", " ") else text.rfind(" ", 0, columns)
    return crop(line, len(text[: end if end > 0 else columns].rstrip()))


def fit(line: Line, columns: int, align: str = "left") -> Line:
    """A line of exactly `columns`: cropped, or padded (`align` is left, right or centre)."""
    if width(line) > columns:
        line = crop(line, columns)
    room = columns - width(line)
    before = {"left": 0, "right": room, "centre": room // 2}[align]
    return (*blank(before), *line, *blank(room - before))


def blank(columns: int) -> Line:
    return ((" " * columns, Style.null()),) if columns > 0 else EMPTY


def spread(left: Line, right: Line, columns: int) -> Line:
    """`left` and `right` at the two ends of `columns`; the right one gives way."""
    room = columns - width(left)
    if width(right) >= room:
        right = EMPTY
    return fit((*left, *blank(room - width(right)), *right), columns)


def on(line: Line, style: Style) -> Line:
    """The line standing on `style`, e.g. the background of a band."""
    return tuple((text, style + own) for text, own in line)


def wrap(line: Line, columns: int) -> list[Line]:
    """The line broken at spaces into lines of at most `columns`; none where there is no room."""
    if columns < 1:
        return []
    rows: list[list[tuple[str, Style]]] = [[]]
    used = 0
    for text, style in _tokens(line):
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


def _tokens(line: Line) -> Iterable[tuple[str, Style]]:
    for text, style in line:
        start = 0
        for place, character in enumerate(text):
            if character == " " and not text.startswith(" ", place + 1):
                yield text[start : place + 1], style
                start = place + 1
        if start < len(text):
            yield text[start:], style


def frame(
    look: Look,
    columns: int,
    rows: int,
    title: Words,
    right: Words,
    body: Sequence[Line],
    *,
    footer: Words = "",
    air: int = 1,
    focused: bool = False,
) -> list[Line]:
    """The lines of a framed pane: `╭─ title ──── right ─╮`.

    Args:
        look: The palette and characters.
        columns: The pane's whole width; the body gets two less, and the air.
        rows: The pane's whole height; the body gets two less.
        title: What the pane is; plain text gets the title's style.
        right: What it says now; plain text is dim. It gives way to the title.
        body: The lines inside; missing ones are blank, extra ones are dropped.
        footer: Words in the lower border.
        air: Blank columns between border and body, on each side.
        focused: The pane has the attention: its border is lit.
    """
    edge = look.palette.focus if focused else look.palette.faint
    head = "focus" if focused else "title"
    side = ((look.glyphs.cell("│"), edge),)
    lines = [_rule(look, columns, "╭╮", look.line(title, head), look.line(right, "dim"), edge)]
    for row in range(rows - 2):
        inside = fit(body[row] if row < len(body) else EMPTY, columns - 2 - 2 * air)
        lines.append((*side, *blank(air), *inside, *blank(air), *side))
    foot = look.line(footer, "dim")
    lines.append(_rule(look, columns, "╰╯", foot, EMPTY, edge))
    return [crop(line, columns) for line in lines[:rows]]


def _rule(look: Look, columns: int, ends: str, left: Line, right: Line, edge: Style) -> Line:
    """A horizontal border with words in it."""
    first, last = (look.glyphs.cell(end) for end in ends)
    stroke = look.glyphs.cell("─")
    if width(left) > columns - 6:
        left = (*whole_words(left, columns - 7), (look.glyphs.cell("…"), edge))
    room = columns - 4 - (width(left) + 2 if left else 0)
    if right and width(right) + 3 > room:
        right = EMPTY
    middle = room - (width(right) + 2 if right else 0)
    pieces: list[tuple[str, Style]] = [(first + stroke, edge)]
    if left:
        pieces += [(" ", edge), *left, (" ", edge)]
    pieces.append((stroke * middle, edge))
    if right:
        pieces += [(" ", edge), *right, (" ", edge)]
    pieces.append((stroke + last, edge))
    return crop(tuple(pieces), columns)


class Colourless(LineFilter):
    """Removes every colour and keeps bold, dim, underline and reverse.

    Text on a background of its own, such as a cursor or a chosen row, is reversed instead.

    Textual's own filters for `NO_COLOR` still write greys, or the codes of the default colours.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, style and _without_colour(style), control)
            for text, style, control in segments
        ]


@lru_cache(1024)
def _without_colour(style: Style) -> Style:
    plain = style.without_color
    if style.bgcolor is not None and not style.bgcolor.is_default:
        plain += Style(reverse=True)
    return plain + Style.from_meta(style.meta) if style.meta else plain
