"""The base of every pane: a pure view that sends the terminal only what changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Generic, Self, TypeVar

from textual.geometry import Region, Size
from textual.reactive import var
from textual.strip import Strip
from textual.widget import Widget

from tui.theme.cells import Cell, Span, changed, merged, to_cells, to_segments
from tui.theme.look import DEFAULT, Line, Look, frame
from tui.views.words import Titled, Words
from tui.widgets.strip import PaneStrip

View = TypeVar("View")


class Pane(Widget, Generic[View]):
    """Draws a frozen view as lines. Subclasses define `lines`.

    The lines are drawn whole, frame included, and compared cell by cell with those shown. Textual's
    borders, padding, backgrounds and filters play no part, so a pane writes exactly its palette.
    Give a pane its size by CSS, but no border, padding or focus: each would repaint it whole.
    """

    DEFAULT_CSS: ClassVar[str] = "Pane { width: 1fr; height: 1fr; }"
    ALLOW_SELECT = False

    view: var[View | None] = var(None, init=False)
    """What is shown; None is an empty ground."""
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
        """A pane that shows `view`.

        Args:
            view: What to show first.
            look: The palette and the characters.
            id: The widget's id.
            classes: The widget's CSS classes.
        """
        super().__init__(id=id, classes=classes)
        self._shown: Sequence[Line] = ()
        self._cells: list[list[Cell]] = []
        self._pending: list[list[Span]] = []
        self._strips: list[PaneStrip] = []
        self._drawn_size = Size(0, 0)
        self.set_reactive(Pane.look, look)
        self.set_reactive(type(self).view, view)

    def lines(self, view: View, columns: int, rows: int) -> Sequence[Line]:
        """The lines of a view at a size. Pure: it depends on the arguments and `look` only."""
        raise NotImplementedError

    def show(self, lines: Sequence[Line]) -> None:
        """Show lines, cropped or padded to the pane, and refresh only the cells that differ."""
        columns, rows = self.size
        if self._drawn_size != self.size:
            self._draw_afresh(lines)
            return
        regions: list[Region] = []
        for row in range(rows):
            line = lines[row] if row < len(lines) else ()
            if row < len(self._shown) and line == self._shown[row]:
                continue
            cells = self._to_cells(line, columns)
            spans = changed(self._cells[row], cells)
            if spans:
                pending = merged(self._pending[row] + spans)
                self._set_row(row, cells, pending)
                first, last = pending[0][0], pending[-1][1]
                regions.append(Region(first, row, last - first, 1))
        self._shown = lines
        if regions:
            self.refresh(*regions)

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
        """The lines of `body` in a frame with the view's titles; see `tui.theme.look.frame`."""
        return frame(
            self.look,
            columns,
            rows,
            view.title,
            view.right,
            body,
            footer=footer,
            air=air,
            focused=view.focused,
        )

    def render_line(self, y: int) -> Strip:
        """The strip of one row."""
        self._keep_up()
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips of a region, exactly as drawn: Textual's styles and filters are passed by."""
        self._keep_up()
        strips = self._strips[crop.y : crop.bottom]
        if crop.x == 0 and crop.width == self.size.width:
            return list(strips)
        return [strip.whole(crop.x, crop.right) for strip in strips]

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """As any widget's, but a new layout alone repaints nothing.

        The compositor paints what a layout moved; Textual asks for a second painting all the same.
        """
        return super().refresh(
            *regions, repaint=repaint and not layout, layout=layout, recompose=recompose
        )

    def on_resize(self) -> None:
        """Draw for the new size, unless the layout's own painting already did.

        Textual has noted the whole pane for a second painting and would do it with the next change,
        however small: have it done now.
        """
        self._keep_up()
        self.refresh(Region(0, 0, 1, 1))

    def watch_view(self) -> None:
        """Show the new view; while the pane is hidden, as soon as it is seen again."""
        if self._drawn_size == self.size and self.size:
            self.show(self._compose_lines())
        else:
            self._drawn_size = Size(0, 0)

    def watch_look(self) -> None:
        """Repaint everything in the new look."""
        if self.size:
            self._draw_afresh(self._compose_lines())
            self.refresh()

    def _keep_up(self) -> None:
        """Lines for the size of now: Textual may paint a new size before it says so."""
        if self._drawn_size != self.size:
            self._draw_afresh(self._compose_lines())

    def _compose_lines(self) -> Sequence[Line]:
        if self.view is None or not self.size:
            return ()
        return self.lines(self.view, self.size.width, self.size.height)

    def _draw_afresh(self, lines: Sequence[Line]) -> None:
        """Take over lines without comparing; the caller or the layout repaints everything."""
        columns, rows = self.size
        self._drawn_size = self.size
        self._shown = lines
        self._cells = [[] for _ in range(rows)]
        self._pending = [[] for _ in range(rows)]
        self._strips = [PaneStrip((), 0, [])] * rows
        for row in range(rows):
            line = lines[row] if row < len(lines) else ()
            self._set_row(row, self._to_cells(line, columns), [])

    def _set_row(self, row: int, cells: list[Cell], pending: list[Span]) -> None:
        self._cells[row] = cells
        self._pending[row] = pending
        self._strips[row] = PaneStrip(to_segments(cells), len(cells), pending)

    def _to_cells(self, line: Line, columns: int) -> list[Cell]:
        return to_cells(line, columns, self.look.palette.ground, self.look.glyphs)
