"""The palette of commands: Textual's, standing still."""

from __future__ import annotations

import contextlib
from typing import Any

from textual.command import SearchIcon
from textual.css.query import NoMatches
from textual.widgets import Input
from textual.worker import Worker

from tui.screens.base import DismissOnce
from tui.terminal.textual_internals import OpenPalette


class LabPalette(DismissOnce, OpenPalette):
    """All commands, to be searched by name."""

    def on_mount(self) -> None:
        """A blinking cursor would write to the line for ever; an emoji is not on every terminal."""
        for field in self.query(Input):
            field.cursor_blink = False
        for icon in self.query(SearchIcon):
            icon.icon = ">"

    def run_worker(self, work: Any, *args: Any, **options: Any) -> Worker[Any]:
        """Search in the background; one that is left before that begins has no list for it."""

        async def search() -> None:
            with contextlib.suppress(NoMatches):
                await work()

        return super().run_worker(search, *args, **options)

    def move_in_list(self, action: str) -> None:
        """Move in the list; one that has no room has no lines to move in."""
        with contextlib.suppress(LookupError):
            super().move_in_list(action)
