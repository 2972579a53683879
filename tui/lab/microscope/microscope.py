"""The panes of Step: one update of one entry, from every side."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from afterstate_lab.game import space
from afterstate_lab.tui.blocks.meaning import resolved
from afterstate_lab.tui.lab.microscope.boards import backed_up, looked_at
from afterstate_lab.tui.lab.microscope.card import Card
from afterstate_lab.tui.lab.microscope.choice import choice_of
from afterstate_lab.tui.lab.microscope.diagram import diagram_of
from afterstate_lab.tui.lab.microscope.entries import entries_of
from afterstate_lab.tui.lab.microscope.equation import Equation
from afterstate_lab.tui.lab.microscope.reading import Update, update_at
from afterstate_lab.tui.lab.microscope.words import sentence

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.timeline import Timeline
    from afterstate_lab.tui.blocks.meaning import Quantity, Selectable
    from afterstate_lab.tui.blocks.small_board import SmallBoard
    from afterstate_lab.tui.lab.microscope.choice import Choice
    from afterstate_lab.tui.lab.microscope.diagram import Diagram
    from afterstate_lab.tui.lab.microscope.entries import Entries

B = TypeVar("B", bound="Selectable")


class Microscope:
    """Makes the panes of an update, with what is selected in them."""

    def __init__(self, update: Update, chosen: Quantity | None = None) -> None:
        self.update, self.chosen = update, chosen

    @classmethod
    def at(
        cls, timeline: Timeline, chosen: Quantity | None = None, *, asks: bool = False
    ) -> Microscope | None:
        """The microscope over the place where a timeline is; None before the first event."""
        update = update_at(timeline, asks=asks)
        return None if update is None else cls(update, chosen)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """What can be selected here, in order."""
        blocks = (
            self._equation, backed_up(self.update), looked_at(self.update), self._choice,
            diagram_of(self.update), entries_of(self.update),
        )  # fmt: skip
        found = dict.fromkeys(quantity for block in blocks for quantity in block.quantities())
        return tuple(quantity for quantity in found if quantity is not None)

    @cached_property
    def selected(self) -> Quantity | None:
        return None if self.chosen is None else resolved(self.chosen, self.quantities)

    def _shown(self, block: B) -> B:
        return block if self.selected is None else replace(block, chosen=self.selected)

    def afterstate(self) -> SmallBoard:
        """What is backed up: S_t, or the pair S, A."""
        return self._shown(self._with_cells(backed_up(self.update)))

    def next_afterstate(self) -> SmallBoard:
        """What the backup looks at, or as much of it as has happened in the current phase."""
        return self._shown(self._with_cells(looked_at(self.update)))

    def _with_cells(self, board: SmallBoard) -> SmallBoard:
        """The board with its free cells as candidates, where the choice is made on it."""
        move = self.update.choice
        if move is None or board.cells != space().text(move.board):
            return board
        known = {cell: one.means for one in self._choice.candidates for cell in one.cells}
        known |= {cell: means for cell, means in enumerate(board.meanings) if means is not None}
        return replace(board, meanings=tuple(map(known.get, range(9))))

    def choice(self) -> Choice:
        """The candidates of the move, best first, and its dice."""
        return self._shown(self._choice)

    @cached_property
    def _choice(self) -> Choice:
        return choice_of(self.update)

    def equation(self) -> Equation:
        """The update as rule, numbers, code and words, and on the number line."""
        if self.selected is None:
            return self._equation
        words = Card(self.selected, self.update, self._equation.terms).words
        return replace(self._equation, chosen=self.selected, selection=words)

    @cached_property
    def _equation(self) -> Equation:
        right = self.update.spec.rule.source
        return Equation(self.update, words=sentence(self.update), right=right)

    def diagram(self) -> Diagram:
        """The backup diagram of the game, for the player of the update (S&B, Figure 1.1)."""
        return self._shown(diagram_of(self.update))

    def entries(self) -> Entries:
        """The entries that this game has changed so far."""
        return self._shown(entries_of(self.update))
