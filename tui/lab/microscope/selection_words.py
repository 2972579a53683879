"""The selected thing in one line: its name and number, what it is, the truth, its last writer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from game import space
from learners.queries.condition_atoms import written_rows
from tui.lab.labels import owner_of
from tui.lab.microscope.equation import BLANK
from tui.lab.microscope.quantities import NOTHING, board_of
from tui.lab.microscope.steps import Kind, kind_of
from tui.lab.microscope.symbols import Look
from tui.theme.numerals import decimals, signed
from tui.views.quantity import Role

if TYPE_CHECKING:
    from learners.kernel.memory import Table
    from tui.lab.microscope.microscope import Microscope
    from tui.views.update import UpdateView
    from tui.views.words import Words

RESULTS: Final = {1: "X", 2: "O", 3: "draw"}
"""By their place among the rewards."""


class Description:
    """Says what is selected.

    Args:
        scope: the update, with what is selected there.
        view: the same as a formula.
    """

    def __init__(self, scope: Microscope, view: UpdateView) -> None:
        assert scope.selected is not None
        self.scope = scope
        self.view = view
        self.thing = scope.selected
        self.table = table_of(scope, self.thing.entry)

    @property
    def words(self) -> tuple[Words, ...]:
        """In pieces, the most important first."""
        number = self._number()
        head = (
            (self._when() + self._name(), "key"),
            (f" {number}" if number else "", "strong"),
            (f": {self._meaning()}", "dim"),
        )
        held = self.thing.role not in (Role.CHANGE, Role.TRACE) and self._place is not None
        if not held:
            return (head,)
        told: tuple[Words, ...] = (head, *self._exact(), ((f"; {self._last_written()}", "dim"),))
        is_target = self.thing == self.scope.scenes.things.target
        return (*told, (("; the target", "dim"),)) if is_target else told

    @property
    def _place(self) -> tuple[int, int] | None:
        """The board and cell of the entry."""
        return None if self.thing.entry == NOTHING else board_of(self.table, self.thing.entry)

    def _name(self) -> str:
        """As the formula calls it, if it does."""
        if self.thing.role is Role.TARGET:
            return "target"
        if self.thing.role is Role.CHANGE:
            return "step"
        if self.thing.role is Role.ERROR:
            return "δ"
        for term in self.view.terms:
            if term.thing == self.thing:
                return term.symbol
        if self.thing.role is Role.READ:
            return "V(Sₜ₊₁)"
        if self.thing.role is Role.MEAN:
            return "mean"
        if self._place is None:
            return "R"
        if self.table.spec.rule.tables > 1:
            within = (self.thing.entry - self.table.base) // len(self.table.entries.boards)
            return ("Q₁", "Q₂")[within]
        kind = kind_of(self.table.spec)
        return {Kind.STATES: "V", Kind.PAIRS: "Q", Kind.BEADS: "beads"}[kind]

    def _number(self) -> str:
        update, role = self.scope.update, self.thing.role
        backup, reading = update.backup, self.scope.reading
        places = 6 if self.table.spec.rule.estimates else 0
        if role is Role.CHANGE and backup is not None:
            return signed(backup.new - backup.old, places)
        if role is Role.ERROR:
            return signed(update.error, 6)
        if role is Role.TARGET and backup is not None:
            return decimals(backup.target, 6)
        if role is Role.READ:
            return decimals(reading.looked, 6)
        if role in (Role.ENTRY, Role.MEAN):
            return decimals(self._held(), places)
        told = (term.number for term in self.view.terms if term.thing == self.thing)
        return next(told, BLANK).strip()

    def _held(self) -> float:
        """What memory says of an entry, or of both tables together."""
        v = self.scope.timeline.v
        if self.thing.role is Role.ENTRY:
            return float(v[self.thing.entry])
        ranked = self.table.spec.rule.preferences(self.table.values(v), self.table.entries)
        return float(ranked[self.thing.entry - self.table.base])

    def _meaning(self) -> str:
        role, update = self.thing.role, self.scope.update
        if role is Role.STEP:
            return "how much of the gap is closed"
        if role is Role.DISCOUNT:
            return "how much the next value counts"
        if role is Role.BEADS:
            return "beads for a game of this length"
        if role is Role.CHANGE:
            return "new − old"
        if role is Role.ERROR:
            traces = update.look is Look.TRACE
            return "V(Sₜ₊₁) − V(Sₜ), shared out by traces" if traces else "target − old"
        if role is Role.TARGET:
            parts = [term.symbol for term in self.view.terms if self.thing in term.wholes]
            return " ".join(parts) or "what the value is moved towards"
        if role is Role.TRACE:
            return f"how much of δ reaches {self._entry()}"
        if self.thing.entry == NOTHING:
            expected = role is Role.READ
            return (
                f"what {update.player} can expect of its next turn"
                if expected
                else "nothing is won or lost before the end"
            )
        if self._place is None:
            return self._reward()
        return self._holder()

    def _reward(self) -> str:
        """What the result of a game is worth."""
        result = RESULTS[self.thing.entry - self.table.rewards]
        player = "XO"[self.table.side]
        what = "a draw" if result == "draw" else "a win" if result == player else "a loss"
        worth = "is worth" if self.table.spec.rule.estimates else "adds in beads"
        return f"what {what} {worth} to {player}"

    def _holder(self) -> str:
        """Whose entry it is, and of which board and move."""
        place = self._place
        assert place is not None
        player = owner_of(self.table, place[0])
        if kind_of(self.table.spec) is Kind.BEADS:
            return f"colour {place[1] + 1} of {player}'s box {space().text(place[0])}"
        return f"{player}'s value of {self._entry()}"

    def _entry(self) -> str:
        place = self._place
        assert place is not None
        return label(place)

    def _when(self) -> str:
        """What tells the old value from the new one, once both are shown."""
        if self.thing.role is Role.NEW:
            return "new "
        written = self.scope.scenes.things.is_written
        return "old " if self.thing.role is Role.OLD and written else ""

    def _exact(self) -> tuple[Words, ...]:
        """v* of the entry; of beads there is none."""
        place = self._place
        if place is None or not self.table.spec.rule.estimates:
            return ()
        board, cell = place
        truth = self.scope.truth(owner_of(self.table, board))
        position = board if cell < 0 else int(space().successor[board, cell])
        return ((("; v* ", "dim"), (decimals(float(truth[position])), "truth")),)

    def _last_written(self) -> str:
        """In which game it was last written, as far as the games around here tell."""
        timeline, entry = self.scope.timeline, self.thing.entry
        recording = timeline.recording
        end = timeline.row + (1 if self.scope.scenes.things.is_written else 0)
        if self.thing.role is Role.OLD:
            end = timeline.row
        entries = np.array([entry + offset for offset in self._offsets()])
        rows = written_rows(recording, entries)
        rows = rows[rows < end]
        if len(rows):
            return f"written in game {int(recording.games[rows[-1]]) + 1:,}"
        visits = int(timeline.v[len(timeline.v) // 2 + entries].sum())
        if self.thing.role is Role.OLD and self.scope.scenes.things.is_written:
            visits -= 1
        return f"not since game {recording.first + 1:,}" if visits else "never written"

    def _offsets(self) -> tuple[int, ...]:
        """From the entry to all that the thing is made of."""
        both = self.thing.role is Role.MEAN
        return (0, len(self.table.entries.boards)) if both else (0,)


def table_of(scope: Microscope, entry: int) -> Table:
    """The table of an entry; that of the update where it is among its own, or there is none."""
    own = scope.update.table
    if entry == NOTHING or own.base <= entry < own.base + own.size:
        return own
    return scope.timeline.recording.layout.table_of(entry)


def label(place: tuple[int, int]) -> str:
    """A board, or a board and a move."""
    board, cell = place
    return space().text(board) + (f"@{cell + 1}" if cell >= 0 else "")


def wrote_condition(scope: Microscope, entry: int) -> str:
    """The breakpoint at which an entry is written; empty for what no rule writes."""
    table = table_of(scope, entry)
    place = board_of(table, entry)
    if place is None:
        return ""
    player = "XO"[table.side] if table.spec.rule.by_state else owner_of(table, place[0])
    return f"wrote {player} {label(place)}"
