"""Lines of text with roles as a widget: what is painted is exactly what was drawn."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rich.cells import get_character_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from afterstate_lab.tui.blocks.span import Line, Pen, fit, width
from afterstate_lab.tui.theme.glyphs import Glyphs
from afterstate_lab.tui.theme.look import Look
from afterstate_lab.tui.theme.palette import Palette

UNKNOWN: Final = "·"
"""Replaces a character that is not one visible column."""


class Paper(Widget):
    """Lines as they are; what is sent of them is up to the terminal's picture."""

    ALLOW_SELECT = False
    lines: tuple[Strip, ...] = ()

    ground: Style | None = None

    def show(self, lines: list[Line], look: Look) -> None:
        self.ground = look.palette.ground
        self.lines = tuple(strip_of(line, width(line), look) for line in lines)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        line = self.lines[y] if y < len(self.lines) else Strip(())
        return line.adjust_cell_length(self.size.width, self.ground)


def pen_of(look: Look) -> Pen:
    """Return what blocks and panes draw with in a look."""
    palette = look.palette
    return Pen(look.glyphs, palette.paints, palette.has_colours, palette.has_colours)


def strip_of(line: Line, columns: int, look: Look) -> Strip:
    """Return a row of exactly `columns`: the line over the ground, cropped or padded."""
    return Strip(
        [
            Segment(visible(text, look.glyphs), over_ground(look.palette, role))
            for text, role in fit(line, columns)
        ],
        columns,
    )


def visible(text: str, glyphs: Glyphs) -> str:
    """Return a text with one visible character of one column for each of its own."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(visible_character(character, glyphs) for character in text)


@lru_cache(4096)
def visible_character(character: str, glyphs: Glyphs) -> str:
    """Return a control, an invisible or a wide character becomes one visible column."""
    if not character.isprintable() or get_character_cell_size(character) != 1:
        character = UNKNOWN
    return glyphs.cell(character)


@lru_cache(4096)
def over_ground(palette: Palette, role: str) -> Style:
    return palette.ground + palette.style(role)
