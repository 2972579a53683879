"""The entries that a game changes; with traces, all that the error of the step reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from afterstate_lab.learners.judge.evaluated_state import rms_against
from afterstate_lab.learners.judge.figures import RMS_OPTIMAL
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.tui.blocks.meaning import Quantity, Selectable
from afterstate_lab.tui.blocks.span import Line, Pen
from afterstate_lab.tui.lab.labels import entry_label, side_role
from afterstate_lab.tui.lab.microscope import meanings
from afterstate_lab.tui.lab.microscope.reading import Update, colours_of
from afterstate_lab.tui.theme.numerals import decimals, signed
from afterstate_lab.tui.views.words import Words

VALUE: Final = 6
"""Columns of a value."""
STRONG_TRACE: Final = 0.5
"""Traces below this are dim."""


class Row(NamedTuple):
    """A backup that changes an entry."""

    at: int
    """Which of the game's events it is."""
    backup: Backup
    is_done: bool
    old: Quantity | None
    new: Quantity | None


@dataclass(frozen=True)
class Entries(Selectable):
    """A row for each entry: board, old, new and exact value; then notes, where there is room."""

    update: Update | None = None
    right: Words = field(default="v* exact", kw_only=True)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        u = self.update
        if u is None:
            return ()
        backups = [(at, event) for at, event in enumerate(u.events) if isinstance(event, Backup)]
        if u.kind is TargetKind.TRACE:
            head = None if u.backup is None else u.head_of(u.learned_at)
            found = [(at, e) for at, e in backups if e.player == u.player and u.head_of(at) == head]
        else:
            found = [(at, e) for at, e in backups if u.is_done(at) and not self._is_traced(u, e)]
        latest = {event.entry: at for at, event in backups if u.is_done(at)}
        rows = []
        for at, event in found:
            done = u.is_done(at)
            old = meanings.old(u) if at == u.learned_at else None
            if at != u.learned_at and not done:
                old = meanings.now(u, event.entry)
            is_last = done and latest[event.entry] == at
            new = meanings.now(u, event.entry) if is_last else None
            rows.append(Row(at, event, done, old, new))
        return tuple(rows)

    def _is_traced(self, u: Update, event: Backup) -> bool:
        return u.table_of(event.player).spec.rule.equation.kind is TargetKind.TRACE

    def quantities(self) -> Iterator[Quantity | None]:
        yield from (one for row in self.rows for one in (row.old, row.new))

    def exact(self, u: Update, event: Backup) -> float | None:
        """v* of an entry; beads have none."""
        estimates = u.table_of(event.player).spec.rule.estimates
        return u.exact_of_entry(event) if estimates else None

    def extra(self, u: Update, event: Backup) -> str:
        """The trace; or the table that was written, or the beads that were added or taken."""
        if u.kind is TargetKind.TRACE:
            return decimals(event.trace, 3)
        table = u.table_of(event.player)
        if table.spec.rule.tables > 1:
            return "Q₂" if (event.entry - table.base) // len(table.entries.boards) else "Q₁"
        return "" if table.spec.rule.estimates else signed(event.new - event.old, 0)

    @property
    def notes(self) -> tuple[Words, ...]:
        """How far the learner is from the truth; or what its open box holds."""
        u = self.update
        if u is None or not u.spec.rule.learns:
            return ()
        if not u.is_beads:
            error = decimals(rms_against(u.table, u.after, u.truth(u.player)), 5)
            return (((f"{u.player} {RMS_OPTIMAL.error_label} ", "dim"), (error, "text")),)
        if u.step.move is None:
            return ()
        colours = colours_of(u.table, u.after, u.step.board)
        total = round(sum(colour.beads for colour in colours))
        return (((f"{total:,} beads in {len(colours)} colours", "dim"),),)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        u = self.update
        traces = u is not None and u.kind is TargetKind.TRACE
        truths = [] if u is None else [self.exact(u, row.backup) for row in self.rows]
        extras = [] if u is None else [self.extra(u, row.backup) for row in self.rows]
        is_beads = u is not None and u.is_beads
        truth_label = "" if is_beads and all(truth is None for truth in truths) else "v*"
        extra_label = "z" if traces else "by" if is_beads else ""
        if u is not None and u.spec.rule.tables > 1:
            extra_label = "in"
        least = 9 if u is None or u.spec.rule.by_state else 11
        board = max([least, *(len(entry_label(row.backup)) for row in self.rows)])
        extra, exact = max(map(len, [extra_label, *extras])), 4 if truth_label else 0
        has_old = columns >= 3 + board + 2 * VALUE
        player = 2 if has_old and self.rows and not traces else 0
        exact = exact if has_old else 0
        wide = columns >= player + board + extra + (4 if truth_label else 0) + 21
        gap = "  " if wide else " "
        heads = [f"{'':{player}}{'board':<{board}}", *["old   "] * has_old, "new   "]
        heads += [f"{truth_label:<{exact}}"] * bool(exact)
        body: list[Line] = [(pen.piece(" " + gap.join([*heads, extra_label]), "dim"),)]
        notes = [(pen.piece(" "), *pen.line(words, "dim")) for words in self.notes]
        notes = notes[: max(0, rows - 2)]
        for n in self._page(rows - 1 - len(notes)):
            row, event = self.rows[n], self.rows[n].backup
            assert u is not None
            places = 0 if not u.table_of(event.player).spec.rule.estimates else 5
            is_dim = traces and event.trace < STRONG_TRACE
            role, lit = "dim" if is_dim else side_role(event.player), row.at == u.at
            new = decimals(event.new, places) if row.is_done else ""
            truth = "" if truths[n] is None else decimals(truths[n])
            line: Line = (
                self.pointer(pen, self.points_at((event.entry,))),
                pen.piece(f"{event.player if player else '':<{player}}", role),
                pen.piece(f"{entry_label(event):<{board}}{gap}", role),
            )
            if has_old:
                old = decimals(event.old, places)
                line = (*line, *self.number(pen, old, VALUE, "dim", row.old), pen.piece(gap, "dim"))
            line = (
                *line,
                *self.number(pen, new, VALUE, "written" if lit else "text", row.new),
                pen.piece(gap, "dim"),
                pen.piece(f"{truth:<{exact}}{gap}" if exact else "", "truth"),
                pen.piece(extras[n], "dim"),
            )
            body.append(self.row(line, columns, row.new or row.old, lit=lit))
        return [*body, *[()] * (len(body) + len(notes) < rows), *notes]

    def _page(self, room: int) -> Sequence[int]:
        """The rows that fit, moved by half a page; the selected one, the lit one, or else the last
        is among them."""
        many = len(self.rows)
        if many <= room:
            return range(many)
        room = max(1, room)
        marks = [self.points_at((row.backup.entry,)) for row in self.rows]
        if self.update is not None and not any(marks):
            marks = [row.at == self.update.at for row in self.rows]
        lit = marks.index(True) if True in marks else many - 1
        half = max(1, room // 2)
        first = max(0, -(-(lit + 1 - room) // half) * half)
        return range(first, min(many, first + room))


def entries_of(u: Update) -> Entries:
    if u.kind is TargetKind.TRACE:
        return Entries(u, title=(("traces", "title"), (f" of {u.player}", "dim")))
    return Entries(u, title="entries changed", right="" if u.is_beads else "v* exact")
