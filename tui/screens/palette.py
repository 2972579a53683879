"""The palette of commands: Textual's, standing still."""

from __future__ import annotations

from textual.command import CommandPalette, SearchIcon
from textual.widgets import Input

from tui.screens.leaving import Leaving


class LabPalette(Leaving, CommandPalette):
    """All commands, to be searched by name."""

    def on_mount(self) -> None:
        """A blinking cursor would write to the line for ever; an emoji is not on every terminal."""
        for field in self.query(Input):
            field.cursor_blink = False
        for icon in self.query(SearchIcon):
            icon.icon = ">"
