"""A trace: every event of a run, in order, as one JSON object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from afterstate_lab.game import space
from afterstate_lab.learners.tape.events import (
    NUMBERS,
    Backup,
    Event,
    GameOver,
    Learning,
    Move,
    NoBackup,
)
from afterstate_lab.learners.tape.recording import Cursor, Recording

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.run import Run

GAMES_AT_ONCE = 64


def trace(run: Run, games: int) -> Iterator[dict[str, Any]]:
    """Play the next `games` games of a run; yields every event as plain data."""
    last = run.games + games
    while run.games < last:
        first = run.games
        run.train(min(GAMES_AT_ONCE, last - first))
        yield from trace_recording(run.record(first, run.games))


def trace_games(run: Run, first: int, last: int) -> Iterator[dict[str, Any]]:
    """Yield every event of games first .. last - 1 of a run as plain data."""
    for start in range(first, last, GAMES_AT_ONCE):
        yield from trace_recording(run.record(start, min(start + GAMES_AT_ONCE, last)))


def trace_recording(recording: Recording) -> Iterator[dict[str, Any]]:
    """Yield every event of a recording as plain data, each with the mover's values at that time."""
    cursor = Cursor(recording)
    for row, event in enumerate(recording.events()):
        cursor.seek(row)
        yield event_json(event, recording, cursor.v)


def event_json(event: Event, recording: Recording, v: NDArray[np.float64]) -> dict[str, Any]:
    """One event as plain data; `v` is memory just before it."""
    s = space()
    about: dict[str, Any] = {"game": event.game, "ply": event.ply}
    if isinstance(event, GameOver):
        about |= {"kind": "outcome", "result": event.result, "plies": event.ply}
        return about | {"resigned": True} if event.resigned else about
    if isinstance(event, Move):
        about |= {
            "player": event.player,
            "kind": "move",
            "board": s.text(event.board),
            "cell": event.cell + 1,
            "afterstate": s.text(event.afterstate),
            "choice": event.choice,
            "dice": {"explore": event.explore, "pick": event.pick},
        }
        table = recording.layout.x if event.player == "X" else recording.layout.o
        rule = table.player.rule
        if rule.learns or not (rule.draws or rule.human):
            values = mover_values(table, v, event.board)
            about["values"] = {str(cell + 1): value for cell, value in values.items()}
        return about
    if not isinstance(event, Learning):
        raise TypeError(f"no such event: {event!r}")
    about |= {
        "player": event.player,
        "kind": "backup" if isinstance(event, Backup) else "no-backup",
        "rule": event.rule,
        "board": s.text(event.board),
        "cell": None if event.cell is None else event.cell + 1,
    }
    if isinstance(event, NoBackup):
        return about | {"reason": event.reason}
    about |= {name: getattr(event, name) for name in NUMBERS}
    table = recording.layout.table_of(event.entry)
    if table.spec.rule.tables > 1:
        about["table"] = 1 + (event.entry - table.base) // len(table.entries.boards)
    return about


def mover_values(table: Table, v: NDArray[np.float64], board: int) -> dict[int, float]:
    """Return the number by which a player ranks each legal cell (0-8) of a position."""
    edges = space().edges_of(board)
    ranked = table.preferences(v, edges).tolist()
    return dict(zip(space().edge_cell[edges].tolist(), ranked, strict=True))


def best_cells(values: Mapping[int, float]) -> list[int]:
    """Return the cells of the highest value; none where there is no value."""
    highest = max(values.values(), default=None)
    return [cell for cell, value in values.items() if value == highest]
