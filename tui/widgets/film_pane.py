"""The scrubber: a whole run in one line, with its marks; a click goes to the game there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.message import Message

from tui.theme.look import Line
from tui.views.lab import FilmView
from tui.widgets.pane import Pane


class FilmPane(Pane[FilmView]):
    """`├──●───▲─┃──★──┤ game 424 of 42,661`; a click on the line posts `PartChosen`."""

    DEFAULT_CSS: ClassVar[str] = "FilmPane { height: 1; }"
    can_zoom = False

    @dataclass
    class PartChosen(Message):
        part: float
        """0 to 1 of the film."""

    def lines(self, view: FilmView, columns: int, rows: int) -> list[Line]:
        """The line, the marks on it, where one is, and the game."""
        look, palette = self.look, self.look.palette
        long = track(view, columns)
        signs = {round(part * (long - 1)): sign for part, sign in view.marks}
        here = round(view.at * (long - 1))
        pieces: list[tuple[str, str]] = [(" ├", "dim")]
        for column in range(long):
            if column == here:
                pieces.append(("┃", "selection" if palette.paints else "strong"))
            elif column in signs:
                pieces.append((signs[column], "key"))
            else:
                pieces.append(("─", "dim" if column < here else "faint"))
        return [look.line((*pieces, ("┤ ", "dim"), (view.said, "text")))]

    def on_click(self, event: events.Click) -> None:
        """Go to the game there."""
        if self.view is None:
            return
        long = track(self.view, self.size.width)
        if 2 <= event.x < 2 + long:
            event.prevent_default()
            self.post_message(self.PartChosen((event.x - 2) / (long - 1)))


def track(view: FilmView, columns: int) -> int:
    """The columns of the line: the words keep their room, as long as the last game's."""
    words = max(len(view.said), len(f"game {view.games:,} of {view.games:,}"))
    return max(2, columns - 5 - words)
