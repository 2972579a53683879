"""Lines of text with roles as a widget, painted exactly as drawn; and the line that is typed."""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest
from typing import Final

from rich.cells import get_character_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from afterstate_lab.tui.blocks.span import Line, Pen, blank, fit, on, width
from afterstate_lab.tui.theme.glyphs import Glyphs
from afterstate_lab.tui.theme.palette import PLAIN, Look, Palette

UNKNOWN: Final = "·"
"""Replaces a character that is not one visible column."""


class Paper(Widget):
    """A widget of lines; the terminal's picture decides what is sent."""

    ALLOW_SELECT = False
    lines: tuple[Strip, ...] = ()

    ground: Style | None = None

    def show(self, lines: list[Line], look: Look) -> None:
        """Paint the lines that differ from those shown before."""
        self.ground, before = look.palette.ground, self.lines
        self.lines = tuple(strip_of(line, width(line), look) for line in lines)
        both = zip_longest(self.lines, before)
        rows = [y for y, (line, old) in enumerate(both) if line != old]
        if rows:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in rows))

    def post_message(self, message: Message) -> bool:
        """Hand clicks to the screen at once, so that they come before later keys."""
        to_screen = isinstance(message, events.MouseEvent) and self.is_attached
        return self.screen.post_message(message) if to_screen else super().post_message(message)

    def render_line(self, y: int) -> Strip:
        line = self.lines[y] if y < len(self.lines) else Strip(())
        return line.adjust_cell_length(self.size.width, self.ground)


def pen_of(look: Look) -> Pen:
    """Return the pen of a look."""
    palette = look.palette
    return Pen(look.glyphs, palette.paints, palette is not PLAIN)


def strip_of(line: Line, columns: int, look: Look) -> Strip:
    """Return a row of exactly `columns`, cropped or padded."""
    return Strip(
        [
            Segment(visible(text, look.glyphs), over_ground(look.palette, role))
            for text, role in fit(line, columns)
        ],
        columns,
    )


@lru_cache(4096)
def visible(text: str, glyphs: Glyphs) -> str:
    """Return a text with one visible character per character, each of one column."""
    if text.isascii() and text.isprintable():
        return text
    seen = (
        character
        if character.isprintable() and get_character_cell_size(character) == 1
        else UNKNOWN
        for character in text
    )
    return "".join(map(glyphs.cell, seen))


@lru_cache(4096)
def over_ground(palette: Palette, role: str) -> Style:
    return palette.ground + palette.style(role)


EDITING: Final = {
    key: binding.action
    for binding in Input.BINDINGS
    if isinstance(binding, Binding) and binding.action != "submit"
    for key in binding.key.split(",")
}
"""Keys that edit the line, with their actions."""


class TypedLine(Input):
    """What is typed, the answer to a question or what a page lets type; the paper shows it."""

    def drawn(self, label: str, columns: int, pen: Pen) -> Line:
        """Return the line, scrolled to its cursor."""
        label, at = f" {label}: ", self.cursor_position
        start, stop = sorted(self.selection)
        stop = max(stop, start + 1)
        first = max(0, at + 2 - (columns - len(label)))
        start, text = max(first, start), f"{self.value} "
        pieces = (
            (label, "key on bar"),
            (text[first:start], "text on bar"),
            (text[start:stop], "tag step"),
            (text[stop:], "text on bar"),
        )
        return fit((*pen.line(pieces), *on(blank(columns), "bar")), columns)
