"""Verify that a run replays to the same bits, and compare two runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.kernel.compiler import kernel_hash
from afterstate_lab.learners.kernel.hooks import Hooks, engine_with_hooks
from afterstate_lab.learners.kernel.kernel import WORTH_COMPILING
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.kernel.parameters import parameters
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import PlayerSpec

if TYPE_CHECKING:
    from afterstate_lab.learners.runs.listing import LoadedRun
    from afterstate_lab.learners.tape.run import Run

MOST: Final = 100
"""Maximum number of values in a comparison."""


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
    wrong, games = [], 0
    is_from_file = any(spec.rule.is_saved for spec in (run.x, run.o))
    if not is_from_file and run.memory_at(0).tobytes() != run.layout.fresh().tobytes():
        wrong.append("the players start with other values here")
    try:
        for first, last, is_same in run.replayed():
            games = last
            if not is_same:
                wrong.append(
                    f"replayed from game {first:,}, it has other values after game {last:,}"
                )
            if stopped():
                break
    except (IndexError, ValueError):
        wrong.append(f"a game after game {games:,} cannot be replayed: its moves are not legal")
    if wrong and not loaded.is_same_engine:
        wrong.append("the run was played by another version of the engine or of its rules")
    return Verification(not wrong, games, run.sha256, (*wrong, *file_notes(run)))


def file_notes(run: Run) -> list[str]:
    """A sentence if the file of a player is gone or has changed; the run has its own copy."""
    gone = " and ".join(changed_files(run))
    return [f"{gone} is gone or has changed; the run uses what it contained"] if gone else []


def changed_files(run: Run) -> list[str]:
    """Return the players whose file is gone, or no longer holds what the run began with.

    No code of a file is run.
    """
    began, found = run.keyframes[0].memory, []
    for side in Side:
        table = run.layout.table(side)
        spec = table.spec
        if not spec.rule.is_saved:
            continue
        try:
            now = parse_player(spec.rule.name)
            if spec.rule.is_asked:
                is_same = now.settings["sha256"] == spec.settings["sha256"]
            else:
                layout = Layout.of(*(run.x, now) if side else (now, run.o))
                held = layout.table(side).values(layout.fresh())
                is_same = held.tobytes() == table.values(began).tobytes()
        except (UsageError, KeyError):
            is_same = False
        if not is_same:
            found.append(str(spec))
    return found


@dataclass(frozen=True)
class Difference:
    """A value that differs between two runs."""

    player: str
    board: str
    cell: int | None
    """1-9, or None for a state value."""
    a: float
    b: float
    visits_a: int
    visits_b: int


@dataclass(frozen=True)
class RunComparison:
    is_same_memory: bool
    """Whether both memories are equal, bit by bit."""
    settings: tuple[tuple[str, str, str], ...]
    """(name, in A, in B) for each of seed, games, players and options that differs."""
    entries: tuple[Difference, ...]
    """The values that differ most, the largest difference first; only of players whose values
    mean the same in both runs."""


def compared(a: Run, b: Run) -> RunComparison:
    """Compare the settings of two runs, and what they learned."""
    settings = [("seed", str(a.seed), str(b.seed)), ("games", f"{a.games:,}", f"{b.games:,}")]
    for side, one, other in (("X", a.x, b.x), ("O", a.o, b.o)):
        if one.rule.name != other.rule.name:
            settings.append((side, str(one), str(other)))
            continue
        for option in one.rule.options:
            in_one, in_other = (option.format(s.settings[option.name]) for s in (one, other))
            settings.append((f"{side} {option.name}", in_one, in_other))
    entries = [found for side in Side for found in differences(side, a, b)]
    entries.sort(key=lambda entry: -abs(entry.a - entry.b))
    return RunComparison(
        is_same_memory=a.sha256 == b.sha256,
        settings=tuple(setting for setting in settings if setting[1] != setting[2]),
        entries=tuple(entries[:MOST]),
    )


def differences(side: Side, a: Run, b: Run) -> list[Difference]:
    """Return the values of one side that differ most."""
    tables = [(run.layout.table(side), run.memory) for run in (a, b)]
    rules, entries = zip(*((table.spec.rule, table.entries) for table, _ in tables), strict=True)
    boards, cells, live = entries[0].boards, entries[0].cells, entries[0].live
    alike = np.array_equal(boards, entries[1].boards) and np.array_equal(cells, entries[1].cells)
    alike = alike and rules[0].estimates == rules[1].estimates
    if not (alike and all(rule.learns for rule in rules)):
        return []
    values = [t.spec.rule.preferences(t.values(known), t.entries) for t, known in tables]
    visits = [table.visits(known).sum(axis=0) for table, known in tables]
    distance = np.where(live, np.abs(values[0] - values[1]), 0.0)
    return [
        Difference(
            side.mark,
            space().texts[boards[n]],
            None if cells[n] < 0 else int(cells[n]) + 1,
            float(values[0][n]),
            float(values[1][n]),
            *(int(one[n]) for one in visits),
        )
        for n in np.argsort(-distance, kind="stable")[:MOST].tolist()
        if distance[n] > 0.0
    ]
