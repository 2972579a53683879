"""The bottom line: keys and what they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.message import Message

from tui.theme.look import Line, blank, width
from tui.views.mode import KeysView
from tui.widgets.pane import Pane


class KeyBar(Pane[KeysView]):
    """`space pause  + − speed  …  ? help  q quit`; a click on a hint chooses its key."""

    DEFAULT_CSS: ClassVar[str] = "KeyBar { height: 1; }"

    @dataclass
    class KeyChosen(Message):
        """A hint was clicked."""

        key: str
        """The key as shown."""

    def lines(self, view: KeysView, columns: int, rows: int) -> list[Line]:
        """One line; hints give way from the right, except those kept."""
        line: Line = ()
        for start, key, label in self._places(view, columns):
            line = (*line, *blank(start - width(line)))
            line = (*line, *self.look.line(((key, "key"), (f" {label}", "dim"))))
        return [line]

    def on_click(self, event: events.Click) -> None:
        """Say which hint is under the pointer."""
        if self.view is None:
            return
        for start, key, label in self._places(self.view, self.size.width):
            if start <= event.x <= start + len(key) + len(label):
                self.post_message(self.KeyChosen(key))

    def _places(self, view: KeysView, columns: int) -> list[tuple[int, str, str]]:
        """Where each hint that fits starts, its key and its label, as written."""
        text = self.look.glyphs.text
        hints = [(key, text(key), text(label)) for key, label in view.keys]
        kept = [hint for hint in hints if hint[0] in view.kept]
        free = [hint for hint in hints if hint[0] not in view.kept]

        def long(chosen: list[tuple[str, str, str]]) -> int:
            return 1 + sum(len(key) + len(label) + 3 for _, key, label in chosen) - 2

        while free and long(free + kept) > columns:
            free.pop()
        while kept and long(free + kept) > columns:
            kept.pop(0)
        places: list[tuple[int, str, str]] = []
        start = 1
        for _, key, label in free + kept:
            places.append((start, key, label))
            start += len(key) + len(label) + 3
        return places
