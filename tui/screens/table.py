"""The table: every entry of what a player knows, sorted, filtered, and looked at from every side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.geometry import Size
from textual.screen import Screen

from tui.lab.commands import hints
from tui.lab.mode import mode_view
from tui.lab.session import Session
from tui.lab.table_browser import TableBrowser
from tui.lab.table_commands import TABLE_COMMANDS
from tui.lab.table_entry import entry_view
from tui.lab.table_filter import FilterError
from tui.lab.table_view import strip_view, table_view
from tui.look import Look
from tui.screens.ask import Ask
from tui.screens.help import HelpScreen
from tui.screens.panes import SMALLEST
from tui.views.mode import KeysView
from tui.widgets.entry_pane import EntryPane
from tui.widgets.heat_strip import AROUND, HeatStrip
from tui.widgets.help_pane import HelpView
from tui.widgets.key_bar import KeyBar
from tui.widgets.mode_line import ModeLine
from tui.widgets.table_pane import ABOVE, TablePane
from tui.widgets.too_small import TooSmall

STRIP_ROWS = 4
ENTRY_COLUMNS = 28
"""The least that an entry's details take."""
REFRESH_SECONDS = 1.0
"""While it is trained, the numbers are taken over so often."""


def bindings() -> list[BindingType]:
    """A binding for every key of every command."""
    return [
        Binding(key, f"ask({command.name!r}, {key!r})", command.label, show=False, priority=key == "tab")
        for command in TABLE_COMMANDS
        for key in command.keys
    ]


class TableScreen(Screen[tuple[int, ...] | None]):
    """The table at the place that the lab looks at.

    It answers where in memory the entry lies whose history is wanted.

    Args:
        session: the lab.
        look: colours and characters.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings()
    AUTO_FOCUS = None

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.session = session
        self.look = look
        self.browser = TableBrowser(session)
        self.mode_line = ModeLine(look=look)
        self.strip = HeatStrip(look=look, id="strip")
        self.table = TablePane(look=look)
        self.entry = EntryPane(look=look, id="entry")
        self.too_small = TooSmall(look=look, id="too-small")
        self.keys = KeyBar(KeysView(hints(TABLE_COMMANDS)), look=look)

    def compose(self) -> ComposeResult:
        """The strip of all entries above the table, the selected one beside it."""
        yield self.mode_line
        yield self.strip
        with Container(id="rows", classes="row"):
            yield self.table
            yield self.entry
        yield self.too_small
        yield self.keys

    def on_mount(self) -> None:
        """Show what there is, and keep up with a training."""
        self.strip.styles.height = STRIP_ROWS
        if self.session.is_training:
            self.set_interval(REFRESH_SECONDS, self.take_over)

    def on_resize(self, event: events.Resize) -> None:
        """Lay the panes out for the new size."""
        columns, rows = event.size
        self.entry.styles.width = min(40, max(ENTRY_COLUMNS, columns - 84))
        self.browser.resize(rows - STRIP_ROWS - ABOVE - 3)
        self.redraw(event.size)

    def redraw(self, size: Size | None = None) -> None:
        """Show the table as it is; panes send only what changed."""
        columns, rows = size or self.size
        fits = columns >= SMALLEST.width and rows >= SMALLEST.height
        for pane in (self.mode_line, self.strip, self.table.parent, self.keys):
            pane.display = fits  # type: ignore[union-attr]
        self.too_small.display = not fits
        if not fits:
            self.too_small.view = (columns, rows, *SMALLEST)
            return
        top = mode_view(self.session)
        self.mode_line.view = replace(top, mode="TABLE", phases=(), phase=None, status="")
        self.strip.view = strip_view(self.browser, columns - AROUND)
        self.table.view = table_view(self.browser)
        self.entry.view = entry_view(self.browser)

    def take_over(self) -> None:
        """Show the numbers of now."""
        self.session.look_at_training()
        self.browser.refresh()
        self.redraw()

    def action_ask(self, name: str, key: str = "") -> None:
        """Do what a command asks for, and show what came of it."""
        self.browser.note = ""
        ask: Callable[..., None] = getattr(self, f"ask_{name}")
        ask(int(key)) if name == "sort_by" else ask()
        self.redraw()

    def on_key_bar_key_chosen(self, message: KeyBar.KeyChosen) -> None:
        """A hint of the footer was clicked."""
        for command in TABLE_COMMANDS:
            if message.key.endswith(command.shown):
                self.action_ask(command.name)
                return

    def on_table_pane_row_chosen(self, message: TablePane.RowChosen) -> None:
        """A row was clicked."""
        self.browser.go_to(self.browser.top + message.row)
        self.redraw()

    def on_table_pane_scrolled(self, message: TablePane.Scrolled) -> None:
        """The wheel was turned."""
        self.browser.move(message.by)
        self.redraw()

    def ask_up(self) -> None:
        self.browser.move(-1)

    def ask_down(self) -> None:
        self.browser.move(1)

    def ask_page_up(self) -> None:
        self.browser.turn(-1)

    def ask_page_down(self) -> None:
        self.browser.turn(1)

    def ask_home(self) -> None:
        self.browser.go_to(0)

    def ask_end(self) -> None:
        self.browser.go_to(len(self.browser.order) - 1)

    def ask_sort(self) -> None:
        self.browser.sort_by_next()

    def ask_reverse(self) -> None:
        self.browser.reverse_order()

    def ask_sort_by(self, number: int) -> None:
        self.browser.sort_by_number(number)

    def ask_filter(self) -> None:
        hint = "visits>10 error>.1 ply=3 X.O...... ?.X@5 class never"
        self.app.push_screen(
            Ask("filter", hint, self.filter_by, value=self.browser.filter_text, look=self.look)
        )

    def filter_by(self, text: str) -> str:
        """Show what a filter lets through; the sentence that says what is wrong with it."""
        try:
            self.browser.filter_by(text)
        except FilterError as error:
            return str(error)
        self.browser.note = ""
        self.redraw()
        return ""

    def ask_class(self) -> None:
        self.browser.filter_class()

    def ask_all(self) -> None:
        self.browser.filter_by("")

    def ask_other(self) -> None:
        self.browser.show_player(1 - self.browser.side)

    def ask_x(self) -> None:
        self.browser.show_player(0)

    def ask_o(self) -> None:
        self.browser.show_player(1)

    def ask_jump(self) -> None:
        rows, row = self.browser.rows, self.browser.selected
        if self.session.is_training:
            self.browser.note = "While it trains the table only looks on."
        elif rows is not None and row is not None and rows.visits[row]:
            self.dismiss(rows.memory_indices(row))
        else:
            self.browser.note = "Nothing has written this entry yet."

    def ask_help(self) -> None:
        keys = tuple((command.shown, command.help) for command in TABLE_COMMANDS)
        self.app.push_screen(HelpScreen(HelpView((("table", keys),)), self.look))

    def ask_back(self) -> None:
        self.dismiss(None)
