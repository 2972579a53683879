"""The bases of all panes: they draw a frozen view as lines, and post what was clicked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, Generic, TypeVar

from rich.cells import get_character_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import var
from textual.strip import Strip
from textual.widget import Widget

from afterstate_lab.tui.blocks.span import EMPTY, Line, Pen, fit, frame
from afterstate_lab.tui.theme.glyphs import Glyphs
from afterstate_lab.tui.theme.look import DEFAULT, Look
from afterstate_lab.tui.theme.palette import Palette
from afterstate_lab.tui.views.words import Titled, Words

View = TypeVar("View")

UNKNOWN: Final = "·"
"""Stands for a character that is no single visible column."""


class Pane(Widget, Generic[View]):
    """Draws a frozen view as lines. Subclasses define `lines`.

    A pane draws its frame itself and writes exactly the styles of its palette: Textual's borders,
    padding, backgrounds and filters play no part. A new view repaints the rows that differ;
    `tui.terminal.picture` sends of those only the cells that the terminal does not show yet.
    """

    DEFAULT_CSS: ClassVar[str] = "Pane { width: 1fr; height: 1fr; }"
    ALLOW_SELECT = False
    can_zoom: ClassVar[bool] = True
    """Whether it can have the whole screen."""

    view: var[View | None] = var(None, init=False)
    """What is shown; None is an empty ground."""
    is_lit: var[bool] = var(False, init=False)
    """Whether a lesson talks of it."""
    look: var[Look] = var(DEFAULT, init=False)
    """The palette and the characters."""

    def __init__(
        self,
        view: View | None = None,
        *,
        look: Look = DEFAULT,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._shown: list[Line] = []
        self._strips: list[Strip] = []
        self._drawn_size = Size(0, 0)
        self.set_reactive(Pane.look, look)
        self.set_reactive(type(self).view, view)

    @dataclass
    class TextClicked(Message):
        """A click that is for nothing else; a subclass that takes one prevents this."""

        line: str
        column: int

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.TextClicked(self.render_line(event.y).text, event.x))

    @property
    def pen(self) -> Pen:
        return pen_of(self.look)

    def lines(self, view: View, columns: int, rows: int) -> Sequence[Line]:
        """The lines of a view at a size. Pure: it depends on the arguments and `look` only."""
        raise NotImplementedError

    def framed(
        self,
        view: Titled,
        columns: int,
        rows: int,
        body: Sequence[Line],
        *,
        footer: Words = "",
        air: int = 1,
    ) -> list[Line]:
        """The lines of `body` in a frame with the view's titles; see `tui.blocks.span.frame`."""
        return frame(
            self.pen,
            columns,
            rows,
            view.title,
            view.right,
            body,
            footer=footer,
            air=air,
            focused=view.focused or self.is_lit,
        )

    def render_line(self, y: int) -> Strip:
        if self._drawn_size != self.size:
            self._redraw()
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips of a region, exactly as drawn: Textual's styles and filters are passed by."""
        return [self.render_line(y).crop(crop.x, crop.right) for y in crop.line_range]

    def watch_view(self) -> None:
        """Repaint the rows that differ; a pane that is hidden is drawn when it is seen again."""
        if not self.size or self._drawn_size != self.size:
            self._drawn_size = Size(0, 0)
            return
        width = self.size.width
        changed = self._redraw()
        if changed:
            self.refresh(*(Region(0, row, width, 1) for row in changed))

    def watch_look(self) -> None:
        self._drawn_size = Size(0, 0)
        self.refresh()

    def watch_is_lit(self) -> None:
        self.watch_view()

    def _redraw(self) -> list[int]:
        """Draw the view at the current size.

        Returns:
            The rows that differ from those drawn before.
        """
        columns, rows = self.size
        is_new = self._drawn_size != self.size
        before = [None] * rows if is_new else self._shown
        lines = () if self.view is None or not self.size else self.lines(self.view, columns, rows)
        self._shown = [lines[row] if row < len(lines) else EMPTY for row in range(rows)]
        if is_new:
            self._drawn_size, self._strips = self.size, [Strip.blank(columns)] * rows
        changed = [row for row in range(rows) if self._shown[row] != before[row]]
        for row in changed:
            self._strips[row] = strip_of(self._shown[row], columns, self.look)
        return changed


def pen_of(look: Look) -> Pen:
    """What blocks and panes draw with in a look."""
    palette = look.palette
    return Pen(look.glyphs, palette.paints, palette.has_colours, palette.has_colours)


def strip_of(line: Line, columns: int, look: Look) -> Strip:
    """A row of exactly `columns`: the line over the ground, cropped or padded."""
    return Strip(
        [
            Segment(visible(text, look.glyphs), over_ground(look.palette, role))
            for text, role in fit(line, columns)
        ],
        columns,
    )


def visible(text: str, glyphs: Glyphs) -> str:
    """A text with one visible character of one column for each of its own."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(visible_character(character, glyphs) for character in text)


@lru_cache(4096)
def visible_character(character: str, glyphs: Glyphs) -> str:
    """A control, an invisible or a wide character becomes one visible column."""
    if not character.isprintable() or get_character_cell_size(character) != 1:
        character = UNKNOWN
    return glyphs.cell(character)


@lru_cache(4096)
def over_ground(palette: Palette, role: str) -> Style:
    return palette.ground + palette.style(role)
