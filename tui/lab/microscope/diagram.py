"""The backup diagram (S&B, Figure 1.1): the states of a game, and the backups between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from afterstate_lab.game import space
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.events import Backup, NoBackup
from afterstate_lab.tui.blocks.meaning import Quantity, Role, Selectable
from afterstate_lab.tui.blocks.span import Line, Pen, Piece, blank, fit
from afterstate_lab.tui.lab.labels import side_role
from afterstate_lab.tui.lab.microscope import meanings
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Step, Update, best_of
from afterstate_lab.tui.theme.numerals import decimals, signed, subscript
from afterstate_lab.tui.views.words import Words

LABEL: Final = 4
VALUE: Final = 6
RANK: Final = {"dim": 0, "key": 1}
"""The order of arrows that cover each other."""


class Row(NamedTuple):
    """A time step, or a caption about an exploratory move."""

    number: int
    """The index of the time step."""
    is_remark: bool = False


class Arc(NamedTuple):
    """An arrow from a later state to an earlier one."""

    to: int
    source: int
    """The row that it reads."""
    role: str = "dim"
    """`key` for the current backup."""


@dataclass(frozen=True)
class Diagram(Selectable):
    """States from top to bottom, with arrows from later to earlier ones."""

    update: Update | None = None

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        u = self.update
        steps = () if u is None or not u.spec.rule.learns else u.steps
        return tuple(
            Row(index, is_remark)
            for index, step in enumerate(steps)
            for is_remark in ((True, False) if step.move and step.move.exploratory else (False,))
        )

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        u = self.update
        if u is None or u.kind is TargetKind.BEST_REPLY:
            return ()
        seats = {row.number: seat for seat, row in enumerate(self.rows)}
        return tuple(
            Arc(seats[index], seats[step.looks_at], "key" if step.at == u.at else "dim")
            for index, step in enumerate(u.steps if self.rows else ())
            if isinstance(step.learned, Backup) and step.looks_at > index
        )

    def quantities(self) -> Iterator[Quantity | None]:
        if self.update is not None:
            yield from (self._means(self.update, row) for row in self.rows)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        """Return the states, spaced if there is room; the lit one stays visible."""
        u, lanes, body = self.update, lanes_of(self.arcs), list[Line]()
        if u is None or not self.rows:
            return body
        board = max(len(board_of(u, u.steps[row.number])) for row in self.rows)
        for seat in self._seats(u, rows):
            if seat is None:
                stems = [
                    ("│" if roles else " ", max(roles, key=RANK.__getitem__, default="dim"))
                    for roles in (passing(lane, (len(body) - 1) // 2) for lane in lanes)
                ]
                air: Line = tuple((pen.glyphs.cell(glyph), role) for glyph, role in stems)
                body.append(fit((*blank(LABEL + VALUE + board + 2), *air), columns))
            else:
                body.append(self._row(u, seat, board, lanes, columns, pen))
        return body

    def _row(
        self, u: Update, seat: int, board: int, lanes: list[list[Arc]], columns: int, pen: Pen
    ) -> Line:
        row, means = self.rows[seat], self._means(u, self.rows[seat])
        step, lit = u.steps[row.number], self._is_lit(u, row)
        if row.is_remark:
            assert step.move is not None
            text = f"{f'explored {step.move.cell + 1}':<{VALUE + board}} "
            line: Line = (pen.piece("?  ", "text"), pen.piece(text, "remark"))
            words = remark(u, row.number)
        else:
            ahead, current = step.place > u.ply, row.number == u.index
            role = "dim" if ahead else "text"
            label = label_of(u, row.number, step)
            colour = side_role(u.player) if current and not ahead else role
            value = decimals(u.held(step, u.after), 0 if u.is_beads else 4)
            line = (
                pen.piece(f"{label:<2} ", "strong" if lit else role),
                *self.number(pen, value, VALUE, role, means),
                pen.piece(f"{board_of(u, step):<{board}} ", colour),
            )
            words = words_of(u, row.number)
        pointer = self.pointer(pen, self.points_at(self._about(u, row)))
        tail = (pen.piece(" "), *pen.line(words, "dim"))
        return self.row((pointer, *line, *arrows(lanes, seat, pen), *tail), columns, means, lit=lit)

    def _is_lit(self, u: Update, row: Row) -> bool:
        return row == Row(u.index) and not u.steps[row.number].is_end

    def _about(self, u: Update, row: Row) -> tuple[int, ...]:
        """Return the entries of a known step."""
        step = u.steps[row.number]
        return () if row.is_remark or not u.is_known(step) else step.entries

    def _means(self, u: Update, row: Row) -> Quantity | None:
        """Return the meaning of a step's value; for two tables, the mean."""
        about = self._about(u, row)
        if len(about) > 1:
            return Quantity(Role.MEAN, about[0])
        return meanings.now(u, about[0]) if about else None

    def _seats(self, u: Update, room: int) -> list[int | None]:
        """Return the row of each line, None for a blank line.

        If not all fit, the selected or the lit one stays visible.
        """
        many = len(self.rows)
        if 2 * many - 1 <= room:
            return [None if seat % 2 else seat // 2 for seat in range(2 * many - 1)]
        marks = [self.points_at(self._about(u, row)) for row in self.rows]
        marks = marks if any(marks) else [self._is_lit(u, row) for row in self.rows]
        wanted = marks.index(True) if any(marks) else 0
        first = max(0, min(many - room, wanted - 1)) if wanted >= room - 1 else 0
        return list(range(first, min(many, first + room)))


def diagram_of(u: Update) -> Diagram:
    """Return the diagram of a game, for each kind of learner in its own shape."""
    if not u.spec.rule.learns:
        return Diagram(title="backup diagram")
    kind = "boxes used" if u.is_beads else "pairs S,A" if u.is_pair else "Figure 1.1"
    special = {TargetKind.TRACE: "traces z", TargetKind.BEST_REPLY: "best replies"}
    return Diagram(u, title="backup diagram", right=special.get(u.kind, kind))


def board_of(u: Update, step: Step) -> str:
    """Return the board of a step, and the move made on it."""
    board = space().text(step.board)
    shows_move = not u.spec.rule.by_state and step.move is not None and not step.is_end
    return f"{board}@{step.move.cell + 1}" if shows_move and step.move else board


def label_of(u: Update, index: int, step: Step) -> str:
    if u.spec.rule.by_state:
        return f"S{subscript(index)}"
    return "R" if step.is_end else f"S{subscript(index + 1)}"


def remark(u: Update, index: int) -> Words:
    """Describe what an exploratory move did to the previous backup, or the best move."""
    before = index - 1 if u.spec.rule.by_state else index
    if before >= 0 and isinstance(u.steps[before].learned, NoBackup):
        return (("no backup", "remark"),)
    return ((f"best {best_sibling(u, u.steps[index])}", "dim"),)


def best_sibling(u: Update, step: Step) -> str:
    """Return the best move instead: `8 = 1.000`."""
    assert step.move is not None
    best, value = best_of(u.table, u.after, step.move.board)
    return f"{best + 1} = {decimals(value, 0 if u.is_beads else 3)}"


def words_of(u: Update, index: int) -> Words:
    """Describe what was learned about a step, and when."""
    step = u.steps[index]
    if step.is_end:
        return (("resigned" if u.is_resigned else "the end, fixed", "truth"),)
    event = step.learned
    if event is None:
        is_forced = u.is_beads and step.entries == (NO_ENTRY,)
        return (("no box", "dim"),) if is_forced else ""
    if not isinstance(event, Backup):
        after = u.steps[index + 1]
        if not (after.move and after.move.exploratory):
            return (("forgotten", "remark"),)
        return ((f"★ best {best_sibling(u, after)}", "truth"),)
    is_now = step.at == u.at
    when = "now" if is_now else "done" if step.at < u.at else "next"
    if u.asks and not u.is_done(step.at):
        return ((f"? {when}", "dim"),)
    change = signed(event.new - event.old, 0 if u.is_beads else 4)
    words = [(change, u.role_of_change(event) if is_now else "dim"), (f" {when}", "dim")]
    if u.kind is TargetKind.TRACE:
        words.insert(0, (f"{decimals(event.trace, 2)} ", "text" if is_now else "dim"))
    if u.kind is TargetKind.BEST_REPLY:
        best, _ = best_of(u.table, u.after, step.board)
        words.insert(0, (f"{'XO'[step.place % 2]}→{best + 1} ", "dim"))
    return tuple(words)


def lanes_of(arcs: tuple[Arc, ...]) -> list[list[Arc]]:
    """Group arrows that can share a column: they meet, or have a common source."""
    lanes: list[list[Arc]] = []
    for arc in sorted(arcs, key=lambda arc: arc.to):
        for lane in lanes:
            if all(before.source <= arc.to or before.source == arc.source for before in lane):
                lane.append(arc)
                break
        else:
            lanes.append([arc])
    return lanes or [[]]


def passing(lane: list[Arc], index: int) -> list[str]:
    """Return the roles of the arrows that pass below a row."""
    return [arc.role for arc in lane if arc.to <= index < arc.source]


def arrows(lanes: list[list[Arc]], index: int, pen: Pen) -> Line:
    """Return a row's arrow heads and passing arrows, one column per lane."""
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


def crossing(lane: list[Arc], index: int) -> tuple[str, str]:
    """Return a lane's sign and role next to a row: an end, a start or a passing arrow."""
    up, down = passing(lane, index - 1), passing(lane, index)
    if not up and not down:
        return " ", "dim"
    role = max((*up, *down), key=RANK.__getitem__)
    if not (up and down):
        return ("╯" if up else "╮"), role
    ends = any(index in (arc.to, arc.source) for arc in lane)
    return ("┤" if ends else "│"), role
