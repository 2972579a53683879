"""One pane of a screen alone between mode line and keys, and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from textual.errors import NoWidget
from textual.widget import Widget

from afterstate_lab.tui.lab.commands import NEXT_PANE, ZOOM
from afterstate_lab.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from textual.css.scalar import Scalar
    from textual.screen import Screen

WHOLE = "1fr"


def keys_of_zoom() -> tuple[tuple[str, str], ...]:
    """What the key bar says first while a pane is alone."""
    return (ZOOM.shown, "back"), (NEXT_PANE.shown, "next pane")


class Zoom:
    """Which pane of a screen has the whole of it.

    Args:
        screen: the screen.
    """

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen
        self._last: Pane[Any] | None = None
        self._room: tuple[Scalar | None, Scalar | None] = None, None
        """Width and height that the pane has among the others."""

    @property
    def pane(self) -> Widget | None:
        """The pane that is alone; None where all are seen."""
        return self._screen.maximized

    def toggle(self) -> None:
        """Zoom the pane under the mouse, or the last one, or the largest; or show all again."""
        if self.pane is not None:
            self.end()
            return
        panes = self._panes()
        if len(panes) > 1:
            largest = max(panes, key=lambda pane: pane.region.area)
            last = self._last if self._last in panes else None
            self._begin(self._under_mouse(panes) or last or largest)

    def show_next(self) -> None:
        """Zoom the pane after the one that is alone, or was last."""
        panes = self._panes()
        if len(panes) > 1:
            at = panes.index(self._last) if self._last in panes else -1
            self._begin(panes[(at + 1) % len(panes)])

    def end(self) -> None:
        """Show all panes again."""
        pane = self.pane
        if pane is not None:
            self._screen.maximized = None
            pane.styles.width, pane.styles.height = self._room

    def end_if_hidden(self) -> None:
        """Show all panes again where the one that is alone has nothing to show any more."""
        if self.pane is not None and self.pane not in self._panes():
            self.end()

    @contextmanager
    def apart(self) -> Iterator[None]:
        """All panes get their usual room meanwhile."""
        pane = self.pane
        self.end()
        yield
        if isinstance(pane, Pane) and pane in self._panes():
            self._begin(pane)

    def _begin(self, pane: Pane[Any]) -> None:
        self.end()
        self._last = pane
        self._room = pane.styles.width, pane.styles.height
        pane.styles.width = pane.styles.height = WHOLE
        self._screen.maximized = pane

    def _panes(self) -> list[Pane[Any]]:
        """The panes that are seen where none is alone, in the order of the screen."""
        return [
            pane
            for pane in self._screen.query(Pane)
            if pane.can_zoom and all(node.display for node in pane.ancestors_with_self)
        ]

    def _under_mouse(self, panes: list[Pane[Any]]) -> Pane[Any] | None:
        """The pane under the mouse, once that was moved."""
        place = self._screen.app.mouse_position
        try:
            found = self._screen.get_widget_at(*place)[0] if any(place) else None
        except NoWidget:
            return None
        return next((pane for pane in panes if pane is found), None)
