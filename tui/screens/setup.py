"""Setup: who plays, with which options, from which seed; chosen from lists, or typed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.containers import Container, Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Label

from tui.lab.list_commands import SETUP_COMMANDS
from tui.lab.modes import Settings
from tui.lab.setup import SetupController
from tui.lab.setup_view import FORM, FORM_WITH_RANGE, about_view, choices_view, form_view
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.views.lab import ModeView
from tui.widgets.cards import TextPane
from tui.widgets.pane import RowsPane
from tui.widgets.table_pane import ABOVE, TablePane

if TYPE_CHECKING:
    from tui.screens.lab import LabScreen

LINES = ("X", "O", "seed")
"""The fields with a line to type in."""
WIDE = 110
"""From so many columns on the form tells ranges too."""
WIDEST = 160
"""From so many on it tells meanings."""
HIGH = 34
"""From so many rows on a recipe has its list beside its story."""
ABOUT_ROWS = 7
EDITING = {
    "backspace": "action_delete_left",
    "ctrl+u": "action_delete_left_all",
    "ctrl+w": "action_delete_left_word",
}
"""Keys that begin to change the line as it is, and what they do to it."""


class SetupScreen(ListScreen[Settings | None]):
    """A form, what its current row may become, and the lines of those who type.

    It answers what is set up.

    Args:
        settings: what is set up at first.
        look: colours and characters.
    """

    commands = SETUP_COMMANDS
    help_title = "setup"
    AUTO_FOCUS = ""

    def __init__(self, settings: Settings, *, look: Look) -> None:
        self.controller = SetupController(settings)
        super().__init__(self.controller, look)
        self.add_class(look.glyphs.name)
        self.form = TablePane(look=look)
        self.choices = ChoicesPane(look=look)
        self.about = TextPane(look=look)
        self._beside = Container(self.choices, self.about, classes="column")
        self.lines = {field: Input(id=field.lower(), select_on_focus=False) for field in LINES}

    def panes(self) -> Iterator[Widget]:
        """The form and the choices beside each other, the lines to type in below."""
        yield Container(self.form, self._beside, classes="row")
        for field, line in self.lines.items():
            yield Horizontal(Label(field, markup=False), line, classes="line")

    def on_mount(self) -> None:
        """Nothing blinks."""
        for line in self.lines.values():
            line.cursor_blink = False

    def lay_out(self, columns: int, rows: int) -> None:
        """The form is as wide as what it tells."""
        self.form.styles.width = self.form_columns(columns)

    def form_columns(self, columns: int) -> int:
        """The width of the form in a terminal of so many columns."""
        if columns < WIDE:
            return FORM
        return columns * 3 // 5 if columns >= WIDEST else FORM_WITH_RANGE

    def window_changed(self, columns: int, rows: int) -> None:
        """The form shows as many rows as it has room for."""
        self.controller.resize(self.rows_of(self.form, rows, rows - len(LINES)) - ABOVE - 1)

    def draw(self, columns: int, rows: int) -> None:
        """The form, the choices, and the lines as they are typed."""
        setup = self.controller
        height = rows - len(LINES)
        is_recipe = setup.row.field == "recipe"
        self.choices.display = not is_recipe or height >= HIGH
        about = height // 2 if is_recipe else ABOUT_ROWS
        self.about.styles.height = about if self.choices.display else height
        shown = max(1, self.rows_of(self.choices, rows, height - about) - ABOVE - 1)
        self.mode_line.view = ModeView("SETUP", x=str(setup.specs["X"]), o=str(setup.specs["O"]))
        self.form.view = form_view(setup, self.form_columns(columns))
        self.choices.view = choices_view(setup, columns - self.form_columns(columns), shown)
        self.about.view = about_view(setup)
        if setup.typed is None and self.focused is not None:
            self.set_focus(None)
        for field, line in self.lines.items():
            if line is not self.focused:
                self.fill(line, setup.text_of(field))

    def action_perform(self, name: str, key: str = "") -> None:
        """Do what a command asks for, with the line as it is typed by now."""
        setup, line = self.controller, self.focused
        if isinstance(line, Input) and setup.typed is not None:
            if setup.typed != line.value:
                setup.type(line.value)
            super().action_perform(name, key)
            self.fill(line, setup.text_of(self.field_of(line)))
        else:
            super().action_perform(name, key)

    def field_of(self, line: Widget | None) -> str:
        return next((field for field, known in self.lines.items() if known is line), "")

    def on_key(self, event: events.Key) -> None:
        """A character begins to type the line of the current row, and some keys to change it."""
        setup, character = self.controller, event.character
        if character is not None and event.is_printable:
            event.stop()
            if setup.typed is not None:  # typed ahead, before the line had the focus
                setup.type(self.lines[setup.row.field].value + character)
                self.focus_line()
            elif setup.start_typing(character):
                self.focus_line()
            self.redraw()
        elif event.key in EDITING and self.focused is None and setup.row.field in self.lines:
            event.stop()
            setup.type(setup.text_of(setup.row.field))
            getattr(self.focus_line(), EDITING[event.key])()
            self.redraw()

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted is what the line of the current field says."""
        lines = event.text.splitlines()
        if self.focused is None and lines and self.controller.row.field in self.lines:
            self.controller.type(lines[0])
            self.focus_line()
            self.redraw()

    def focus_line(self) -> Input:
        """Type in the line of the current row, at its end."""
        field = self.controller.row.field
        line = self.lines[field]
        self.fill(line, self.controller.text_of(field))
        line.cursor_position = len(line.value)
        self.set_focus(line)
        return line

    def fill(self, line: Input, text: str) -> None:
        """Let a line say a text, which is known already."""
        if line.value != text:
            with line.prevent(Input.Changed):
                line.value = text
            line.cursor_position = len(text) if line is self.focused else 0

    def on_input_changed(self, event: Input.Changed) -> None:
        """The line says something else."""
        if event.input is self.focused and self.controller.typed != event.value:
            self.controller.type(event.value)
            self.redraw()

    def on_input_submitted(self) -> None:
        """Begin, if all will do."""
        if self.is_active:
            self.action_perform("begin")

    def on_descendant_focus(self) -> None:
        """A line that is clicked is typed in."""
        setup = self.controller
        field = self.field_of(self.focused)
        if not field or (setup.typed is not None and field == setup.row.field):
            return
        setup.take_typed()
        setup.go_to_field(field)
        setup.type(setup.text_of(field))
        self.redraw()

    def on_choices_pane_value_clicked(self, message: ChoicesPane.ValueClicked) -> None:
        self.controller.choose_value(message.row)
        if isinstance(self.focused, Input):
            self.fill(self.focused, self.controller.text_of(self.field_of(self.focused)))
        self.redraw()


class ChoicesPane(TablePane):
    """What a row may become; a click posts `ValueClicked`."""

    @dataclass
    class ValueClicked(Message):
        row: int
        """Its number in the window."""

    def on_rows_pane_row_chosen(self, message: RowsPane.RowChosen) -> None:
        message.stop()
        self.post_message(self.ValueClicked(message.row))


def open_on(lab: LabScreen, settings: Settings) -> None:
    lab.app.push_screen(SetupScreen(settings, look=lab.look), lab.set_up)
