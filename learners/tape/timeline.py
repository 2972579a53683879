"""A position in a run that moves forwards and backwards, event by event.

A `Timeline` records a window of games around its position, and another window when it moves past
the edge, so stepping through a million games is as fast as through one. The position is a row of
the window and a *stop* within that event: a phase before it is complete.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Final

import numpy as np

from afterstate_lab.learners.engine.backups import BACKUP, MOVE
from afterstate_lab.learners.engine.play import EXPLORED
from afterstate_lab.learners.tape.recording import (
    Backup,
    Cursor,
    Event,
    Move,
    Recording,
    TapePosition,
    position_of,
    row_at,
)
from afterstate_lab.learners.tape.run import FEW_GAMES, MANY_GAMES, never

if TYPE_CHECKING:
    from afterstate_lab.game.exact import Floats
    from afterstate_lab.learners.tape.run import Run, Stop

GAMES_BEFORE = 24
"""Games recorded before the requested one, for the log and for stepping back."""
GAMES_AFTER = 8
"""Games recorded from the requested game."""

REPLY, VALUES, CHOICE, TARGET, WRITE = range(5)
PHASES = ("reply", "values", "choice", "target", "write")
"""The phases of an update: the opponent's reply, the values of the candidates, dice and choice,
target and TD error, write."""


@dataclass(frozen=True)
class GameSummary:
    last: Event
    """Its last event: the end, unless it is not over."""
    largest_error: float
    """The largest |δ| of its backups."""
    exploratory: int
    """Number of exploratory moves."""


def summarise(recording: Recording) -> dict[int, GameSummary]:
    """Return the summary of every game of a recording, by number."""
    summaries = {}
    for game in range(recording.first, recording.last):
        rows = recording.rows_of(game)
        part = slice(rows.start, rows.stop)
        moves = recording.meta[part][recording.kinds[part] == MOVE]
        summaries[game] = GameSummary(
            recording.event(rows[-1]),
            float(np.abs(recording.errors[part]).max()),
            int(np.count_nonzero(moves >> 7 & EXPLORED)),
        )
    return summaries


class Timeline(Cursor):
    """A position in a run, in the latest game at first.

    Args:
        run: the run; it may be trained meanwhile.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.summaries: dict[int, GameSummary] = {}
        """Summaries of the latest games in the window, by number."""
        self.show(run.record(run.games, run.games))

    def show(self, recording: Recording, *, at_end: bool = False) -> None:
        """Show some games (or an unfinished one, recorded elsewhere), at their start or end."""
        super().__init__(recording, recording.size if at_end else 0)
        self._events: dict[int, Event] = {}
        self.summaries |= summarise(recording)
        if len(self.summaries) > 4096:
            near = range(recording.first - 256, recording.last + 256)
            self.summaries = {g: s for g, s in self.summaries.items() if g in near}

    @property
    def row(self) -> int:
        """The row of the current event; -1 before the first."""
        return self.at if self.phases_done else self.at - 1

    def event_at(self, row: int) -> Event:
        if row not in self._events:
            self._events[row] = self.recording.event(row)
        return self._events[row]

    @property
    def place(self) -> TapePosition:
        """The position of the current event in the run."""
        return (
            position_of(self.recording, self.row) if self.row >= 0 else TapePosition(self.game, -1)
        )

    @property
    def event(self) -> Event | None:
        """The current event; None at the start of the run."""
        return self.event_at(self.row) if self.row >= 0 else None

    @property
    def phase(self) -> int:
        """The current phase of the current event; its last one unless stepped by phase."""
        if self.event is None:
            return WRITE
        phases = self._stops(self.row)
        return phases[self.phases_done - 1]

    @property
    def is_written(self) -> bool:
        """Whether the current phase is the last of a backup."""
        return self.phase == WRITE

    def go_to_phase(self, phases_done: int) -> bool:
        """Go back to where so many phases of the current event are complete; False if there is no
        such place."""
        row = self.row
        if row < 0 or not 1 <= phases_done < len(self._stops(row)):
            return False
        self.seek(row)
        self.phases_done = phases_done
        return True

    def _stops(self, row: int) -> tuple[int, ...]:
        """Return the phases at which stepping stops within an event."""
        event = self.event_at(row)
        if isinstance(event, Move):
            return (VALUES, CHOICE) if event.ply == 1 else (REPLY, VALUES, CHOICE)
        if not isinstance(event, Backup):
            return (WRITE,)
        earlier = (self.event_at(n) for n in range(row, -1, -1))
        last = next((one.player for one in earlier if isinstance(one, Move)), "")
        return (TARGET, WRITE) if event.player == last else (REPLY, TARGET, WRITE)

    @property
    def game(self) -> int:
        """The number of the current game."""
        return self.event.game if self.event is not None else self.recording.first

    @property
    def rows(self) -> range:
        """The rows of the current game."""
        return self.recording.rows_of(self.game)

    def events_so_far(self) -> list[Event]:
        """Return the events of the current game up to and including the current one."""
        return [self.event_at(row) for row in self.rows if row <= self.row]

    def go_to(self, game: int, *, at_end: bool = False) -> None:
        """Go to the first event of a game (or its last)."""
        if game not in range(self.recording.first, self.recording.last):
            if not 0 <= game < max(1, self.run.games):
                raise IndexError(f"the run has {self.run.games:,} games")
            last = min(self.run.games, game + GAMES_AFTER)
            self.show(self.run.record(first_shown(game), last))
        rows = self.recording.rows_of(game)
        self.seek(rows.stop if at_end else min(rows.start + 1, rows.stop))

    def go_to_place(self, place: TapePosition) -> None:
        """Go to just after an event, or to the start of its game."""
        self.go_to(place.game)
        self.seek(row_at(self.recording, place) + 1)

    def seek(self, at: int) -> None:
        """Go to the position after the first `at` events of the window."""
        super().seek(at)
        self.phases_done = 0
        """Number of complete phases of the current event; 0 if the whole event is."""

    def step(self) -> bool:
        """Step to the next event, in the next game if necessary; return False at the end of the
        run.
        """
        if self.at < self.recording.size:
            self.seek(self.at + 1)
        elif self.recording.last < self.run.games:
            self.go_to(self.recording.last)
        else:
            return False
        return True

    def step_back(self) -> bool:
        """Step to the previous event; return False at the start of the run."""
        if self.phases_done and not self._is_at_page_start:
            self.seek(self.at)
            return self.at > 0
        if self.at <= 1 and self.recording.first > 0:
            self.go_to(self.recording.first - 1, at_end=True)
            return True
        if self.at == 0:
            return False
        self.seek(self.at - 1)
        return True

    def step_phase(self) -> bool:
        """Step to the next phase; False at the end of the run."""
        if self.at == self.recording.size:
            if not self.step():
                return False
            self.go_to_phase(1)
        elif self.phases_done + 1 < len(self._stops(self.at)):
            self.phases_done += 1
        else:
            self.seek(self.at + 1)
        return True

    def step_phase_back(self) -> bool:
        """Step to the previous phase; False at the start of the run."""
        if self.phases_done > self._is_at_page_start:
            self.phases_done -= 1
            return True
        phases = len(self._stops(self.at - 1)) if self.at else 1
        if phases == 1:
            return self.step_back()
        self.seek(self.at - 1)
        self.phases_done = phases - 1
        return True

    @property
    def _is_at_page_start(self) -> bool:
        """Whether the position is before the window's first event, but not the run's."""
        return self.at == 0 and self.recording.first > 0

    def next_game(self) -> bool:
        """Go to the first event of the next game; False if there is none."""
        game = self.game + 1
        if game >= max(self.run.games, self.recording.last):
            return False
        self.go_to(game)
        return True

    def previous_game(self) -> bool:
        """Go to the first event of this game, or, if already there, of the previous game."""
        rows = self.rows
        if self.row > rows.start or self.game == 0:
            moved = self.row != rows.start
            self.seek(min(rows.start + 1, rows.stop))
            return moved
        self.go_to(self.game - 1)
        return True


