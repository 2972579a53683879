"""The backup diagram: the states of a game, and which was backed up from which."""

from __future__ import annotations

from typing import Final

from rich.style import Style

from tui.theme.look import Line, crop, fit
from tui.theme.numerals import decimals
from tui.views.update import ArcView, DiagramRow, DiagramView
from tui.widgets.pane import SelectablePane, Zone

LABEL: Final = 4
VALUE: Final = 6
RANK: Final = {"dim": 0, "key": 1}
"""Which of two arrows is drawn where they meet."""


class DiagramPane(SelectablePane[DiagramView]):
    """States from top to bottom, with arrows from later to earlier ones."""

    def lines(self, view: DiagramView, columns: int, rows: int) -> list[Line]:
        """The frame and the states, a row apart where there is room; the lit one stays in sight."""
        room, inside = rows - 2, columns - 2
        lanes = lanes_of(view.arcs)
        board = max([9, *(len(row.board) for row in view.rows if row.value is not None)])
        body: list[Line] = []
        for index in seats(view, room):
            if index is None:
                left = LABEL + VALUE + board + 2
                stems = self._stems(lanes, (len(body) - 1) // 2)
                body.append(fit(((" " * left, Style.null()), *stems), inside))
            else:
                arrows = self._arrows(lanes, index)
                body.append(self._row(view.rows[index], view.places, board, arrows, inside))
        return self.framed(view, columns, rows, body, air=0)

    def zones(self, view: DiagramView, columns: int, rows: int) -> list[Zone]:
        return [
            Zone(y, 0, columns, view.rows[index].quantity)
            for y, index in enumerate(seats(view, rows - 2), 1)
            if index is not None
        ]

    def _row(self, row: DiagramRow, places: int, board: int, arrows: Line, inside: int) -> Line:
        look = self.look
        role = "text" if row.role != "dim" else "dim"
        if row.value is None:
            text = f"{row.board:<{VALUE + board}} "
            middle: Line = (look.piece(text, row.role),)
        else:
            value = decimals(row.value, places)
            style = look.palette.style(role)
            middle = (
                *self.number(value, VALUE, style, row.selected),
                look.piece(f"{row.board:<{board}} ", row.role),
            )
        words = (look.piece(" "), *look.line(row.words, "dim"))
        label = look.piece(f"{row.label:<2} ", "strong" if row.lit else role)
        line = (self.pointer(row.pointed), label, *middle, *arrows, *words)
        line = fit(crop(line, inside), inside)
        return self.look.select(line) if row.lit else line

    def _arrows(self, lanes: list[list[ArcView]], index: int) -> Line:
        """The arrow head of a state and what passes it, a column for each lane."""
        arriving = [n for n, lane in enumerate(lanes) if any(arc.to == index for arc in lane)]
        pieces: list[tuple[str, Style]] = []
        roles = [arc.role for n in arriving for arc in lanes[n] if arc.to == index]
        head = self._style(max(roles, key=RANK.__getitem__)) if roles else Style.null()
        pieces.append((self.look.glyphs.cell("◂") if roles else " ", head))
        for n, lane in enumerate(lanes):
            glyph, role = crossing(lane, index)
            if glyph == " " and arriving and n < max(arriving):
                pieces.append((self.look.glyphs.cell("─"), head))
            else:
                pieces.append((self.look.glyphs.cell(glyph), self._style(role)))
        return tuple(pieces)

    def _stems(self, lanes: list[list[ArcView]], index: int) -> Line:
        """The arrows between a state and the next."""
        stems: list[tuple[str, Style]] = []
        for lane in lanes:
            roles = [arc.role for arc in lane if arc.to <= index < arc.source]
            glyph = self.look.glyphs.cell("│") if roles else " "
            role = max(roles, key=RANK.__getitem__) if roles else "dim"
            stems.append((glyph, self._style(role)))
        return tuple(stems)

    def _style(self, role: str) -> Style:
        return self.look.palette.style(role)


def seats(view: DiagramView, room: int) -> list[int | None]:
    """Which state each row shows, None between two where they are set apart.

    Where not all fit, the selected one, or else the lit one, is in sight.
    """
    many = len(view.rows)
    if 2 * many - 1 <= room:
        return [None if seat % 2 else seat // 2 for seat in range(2 * many - 1)]
    marks = [row.pointed for row in view.rows]
    marks = marks if any(marks) else [row.lit for row in view.rows]
    wanted = marks.index(True) if any(marks) else 0
    first = max(0, min(many - room, wanted - 1)) if wanted >= room - 1 else 0
    return list(range(first, min(many, first + room)))


def crossing(lane: list[ArcView], index: int) -> tuple[str, str]:
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


def lanes_of(arcs: tuple[ArcView, ...]) -> list[list[ArcView]]:
    """Arrows that may share a column: such as meet, or have their source in common."""
    lanes: list[list[ArcView]] = []
    for arc in sorted(arcs, key=lambda arc: arc.to):
        for lane in lanes:
            if all(before.source <= arc.to or before.source == arc.source for before in lane):
                lane.append(arc)
                break
        else:
            lanes.append([arc])
    return lanes or [[]]
