"""Step: one update of one entry, as a picture and in numbers, and the selected number in words."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.tui.blocks.block import Quantity, resolved
from afterstate_lab.tui.lab.labels import board_label, owner_of
from afterstate_lab.tui.lab.microscope.choice import Choice, choice_of
from afterstate_lab.tui.lab.microscope.picture import Hero, Stairs
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Update, board_of, update_at
from afterstate_lab.tui.lab.microscope.words import sentence

if TYPE_CHECKING:
    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.timeline import Sweep


class Microscope:
    """The panes of an update, all of which show the selection."""

    def __init__(self, update: Update, chosen: Quantity | None = None) -> None:
        self.update, self.chosen = update, chosen

    @classmethod
    def at(
        cls, timeline: Timeline, chosen: Quantity | None = None, *, asks: bool = False
    ) -> Microscope | None:
        """Return the microscope at a timeline's moment, or None before the first event."""
        update = update_at(timeline, asks=asks)
        return None if update is None else cls(update, chosen)

    def hero(self, rows: int, *, is_full: bool = False) -> Hero:
        """Return the picture of the update, for so many rows of a terminal."""
        return Hero(
            update=self.update,
            words=self.words,
            rows=rows,
            is_full=is_full,
            chosen=self.selected,
        )

    def stairs(self, sweep: Sweep | None, rows: int) -> Stairs:
        """Return the boards of the game over all games."""
        return Stairs(update=self.update, sweep=sweep, rows=rows)

    @property
    def words(self) -> str:
        return sentence(self.update)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The selectable numbers, in order."""
        found = dict.fromkeys(Hero(update=self.update).quantities())
        return tuple(one for one in found if one is not None)

    @cached_property
    def selected(self) -> Quantity | None:
        return None if self.chosen is None else resolved(self.chosen, self.quantities)

    def choice(self) -> Choice:
        return choice_of(self.update)


def name_of(table: Table, entry: int) -> str:
    """Return the name of an entry's kind of value."""
    rule = table.spec.rule
    if rule.tables > 1:
        return ("Q₁", "Q₂")[(entry - table.base) // len(table.entries.boards)]
    return "V" if rule.by_state else "Q" if rule.estimates else "beads"


def table_of_entry(u: Update, entry: int) -> Table:
    """Return the table of an entry, by default the update's."""
    if entry == NO_ENTRY or u.table.base <= entry < u.table.base + u.table.size:
        return u.table
    return u.recording.layout.table_of(entry)


def wrote_condition(u: Update, entry: int) -> str:
    """Return the breakpoint of an entry's backups; empty for a constant."""
    table = table_of_entry(u, entry)
    place = board_of(table, entry)
    if place is None:
        return ""
    player = table.side.mark if table.spec.rule.by_state else owner_of(table, place[0])
    return f"wrote {player} {board_label(*place)}"
