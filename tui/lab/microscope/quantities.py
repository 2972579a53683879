"""What the numbers of an update stand for: the same thing wherever the same number is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from game import space
from learners.tape.timeline import CHOICE, TARGET
from tui.lab.microscope.steps import Kind, Step
from tui.lab.microscope.symbols import SIGNS, Look, is_target
from tui.views.quantity import Role, Thing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.kernel.memory import Table
    from tui.lab.microscope.reading import Reading
    from tui.lab.microscope.update import Update

NOTHING: Final = -1
"""Stands for no entry."""
SIGNED: Final = frozenset({*SIGNS, "±"})


class Things:
    """Says what each number is, as far as it is known in the phase of now.

    Args:
        update: what is looked at.
        phase: the phase of now.
        reading: what the backup reads.
        v: memory before the write.
        value: what the entry that is looked at holds; None while it is not known which that is.
    """

    def __init__(
        self,
        update: Update,
        phase: int,
        reading: Reading,
        v: NDArray[np.float64],
        value: float | None,
    ) -> None:
        self.update = update
        self.reading = reading
        self.v = v
        self.is_decided = not update.is_move or phase >= CHOICE
        self.is_written = update.is_written(phase)
        self.knows_target = update.knows_target(phase)
        self.tells_error = (
            update.backup is not None and update.event is update.backup and phase >= TARGET
        )
        self.backed_up = NOTHING if value is None else self._backed_up()
        self.reward = self.read = NOTHING
        if self.knows_target:
            self.reward, self.read = self._reward(), self._read()

    def _backed_up(self) -> int:
        learned = self.update.learned
        return self.entry_of(self.update.step) if learned is None else learned.entry

    def _reward(self) -> int:
        """The entry of the reward that the formula has a term for."""
        update = self.update
        step = update.target_step
        if step is None or not step.is_end or update.look is Look.REPLY or self.reading.is_refill:
            return NOTHING
        return self.entry_of(step) if "R" in update.terms else NOTHING

    def _read(self) -> int:
        """The entry that the backup reads; none where it reads several, or none."""
        update, reading = self.update, self.reading
        table, step, candidate = update.table, update.target_step, reading.candidate
        if candidate is not None:
            if update.look is Look.REPLY:
                return entry_of_board(table, int(space().edge_successor[candidate.edge]))
            other = 1 - reading.written_table if table.spec.rule.tables > 1 else 0
            return entry_of_edge(table, candidate.edge, other)
        if step is None or update.kind is not Kind.STATES or "target" in update.terms:
            return NOTHING
        entry, event = self.entry_of(step), update.backup
        return entry if event is not None and self.v[entry] == event.target else NOTHING

    def entry_of(self, step: Step) -> int:
        """The entry of a time step (in the table that is written, if there are two)."""
        table, over = self.update.table, self.update.game.over
        if step.is_end and over is not None:
            return table.rewards + {"X": 1, "O": 2, "draw": 3}[over.result]
        if table.entries.of_state is not None:
            return entry_of_board(table, self.update.path[step.place])
        if step.move is None:
            return NOTHING
        return entry_of_edge(table, step.move.edge, self.reading.written_table)

    def is_known(self, step: Step) -> bool:
        """Whether a time step has come in the phase of now: its numbers may then be selected."""
        update = self.update
        over, ply = update.game.over, update.ply
        if step.is_end and over is not None and over.resigned:
            return not update.is_move
        done = step.place if step.move is None else step.move.ply
        return done < ply or (done == ply and self.is_decided)

    def of_step(self, step: Step) -> Thing | None:
        """What a time step holds now."""
        return self.now(self.entry_of(step)) if self.is_known(step) else None

    def mean_before(self, entries: tuple[int, ...]) -> Thing | None:
        """The mean of two tables' entries before the write of now; None where that changed it."""
        if self.is_written and self.backed_up in entries and self.before(entries[0]) is not None:
            changes = self.update.event is self.update.learned
            return None if changes else Thing(Role.MEAN, entries[0])
        return Thing(Role.MEAN, entries[0])

    def now(self, entry: int) -> Thing | None:
        """What an entry holds now."""
        if entry == NOTHING:
            return None
        if entry == self.backed_up:
            return Thing(Role.NEW if self.is_written else Role.OLD, entry)
        return self._other(entry)

    def before(self, entry: int) -> Thing | None:
        """What an entry held before the write of now; that of an earlier one is done."""
        if entry == self.backed_up != NOTHING and self.update.event is self.update.learned:
            return Thing(Role.OLD, entry)
        return self.now(entry)

    def _other(self, entry: int) -> Thing:
        if entry == self.reward:
            return Thing(Role.REWARD, entry)
        return Thing(Role.READ if entry == self.read else Role.ENTRY, entry)

    @property
    def old(self) -> Thing | None:
        """What the entry held before."""
        return None if self.backed_up == NOTHING else Thing(Role.OLD, self.backed_up)

    @property
    def new(self) -> Thing | None:
        """What is written."""
        return Thing(Role.NEW, self.backed_up) if self.is_written else None

    @property
    def looked_at(self) -> Thing | None:
        """What is read, or worked out from what is read; None at the end of the game, for 0."""
        if not self.knows_target or (self.reading.is_end and self.update.look is Look.TURN):
            return None
        if self.update.kind is Kind.BEADS:
            return None
        if "target" in self.update.terms:
            return Thing(Role.TARGET)
        return Thing(Role.READ, self.read)

    @property
    def target(self) -> Thing | None:
        """What the entry is moved towards."""
        if not self.knows_target or self.update.kind is Kind.BEADS:
            return None
        worked_out = self.update.look in (Look.TURN, Look.REPLY)
        return Thing(Role.TARGET) if worked_out else self.looked_at

    @property
    def error(self) -> Thing:
        """The TD error."""
        return Thing(Role.ERROR)

    @property
    def change(self) -> Thing:
        """New minus old."""
        return Thing(Role.CHANGE, self.backed_up)

    def of_term(self, place: int) -> Thing | None:
        """What the number of a term of the formula stands for."""
        term = self.update.terms[place]
        if term in SIGNED:
            return None
        if place == 0:
            return self.new
        if term == "γ":
            return Thing(Role.DISCOUNT)
        if term == "α":
            return Thing(Role.STEP)
        if is_target(term):
            return self.looked_at
        if term in ("δ", "z(s)", "R", "n"):
            return self._worked_out(term) if self.knows_target else None
        return self.old

    def _worked_out(self, term: str) -> Thing | None:
        if term == "δ":
            return self.error
        if term == "z(s)":
            return Thing(Role.TRACE, self.backed_up)
        if self.reading.is_refill:
            return self.change if term == "R" else None
        return Thing(Role.REWARD, self.reward) if term == "R" else Thing(Role.BEADS)

    def wholes_of(self, place: int) -> tuple[Thing, ...]:
        """What a term is a part of: the target where it is worked out, and the error."""
        terms, look = self.update.terms, self.update.look
        target = self.target
        wholes = []
        if target is not None and look is Look.REPLY and is_target(terms[place]):
            wholes.append(target)
        if target is not None and look is Look.TURN and is_within(terms, place, "[", "−"):
            wholes.append(target)
        if self.tells_error and (is_within(terms, place, "[", "]") or terms[place] in "[]"):
            wholes.append(self.error)
        return tuple(wholes)


