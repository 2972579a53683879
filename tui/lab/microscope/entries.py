"""The entries that a game changes; with traces, all those that the step's error reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from afterstate_lab.game import Side, space
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.judge.figures import RMS_OPTIMAL
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.tui.blocks.marks import in_a_row
from afterstate_lab.tui.blocks.meaning import Quantity, Selectable
from afterstate_lab.tui.blocks.span import Line, Pen, Words
from afterstate_lab.tui.lab.labels import side_role
from afterstate_lab.tui.lab.microscope import meanings
from afterstate_lab.tui.lab.microscope.reading import Update, colours_of
from afterstate_lab.tui.theme.numerals import decimals, signed

BOARD, VALUE = 11, 6
"""Columns of a board and of a value."""
STRONG_TRACE: Final = 0.5
"""Traces below this are dim."""


class Row(NamedTuple):
    """A backup that changes an entry."""

    at: int
    """The index of the event."""
    backup: Backup
    is_done: bool
    old: Quantity | None
    new: Quantity | None
    exact: str
    """v* of the entry, if it has one."""
    extra: str
    """The trace, the table, or the added or taken beads."""


@dataclass(frozen=True)
class Entries(Selectable):
    """A row per entry: board, old, new and exact value; then notes, if there is room."""

    update: Update
    right: Words = field(default="v* exact", kw_only=True)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        u = self.update
        kinds = {player: u.table_of(player).spec.rule.equation.kind for player in "XO"}
        backups = [(at, e) for at, e in u.learnings.items() if isinstance(e, Backup)]
        done = [(at, e) for at, e in backups if u.is_done(at)]
        found = [(at, e) for at, e in done if kinds[e.player] is not TargetKind.TRACE]
        if u.kind is TargetKind.TRACE:
            head = None if u.backup is None else u.head_of(u.learned_at)
            found = [(at, e) for at, e in backups if e.player == u.player and u.head_of(at) == head]
        latest, rows = {event.entry: at for at, event in done}, []
        for at, event in found:
            now, is_done = meanings.now(u, event.entry), u.is_done(at)
            old = meanings.old(u) if at == u.learned_at else None if is_done else now
            new = now if is_done and latest[event.entry] == at else None
            table = u.table_of(event.player)
            exact, extra = decimals(u.exact_of_entry(event)), ""
            if not table.spec.rule.estimates:
                exact, extra = "", signed(event.new - event.old, 0)
            elif table.spec.rule.tables > 1:
                extra = "Q₂" if (event.entry - table.base) // len(table.entries.boards) else "Q₁"
            if u.kind is TargetKind.TRACE:
                extra = decimals(event.trace, 3)
            rows.append(Row(at, event, is_done, old, new, exact, extra))
        return tuple(rows)

    def quantities(self) -> Iterator[Quantity | None]:
        yield from (one for row in self.rows for one in (row.old, row.new))

    @property
    def notes(self) -> tuple[Words, ...]:
        """The learner's error, or the contents of its open box."""
        u = self.update
        if not u.spec.rule.learns:
            return ()
        if not u.is_beads:
            state = EvaluatedState(u.recording.layout, u.after, u.event.game)
            error = decimals(RMS_OPTIMAL.number(state, Side.parse(u.player)), 5)
            return (((f"{u.player} {RMS_OPTIMAL.error_label} ", "dim"), (error, "text")),)
        if u.step.move is None:
            return ()
        colours = colours_of(u.table, u.after, u.step.board)
        total = round(sum(colour.beads for colour in colours))
        return (((f"{total:,} beads in {len(colours)} colours", "dim"),),)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        u = self.update
        traces = u.kind is TargetKind.TRACE
        extra = "z" if traces else "by" if u.is_beads else "in" if u.spec.rule.tables > 1 else ""
        has_exact = not u.is_beads or any(row.exact for row in self.rows)
        player = 2 if self.rows and not traces else 0
        least = player + BOARD + max(map(len, [extra, *(row.extra for row in self.rows)]))
        gap = "  " if columns >= least + 4 * has_exact + 21 else " "
        exact = 4 if has_exact else 0
        heads = [f"{'':{player}}{'board':<{BOARD}}", "old   ", "new   "]
        heads += ["v*  "] * bool(exact)
        body: list[Line] = [(pen.piece(" " + gap.join([*heads, extra]), "dim"),)]
        notes = [(pen.piece(" "), *pen.line(words, "dim")) for words in self.notes]
        notes = notes[: max(0, rows - 2)]
        for n in self._page(rows - 1 - len(notes)):
            row, event = self.rows[n], self.rows[n].backup
            places = 5 if row.exact else 0
            is_dim = traces and event.trace < STRONG_TRACE
            lit = row.at == u.at
            old = self.number(pen, decimals(event.old, places), VALUE, "dim", row.old)
            new = decimals(event.new, places) if row.is_done else ""
            line = (
                self.pointer(pen, self.points_at((event.entry,))),
                pen.piece(f"{event.player if player else '':<{player}}", side_role(event.player)),
                *pen.line(in_a_row(space().text(event.board), event.cell, is_dim=is_dim)),
                pen.piece(gap),
                *old,
                pen.piece(gap, "dim"),
                *self.number(pen, new, VALUE, "written" if lit else "text", row.new),
                pen.piece(gap, "dim"),
                pen.piece(f"{row.exact:<{exact}}{gap}" if exact else "", "truth"),
                pen.piece(row.extra, "dim"),
            )
            body.append(self.row(line, columns, row.new or row.old, lit=lit))
        return [*body, *[()] * (len(body) + len(notes) < rows), *notes]

    def _page(self, room: int) -> Sequence[int]:
        """Return the visible rows, moved by half a page, with the selected, lit or last row."""
        many = len(self.rows)
        if many <= room:
            return range(many)
        room = max(1, room)
        marks = [self.points_at((row.backup.entry,)) for row in self.rows]
        if not any(marks):
            marks = [row.at == self.update.at for row in self.rows]
        lit = marks.index(True) if True in marks else many - 1
        half = max(1, room // 2)
        first = max(0, -(-(lit + 1 - room) // half) * half)
        return range(first, min(many, first + room))


def entries_of(u: Update) -> Entries:
    if u.kind is TargetKind.TRACE:
        return Entries(u, title=(("traces", "title"), (f" of {u.player}", "dim")))
    return Entries(u, title="entries changed", right="" if u.is_beads else "v* exact")
