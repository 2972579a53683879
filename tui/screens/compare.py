"""Two saved runs beside each other: what differs, their curves, and where they disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import Screen

from learners.store import compared
from tui.lab.commands import Command, hinted, hints
from tui.lab.comparing import curves_view, entries_view, measures, settings_view
from tui.lab.rows import RowWindow
from tui.look import Look
from tui.screens.behind import Covering
from tui.screens.help import HelpScreen
from tui.screens.leaving import Leaving
from tui.screens.panes import SMALLEST
from tui.views.mode import KeysView, ModeView
from tui.widgets.curve_pane import CurvePane
from tui.widgets.help_pane import HelpView
from tui.widgets.key_bar import KeyBar
from tui.widgets.mode_line import ModeLine
from tui.widgets.table_pane import ABOVE, TablePane
from tui.widgets.too_small import TooSmall

if TYPE_CHECKING:
    from learners.store import LoadedRun

COMMANDS: tuple[Command, ...] = (
    Command("up", ("up", "k"), "↑", "", "to the entry above", footer=1),
    Command("down", ("down", "j"), "↓", "move", "to the entry below", footer=2),
    Command("page_up", ("pageup",), "PgUp", "", "a page up"),
    Command("page_down", ("pagedown", "space"), "PgDn", "", "a page down (or space)"),
    Command("measure", ("m",), "m", "curve", "the next curve: exact, or of results", footer=3),
    Command("help", ("question_mark", "f1"), "?", "help", "this help", footer=98),
    Command("back", ("escape", "q"), "q", "back", "back to the list (or Esc)", footer=99),
)


class CompareScreen(Leaving, Covering, Screen[None]):
    """Run A and run B.

    Args:
        a: a run.
        b: the other one.
        look: colours and characters.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"ask({command.name!r})", command.label, show=False)
        for command in COMMANDS
        for key in command.keys
    ]
    AUTO_FOCUS = None

    def __init__(self, a: LoadedRun, b: LoadedRun, look: Look) -> None:
        super().__init__()
        self.look = look
        self._a, self._b = a, b
        self.comparison = compared(a.run.state(), b.run.state())
        self.window = RowWindow()
        self.window.hold(len(self.comparison.entries))
        self._measures = measures(a, b)
        self._measure = 0
        names = (("A", a.stored.name), ("B", b.stored.name))
        self.mode_line = ModeLine(ModeView("RUNS", fields=names), look=look)
        self.settings = TablePane(look=look)
        self.curves = CurvePane(look=look)
        self.above = Container(self.settings, self.curves, id="above", classes="row")
        self.entries = TablePane(look=look)
        self.too_small = TooSmall(look=look, id="too-small")
        self.keys = KeyBar(KeysView(hints(COMMANDS)), look=look)

    def compose(self) -> ComposeResult:
        """Settings and curves above the entries."""
        yield self.mode_line
        yield self.above
        yield self.entries
        yield self.too_small
        yield self.keys

    def on_resize(self, event: events.Resize) -> None:
        """Lay the panes out for the new size."""
        columns, rows = event.size
        fits = columns >= SMALLEST.width and rows >= SMALLEST.height
        for pane in (self.mode_line, self.above, self.entries, self.keys):
            pane.display = fits
        self.too_small.display = not fits
        if not fits:
            self.too_small.view = (columns, rows, *SMALLEST)
            return
        below = max(8, (rows - 2) // 2 - 1)
        self.entries.styles.height = below
        self.settings.styles.width = columns // 2
        self.window.resize(below - ABOVE - 1)
        self.redraw(columns)

    def redraw(self, columns: int | None = None) -> None:
        """Show both runs."""
        self.settings.view = settings_view(self.comparison, (columns or self.size.width) // 2)
        self.curves.view = curves_view(self._a, self._b, self._measures[self._measure])
        self.entries.view = entries_view(self.comparison, self.window)

    def action_ask(self, name: str) -> None:
        """Do what a command asks for."""
        getattr(self, f"ask_{name}")()

    def on_key_bar_key_chosen(self, message: KeyBar.KeyChosen) -> None:
        """A hint of the footer was clicked."""
        command = hinted(message.key, COMMANDS)
        if command is not None:
            self.action_ask(command.name)

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

    def ask_help(self) -> None:
        keys = tuple((command.shown, command.help) for command in COMMANDS)
        self.app.push_screen(HelpScreen(HelpView((("two runs", keys),)), self.look))

    def ask_back(self) -> None:
        self.dismiss()