def is_within(terms: tuple[str, ...], place: int, first: str, last: str) -> bool:
    """Whether a term stands between two signs."""
    if first not in terms or last not in terms:
        return False
    return terms.index(first) < place < terms.index(last)


def entry_of_board(table: Table, position: int) -> int:
    """The entry of a board; of one on which the game is over, that of what the result is worth.

    One table for both sides values the end for whoever moved last, so it keeps its own entries.
    """
    outcome = int(space().outcome[position])
    if outcome and not table.spec.rule.one_table:
        return table.rewards + outcome
    assert table.entries.of_state is not None
    return table.base + int(table.entries.of_state[position])


def entry_of_edge(table: Table, edge: int, which: int = 0) -> int:
    """The entry by which a player's move is valued.

    Args:
        table: the learner's.
        edge: the move.
        which: which of its tables (0, 1).
    """
    if table.entries.of_state is not None:
        return entry_of_board(table, int(space().edge_successor[edge]))
    own = int(table.entries.of_edge[edge])
    if not table.spec.rule.estimates and not table.entries.live[own]:
        return NOTHING
    return table.base + which * len(table.entries.boards) + own


def board_of(table: Table, entry: int) -> tuple[int, int] | None:
    """The position id and cell (-1 for none) of an entry; None for what a result is worth."""
    within = entry - table.base
    if not 0 <= within < table.size:
        return None
    own = within % len(table.entries.boards)
    return int(table.entries.boards[own]), int(table.entries.cells[own])
