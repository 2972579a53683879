"""The panes of Step: one update of one entry, from every side."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from game import space
from learners.judge.evaluated_state import true_values
from learners.tape.events import Backup, Learning, Move
from learners.tape.timeline import Timeline
from tui.lab.microscope.changes import entries_view
from tui.lab.microscope.choice import choice_view
from tui.lab.microscope.diagram import diagram_view
from tui.lab.microscope.equation import equation_view
from tui.lab.microscope.reading import Reading, reading_of
from tui.lab.microscope.selection import resolved, things_of
from tui.lab.microscope.selection_marks import (
    mark_board,
    mark_choice,
    mark_diagram,
    mark_entries,
    mark_update,
)
from tui.lab.microscope.selection_words import Description
from tui.lab.microscope.sentences import sentence
from tui.lab.microscope.steps import Kind
from tui.lab.microscope.update import Update
from tui.lab.microscope.update_boards import Scenes, things_of_cells
from tui.views.update import DiagramView

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from learners.kernel.memory import Table
    from learners.tape.source_lines import SourceLine
    from tui.views.quantity import Thing
    from tui.views.update import AfterstateView, ChoiceView, EntriesView, UpdateView

V = TypeVar("V")
"""A view."""


class Microscope:
    """Builds the panes of one place of a timeline.

    Args:
        timeline: the place.
        update: the update looked at there.
        chosen: what was selected, here or elsewhere.
    """

    def __init__(self, timeline: Timeline, update: Update, chosen: Thing | None = None) -> None:
        self.timeline = timeline
        self.update = update
        self.chosen = chosen
        self.phase = timeline.phase
        self._truths: dict[str, NDArray[np.float64]] = {}

    @cached_property
    def v(self) -> NDArray[np.float64]:
        """Memory before the write of now, in its last phase too."""
        v, event = self.timeline.v, self.timeline.event
        if isinstance(event, Backup) and self.timeline.at > self.timeline.row:
            v = v.copy()
            v[event.entry] = event.old
        return v

    def truth(self, player: str) -> NDArray[np.float64]:
        """float64[5478], v* by position for a player; of beads, from a loss (0) to a win (1)."""
        if player not in self._truths:
            table, layout = self._table(player), self.timeline.recording.layout
            values = true_values(layout, self.timeline.v, table.side, self.timeline.game)
            rule = table.spec.rule
            if rule.learns and not rule.estimates:
                win, _, loss = rule.rewards(table.spec.settings)
                values = (values - loss) / ((win - loss) or 1.0)
            self._truths[player] = values
        return self._truths[player]

    def _table(self, player: str) -> Table:
        layout = self.timeline.recording.layout
        return layout.x if player == "X" else layout.o

    @cached_property
    def reading(self) -> Reading:
        """What the backup reads."""
        return reading_of(self.update, self.timeline.recording.layout, self.v)

    @cached_property
    def scenes(self) -> Scenes:
        """The two boards."""
        truth = self.truth(self.update.player)
        return Scenes(self.update, self.phase, self.reading, self.timeline.v, truth)

    @cached_property
    def things(self) -> tuple[Thing, ...]:
        """What can be selected here, in order."""
        views = (
            self._equation,
            self.scenes.backed_up(),
            self.scenes.looked_at(),
            self._choice,
            self._diagram,
            self._entries,
        )
        return things_of(views)

    @cached_property
    def selected(self) -> Thing | None:
        """What is selected here."""
        return None if self.chosen is None else resolved(self.chosen, self.things)

    def _marked(self, view: V, mark: Callable[[V, Thing], V]) -> V:
        return view if self.selected is None else mark(view, self.selected)

    def afterstate(self) -> AfterstateView:
        """What is backed up: S_t, or the pair S, A."""
        return self._marked(self._with_cells(self.scenes.backed_up()), mark_board)

    def next_afterstate(self) -> AfterstateView:
        """What the backup looks at, or as much of it as has happened in the phase of now."""
        return self._marked(self._with_cells(self.scenes.looked_at()), mark_board)

    def _with_cells(self, view: AfterstateView) -> AfterstateView:
        """The board with its free cells as candidates, where the choice is made on it."""
        move = self.update.choice
        if move is None or view.cells != space().text(move.board):
            return view
        known = {int(cell) - 1: row.thing for row in self._choice.rows for cell in row.cell}
        known |= {cell: thing for cell, thing in enumerate(view.things) if thing is not None}
        return replace(view, things=things_of_cells(known))

    def choice(self) -> ChoiceView:
        """The candidates of the move, best first, and its dice."""
        return self._marked(self._choice, mark_choice)

    @cached_property
    def _choice(self) -> ChoiceView:
        move = self.update.choice
        mover = self.update.player if move is None else move.player
        return choice_view(
            self.timeline, self.update, self.v, self.truth(mover), self.scenes.things
        )

    def equation(self) -> UpdateView:
        """The update as rule, numbers, code and words, and on the number line."""
        if self.selected is None:
            return self._equation
        view = mark_update(self._equation, self.selected)
        return replace(view, selection=Description(self, self._equation).words)

    @cached_property
    def _equation(self) -> UpdateView:
        update = self.update
        event = update.event
        mover = event.player if isinstance(event, Move) else update.player
        words = sentence(update, self.phase, self.reading, self._table(mover), self.v)
        return equation_view(
            update,
            self.phase,
            self.reading,
            words,
            self._code(),
            self._exact(),
            self.scenes.value,
            self.scenes.things,
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
        return self.scenes.exact_of(update.step)

    def diagram(self) -> DiagramView:
        """The backup diagram of the game, for the player of the update (S&B, Figure 1.1)."""
        return self._marked(self._diagram, mark_diagram)

    @cached_property
    def _diagram(self) -> DiagramView:
        if not self.update.spec.rule.learns:
            return DiagramView(())
        return diagram_view(self.update, self.timeline.row, self.timeline.v, self.scenes.things)

    def entries(self) -> EntriesView:
        """The entries that this game has changed so far."""
        return self._marked(self._entries, mark_entries)

    @cached_property
    def _entries(self) -> EntriesView:
        return entries_view(self.timeline, self.update, self.truth, self.scenes.things)
