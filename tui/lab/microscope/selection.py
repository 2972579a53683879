"""The one selection: what can be selected, which places show it, and what is said about it.

What has a name in the formula is followed by that name from update to update: the old value, what
is read, the error. Any other entry of the memory stays selected as that entry, wherever one goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from afterstate_lab.game import space
from afterstate_lab.learners.ask.conditions import written_rows
from afterstate_lab.learners.rules.equation import TargetKind, Term, TermRole
from afterstate_lab.learners.tape.events import RESULTS
from afterstate_lab.tui.blocks.meaning import Quantity, Role
from afterstate_lab.tui.lab.labels import board_label, owner_of
from afterstate_lab.tui.lab.microscope.formula import BLANK
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Kind, Update, board_of, kind_of
from afterstate_lab.tui.theme.numerals import decimals, signed

if TYPE_CHECKING:
    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.timeline import Timeline
    from afterstate_lab.tui.blocks.equation import Equation
    from afterstate_lab.tui.lab.microscope.reading import UpdateContext
    from afterstate_lab.tui.views.words import Words

HELD: Final = (Role.NEW, Role.OLD, Role.REWARD, Role.READ, Role.ENTRY)
"""What an entry can be; the value that it holds now comes first."""
MEANT: Final = (Role.STEP, Role.DISCOUNT, Role.BEADS)
"""Said in the words of the equation."""


def resolved(chosen: Quantity | None, quantities: Sequence[Quantity]) -> Quantity | None:
    """The quantity that is selected at a place.

    Args:
        chosen: what was selected, here or elsewhere.
        quantities: those that are shown here.

    Returns:
        None where there is no such quantity yet: what has a name in the formula is selected again
        as soon as there is one. An entry that is not shown here stays selected.
    """
    if chosen is None or chosen in quantities:
        return chosen
    if chosen.role is Role.ENTRY:
        same = [
            quantity
            for quantity in quantities
            if quantity.entry == chosen.entry and quantity.role in HELD
        ]
        return min(same, key=lambda quantity: HELD.index(quantity.role), default=chosen)
    if chosen.role is Role.MEAN:
        return chosen
    return next((quantity for quantity in quantities if quantity.role is chosen.role), None)


def following(
    selected: Quantity | None, quantities: Sequence[Quantity], by: int
) -> Quantity | None:
    """The quantity so many places on; past the last and before the first lies none."""
    stops = (None, *quantities)
    at = stops.index(selected) if selected in stops else 0
    return stops[(at + by) % len(stops)]


@dataclass(frozen=True)
class Description:
    """The selected quantity in one line: name, number, meaning, the truth, its last writer."""

    quantity: Quantity
    context: UpdateContext
    view: Equation
    """The update as a formula."""

    @property
    def update(self) -> Update:
        return self.context.update

    @cached_property
    def table(self) -> Table:
        return table_of_entry(self.update, self.context.timeline, self.quantity.entry)

    @property
    def words(self) -> tuple[Words, ...]:
        """In pieces, the most important first."""
        number = self._number()
        head = (
            (self._when() + self._name(), "key"),
            (f" {number}" if number else "", "strong"),
            (f": {self._meaning()}", "dim"),
        )
        held = self.quantity.role not in (Role.CHANGE, Role.TRACE) and self._place is not None
        if not held:
            return (head,)
        told: tuple[Words, ...] = (head, *self._exact(), ((f"; {self._last_written()}", "dim"),))
        is_target = self.quantity == self.context.quantities.target
        return (*told, (("; the target", "dim"),)) if is_target else told

    @property
    def _place(self) -> tuple[int, int] | None:
        """The board and cell of the entry."""
        entry = self.quantity.entry
        return None if entry == NO_ENTRY else board_of(self.table, entry)

    def _name(self) -> str:
        """As the formula calls it, if it does."""
        if self.quantity.role is Role.TARGET:
            return "target"
        if self.quantity.role is Role.CHANGE:
            return "step"
        if self.quantity.role is Role.ERROR:
            return "δ"
        for term in self.view.terms:
            if term.quantity == self.quantity:
                return term.symbol
        if self.quantity.role is Role.READ:
            return "V(Sₜ₊₁)"
        if self.quantity.role is Role.MEAN:
            return "mean"
        if self._place is None:
            return "R"
        if self.table.spec.rule.tables > 1:
            within = (self.quantity.entry - self.table.base) // len(self.table.entries.boards)
            return ("Q₁", "Q₂")[within]
        kind = kind_of(self.table.spec)
        return {Kind.STATES: "V", Kind.PAIRS: "Q", Kind.BEADS: "beads"}[kind]

    def _number(self) -> str:
        update, role = self.update, self.quantity.role
        backup = update.backup
        places = 6 if self.table.spec.rule.estimates else 0
        if role is Role.CHANGE and backup is not None:
            return signed(backup.new - backup.old, places)
        if role is Role.ERROR:
            return signed(update.error, 6)
        if role is Role.TARGET and backup is not None:
            return decimals(backup.target, 6)
        if role is Role.READ:
            return decimals(self._read(), 6)
        if role in (Role.ENTRY, Role.MEAN):
            return decimals(self._held(), places)
        told = (term.number for term in self.view.terms if term.quantity == self.quantity)
        return next(told, BLANK).strip()

    @property
    def _declared(self) -> Term:
        """The term of the equation that has this role."""
        role = TermRole(self.quantity.role.value)
        return next(term for term in self.update.equation.terms if term.role is role)

    def _read(self) -> float | None:
        """The number that was read of the entry."""
        inputs, entry = self.context.inputs, self.quantity.entry
        found = (inputs.numbers.get(symbol) for symbol, e in inputs.entries.items() if e == entry)
        return next(found, inputs.value)

    def _held(self) -> float:
        """What memory says of an entry, or of both tables together."""
        v = self.context.timeline.v
        if self.quantity.role is Role.ENTRY:
            return float(v[self.quantity.entry])
        ranked = self.table.spec.rule.preferences(self.table.values(v), self.table.entries)
        return float(ranked[self.quantity.entry - self.table.base])

    def _meaning(self) -> str:
        role, update = self.quantity.role, self.update
        if role in MEANT:
            return self._declared.meaning
        if role is Role.CHANGE:
            return "new − old"
        if role is Role.ERROR:
            traces = update.target_kind is TargetKind.TRACE
            return self._declared.meaning if traces else "target − old"
        if role is Role.TARGET:
            parts = [term.symbol for term in self.view.terms if self.quantity in term.wholes]
            return " ".join(parts) or "what the value is moved towards"
        if role is Role.TRACE:
            return f"how much of δ reaches {self._entry()}"
        if self.quantity.entry == NO_ENTRY:
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
        result = RESULTS[self.quantity.entry - self.table.rewards]
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
        return board_label(*place)

    def _when(self) -> str:
        """What tells the old value from the new one, once both are shown."""
        if self.quantity.role is Role.NEW:
            return "new "
        written = self.context.quantities.is_written
        return "old " if self.quantity.role is Role.OLD and written else ""

    def _exact(self) -> tuple[Words, ...]:
        """v* of the entry; of beads there is none."""
        place = self._place
        if place is None or not self.table.spec.rule.estimates:
            return ()
        board, cell = place
        truth = self.context.truth(owner_of(self.table, board))
        position = board if cell < 0 else int(space().successor[board, cell])
        return ((("; v* ", "dim"), (decimals(float(truth[position])), "truth")),)

    def _last_written(self) -> str:
        """In which game it was last written, as far as the games around here tell."""
        timeline, entry = self.context.timeline, self.quantity.entry
        recording = timeline.recording
        end = timeline.row + (1 if self.context.quantities.is_written else 0)
        if self.quantity.role is Role.OLD:
            end = timeline.row
        entries = np.array([entry + offset for offset in self._offsets()])
        rows = written_rows(recording, entries)
        rows = rows[rows < end]
        if len(rows):
            return f"written in game {int(recording.games[rows[-1]]) + 1:,}"
        visits = int(timeline.v[len(timeline.v) // 2 + entries].sum())
        if self.quantity.role is Role.OLD and self.context.quantities.is_written:
            visits -= 1
        return f"written before game {recording.first + 1:,}" if visits else "never written"

    def _offsets(self) -> tuple[int, ...]:
        """From the entry to all that the quantity is made of."""
        both = self.quantity.role is Role.MEAN
        return (0, len(self.table.entries.boards)) if both else (0,)


def table_of_entry(update: Update, timeline: Timeline, entry: int) -> Table:
    """The table of an entry; that of the update where it is among its own, or there is none."""
    own = update.table
    if entry == NO_ENTRY or own.base <= entry < own.base + own.size:
        return own
    return timeline.recording.layout.table_of(entry)


def wrote_condition(update: Update, timeline: Timeline, entry: int) -> str:
    """The breakpoint at which an entry is written; empty for what no rule writes."""
    table = table_of_entry(update, timeline, entry)
    place = board_of(table, entry)
    if place is None:
        return ""
    player = "XO"[table.side] if table.spec.rule.by_state else owner_of(table, place[0])
    return f"wrote {player} {board_label(*place)}"
