"""The palette of commands: Textual's, standing still."""

from __future__ import annotations

import contextlib
from typing import Any

from textual.command import CommandList, SearchIcon
from textual.containers import Horizontal
from textual.css.query import NoMatches
from textual.widgets import Input, LoadingIndicator

from tui.screens.base import DismissOnce
from tui.terminal.textual_internals import OpenPalette


class LabPalette(DismissOnce, OpenPalette):
    """All commands, to be searched by name."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._stand_ins: dict[Any, Any] = {
            CommandList: CommandList(),
            "#--input": Horizontal(),
            LoadingIndicator: LoadingIndicator(),
        }

    def query_one(self, selector: Any, expect_type: Any = None) -> Any:
        """As any screen's; a part that is not mounted yet, or no more, is empty.

        Keys, timers and searches reach a palette before it is composed and while it closes, and
        most of what Textual's does then asks for its list, or what is beside it.
        """
        arguments = (selector,) if expect_type is None else (selector, expect_type)
        try:
            return super().query_one(*arguments)
        except NoMatches:
            if selector in self._stand_ins:
                return self._stand_ins[selector]
            raise

    def on_mount(self) -> None:
        """A blinking cursor would write to the line for ever; an emoji is not on every terminal."""
        for field in self.query(Input):
            field.cursor_blink = False
        for icon in self.query(SearchIcon):
            icon.icon = ">"

    def move_in_list(self, action: str) -> None:
        """Move in the list; one that has no room has no lines to move in."""
        with contextlib.suppress(LookupError):
            super().move_in_list(action)
