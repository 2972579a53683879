"""The differences of two runs: settings, and the entries whose values differ most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from game import space

if TYPE_CHECKING:
    from learners.kernel.memory import Table
    from learners.rules.spec import PlayerSpec
    from learners.tape.state import RunState

MOST: Final = 100
"""Maximum number of entries in a comparison."""


@dataclass(frozen=True)
class Difference:
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
    """The entries that differ most, the largest difference first; only of players whose entries
    have the same meaning in both runs."""


def compared(a: RunState, b: RunState) -> RunComparison:
    settings = [
        ("seed", str(a.seed), str(b.seed)),
        ("games", f"{a.games:,}", f"{b.games:,}"),
        *player_settings("X", a.x, b.x),
        *player_settings("O", a.o, b.o),
    ]
    entries = [
        *differences(a.layout.x, a, b.layout.x, b),
        *differences(a.layout.o, a, b.layout.o, b),
    ]
    entries.sort(key=lambda entry: -abs(entry.a - entry.b))
    return RunComparison(
        is_same_memory=a.sha256 == b.sha256,
        settings=tuple(setting for setting in settings if setting[1] != setting[2]),
        entries=tuple(entries[:MOST]),
    )


def player_settings(side: str, a: PlayerSpec, b: PlayerSpec) -> list[tuple[str, str, str]]:
    """(name, in A, in B) for each option of a player; for different rules, the specs alone."""
    if a.rule.name != b.rule.name:
        return [(side, str(a), str(b))]
    return [
        (
            f"{side} {option.name}",
            option.format(a.settings[option.name]),
            option.format(b.settings[option.name]),
        )
        for option in a.rule.options
    ]


def differences(first: Table, a: RunState, second: Table, b: RunState) -> list[Difference]:
    """The entries of one side that differ most."""
    rules = first.spec.rule, second.spec.rule
    boards, cells = first.entries.boards, first.entries.cells
    alike = np.array_equal(boards, second.entries.boards) and np.array_equal(
        cells, second.entries.cells
    )
    if not (
        alike and all(rule.learns for rule in rules) and rules[0].estimates == rules[1].estimates
    ):
        return []
    values_a = rules[0].preferences(first.values(a.memory), first.entries)
    values_b = rules[1].preferences(second.values(b.memory), second.entries)
    distance = np.where(first.entries.live, np.abs(values_a - values_b), 0.0)
    visits_a = first.visits(a.memory).sum(axis=0)
    visits_b = second.visits(b.memory).sum(axis=0)
    return [
        Difference(
            player=first.side.mark,
            board=space().texts[boards[n]],
            cell=None if cells[n] < 0 else int(cells[n]) + 1,
            a=float(values_a[n]),
            b=float(values_b[n]),
            visits_a=int(visits_a[n]),
            visits_b=int(visits_b[n]),
        )
        for n in np.argsort(-distance, kind="stable")[:MOST].tolist()
        if distance[n] > 0.0
    ]
