"""The store of runs: everything that was ever learned, in one file that survives everything.

A run is what it began with and the moves given from outside, one line of text. Memory, results and
keyframes are a cache of it, which counts where its hashes are right, whatever engine made it; where
they are wrong, the games are played again.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from afterstate_lab.learners.errors import StoreError
from afterstate_lab.learners.files import store_file
from afterstate_lab.learners.runs.database import PATIENCE, Database
from afterstate_lab.learners.runs.listing import (
    LoadedRun,
    Pending,
    RunInfo,
    StoredRun,
    changed,
    checked_name,
    checked_note,
    found_info,
    free_name,
    infos,
    is_taken,
    name_of_players,
    refuse_taken,
)

if TYPE_CHECKING:
    from afterstate_lab.learners.judge.curve import Point
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.learners.tape.state import RunState

KEPT_DAYS: Final = 30
"""Days after which a deleted run can no longer be restored."""
STARTUP_PATIENCE: Final = 1.0
"""Seconds that the lab waits at its start for another process that holds the store."""


class Store:
    """Runs in one SQLite file, for any threads and processes at once.

    A run is given by its name, or by its id (a deleted run has only its id).
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, path: Path | None = None, *, patience: float = PATIENCE) -> Self:
        """Open a store. The first save makes its file.

        Args:
            path: the file; the user's own by default.
            patience: seconds to wait for another process that holds it.

        Raises:
            StoreError: it cannot be used.
        """
        try:
            store = cls(Database(path or store_file(), patience))
        except RuntimeError:
            raise StoreError("there is no home folder for runs: set AFTERSTATE_DATA") from None
        with store._database.reading():
            return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing stays open between two calls."""

    def save(
        self,
        run: Run | RunState,
        *,
        into: StoredRun | None = None,
        name: str | None = None,
        note: str | None = None,
        history: Iterable[Point] | None = None,
        pending: Pending | None = None,
    ) -> StoredRun:
        """Save a run in one transaction; writes only what is new since the last save.

        If another process has saved the run since then, nothing is overwritten: this run is saved
        as a copy under another name (`is_copy`). Saving restores a deleted run.

        Args:
            run: the run, or its state if another thread plays its games.
            into: the result of the last save or load; None for a new run.
            name: the name of a new run; by default the players' names.
            note: a note, or None to leave it unchanged.
            history: the learning curve, or None to leave it unchanged.
            pending: a person's unfinished game, or None.

        Returns:
            The `into` of the next save.

        Raises:
            StoreError: it cannot be saved; the last save is unchanged.
        """
        from afterstate_lab.learners.runs.contents import Save
        from afterstate_lab.learners.tape.run import Run

        state = run.state() if isinstance(run, Run) else run
        wanted_name = None if name is None else checked_name(name)
        save = Save(state, into, history, pending, None if note is None else checked_note(note))
        with self._database.writing() as connection:
            if into is None:
                if wanted_name is not None:
                    refuse_taken(connection, wanted_name)
                return save.create(connection, wanted_name or name_of_players(state.x, state.o))
            query = "SELECT generation, name, deleted, note FROM runs WHERE id = ? AND uid = ?"
            row = connection.execute(query, (into.id, into.uid)).fetchone()
            if row is None:
                return save.create(connection, into.name)
            generation, stored_name, deleted, stored_note = row
            if generation != into.generation:
                return save.create(connection, stored_name, stored_note, is_copy=True)
            if deleted is not None:
                stored_name = free_name(connection, stored_name)
            return save.update(connection, into, stored_name)

    def load(self, which: str | int, *, own_rules: Collection[str] = ()) -> LoadedRun:
        """Load a run.

        Args:
            which: its name or id.
            own_rules: rules in files, `file.py:Class`, whose code may be run for it.

        Raises:
            OwnRuleError: it needs another rule in a file (see its `rule`).
            StoreError: there is none, or it is damaged.
        """
        from afterstate_lab.learners.runs.contents import load

        with self._database.reading() as connection:
            return load(connection, found_info(connection, which), own_rules)

    def list(self, *, deleted: bool = False) -> list[RunInfo]:
        """The runs that are not deleted, or those that are; the latest first."""
        with self._database.reading() as connection:
            return infos(connection, f"deleted IS {'NOT' if deleted else ''} NULL")

    def latest(self) -> RunInfo | None:
        """The run that was saved last and is whole; None if there is none."""
        with self._database.reading() as connection:
            found = infos(connection, "deleted IS NULL", most=10)
        return next((info for info in found if not info.is_damaged), None)

    def info(self, which: str | int) -> RunInfo:
        """A run's line in the list.

        Raises:
            StoreError: there is no such run.
        """
        with self._database.reading() as connection:
            return found_info(connection, which)

    def has(self, name: str) -> bool:
        with self._database.reading() as connection:
            return name.isprintable() and is_taken(connection, name)

    def rename(self, which: str | int, name: str) -> RunInfo:
        """Give a run another name.

        Raises:
            StoreError: the name is not allowed, or another run has it.
        """
        wanted = checked_name(name)
        with self._database.writing() as connection:
            found = found_info(connection, which)
            if found.name != wanted:
                refuse_taken(connection, wanted)
            return changed(connection, found, name=wanted)

    def set_note(self, which: str | int, note: str) -> RunInfo:
        wanted = checked_note(note)
        with self._database.writing() as connection:
            return changed(connection, found_info(connection, which), note=wanted)

    def delete(self, which: str | int) -> RunInfo:
        """Delete a run; `undelete` restores it for `KEPT_DAYS`, unless its row cannot be read."""
        now = time.time()
        with self._database.writing() as connection:
            found = found_info(connection, which)
            connection.execute("DELETE FROM runs WHERE deleted < ?", (now - KEPT_DAYS * 86_400,))
            try:
                return changed(connection, found, deleted=now)
            except sqlite3.DatabaseError:
                connection.execute("DELETE FROM runs WHERE id = ?", (found.id,))
                return found

    def undelete(self, number: int) -> RunInfo:
        """Restore a deleted run; under another name if its own is taken."""
        with self._database.writing() as connection:
            found = found_info(connection, number)
            if found.deleted is None:
                return found
            return changed(connection, found, deleted=None, name=free_name(connection, found.name))

    def undelete_last(self) -> RunInfo | None:
        """Restore the run that was deleted last; None if none was."""
        found = [(info.deleted, info.id) for info in self.list(deleted=True) if info.deleted]
        return self.undelete(max(found)[1]) if found else None


def last_run() -> RunInfo | None:
    """The run that was saved last in the user's store; None if there is none.

    Raises:
        StoreError: the store cannot be read.
    """
    try:
        store_file()
    except RuntimeError:
        return None
    return Store.open(patience=STARTUP_PATIENCE).latest()
