"""What is selected in one line: name, number, meaning, the exact value, its last writer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from afterstate_lab.game import space
from afterstate_lab.learners.ask.conditions import written_rows
from afterstate_lab.learners.rules.equation import TargetKind, TermRole
from afterstate_lab.learners.tape.events import RESULTS
from afterstate_lab.tui.blocks.meaning import Quantity, Role
from afterstate_lab.tui.lab.labels import board_label, owner_of
from afterstate_lab.tui.lab.microscope import meanings
from afterstate_lab.tui.lab.microscope.equation import Term
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Update, board_of
from afterstate_lab.tui.theme.numerals import decimals, signed
from afterstate_lab.tui.views.words import Words

if TYPE_CHECKING:
    from afterstate_lab.learners.kernel.memory import Table


@dataclass(frozen=True)
class Card:
    """What is said of a quantity."""

    quantity: Quantity
    u: Update
    terms: tuple[Term, ...]
    """The columns of the equation."""

    @cached_property
    def table(self) -> Table:
        return table_of_entry(self.u, self.quantity.entry)

    @property
    def place(self) -> tuple[int, int] | None:
        """The board and cell of the entry."""
        entry = self.quantity.entry
        return None if entry == NO_ENTRY else board_of(self.table, entry)

    @property
    def words(self) -> tuple[Words, ...]:
        """In pieces, the most important first."""
        role, number = self.quantity.role, self._number()
        when = "new " if role is Role.NEW else ""
        if role is Role.OLD and self.u.is_written:
            when = "old "
        head = (
            (when + self._name(), "key"),
            (f" {number}" if number else "", "strong"),
            (f": {self._meaning()}", "dim"),
        )
        if role in (Role.CHANGE, Role.TRACE) or self.place is None:
            return (head,)
        told: list[Words] = [head]
        if self.table.spec.rule.estimates:
            board, cell = self.place
            position = board if cell < 0 else int(space().successor[board, cell])
            truth = float(self.u.truth(owner_of(self.table, board))[position])
            told.append((("; v* ", "dim"), (decimals(truth), "truth")))
        told.append(((f"; {self._last_written()}", "dim"),))
        if self.quantity == meanings.target(self.u):
            told.append((("; the target", "dim"),))
        return tuple(told)

    def _name(self) -> str:
        """As the equation calls it, if it does."""
        role, rule = self.quantity.role, self.table.spec.rule
        if role in NAMES:
            return NAMES[role]
        for term in self.terms:
            if term.quantity == self.quantity:
                return term.symbol
        if role in (Role.READ, Role.MEAN):
            return "V(Sₜ₊₁)" if role is Role.READ else "mean"
        if self.place is None:
            return "R"
        if rule.tables > 1:
            within = (self.quantity.entry - self.table.base) // len(self.table.entries.boards)
            return ("Q₁", "Q₂")[within]
        return "V" if rule.by_state else "Q" if rule.estimates else "beads"

    def _number(self) -> str:
        u, (role, entry) = self.u, self.quantity
        places = 6 if self.table.spec.rule.estimates else 0
        if role is Role.ERROR:
            return signed(u.error, 6)
        if role is Role.CHANGE and u.backup is not None:
            return signed(u.backup.new - u.backup.old, places)
        if role is Role.TARGET and u.backup is not None:
            return decimals(u.backup.target, 6)
        if role is Role.READ:
            reads = (u.reads.get(term.symbol) for term in u.equation.read)
            found = next((one for one in reads if one and one.entry == entry), u.looked)
            return decimals(None if found is None else found.number, 6)
        if role is Role.ENTRY:
            return decimals(float(u.after[entry]), places)
        if role is Role.MEAN:
            rule = self.table.spec.rule
            ranked = rule.preferences(self.table.values(u.after), self.table.entries)
            return decimals(float(ranked[entry - self.table.base]), places)
        told = (term.number for term in self.terms if term.quantity == self.quantity)
        return next(told, "?").strip()

    def _meaning(self) -> str:
        u, (role, entry) = self.u, self.quantity
        traces = u.kind is TargetKind.TRACE
        if role in (Role.STEP, Role.DISCOUNT, Role.BEADS) or (role is Role.ERROR and traces):
            wanted = TermRole(role.value)
            return next(term.meaning for term in u.equation.terms if term.role is wanted)
        if role in (Role.CHANGE, Role.ERROR):
            return "new − old" if role is Role.CHANGE else "target − old"
        if role is Role.TARGET:
            parts = [term.symbol for term in self.terms if self.quantity in term.wholes]
            return " ".join(parts) or "what the value is moved towards"
        if role is Role.TRACE:
            assert self.place is not None
            return f"how much of δ reaches {board_label(*self.place)}"
        if entry == NO_ENTRY:
            expected = f"what {u.player} can expect of its next turn"
            return expected if role is Role.READ else "nothing is won or lost before the end"
        if self.place is None:
            result, player = RESULTS[entry - self.table.rewards], self.table.side.mark
            what = "a draw" if result == "draw" else "a win" if result == player else "a loss"
            worth = "is worth" if self.table.spec.rule.estimates else "adds in beads"
            return f"what {what} {worth} to {player}"
        board, cell = self.place
        owner = owner_of(self.table, board)
        if not self.table.spec.rule.estimates:
            return f"colour {cell + 1} of {owner}'s box {space().text(board)}"
        return f"{owner}'s value of {board_label(board, cell)}"

    def _last_written(self) -> str:
        """In which game it was last written, as far as the games around here tell."""
        u, (role, entry) = self.u, self.quantity
        is_old = role is Role.OLD
        end = u.first + u.at + (u.is_written and not is_old)
        both = (0, len(self.table.entries.boards)) if role is Role.MEAN else (0,)
        entries = np.array([entry + offset for offset in both])
        rows = written_rows(u.recording, entries)
        rows = rows[rows < end]
        if len(rows):
            return f"written in game {int(u.recording.games[rows[-1]]) + 1:,}"
        visits = int(u.after[len(u.after) // 2 + entries].sum()) - (is_old and u.is_written)
        return f"written before game {u.recording.first + 1:,}" if visits else "never written"


NAMES = {Role.TARGET: "target", Role.CHANGE: "step", Role.ERROR: "δ"}


def table_of_entry(u: Update, entry: int) -> Table:
    """The table of an entry; that of the update where it is among its own, or there is none."""
    if entry == NO_ENTRY or u.table.base <= entry < u.table.base + u.table.size:
        return u.table
    return u.recording.layout.table_of(entry)


def wrote_condition(u: Update, entry: int) -> str:
    """The breakpoint at which an entry is written; empty for what no rule writes."""
    table = table_of_entry(u, entry)
    place = board_of(table, entry)
    if place is None:
        return ""
    player = table.side.mark if table.spec.rule.by_state else owner_of(table, place[0])
    return f"wrote {player} {board_label(*place)}"
