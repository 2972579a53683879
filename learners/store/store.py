"""The store of runs: everything that was ever learned, in one file that survives everything."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from learners.errors import StoreError, shown
from learners.files import store_file
from learners.players.policy_file import save_policy
from learners.store.database import PATIENCE, Database
from learners.store.listing import (
    COLUMNS,
    HOMELESS,
    checked_name,
    checked_note,
    free_name,
    info_of,
    is_taken,
    last_saved,
    listed,
    name_of_players,
)
from learners.store.reading import load
from learners.store.records import LoadedRun, Pending, RunInfo, StoredRun, Written
from learners.store.writing import Save
from learners.tape.run import Run

if TYPE_CHECKING:
    from learners.judge.curve import Point
    from learners.tape.state import RunState

KEPT_DAYS: Final = 30
"""Days after which a deleted run can no longer be restored."""


class Store:
    """Runs in one SQLite file, for any threads and processes at once.

    A run is given by its name, or by its id (a deleted run has only its id).
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, path: Path | None = None, *, patience: float = PATIENCE) -> Store:
        """Open a store; creates it if missing.

        Args:
            path: the file; the user's own by default.
            patience: seconds to wait for another process that holds it.

        Raises:
            StoreError: it cannot be used.
        """
        try:
            return cls(Database(path or store_file(), patience))
        except RuntimeError:
            raise StoreError(HOMELESS) from None

    @property
    def path(self) -> Path:
        return self._database.path

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

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
        state = run.state() if isinstance(run, Run) else run
        wanted_name = None if name is None else checked_name(name)
        wanted_note = None if note is None else checked_note(note)
        before = into.written if into else Written()
        save = Save.of(state, before, history, pending, wanted_note)
        with self._database.writing() as connection:
            if into is None:
                if wanted_name is not None:
                    refuse_taken(connection, wanted_name)
                found = wanted_name or name_of_players(state.x, state.o)
                return save.create(connection, found)
            query = "SELECT generation, name, note, deleted FROM runs WHERE id = ? AND uid = ?"
            row = connection.execute(query, (into.id, into.uid)).fetchone()
            if row is None:
                return save.create(connection, into.name)
            generation, stored_name, stored_note, deleted = row
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
        with self._database.reading() as connection:
            return load(connection, found_id(connection, which), own_rules)

    def list(self, search: str = "", *, deleted: bool = False) -> list[RunInfo]:
        """The runs whose name, note or players contain a text, the latest first.

        Args:
            search: the text, in any case.
            deleted: list the deleted runs instead of the others.
        """
        with self._database.reading() as connection:
            return listed(connection, search, deleted=deleted)

    def info(self, which: str | int) -> RunInfo:
        """A run's line in the list.

        Raises:
            StoreError: there is no such run.
        """
        with self._database.reading() as connection:
            return info(connection, found_id(connection, which))

    def has(self, name: str) -> bool:
        with self._database.reading() as connection:
            return name.isprintable() and is_taken(connection, name)

    def latest(self) -> RunInfo | None:
        """The run that was saved last; None in an empty store."""
        with self._database.reading() as connection:
            return last_saved(connection)

    def rename(self, which: str | int, name: str) -> RunInfo:
        """Give a run another name.

        Raises:
            StoreError: the name is not allowed, or another run has it.
        """
        wanted = checked_name(name)
        with self._database.writing() as connection:
            number = found_id(connection, which)
            if info(connection, number).name != wanted:
                refuse_taken(connection, wanted)
            connection.execute("UPDATE runs SET name = ? WHERE id = ?", (wanted, number))
            return info(connection, number)

    def set_note(self, which: str | int, note: str) -> RunInfo:
        wanted = checked_note(note)
        with self._database.writing() as connection:
            number = found_id(connection, which)
            connection.execute("UPDATE runs SET note = ? WHERE id = ?", (wanted, number))
            return info(connection, number)

    def delete(self, which: str | int) -> RunInfo:
        """Delete a run; `undelete` restores it for `KEPT_DAYS`."""
        now = time.time()
        with self._database.writing() as connection:
            number = found_id(connection, which)
            connection.execute("DELETE FROM runs WHERE deleted < ?", (now - KEPT_DAYS * 86_400,))
            connection.execute("UPDATE runs SET deleted = ? WHERE id = ?", (now, number))
            return info(connection, number)

    def undelete(self, number: int) -> RunInfo:
        """Restore a deleted run; under another name if its own is taken."""
        with self._database.writing() as connection:
            found = info(connection, found_id(connection, number))
            if found.deleted is not None:
                connection.execute(
                    "UPDATE runs SET deleted = NULL, name = ? WHERE id = ?",
                    (free_name(connection, found.name), number),
                )
            return info(connection, number)

    def export_policy(
        self, which: str | int, path: Path, *, own_rules: Collection[str] = ()
    ) -> None:
        """Write both players' tables to a `.npz` file.

        Raises:
            StoreError: the run cannot be loaded.
            PolicyFileError: the file cannot be written.
        """
        save_policy(self.load(which, own_rules=own_rules).run, path)


def found_id(connection: sqlite3.Connection, which: str | int) -> int:
    """The id of a run.

    Raises:
        StoreError: there is no such run.
    """
    query = "SELECT id FROM runs WHERE " + (
        "id = ?" if isinstance(which, int) else "name = ? AND deleted IS NULL"
    )
    row = None
    if isinstance(which, int) or which.isprintable():
        row = connection.execute(query, (which,)).fetchone()
    if row is None:
        raise StoreError(f"there is no run {shown(which)}; afterstate runs lists them all")
    return int(row[0])


def info(connection: sqlite3.Connection, number: int) -> RunInfo:
    """A run's line in the list."""
    query = f"SELECT {COLUMNS} FROM runs WHERE id = ?"
    return info_of(connection.execute(query, (number,)).fetchone())


def refuse_taken(connection: sqlite3.Connection, name: str) -> None:
    """Refuse a name that is taken.

    Raises:
        StoreError: a run has it.
    """
    if is_taken(connection, name):
        raise StoreError(f"there is a run called {shown(name)} already")
