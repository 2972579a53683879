"""What the store takes and returns, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from learners.judge.curve import Point
    from learners.tape.run import Run


@dataclass(frozen=True)
class Pending:
    """A person's unfinished game."""

    script: Mapping[int, int]
    """The person's moves: cells 0-8 by ply 1-9."""
    side: str
    """X, O, or XO for two people."""


@dataclass(frozen=True)
class Written:
    """The rows that the store holds of a run; the next save writes only the others."""

    keyframes: Mapping[int, str] = field(default_factory=dict)
    """By game, the hash of memory and results."""
    scripts: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    points: Mapping[int, Point] = field(default_factory=dict)
    """By number of games."""


@dataclass(frozen=True)
class StoredRun:
    """A run in the store as it was saved or loaded: the `into` of the run's next save."""

    id: int
    uid: str
    name: str
    generation: int
    is_copy: bool = False
    """Whether it was saved as a copy, because another process had changed the run."""
    written: Written = field(default_factory=Written, repr=False, compare=False)


@dataclass(frozen=True)
class RunInfo:
    """A line in the list of runs; its texts are printable."""

    id: int
    name: str
    note: str
    created: datetime
    updated: datetime
    deleted: datetime | None
    x: str
    o: str
    seed: int
    games: int
    results: tuple[int, int, int]
    """X won, drawn, O won."""
    in_game: bool
    """Whether a person's game is unfinished."""
    sha256: str
    """The hash of memory."""

    def as_json(self) -> dict[str, Any]:
        """The object that `runs --json` prints."""
        won_x, drawn, won_o = self.results
        return {
            "name": self.name,
            "x": self.x,
            "o": self.o,
            "seed": self.seed,
            "games": self.games,
            "results": {"x": won_x, "draw": drawn, "o": won_o},
            "created": self.created.isoformat(timespec="seconds"),
            "updated": self.updated.isoformat(timespec="seconds"),
            "in_game": self.in_game,
            "note": self.note,
            "sha256": self.sha256,
        }


@dataclass(frozen=True, eq=False)
class LoadedRun:
    run: Run
    stored: StoredRun
    note: str
    history: tuple[Point, ...]
    """The learning curve."""
    pending: Pending | None
    """A person's unfinished game: to resume it, play `run` with its script."""
    is_same_engine: bool
    """Whether the engine's sources are those that played the games."""

    def make_ready(self) -> LoadedRun:
        """Prepare going to the latest game, which may take seconds: meant for a thread."""
        from learners.tape.timeline import first_shown

        if self.run.games:
            self.run.make_ready(first_shown(self.run.games - 1))
        return self
