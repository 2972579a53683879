"""A list with a cursor, and what every list can be asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tui.lab.outcomes import Close, Outcome


class RowWindow:
    """Which rows of a list are seen, and which one is selected."""

    def __init__(self) -> None:
        self.count = 0
        """Rows in all."""
        self.cursor = 0
        self.top = 0
        """The first row that is seen."""
        self.height = 1

    @property
    def seen(self) -> slice:
        return slice(self.top, self.top + self.height)

    def hold(self, count: int) -> None:
        """There are so many rows now; the cursor stays where it can."""
        self.count = count
        self.go_to(self.cursor)

    def resize(self, height: int) -> None:
        self.height = max(1, height)
        self.go_to(self.cursor)

    def move(self, by: int) -> None:
        self.go_to(self.cursor + by)

    def turn(self, by: int) -> None:
        rows = by * max(1, self.height - 1)
        self.top += rows
        self.go_to(self.cursor + rows)

    def go_to(self, row: int) -> None:
        """Put the cursor on a row; the window jumps by half of itself to where it is."""
        self.cursor = min(max(row, 0), max(0, self.count - 1))
        half = max(1, self.height // 2)
        if self.cursor >= self.top + self.height:
            self.top += half * ((self.cursor - self.top - self.height) // half + 1)
        elif self.cursor < self.top:
            self.top -= half * ((self.top - self.cursor - 1) // half + 1)
        self.top = min(max(self.top, 0), max(0, self.count - self.height))


Handler = Callable[[], Outcome]
"""Does what a command asks for."""


class ListController:
    """A list of rows under a cursor: one handler for each command, by its name.

    Args:
        handlers: those of the list's own commands.
    """

    def __init__(self, handlers: Mapping[str, Handler] | None = None) -> None:
        self.window = RowWindow()
        self.note = ""
        """One sentence for the user, until the next command."""
        self.handlers: dict[str, Handler] = {
            "up": lambda: self.move(-1),
            "down": lambda: self.move(1),
            "page_up": lambda: self.turn(-1),
            "page_down": lambda: self.turn(1),
            "home": lambda: self.window.go_to(0),
            "end": lambda: self.window.go_to(self.window.count - 1),
            "back": Close,
            **(handlers or {}),
        }

    def perform(self, name: str, key: str = "") -> Outcome:
        """Do what a command asks for.

        Args:
            name: the command's.
            key: the key that was pressed, where a command has several that differ.
        """
        self.note = ""
        return self.handlers[name]()

    def fail(self, sentence: str) -> None:
        """Work in the background failed, for the reason in a sentence."""
        self.note = sentence

    def move(self, by: int) -> None:
        self.window.move(by)

    def turn(self, pages: int) -> None:
        self.window.turn(pages)

    def choose(self, row: int) -> None:
        """Put the cursor on a row of those that are seen, counted from the first of them."""
        self.window.go_to(self.window.top + row)
