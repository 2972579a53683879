"""The backup diagram: the states of a game, and which was backed up from which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from afterstate_lab.tui.blocks.meaning import Quantity, Selectable, about
from afterstate_lab.tui.blocks.span import Line, Pen, Piece, blank, fit, on
from afterstate_lab.tui.theme.numerals import decimals
from afterstate_lab.tui.views.words import Words

LABEL: Final = 4
VALUE: Final = 6
RANK: Final = {"dim": 0, "key": 1}
"""Which of two arrows is drawn where they meet."""


class DiagramRow(NamedTuple):
    """A state of the backup diagram, or a remark between two (one without a value)."""

    label: str
    value: float | None = None
    board: str = ""
    """Of a remark, what it says first."""
    role: str = "text"
    """Of the board."""
    words: Words = ""
    lit: bool = False
    about: tuple[int, ...] = ()
    """The entries that the row tells of, as indices into memory."""
    quantity: Quantity | None = None
    """What the value stands for."""


class Arc(NamedTuple):
    """An arrow from a later state to an earlier one."""

    to: int
    """The row that is backed up."""
    source: int
    """The row below it whose value is read."""
    role: str = "dim"
    """`key` for the one that is made now."""


@dataclass(frozen=True)
class Diagram(Selectable):
    """States from top to bottom, with arrows from later to earlier ones."""

    rows: tuple[DiagramRow, ...] = ()
    arcs: tuple[Arc, ...] = ()
    places: int = 4
    """Decimals of the values."""

    def quantities(self) -> Iterator[Quantity | None]:
        yield from (row.quantity for row in self.rows)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        """The states, a row apart where there is room; the lit one stays in sight."""
        lanes = lanes_of(self.arcs)
        board = max([9, *(len(row.board) for row in self.rows if row.value is not None)])
        body: list[Line] = []
        for index in self._seats(rows):
            if index is None:
                stems = self._stems(lanes, (len(body) - 1) // 2, pen)
                body.append(fit((*blank(LABEL + VALUE + board + 2), *stems), columns))
            else:
                arrows = self._arrows(lanes, index, pen)
                body.append(self._row(self.rows[index], board, arrows, columns, pen))
        return body

    def _row(self, row: DiagramRow, board: int, arrows: Line, columns: int, pen: Pen) -> Line:
        role = "text" if row.role != "dim" else "dim"
        if row.value is None:
            middle: Line = (pen.piece(f"{row.board:<{VALUE + board}} ", row.role),)
        else:
            value = decimals(row.value, self.places)
            middle = (
                *self.number(pen, value, VALUE, role, row.quantity),
                pen.piece(f"{row.board:<{board}} ", row.role),
            )
        words = (pen.piece(" "), *pen.line(row.words, "dim"))
        label = pen.piece(f"{row.label:<2} ", "strong" if row.lit else role)
        pointer = self.pointer(pen, self.points_at(row.about))
        line = about(fit((pointer, label, *middle, *arrows, *words), columns), row.quantity)
        return on(line, "selection") if row.lit else line

    def _arrows(self, lanes: list[list[Arc]], index: int, pen: Pen) -> Line:
        """The arrow head of a state and what passes it, a column for each lane."""
        arriving = [n for n, lane in enumerate(lanes) if any(arc.to == index for arc in lane)]
        roles = [arc.role for n in arriving for arc in lanes[n] if arc.to == index]
        head = max(roles, key=RANK.__getitem__, default="")
        pieces: list[Piece] = [(pen.glyphs.cell("◂") if roles else " ", head)]
        for n, lane in enumerate(lanes):
            glyph, role = crossing(lane, index)
            if glyph == " " and arriving and n < max(arriving):
                glyph, role = "─", head
            pieces.append((pen.glyphs.cell(glyph), role))
        return tuple(pieces)

    def _stems(self, lanes: list[list[Arc]], index: int, pen: Pen) -> Line:
        """The arrows between a state and the next."""
        found = [[arc.role for arc in lane if arc.to <= index < arc.source] for lane in lanes]
        glyphs = pen.glyphs.cell(" "), pen.glyphs.cell("│")
        return tuple(
            (glyphs[bool(roles)], max(roles, key=RANK.__getitem__, default="dim"))
            for roles in found
        )

    def _seats(self, room: int) -> list[int | None]:
        """Which state each row shows, None between two where they are set apart.

        Where not all fit, the selected one, or else the lit one, is in sight.
        """
        many = len(self.rows)
        if 2 * many - 1 <= room:
            return [None if seat % 2 else seat // 2 for seat in range(2 * many - 1)]
        marks = [self.points_at(row.about) for row in self.rows]
        marks = marks if any(marks) else [row.lit for row in self.rows]
        wanted = marks.index(True) if any(marks) else 0
        first = max(0, min(many - room, wanted - 1)) if wanted >= room - 1 else 0
        return list(range(first, min(many, first + room)))


def crossing(lane: list[Arc], index: int) -> tuple[str, str]:
    """What a lane shows beside a state: where an arrow ends, begins or passes, and its role."""
    up = [arc for arc in lane if arc.to < index <= arc.source]
    down = [arc for arc in lane if arc.to <= index < arc.source]
    if not up and not down:
        return " ", "dim"
    role = max((arc.role for arc in (*up, *down)), key=RANK.__getitem__)
    ends = any(index in (arc.to, arc.source) for arc in (*up, *down))
    if up and down:
        return ("┤" if ends else "│"), role
    return ("╯" if up else "╮"), role


def lanes_of(arcs: tuple[Arc, ...]) -> list[list[Arc]]:
    """Arrows that may share a column: such as meet, or have their source in common."""
    lanes: list[list[Arc]] = []
    for arc in sorted(arcs, key=lambda arc: arc.to):
        for lane in lanes:
            if all(before.source <= arc.to or before.source == arc.source for before in lane):
                lane.append(arc)
                break
        else:
            lanes.append([arc])
    return lanes or [[]]
