"""The panes of Step: one update of one entry, from every side."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from learners.evaluation import true_values
from learners.events import Backup, Learning, Move
from learners.timeline import Timeline
from tui.lab.changes import entries_view
from tui.lab.choice import choice_view
from tui.lab.diagram import diagram_view
from tui.lab.equation import equation_view
from tui.lab.reading import Reading, reading_of
from tui.lab.scenes import Scenes
from tui.lab.sentences import sentence
from tui.lab.steps import Kind
from tui.lab.update import Update
from tui.views.update import DiagramView

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.memory import Table
    from learners.source_lines import SourceLine
    from tui.views.update import AfterstateView, ChoiceView, EntriesView, UpdateView


class Microscope:
    """Builds the panes of one place of a timeline.

    Args:
        timeline: the place.
        update: the update looked at there.
    """

    def __init__(self, timeline: Timeline, update: Update) -> None:
        self.timeline = timeline
        self.update = update
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

    def afterstate(self) -> AfterstateView:
        """What is backed up: S_t, or the pair S, A."""
        return self.scenes.backed_up()

    def next_afterstate(self) -> AfterstateView:
        """What the backup looks at, or as much of it as has happened in the phase of now."""
        return self.scenes.looked_at()

    def choice(self) -> ChoiceView:
        """The candidates of the move, best first, and its dice."""
        move = self.update.choice
        mover = self.update.player if move is None else move.player
        return choice_view(self.timeline, self.update, self.v, self.truth(mover))

    def equation(self) -> UpdateView:
        """The update as rule, numbers, code and words, and on the number line."""
        update = self.update
        event = update.event
        mover = event.player if isinstance(event, Move) else update.player
        words = sentence(update, self.phase, self.reading, self._table(mover), self.v)
        return equation_view(
            update, self.phase, self.reading, words, self._code(), self._exact(), self._value()
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

    def _value(self) -> float | None:
        """What the entry that is looked at holds."""
        if not self.update.is_reached(self.phase):
            return None
        return self.scenes.value_of(self.update.step)

    def _exact(self) -> float | None:
        """v* of the entry; None for beads, which are no estimates."""
        update = self.update
        if update.kind is Kind.BEADS or not update.spec.rule.learns or not update.steps:
            return None
        return self.scenes.exact_of(update.step)

    def diagram(self) -> DiagramView:
        """The backup diagram of the game, for the player of the update (S&B, Figure 1.1)."""
        if not self.update.spec.rule.learns:
            return DiagramView(())
        return diagram_view(self.update, self.timeline.row, self.timeline.v)

    def entries(self) -> EntriesView:
        """The entries that this game has changed so far."""
        return entries_view(self.timeline, self.update, self.truth)
