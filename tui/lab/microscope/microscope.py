"""The panes of Step: one update of one entry, from every side."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from afterstate_lab.game import space
from afterstate_lab.learners.tape.events import Learning
from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.tui.blocks.diagram import Diagram
from afterstate_lab.tui.lab.microscope.choice import choice_view
from afterstate_lab.tui.lab.microscope.diagram import DiagramBuilder
from afterstate_lab.tui.lab.microscope.entries import entries_view
from afterstate_lab.tui.lab.microscope.formula import equation_view
from afterstate_lab.tui.lab.microscope.reading import Update, UpdateContext, current_update
from afterstate_lab.tui.lab.microscope.selection import Description, resolved
from afterstate_lab.tui.lab.microscope.sentences import sentence
from afterstate_lab.tui.lab.microscope.update_boards import UpdateBoards, quantities_of_cells

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.watched import SourceLine
    from afterstate_lab.tui.blocks.choice import Choice
    from afterstate_lab.tui.blocks.entries import Entries
    from afterstate_lab.tui.blocks.equation import Equation
    from afterstate_lab.tui.blocks.meaning import Quantity, Selectable
    from afterstate_lab.tui.blocks.small_board import SmallBoard

B = TypeVar("B", bound="Selectable")


class Microscope:
    """Builds the panes of one place of a timeline.

    Args:
        timeline: where one is.
        update: the update there.
        chosen: the number that is selected.
        asks: the user foretells each write: nothing may tell it before.
    """

    def __init__(
        self,
        timeline: Timeline,
        update: Update,
        chosen: Quantity | None = None,
        *,
        asks: bool = False,
    ) -> None:
        self.context = UpdateContext(timeline, update, asks)
        self.timeline = timeline
        self.update = update
        self.chosen = chosen

    @classmethod
    def at(
        cls, timeline: Timeline, chosen: Quantity | None = None, *, asks: bool = False
    ) -> Microscope | None:
        """The microscope over the place where a timeline is; None before the first event."""
        update = current_update(timeline)
        return None if update is None else cls(timeline, update, chosen, asks=asks)

    @cached_property
    def boards(self) -> UpdateBoards:
        return UpdateBoards(self.context)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """What can be selected here, in order."""
        blocks = (
            self._equation,
            self.boards.backed_up(),
            self.boards.looked_at(),
            self._choice,
            self._diagram,
            self._entries,
        )
        found = dict.fromkeys(quantity for block in blocks for quantity in block.quantities())
        return tuple(quantity for quantity in found if quantity is not None)

    @cached_property
    def selected(self) -> Quantity | None:
        return None if self.chosen is None else resolved(self.chosen, self.quantities)

    def _shown(self, block: B) -> B:
        return block if self.selected is None else replace(block, chosen=self.selected)

    def afterstate(self) -> SmallBoard:
        """What is backed up: S_t, or the pair S, A."""
        return self._shown(self._with_cells(self.boards.backed_up()))

    def next_afterstate(self) -> SmallBoard:
        """What the backup looks at, or as much of it as has happened in the current phase."""
        return self._shown(self._with_cells(self.boards.looked_at()))

    def _with_cells(self, board: SmallBoard) -> SmallBoard:
        """The board with its free cells as candidates, where the choice is made on it."""
        move = self.update.choice
        if move is None or board.cells != space().text(move.board):
            return board
        known = {cell: row.quantity for row in self._choice.rows for cell in row.cells}
        known |= {cell: means for cell, means in enumerate(board.meanings) if means is not None}
        return replace(board, meanings=quantities_of_cells(known))

    def choice(self) -> Choice:
        """The candidates of the move, best first, and its dice."""
        return self._shown(self._choice)

    @cached_property
    def _choice(self) -> Choice:
        return choice_view(self.context)

    def equation(self) -> Equation:
        """The update as rule, numbers, code and words, and on the number line."""
        if self.selected is None:
            return self._equation
        words = Description(self.selected, self.context, self._equation).words
        return replace(self._equation, chosen=self.selected, selection=words)

    @cached_property
    def _equation(self) -> Equation:
        return equation_view(self.context, sentence(self.context), self._code())

    def _code(self) -> SourceLine | None:
        """The line that makes the backup; of one that is not known yet, the game's first."""
        game, row = self.update.game, self.update.learned_row
        if row < 0:
            row = next(
                (
                    later
                    for later, event in enumerate(game.events, game.first)
                    if isinstance(event, Learning) and event.player == self.update.player
                ),
                -1,
            )
        return None if row < 0 else self.timeline.reads_at(row).line

    def diagram(self) -> Diagram:
        """The backup diagram of the game, for the player of the update (S&B, Figure 1.1)."""
        return self._shown(self._diagram)

    @cached_property
    def _diagram(self) -> Diagram:
        if not self.update.spec.rule.learns:
            return Diagram(title="backup diagram")
        return DiagramBuilder(self.context).view()

    def entries(self) -> Entries:
        """The entries that this game has changed so far."""
        return self._shown(self._entries)

    @cached_property
    def _entries(self) -> Entries:
        return entries_view(self.context)
