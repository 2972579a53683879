"""Two saved runs beside each other: what differs, their curves, and where they disagree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.widget import Widget

from tui.lab.list_commands import COMPARE_COMMANDS
from tui.lab.runs.comparison import (
    ENTRIES,
    CompareController,
    curves_view,
    entries_view,
    settings_view,
)
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.views.lab import ModeView
from tui.widgets.curve_pane import CurvePane
from tui.widgets.table_pane import ABOVE, TablePane, blocks_of

if TYPE_CHECKING:
    from learners.store import LoadedRun


def below(rows: int) -> int:
    """The rows of the entries."""
    return max(8, rows // 2 - 1)


def beside(columns: int) -> int:
    """The columns of the settings; the curves have the others."""
    return min(columns // 2, 72)


class CompareScreen(ListScreen[None]):
    """Run A and run B.

    Args:
        a: a run.
        b: the other one.
        look: colours and characters.
    """

    commands = COMPARE_COMMANDS
    help_title = "two runs"

    def __init__(self, a: LoadedRun, b: LoadedRun, look: Look) -> None:
        self.controller = CompareController(a, b)
        super().__init__(self.controller, look)
        self.mode_line.view = ModeView("RUNS", fields=(("A", a.stored.name), ("B", b.stored.name)))
        self.settings = TablePane(look=look)
        self.curves = CurvePane(look=look)
        self.entries = TablePane(look=look)

    def panes(self) -> Iterator[Widget]:
        """Settings and curves above the entries."""
        yield Container(self.settings, self.curves, id="above", classes="row")
        yield self.entries

    def lay_out(self, columns: int, rows: int) -> None:
        """Half the rows for the entries, at least eight."""
        self.entries.styles.height = below(rows)
        self.settings.styles.width = beside(columns)

    def window_changed(self, columns: int, rows: int) -> None:
        """The entries are as many as there is room for."""
        high = self.rows_of(self.entries, rows, below(rows)) - ABOVE - 1
        self.controller.window.resize(high * blocks_of(ENTRIES, columns))

    def draw(self, columns: int, rows: int) -> None:
        """Both runs."""
        compare = self.controller
        self.settings.view = settings_view(
            compare.comparison,
            columns if self.zoom.pane is self.settings else beside(columns),
        )
        self.curves.view = curves_view(compare.a, compare.b, compare.curve)
        self.entries.view = replace(
            entries_view(compare.comparison, compare.window), blocks=blocks_of(ENTRIES, columns)
        )
