"""Two saved runs beside each other: what differs, their curves, and where they disagree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.containers import Container
from textual.widget import Widget

from learners.store import compared
from tui.lab.commands import Command
from tui.lab.row_window import RowWindow
from tui.lab.runs.comparison import curves_view, entries_view, measures, settings_view
from tui.screens.list_screen import HELP, ListScreen, bindings
from tui.theme.look import Look
from tui.views.mode import ModeView
from tui.widgets.curve_pane import CurvePane
from tui.widgets.table_pane import ABOVE, TablePane

if TYPE_CHECKING:
    from learners.store import LoadedRun

COMMANDS: tuple[Command, ...] = (
    Command("up", ("up", "k"), "↑", "", "to the entry above", footer=1),
    Command("down", ("down", "j"), "↓", "move", "to the entry below", footer=2),
    Command("page_up", ("pageup",), "PgUp", "", "a page up"),
    Command("page_down", ("pagedown", "space"), "PgDn", "", "a page down (or space)"),
    Command("measure", ("m",), "m", "curve", "the next curve: exact, or of results", footer=3),
    HELP,
    Command("back", ("escape", "q"), "q", "back", "back to the list (or Esc)", footer=99),
)


class CompareScreen(ListScreen[None]):
    """Run A and run B.

    Args:
        a: a run.
        b: the other one.
        look: colours and characters.
    """

    commands = COMMANDS
    help_title = "two runs"
    BINDINGS: ClassVar[list[BindingType]] = bindings(COMMANDS)

    def __init__(self, a: LoadedRun, b: LoadedRun, look: Look) -> None:
        names = (("A", a.stored.name), ("B", b.stored.name))
        super().__init__(ModeView("RUNS", fields=names), look)
        self._a, self._b = a, b
        self.comparison = compared(a.run.state(), b.run.state())
        self.window = RowWindow()
        self.window.hold(len(self.comparison.entries))
        self._measures = measures(a, b)
        self._measure = 0
        self.settings = TablePane(look=look)
        self.curves = CurvePane(look=look)
        self.entries = TablePane(look=look)

    def panes(self) -> Iterator[Widget]:
        """Settings and curves above the entries."""
        yield Container(self.settings, self.curves, id="above", classes="row")
        yield self.entries

    def lay_out(self, columns: int, rows: int) -> None:
        """Half the rows for the entries, at least eight."""
        below = max(8, rows // 2 - 1)
        self.entries.styles.height = below
        self.settings.styles.width = columns // 2
        self.window.resize(below - ABOVE - 1)
        self.redraw(columns)

    def redraw(self, columns: int | None = None) -> None:
        """Show both runs."""
        self.settings.view = settings_view(self.comparison, (columns or self.size.width) // 2)
        self.curves.view = curves_view(self._a, self._b, self._measures[self._measure])
        self.entries.view = entries_view(self.comparison, self.window)

    def on_table_pane_scrolled(self, message: TablePane.Scrolled) -> None:
        """The wheel was turned."""
        self.walk(message.by)

    def walk(self, by: int) -> None:
        """Move the cursor by so many entries."""
        self.window.move(by)
        self.redraw()

    def ask_up(self) -> None:
        self.walk(-1)

    def ask_down(self) -> None:
        self.walk(1)

    def ask_page_up(self) -> None:
        self.window.turn(-1)
        self.redraw()

    def ask_page_down(self) -> None:
        self.window.turn(1)
        self.redraw()

    def ask_measure(self) -> None:
        self._measure = (self._measure + 1) % len(self._measures)
        self.redraw()

    def ask_back(self) -> None:
        self.dismiss()
