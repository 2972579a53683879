"""The panes of Step: one update of one entry, from every side."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from game import space
from learners.tape.events import Learning
from learners.tape.timeline import Timeline
from tui.lab.microscope.choice import choice_view
from tui.lab.microscope.context import UpdateContext
from tui.lab.microscope.diagram import Diagram
from tui.lab.microscope.entries import entries_view
from tui.lab.microscope.formula import equation_view
from tui.lab.microscope.selection import (
    Description,
    mark_board,
    mark_choice,
    mark_diagram,
    mark_entries,
    mark_update,
    resolved,
    shown_quantities,
)
from tui.lab.microscope.sentences import sentence
from tui.lab.microscope.update import Update, current_update
from tui.lab.microscope.update_boards import UpdateBoards, quantities_of_cells
from tui.views.update import DiagramView

if TYPE_CHECKING:
    from collections.abc import Callable

    from learners.tape.watched import SourceLine
    from tui.views.update import AfterstateView, ChoiceView, EntriesView, Quantity, UpdateView

V = TypeVar("V")
"""A view."""


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
        views = (
            self._equation,
            self.boards.backed_up(),
            self.boards.looked_at(),
            self._choice,
            self._diagram,
            self._entries,
        )
        return shown_quantities(views)

    @cached_property
    def selected(self) -> Quantity | None:
        return None if self.chosen is None else resolved(self.chosen, self.quantities)

    def _marked(self, view: V, mark: Callable[[V, Quantity], V]) -> V:
        return view if self.selected is None else mark(view, self.selected)

    def afterstate(self) -> AfterstateView:
        """What is backed up: S_t, or the pair S, A."""
        return self._marked(self._with_cells(self.boards.backed_up()), mark_board)

    def next_afterstate(self) -> AfterstateView:
        """What the backup looks at, or as much of it as has happened in the current phase."""
        return self._marked(self._with_cells(self.boards.looked_at()), mark_board)

    def _with_cells(self, view: AfterstateView) -> AfterstateView:
        """The board with its free cells as candidates, where the choice is made on it."""
        move = self.update.choice
        if move is None or view.cells != space().text(move.board):
            return view
        known = {
            int(cell) - 1: row.quantity for row in self._choice.rows for cell in row.cell.split()
        }
        known |= {
            cell: quantity for cell, quantity in enumerate(view.quantities) if quantity is not None
        }
        return replace(view, quantities=quantities_of_cells(known))

    def choice(self) -> ChoiceView:
        """The candidates of the move, best first, and its dice."""
        return self._marked(self._choice, mark_choice)

    @cached_property
    def _choice(self) -> ChoiceView:
        return choice_view(self.context)

    def equation(self) -> UpdateView:
        """The update as rule, numbers, code and words, and on the number line."""
        if self.selected is None:
            return self._equation
        view = mark_update(self._equation, self.selected)
        words = Description(self.selected, self.context, self._equation).words
        return replace(view, selection=words)

    @cached_property
    def _equation(self) -> UpdateView:
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
        return None if row < 0 else self.timeline.source_line_at(row)

    def diagram(self) -> DiagramView:
        """The backup diagram of the game, for the player of the update (S&B, Figure 1.1)."""
        return self._marked(self._diagram, mark_diagram)

    @cached_property
    def _diagram(self) -> DiagramView:
        if not self.update.spec.rule.learns:
            return DiagramView(())
        return Diagram(self.context).view()

    def entries(self) -> EntriesView:
        """The entries that this game has changed so far."""
        return self._marked(self._entries, mark_entries)

    @cached_property
    def _entries(self) -> EntriesView:
        return entries_view(self.context)
