"""The memory of a run after some of its games, from one pass over them all."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Final

import numpy as np

from afterstate_lab.learners.engine.backups import BACKUP
from afterstate_lab.learners.tape.run import FEW_GAMES, MANY_GAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.tape.run import Run, Stop

LINEAR: Final = 60
"""Up to this many games every game has its columns; then the axis is logarithmic."""


class Sweep:
    """A run's values after the game of each column, 1 to the number of games.

    Args:
        games: how many games; the last may be unfinished.
    """

    def __init__(self, run: Run, games: int, columns: int) -> None:
        self.run, self.columns, self.games = run, columns, max(1, games)
        self._rewinds = run.rewinds
        places = np.arange(columns)
        if self.is_log:
            self.shown = np.rint(self.games ** (places / (columns - 1))).astype(np.int64)
            self._begin_at_keyframes()
        else:
            self.shown = places * self.games // columns + 1
        self.values: NDArray[np.float64] | None = None
        """float64[columns, N] once made."""

    def _begin_at_keyframes(self) -> None:
        """Let columns of many games stand for one that is known without a replay."""
        frames = np.array([frame.game for frame in self.run.keyframes])
        ends = np.append(self.shown[1:], self.games + 1)
        first = frames[np.searchsorted(frames, self.shown).clip(max=len(frames) - 1)]
        is_known = (self.shown <= first) & (first < ends) & (ends - self.shown > FEW_GAMES)
        self.shown = np.where(is_known, first, self.shown)

    def fits(self, run: Run, games: int, columns: int) -> bool:
        same = self.run is run and self._rewinds == run.rewinds
        return same and (self.games, self.columns) == (max(1, games), columns)

    @property
    def is_log(self) -> bool:
        return self.games > LINEAR

    @property
    def is_quick(self) -> bool:
        return self.games <= FEW_GAMES

    def column_of(self, game: int) -> int:
        """Return the first column of a game, or the nearest one."""
        game = min(max(1, game), self.games)
        if not self.is_log:
            return -(-(game - 1) * self.columns // self.games)
        first = int(np.searchsorted(self.shown, game))
        if self.shown[first] == game:
            return first
        return round(log(game) / log(self.games) * (self.columns - 1))

    def make(self, stop: Stop = lambda: False) -> None:
        """Replay the run once, from its keyframes; a long run is compiled first."""
        run = self.run.fork(self.run.games)  # another thread may go through the same run
        for first, last, seats in run.spans(0, run.games):
            if last - first > MANY_GAMES:
                run.kernel(seats).compile()
        games, columns = np.unique(self.shown, return_inverse=True)
        known = np.empty((len(games), run.layout.values))
        for row, game in enumerate(games):
            if stop():
                return
            known[row] = run.memory_at(min(int(game), run.games))[: run.layout.values]
        self.values = known[columns]

    def first_change(self, entry: int) -> tuple[int, bool] | None:
        """Return the first game that changed a value, and whether it is exact; None for none.

        It is exact where the games between two columns are few enough to be replayed.
        """
        assert self.values is not None
        changed = np.flatnonzero(self.values[:, entry] != self.run.layout.fresh()[entry])
        if not len(changed):
            return None
        column = int(changed[0])
        game = int(self.shown[column])
        before = int(self.shown[self.shown < game].max(initial=0))
        if game - before > FEW_GAMES:
            return game, False
        recording = self.run.record(before, min(game, self.run.games))
        new, old = recording.columns.new, recording.columns.old
        writes = (recording.kinds == BACKUP) & (recording.columns.entry == entry) & (new != old)
        return int(recording.games[writes][0]) + 1, True
