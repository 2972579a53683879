"""The panes of Step: one update of one entry, from every side."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from game import space
from learners.judge.evaluated_state import true_values
from learners.tape.events import Backup, Learning, Move
from learners.tape.timeline import Timeline
from tui.lab.microscope.choice import choice_view
from tui.lab.microscope.diagram import diagram_view
from tui.lab.microscope.entries import entries_view
from tui.lab.microscope.formula import equation_view
from tui.lab.microscope.inputs import TargetInputs, inputs_of
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
from tui.lab.microscope.update import Kind, Update, table_of_player
from tui.lab.microscope.update_boards import UpdateBoards, quantities_of_cells
from tui.views.update import DiagramView

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from learners.tape.source_lines import SourceLine
    from tui.views.update import AfterstateView, ChoiceView, EntriesView, Quantity, UpdateView

V = TypeVar("V")
"""A view."""


class Microscope:
    """Builds the panes of one place of a timeline.

    Args:
        timeline: the place.
        update: the current update there.
        chosen: what was selected, here or elsewhere.
    """

    def __init__(self, timeline: Timeline, update: Update, chosen: Quantity | None = None) -> None:
        self.timeline = timeline
        self.update = update
        self.chosen = chosen
        self.phase = timeline.phase
        self._truths: dict[str, NDArray[np.float64]] = {}

    @cached_property
    def v(self) -> NDArray[np.float64]:
        """Memory before the current write, in its last phase too."""
        v, event = self.timeline.v, self.timeline.event
        if isinstance(event, Backup) and self.timeline.at > self.timeline.row:
            v = v.copy()
            v[event.entry] = event.old
        return v

    def truth(self, player: str) -> NDArray[np.float64]:
        """float64[5478], v* by position for a player; of beads, from a loss (0) to a win (1)."""
        if player not in self._truths:
            table, layout = table_of_player(self.timeline, player), self.timeline.recording.layout
            values = true_values(layout, self.timeline.v, table.side, self.timeline.game)
            rule = table.spec.rule
            if rule.learns and not rule.estimates:
                win, _, loss = rule.rewards(table.spec.settings)
                values = (values - loss) / ((win - loss) or 1.0)
            self._truths[player] = values
        return self._truths[player]

    @cached_property
    def inputs(self) -> TargetInputs:
        """What the backup reads."""
        return inputs_of(self.update, self.v)

    @cached_property
    def boards(self) -> UpdateBoards:
        """The two boards."""
        truth = self.truth(self.update.player)
        return UpdateBoards(self.update, self.phase, self.inputs, self.timeline.v, truth)

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
        """What is selected here."""
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
        known = {int(cell) - 1: row.quantity for row in self._choice.rows for cell in row.cell}
        known |= {
            cell: quantity for cell, quantity in enumerate(view.quantities) if quantity is not None
        }
        return replace(view, quantities=quantities_of_cells(known))

    def choice(self) -> ChoiceView:
        """The candidates of the move, best first, and its dice."""
        return self._marked(self._choice, mark_choice)

    @cached_property
    def _choice(self) -> ChoiceView:
        move = self.update.choice
        mover = self.update.player if move is None else move.player
        return choice_view(
            self.timeline, self.update, self.v, self.truth(mover), self.boards.quantities
        )

    def equation(self) -> UpdateView:
        """The update as rule, numbers, code and words, and on the number line."""
        if self.selected is None:
            return self._equation
        view = mark_update(self._equation, self.selected)
        words = Description(
            self.selected,
            self.timeline,
            self.update,
            self.inputs,
            self.boards.quantities,
            self.truth,
            self._equation,
        ).words
        return replace(view, selection=words)

    @cached_property
    def _equation(self) -> UpdateView:
        update = self.update
        event = update.event
        mover = event.player if isinstance(event, Move) else update.player
        words = sentence(
            update, self.phase, self.inputs, table_of_player(self.timeline, mover), self.v
        )
        return equation_view(
            update,
            self.phase,
            self.inputs,
            words,
            self._code(),
            self._exact(),
            self.boards.value,
            self.boards.quantities,
        )

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

    def _exact(self) -> float | None:
        """v* of the entry; None for beads, which are no estimates."""
        update = self.update
        if update.kind is Kind.BEADS or not update.spec.rule.learns or not update.steps:
            return None
        return self.boards.exact_of(update.step)

    def diagram(self) -> DiagramView:
        """The backup diagram of the game, for the player of the update (S&B, Figure 1.1)."""
        return self._marked(self._diagram, mark_diagram)

    @cached_property
    def _diagram(self) -> DiagramView:
        if not self.update.spec.rule.learns:
            return DiagramView(())
        return diagram_view(self.update, self.timeline.row, self.timeline.v, self.boards.quantities)

    def entries(self) -> EntriesView:
        """The entries that this game has changed so far."""
        return self._marked(self._entries, mark_entries)

    @cached_property
    def _entries(self) -> EntriesView:
        return entries_view(self.timeline, self.update, self.truth, self.boards.quantities)
