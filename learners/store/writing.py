"""Saving a run: one transaction that writes only what is new since the last save."""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from learners.errors import DamagedError, StoreError
from learners.store import codec
from learners.store.listing import free_name
from learners.store.records import Pending, StoredRun, Written
from learners.store.verification import engine_hash

if TYPE_CHECKING:
    from learners.judge.curve import Point
    from learners.tape.state import Keyframe, RunState

INSERT_KEYFRAME = "INSERT OR REPLACE INTO keyframes VALUES (?, ?, ?, ?, ?)"
INSERT_SCRIPT = "INSERT OR REPLACE INTO scripts VALUES (?, ?, ?)"
INSERT_POINT = "INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True)
class Save:
    """Everything that a save writes, prepared before the store is locked."""

    state: RunState
    wanted: Written
    run: dict[str, Any]
    """Columns of `runs`."""
    contents: dict[str, Any]
    """Columns of `contents`."""
    keyframes: dict[int, tuple[Any, ...]]
    """Rows that the store does not hold yet, by game."""
    note: str | None

    @classmethod
    def of(
        cls,
        state: RunState,
        before: Written,
        history: Iterable[Point] | None,
        pending: Pending | None,
        note: str | None,
    ) -> Save:
        """Prepare a save.

        Args:
            before: the rows that the store holds of it.
            history: its learning curve, or None to leave it unchanged.
            pending: a person's unfinished game.
            note: the note, or None to leave it unchanged.

        Raises:
            StoreError: the run has numbers that could not be loaded again.
        """
        try:
            codec.check_memory(state.memory)
        except DamagedError as error:
            raise StoreError(f"the run is not saved: {error}") from None
        _, won_x, won_o, drawn = state.tally[:4].tolist()
        points = before.points if history is None else {point.games: point for point in history}
        wanted = Written(
            keyframes={frame.game: frame.sha256 for frame in state.keyframes},
            scripts=state.scripts,
            points=points,
        )
        _, new = codec.changed(wanted.keyframes, before.keyframes)
        return cls(
            state=state,
            wanted=wanted,
            run={
                "updated": time.time(),
                "x": state.x.stored_text,
                "o": state.o.stored_text,
                "seed": str(state.seed),
                "games": state.games,
                "x_won": won_x,
                "drawn": drawn,
                "o_won": won_o,
                "in_game": int(pending is not None),
                "sha256": state.sha256,
                "engine": engine_hash(state.x, state.o),
            },
            contents={
                "memory": codec.packed(state.memory),
                "tally": codec.packed(state.tally),
                "legs": codec.seating_changes_text(state.seating_changes),
                "pending": codec.pending_text(pending),
            },
            keyframes={f.game: keyframe_row(f) for f in state.keyframes if f.game in new},
            note=note,
        )

    def create(
        self, connection: sqlite3.Connection, name: str, note: str = "", *, is_copy: bool = False
    ) -> StoredRun:
        """Write a new run under this name, or the first free one after it."""
        uid = secrets.token_hex(8)
        row = self.run | {
            "uid": uid,
            "generation": 1,
            "name": free_name(connection, name),
            "note": note if self.note is None else self.note,
            "created": self.run["updated"],
        }
        run = insert(connection, "runs", row)
        insert(connection, "contents", {"run": run} | self.contents)
        self._write_rows(connection, run, Written())
        return StoredRun(run, uid, row["name"], 1, is_copy, self.wanted)

    def update(self, connection: sqlite3.Connection, into: StoredRun, name: str) -> StoredRun:
        """Overwrite a stored run; restores a deleted one."""
        row = self.run | {"generation": into.generation + 1, "name": name, "deleted": None}
        if self.note is not None:
            row["note"] = self.note
        update(connection, "runs", "id", into.id, row)
        update(connection, "contents", "run", into.id, self.contents)
        self._write_rows(connection, into.id, into.written)
        return StoredRun(into.id, into.uid, name, into.generation + 1, False, self.wanted)

    def _write_rows(self, connection: sqlite3.Connection, run: int, before: Written) -> None:
        """Write the keyframes, scripts and points that differ from the stored ones."""
        gone, new = codec.changed(self.wanted.keyframes, before.keyframes)
        frames = {frame.game: frame for frame in self.state.keyframes}
        delete(connection, "keyframes", "game", run, gone)
        connection.executemany(
            INSERT_KEYFRAME,
            ((run, *(self.keyframes.get(game) or keyframe_row(frames[game]))) for game in new),
        )
        gone, scripts = codec.changed(self.wanted.scripts, before.scripts)
        delete(connection, "scripts", "game", run, gone)
        connection.executemany(
            INSERT_SCRIPT, ((run, game, codec.moves_text(moves)) for game, moves in scripts.items())
        )
        gone, points = codec.changed(self.wanted.points, before.points)
        delete(connection, "points", "games", run, gone)
        connection.executemany(
            INSERT_POINT, ((run, *codec.point_row(point)) for point in points.values())
        )


def keyframe_row(frame: Keyframe) -> tuple[Any, ...]:
    """A keyframe's columns except the run."""
    return frame.game, frame.sha256, codec.packed(frame.memory), codec.packed(frame.tally)


def insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> int:
    """Insert a row; returns its id."""
    places = ", ".join("?" * len(row))
    query = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})"
    return int(connection.execute(query, tuple(row.values())).lastrowid or 0)


def update(
    connection: sqlite3.Connection, table: str, key: str, which: int, row: dict[str, Any]
) -> None:
    columns = ", ".join(f"{column} = ?" for column in row)
    connection.execute(f"UPDATE {table} SET {columns} WHERE {key} = ?", (*row.values(), which))


def delete(connection: sqlite3.Connection, table: str, key: str, run: int, gone: list[int]) -> None:
    connection.executemany(
        f"DELETE FROM {table} WHERE run = ? AND {key} = ?", ((run, which) for which in gone)
    )
