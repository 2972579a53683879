"""A menu: what it is about, and items of two lines each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from afterstate_lab.tui.blocks.block import Block, Window
from afterstate_lab.tui.blocks.span import EMPTY, Line, Pen, blank, crop, wrap
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.theme.glyphs import UNICODE
from afterstate_lab.tui.views.words import Words

MEASURE: Final = 76
"""Columns of a line, however wide the page is."""


class Item(NamedTuple):
    key: str
    name: str
    """What it does, in a word or three."""
    says: str
    """One line that invites."""
    aside: str = ""
    """After its name."""


@dataclass(frozen=True, kw_only=True)
class Menu(Block):
    """A click on an item is `chosen`."""

    items: Sequence[Item]
    at: Window
    about: str = ""
    """Above the items."""
    remark: Words = ""
    """In the last rows."""
    chosen: Callable[[int], Any] | None = None

    def __post_init__(self) -> None:
        self.at.hold(len(self.items))

    @property
    def window(self) -> Window:
        return self.at

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        about, remark = self._texts(columns, pen)
        first, height = self._places(rows, about, remark)
        body: list[Line] = [EMPTY] * max(rows, first + height * len(self.items))
        if first:
            body[: len(about)] = about
        for number, item in enumerate(self.items):
            mark = pen.glyphs.text("›") if number == self.at.cursor else " "
            at = first + number * height
            name, aside = pen.piece(f"  {item.name}", "strong"), pen.piece(f"  {item.aside}", "dim")
            body[at] = ((mark, "key"), pen.piece(item.key, "key"), name, aside)
            body[at + 1] = (pen.piece(f"    {item.says}"),)
        body = body[:rows]
        remark = remark[: max(1, len(body) - first - height * len(self.items))]
        body[max(0, len(body) - len(remark)) :] = remark[: len(body)]
        margin = blank(1 + max(0, columns - 2 - MEASURE) // 2)
        return [crop((*margin, *line), columns - 1) for line in body]

    def say(self) -> Iterator[str]:
        if self.about:
            yield self.about
        for number, item in enumerate(self.items, 1):
            aside = f" ({item.aside})" if item.aside else ""
            yield spoken(f"{number}. {item.name}: {item.says}{aside}")
        if self.remark:
            yield spoken(joined(self.remark))

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        first, height = self._places(rows, *self._texts(columns, Pen(UNICODE)))
        number, row = divmod(y - first, height)
        return number if first <= y < rows and number < len(self.items) and row < 2 else None

    def choose(self, row: int) -> Any:
        self.at.cursor = row
        return None if self.chosen is None else self.chosen(row)

    def _texts(self, columns: int, pen: Pen) -> tuple[list[Line], list[Line]]:
        """The rows of what it is about, and of the remark."""
        about = wrap(pen.line(self.about), min(columns - 2, MEASURE)) if self.about else []
        return about, wrap(pen.line(self.remark), columns - 2) if self.remark else []

    def _places(self, rows: int, about: Sequence[Any], remark: Sequence[Any]) -> tuple[int, int]:
        """The row of the first item, and the rows of each; a long remark takes those above."""
        room, many = rows - max(1, len(remark)), len(self.items)
        first = len(about) + 1 if about and len(about) + 1 + 2 * many <= room else 0
        height = next((n for n in (6, 4, 3) if first + n * many <= room), 2)
        air = (room - first - height * many) // 3 if height >= 4 else 0
        return first + air, height
