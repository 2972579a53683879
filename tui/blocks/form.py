"""A form: fields below each other, each with what it is now and what it may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from afterstate_lab.tui.blocks.block import Block, Room, Window
from afterstate_lab.tui.blocks.span import Line, Pen
from afterstate_lab.tui.blocks.speech import spoken
from afterstate_lab.tui.blocks.table import Cell, Column, Table
from afterstate_lab.tui.views.words import Words

COLUMNS = (
    Column("option", 13, 0),
    Column("value", 15, 0, say="is {}"),
    Column("range", 27, 1, say="({})", role="dim"),
    Column("meaning", 60, 2, say="", grows=True, role="dim"),
)


class Field(NamedTuple):
    name: str
    value: str
    of: str = ""
    """The field that it is a part of: it is folded away where there is no room for all parts."""
    range: str = ""
    means: str = ""
    role: str = "dim"
    value_role: str = "text"


@dataclass(frozen=True)
class Form(Block):
    fields: Sequence[Field]
    at: Window
    """Over all fields; one that is folded away unfolds when the cursor comes to it."""

    def __post_init__(self) -> None:
        self.at.hold(len(self.fields))

    @property
    def window(self) -> Window:
        return self.at

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        return self._table(rows).draw(columns, rows, pen)

    def wide(self, columns: int) -> int:
        return self._table(len(self.fields)).wide(columns)

    def room(self, columns: int, pen: Pen) -> Room:
        return Room(len(COLUMNS), len(self.fields) + 1)

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        seen = self._seen(rows - 1)
        return seen[y - 1] if 0 < y <= len(seen) else None

    def say(self) -> Iterator[str]:
        table = self._table(len(self.fields) + 1)
        yield from (f"{n + 1}. {table.said(n)}" for n in range(len(self.fields)))

    def _table(self, rows: int) -> Table:
        seen = self._seen(rows - 1)
        cursor = Window(seen.index(self.at.cursor) if self.at.cursor in seen else 0)
        return Table(COLUMNS, [self.fields[n] for n in seen], cells, cursor)

    def _seen(self, rows: int) -> list[int]:
        """The fields for which there is room."""
        every = range(len(self.fields))
        self.at.fit(len(every), rows)
        if len(every) <= rows:
            return list(every)
        open_field = self.fields[self.at.cursor]
        group = open_field.of or open_field.name
        found = [n for n in every if self.fields[n].of in ("", group)]
        at = found.index(self.at.cursor)
        first = max(0, min(at - rows // 2, len(found) - rows))
        return found[first : first + rows]


def cells(field: Field) -> tuple[Cell | Words, ...]:
    name, said = field.name, field.name
    if field.of:
        name, said = f"  {name}", f"{field.of}'s {name}"
    label = Cell(((name, field.role),), spoken(said))
    return label, ((field.value, field.value_role),), field.range, field.means
