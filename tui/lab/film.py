"""The film of a run: all of its games in a number of seconds.

The speed is eased: each second passes as many times more games as the one before, so that the early
games, in which most is learned, can be seen.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from learners.ask.marks import Marks
    from learners.tape.run import Run


class Film:
    """The marks of a run, and where its film is.

    Args:
        run: the run.
        marks: of its games.
    """

    def __init__(self, run: Run, marks: Marks) -> None:
        self.run, self.marks = run, marks
        self.is_playing = False
        self._began, self._seconds = 0.0, 0.0

    def play(self, seconds: float) -> None:
        """Play from the start, from the next picture on."""
        self.is_playing, self._began, self._seconds = True, math.nan, seconds

    def game_at(self, now: float) -> int:
        """The game (from 0) to be shown at a time in seconds; after the last one the film ends."""
        if math.isnan(self._began):
            self._began = now
        part = min(1.0, (now - self._began) / self._seconds)
        self.is_playing = part < 1.0
        last = self.run.games
        return min(last - 1, round(math.pow(last + 1, part)) - 1)

    def part_of(self, game: int) -> float:
        """Where a game (from 0) lies in the film, 0 to 1."""
        return min(1.0, math.log(game + 1) / math.log(max(2, self.run.games)))

    def game_of(self, part: float) -> int:
        """The game that lies there."""
        games = max(2, self.run.games)
        return min(self.run.games - 1, max(0, round(math.pow(games, part)) - 1))
