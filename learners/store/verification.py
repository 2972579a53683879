"""Does a run replay to the same bits here? Everything is played again and compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from learners.rules.opponents import FromFile
from learners.store.records import LoadedRun
from learners.tape.run import Run

WORTH_COMPILING: Final = 50_000
"""Fewer games are replayed before the compiler is loaded."""


@dataclass(frozen=True)
class Verification:
    """What came of replaying a run."""

    is_same: bool
    """Whether all that was played again came out the same, bit by bit."""
    games: int
    """Games played again: fewer than the run has where it was stopped."""
    sha256: str
    """The hash of the run's memory."""
    differs: tuple[str, ...]
    """What differs, a sentence each."""


def verify(loaded: LoadedRun, stopped: Callable[[], bool] = lambda: False) -> Verification:
    """Play a run again from the start, keyframe by keyframe.

    Args:
        loaded: the run as it came out of the store.
        stopped: asked between two keyframes whether to go on.
    """
    run = loaded.run
    if run.games >= WORTH_COMPILING:
        for seating in {seating for _, seating in run.legs}:
            run.kernel(seating).compile()
    wrong = other_start(run)
    games = 0
    try:
        for first, last, is_same in run.replayed():
            games = last
            if not is_same:
                wrong.append(
                    f"replayed from game {first:,}, it knows other numbers after game {last:,}"
                )
            if stopped():
                break
    except (IndexError, ValueError):
        wrong.append(f"a game after game {games:,} cannot be replayed: its moves are not legal")
    if wrong and not loaded.is_same_engine:
        wrong.append("the run was played by another version of the engine or of its rules")
    notes = other_files(run)
    return Verification(not wrong, games, run.state().sha256, (*wrong, *notes))


def begins_alike(run: Run) -> bool:
    """Whether the players knew before their first game what they would know here."""
    return run.memory_at(0).tobytes() == run.layout.fresh().tobytes()


def files_of(run: Run) -> list[str]:
    """The saved policies that play."""
    return [str(spec) for spec in (run.x, run.o) if issubclass(spec.rule, FromFile)]


def other_start(run: Run) -> list[str]:
    """What is wrong where the players begin otherwise than they would here."""
    if files_of(run) or begins_alike(run):
        return []
    return ["the players know other things before their first game here"]


def other_files(run: Run) -> list[str]:
    """What is to be said where a saved policy is gone or has changed: the run has its own copy."""
    files = files_of(run)
    if not files or begins_alike(run):
        return []
    return [f"{' and '.join(files)} is gone or has changed; the run goes on with what it held"]
