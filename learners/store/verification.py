"""Which engine played a run, and whether the run replays to the same bits here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from game import Side
from learners.errors import UsageError
from learners.kernel.compiler import kernel_hash
from learners.kernel.hooks import Hooks, engine_with_hooks
from learners.kernel.kernel import WORTH_COMPILING
from learners.kernel.memory import Layout
from learners.kernel.parameters import parameters
from learners.players.resolve import parse_player
from learners.rules.spec import PlayerSpec
from learners.store.records import LoadedRun
from learners.tape.run import Run


@cache
def engine_hash(x: PlayerSpec, o: PlayerSpec) -> str:
    """A hash of the kernel's sources, the players' rules included; empty without the sources."""
    layout = Layout.of(x, o)
    of_x, of_o = (
        Hooks.of(spec.rule, not spec.learns, parameters(table, layout, not spec.learns))
        for spec, table in ((x, layout.x), (o, layout.o))
    )
    try:
        return kernel_hash(engine_with_hooks(of_x, of_o))
    except OSError:
        return ""


@dataclass(frozen=True)
class Verification:
    is_same: bool
    """Whether every replayed bit is equal."""
    games: int
    """Number of replayed games: fewer than the run's if it was stopped."""
    sha256: str
    """The hash of the run's memory."""
    differs: tuple[str, ...]
    """The differences, one sentence each."""


def verify(loaded: LoadedRun, stopped: Callable[[], bool] = lambda: False) -> Verification:
    """Replay a run from the start, keyframe by keyframe.

    Args:
        loaded: the run as loaded from the store.
        stopped: called after each keyframe; true ends the replay.
    """
    run = loaded.run
    if run.games >= WORTH_COMPILING:
        for seating in {seating for _, seating in run.seating_changes}:
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
    """Whether the run's initial memory is the same as a new run's."""
    return run.memory_at(0).tobytes() == run.layout.fresh().tobytes()


def files_of(run: Run) -> list[str]:
    """The saved policies among the players."""
    return [str(spec) for spec in (run.x, run.o) if spec.rule.is_saved]


def other_start(run: Run) -> list[str]:
    """A sentence if the run's initial memory differs from a new run's."""
    if files_of(run) or begins_alike(run):
        return []
    return ["the players know other things before their first game here"]


def other_files(run: Run) -> list[str]:
    """A sentence if the file of a player is gone or has changed; the run has its own copy."""
    gone = [str(run.layout.table(side).spec) for side in Side if is_other(run, side)]
    if not gone:
        return []
    return [f"{' and '.join(gone)} is gone or has changed; the run goes on with what it held"]


def is_other(run: Run, side: Side) -> bool:
    """Whether the file of a player is gone, or another one now; no code in it is run."""
    table = run.layout.table(side)
    spec = table.spec
    if spec.rule.is_asked:
        try:
            found = parse_player(spec.rule.name)
            return bool(found.settings["sha256"] != spec.settings["sha256"])
        except (UsageError, KeyError):
            return True
    memories = run.memory_at(0), run.layout.fresh()
    held, fresh = (table.values(memory).tobytes() for memory in memories)
    return spec.rule.is_saved and held != fresh