def first_shown(game: int) -> int:
    """Return the first game of the window when going to a game."""
    return max(0, game - GAMES_BEFORE)


LINEAR: Final = 60
"""Up to this many games every game has its columns; then the axis is logarithmic."""


class Sweep:
    """A run's values after the game of each column, 1 to the number of games.

    Args:
        games: how many games; the last may be unfinished.
    """

    def __init__(self, run: Run, games: int, columns: int) -> None:
        self.run, self.columns, self.games = run, columns, max(1, games)
        self.is_log = self.games > LINEAR
        self._rewinds = run.rewinds
        places = np.arange(columns)
        if self.is_log:
            shown = np.rint(self.games ** (places / (columns - 1))).astype(np.int64)
            # A column of many games stands for one that is known without a replay.
            frames = np.array([frame.game for frame in run.keyframes])
            ends = np.append(shown[1:], self.games + 1)
            first = frames[np.searchsorted(frames, shown).clip(max=len(frames) - 1)]
            is_known = (shown <= first) & (first < ends) & (ends - shown > FEW_GAMES)
            self.shown = np.where(is_known, first, shown)
        else:
            self.shown = places * self.games // columns + 1
        self.values: Floats | None = None
        """float64[columns, N] once made."""

    def fits(self, run: Run, games: int, columns: int) -> bool:
        same = self.run is run and self._rewinds == run.rewinds
        return same and (self.games, self.columns) == (max(1, games), columns)

    def column_of(self, game: int) -> int:
        """Return the first column of a game, or the nearest one."""
        game = min(max(1, game), self.games)
        if not self.is_log:
            return -(-(game - 1) * self.columns // self.games)
        first = int(np.searchsorted(self.shown, game))
        if self.shown[first] == game:
            return first
        return round(log(game) / log(self.games) * (self.columns - 1))

    def make(self, stop: Stop = never) -> None:
        """Replay the run once, from its keyframes; a long run is compiled first."""
        run = self.run.fork()  # another thread may go through the same run
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
