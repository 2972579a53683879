"""The doors of the home screen."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message

from tui.theme.look import EMPTY, Line, blank, crop, wrap
from tui.views.home import DoorsView
from tui.widgets.cards import MEASURE
from tui.widgets.pane import POINTER, Pane

FRAME_ROWS = 2


class DoorsPane(Pane[DoorsView]):
    """What the lab is, and below it a door in two lines each; a click posts `DoorChosen`."""

    @dataclass
    class DoorChosen(Message):
        number: int

    def lines(self, view: DoorsView, columns: int, rows: int) -> list[Line]:
        """The frame and the doors, with air between them where there is room."""
        about, remark = self._texts(view, columns)
        first, height = self._places(view, rows, about, remark)
        body = [EMPTY] * max(rows - FRAME_ROWS, first - 1 + height * len(view.doors))
        if first > 1:
            body[: len(about)] = about
        for number, door in enumerate(view.doors):
            is_selected = number == view.cursor
            mark = self.look.glyphs.text(POINTER) if is_selected else " "
            at = first - 1 + number * height
            key = (mark, self.look.palette.key), self.look.piece(door.key, "key")
            name = self.look.piece(f"  {door.name}", "strong")
            body[at] = (*key, name, self.look.piece(f"  {door.aside}", "dim"))
            body[at + 1] = (self.look.piece(f"    {door.says}", "text"),)
        body = body[: rows - FRAME_ROWS]
        remark = remark[: max(1, len(body) - (first - 1) - height * len(view.doors))]
        body[max(0, len(body) - len(remark)) :] = remark[: len(body)]
        margin = blank(max(0, columns - 4 - MEASURE) // 2)
        shown = [crop((*margin, *line), columns - 4) for line in body]
        return self.framed(view, columns, rows, shown)

    def _texts(self, view: DoorsView, columns: int) -> tuple[list[Line], list[Line]]:
        """The rows of what the lab is, and of the remark."""
        about = wrap(self.look.line(view.about), min(columns - 4, MEASURE))
        return about, wrap(self.look.line(view.remark), columns - 4) if view.remark else []

    def _places(
        self, view: DoorsView, rows: int, about: list[Line], remark: list[Line]
    ) -> tuple[int, int]:
        """The row of the first door, and the rows of each; a long remark takes those above."""
        room = rows - FRAME_ROWS - max(1, len(remark))
        first = len(about) + 1 if len(about) + 1 + 2 * len(view.doors) <= room else 0
        doors = len(view.doors)
        height = next((n for n in (6, 4, 3) if first + n * doors <= room), 2)
        air = (room - first - height * doors) // 3 if height >= 4 else 0
        return first + air + 1, height

    def on_click(self, event: events.Click) -> None:
        if self.view is None:
            return
        columns, rows = self.size
        first, height = self._places(self.view, rows, *self._texts(self.view, columns))
        number, row = divmod(event.y - first, height)
        if 0 <= number < len(self.view.doors) and row < 2:
            self.post_message(self.DoorChosen(number))
