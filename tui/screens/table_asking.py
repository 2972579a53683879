"""What each command of the table does; the screen shows what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tui.lab.table.commands import TABLE_COMMANDS
from tui.lab.table.filter import FilterError
from tui.screens.ask import Ask
from tui.screens.base import RunScreen
from tui.screens.help import HelpScreen
from tui.widgets.help_pane import HelpView

if TYPE_CHECKING:
    from textual.app import App

    from tui.lab.session import Session
    from tui.lab.table.browser import TableBrowser
    from tui.theme.look import Look


class TableAsking(RunScreen):
    """The commands, one method each, by the names in `tui.lab.table.commands`."""

    session: Session
    browser: TableBrowser
    look: Look
    app: App[Any]
    leaves_for: int | None
    """The row whose history is wanted as soon as it is found."""

    def redraw(self) -> None:
        """Show the table as it is."""
        raise NotImplementedError

    def look_up(self, row: int) -> Any:
        """Find in the background where a row was written last."""
        raise NotImplementedError

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
            self.browser.note = "Its history can be seen when the training is over."
        elif rows is None or row is None or not rows.visits[row]:
            self.browser.note = "Nothing has written this entry yet."
        elif row in self.browser.written:
            self.leave_for(row)
        else:
            self.leaves_for = row
            self.browser.note = "Looking for its last write; any key goes on."
            self.look_up(row)

    def leave_for(self, row: int) -> None:
        """Go where a row was written last."""
        place = self.browser.written[row]
        if place is not None:
            self.dismiss(place)
        else:
            self.browser.note = "It was written before this run began."

    def ask_help(self) -> None:
        keys = tuple((command.shown, command.help) for command in TABLE_COMMANDS)
        self.app.push_screen(HelpScreen(HelpView((("table", keys),)), self.look))

    def ask_back(self) -> None:
        self.dismiss(None)
