"""The store of runs: one SQLite file that survives kills, full disks and damage.

A run is one line of text: its players, seed and given moves. Memory, results and keyframes are a
cache, valid if its hashes are right, whichever engine made it; otherwise the games are replayed
(`learners.runs.contents`).

The file is never trusted. Errors of SQLite and of the operating system become a `StoreError` that
names the file. A read-only file can still be read. Listing runs needs neither the engine nor numpy.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from afterstate_lab.learners.errors import StoreError, printable, reason, shown_path
from afterstate_lab.learners.files import PRIVATE_FILE, make_folder, store_file
from afterstate_lab.learners.runs.listing import (
    KEPT_DAYS,
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
    refuse_taken,
    short,
)

if TYPE_CHECKING:
    from afterstate_lab.learners.judge.curve import Point
    from afterstate_lab.learners.tape.run import Run

APPLICATION: Final = 0x41465354
"""The application id in the file's header ("AFST")."""
VERSION: Final = 1
OF_RUN: Final = "run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE"
RESULTS: Final = "x_won INTEGER NOT NULL, drawn INTEGER NOT NULL, o_won INTEGER NOT NULL"
MEMORY: Final = "memory BLOB NOT NULL, tally BLOB NOT NULL"
"""float64 and int64, little-endian, zlib."""
TABLES: Final = (
    # uid differs from that of a later run with the same id; generation is the number of saves;
    # times are seconds since 1970; in_game tells whether a person's game is unfinished; sha256 is
    # of memory; engine is a hash of the sources that played the latest games
    f"""CREATE TABLE runs ( id INTEGER PRIMARY KEY, uid TEXT NOT NULL, generation INTEGER NOT NULL,
        name TEXT NOT NULL, note TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL,
        deleted REAL, x TEXT NOT NULL, o TEXT NOT NULL, seed TEXT NOT NULL, games INTEGER NOT NULL,
        {RESULTS}, in_game INTEGER NOT NULL, sha256 TEXT NOT NULL, engine TEXT NOT NULL )""",
    "CREATE UNIQUE INDEX names ON runs (name) WHERE deleted IS NULL",
    # legs: [[game, seat of X, seat of O], ...]; pending: [side, moves] of a person's game, or NULL
    f"""CREATE TABLE contents ( run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
        {MEMORY}, legs TEXT NOT NULL, pending TEXT )""",
    # sha256 is of memory and results
    f"""CREATE TABLE keyframes ( {OF_RUN}, game INTEGER NOT NULL, sha256 TEXT NOT NULL, {MEMORY},
        PRIMARY KEY (run, game) )""",
    # moves: by ply, the cell 1-9 given from outside, or a dot
    f"""CREATE TABLE scripts ( {OF_RUN}, game INTEGER NOT NULL, moves TEXT NOT NULL,
        PRIMARY KEY (run, game) ) WITHOUT ROWID""",
    # evaluation: [X, O], as printed by `evaluate --json`
    f"""CREATE TABLE points ( {OF_RUN}, games INTEGER NOT NULL, {RESULTS},
        evaluation TEXT NOT NULL, PRIMARY KEY (run, games) )""",
)


def plain(statement: str) -> str:
    """Return a statement without comments, with single spaces."""
    return " ".join(re.sub(r"--[^\n]*", "", statement).split())


STATEMENTS: Final = frozenset(map(plain, TABLES))
"""The only statements accepted in a file's schema: a view in place of a table, or a trigger, could
change the result of any query."""
PATIENCE: Final = 5.0
"""Seconds to wait for another process that holds the store."""
STARTUP_PATIENCE: Final = 1.0
"""The same at the start of the lab."""
LARGEST_VALUE: Final = 16_000_000
"""Maximum number of bytes of a value."""
SETTINGS: Final = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",
    "PRAGMA journal_size_limit = 8000000",
)
MODES: Final = ("mode=rw", "mode=ro", "mode=ro&immutable=1")
"""Modes to open a file for reading; the last needs no log."""
READ_ONLY: Final = "cannot write the store {}: its folder or file is read-only"
HELD: Final = "another process is using the store {}: try again"
SENTENCES: Final = {
    sqlite3.SQLITE_BUSY: HELD,
    sqlite3.SQLITE_LOCKED: HELD,
    sqlite3.SQLITE_FULL: "the disk is full: nothing was written to {}, and its runs are unharmed",
    sqlite3.SQLITE_NOTADB: "{} is not a store of runs: it is not a database",
    sqlite3.SQLITE_IOERR: "the disk of {} is full or fails: what was saved before is unharmed",
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: READ_ONLY,
}


class Store:
    """Runs in one SQLite file, for any threads and processes at once; the first save makes it.

    A run is given by its name, or by its id (a deleted run has only its id).
    """

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        self.path = path
        self._patience = patience

    @classmethod
    def open(cls, path: Path | None = None, *, patience: float = PATIENCE) -> Self:
        """Open a store.

        Args:
            path: the file; the user's own by default.
            patience: seconds to wait for another process that holds it.
        """
        try:
            store = cls(path or store_file(), patience)
        except RuntimeError:
            raise StoreError("no home folder for runs: set AFTERSTATE_DATA") from None
        with store._transaction():
            return store

    def save(
        self,
        run: Run,
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
            run: the run; a copy (`Run.state`) if another thread plays its games.
            into: the result of the last save or load; None for a new run.
            name: the name of a new run; by default the players' names.
            note: a note, or None to leave it unchanged.
            history: the learning curve, or None to leave it unchanged.
            pending: a person's unfinished game, or None.

        Returns:
            The `into` of the next save.
        """
        from afterstate_lab.learners.runs import contents

        players = "-".join(short(spec.rule.name) for spec in (run.x, run.o))
        wanted = players if name is None else checked_name(name)
        note = None if note is None else checked_note(note)
        with self._transaction(writes=True) as connection:
            if into is not None:
                wanted = into.name
            elif name is not None:
                refuse_taken(connection, wanted)
            return contents.save(connection, run, into, wanted, note, history, pending)

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

        with self._transaction() as connection:
            return load(connection, found_info(connection, which), own_rules)

    def list(self, *, deleted: bool = False) -> list[RunInfo]:
        """Return the runs that are not deleted, or those that are; the latest first."""
        with self._transaction() as connection:
            return infos(connection, f"deleted IS {'NOT' if deleted else ''} NULL")

    def latest(self) -> RunInfo | None:
        """Return the run that was saved last and is whole; None if there is none."""
        with self._transaction() as connection:
            found = infos(connection, "deleted IS NULL", most=10)
        return next((info for info in found if not info.is_damaged), None)

    def info(self, which: str | int) -> RunInfo:
        """Return a run's line in the list."""
        with self._transaction() as connection:
            return found_info(connection, which)

    def has(self, name: str) -> bool:
        with self._transaction() as connection:
            return name.isprintable() and is_taken(connection, name)

    def rename(self, which: str | int, name: str) -> RunInfo:
        """Give a run another name."""
        wanted = checked_name(name)
        with self._transaction(writes=True) as connection:
            found = found_info(connection, which)
            if found.name != wanted:
                refuse_taken(connection, wanted)
            return changed(connection, found, name=wanted)

    def set_note(self, which: str | int, note: str) -> RunInfo:
        wanted = checked_note(note)
        with self._transaction(writes=True) as connection:
            return changed(connection, found_info(connection, which), note=wanted)

    def delete(self, which: str | int) -> RunInfo:
        """Delete a run; `undelete` restores it for `KEPT_DAYS`, unless its row cannot be read."""
        now = time.time()
        with self._transaction(writes=True) as connection:
            found = found_info(connection, which)
            connection.execute("DELETE FROM runs WHERE deleted < ?", (now - KEPT_DAYS * 86_400,))
            try:
                return changed(connection, found, deleted=now)
            except sqlite3.DatabaseError:
                connection.execute("DELETE FROM runs WHERE id = ?", (found.id,))
                return found

    def undelete(self, number: int) -> RunInfo:
        """Restore a deleted run; under another name if its own is taken."""
        with self._transaction(writes=True) as connection:
            found = found_info(connection, number)
            if found.deleted is None:
                return found
            return changed(connection, found, deleted=None, name=free_name(connection, found.name))

    def undelete_last(self) -> RunInfo | None:
        """Restore the run that was deleted last; None if none was."""
        found = [(info.deleted, info.id) for info in self.list(deleted=True) if info.deleted]
        return self.undelete(max(found)[1]) if found else None

    @contextmanager
    def _transaction(self, *, writes: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection that sees one unchanging state of the store; empty where there is none.

        What it writes is all committed, or nothing if anything fails.
        """
        place = shown_path(self.path)
        connect = partial(self._connected, MODES[0]) if writes else self._readable
        try:
            with self._made_file() if writes else nullcontext(), closing(connect()) as connection:
                try:
                    connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
                    yield connection
                    connection.execute("COMMIT")
                finally:
                    with suppress(sqlite3.Error):
                        connection.rollback()
        except (sqlite3.Error, UnicodeError) as error:
            # A damaged name in the file can make SQLite's message impossible to decode.
            why = printable(str(error)[:100])
            damaged = f"the store {{}} is damaged ({why}): move it away to start a new store"
            sentence = SENTENCES.get(primary(error), damaged)
            raise StoreError(sentence.replace("{}", place, 1)) from None
        except OSError as error:
            raise StoreError(f"cannot use the store {place}: {reason(error)}") from None

    def _readable(self) -> sqlite3.Connection:
        """A connection for reading; to an empty store where there is no file, or an empty one."""
        if self._size():
            for mode in MODES:
                try:
                    return self._connected(mode)
                except sqlite3.OperationalError as error:
                    if mode == MODES[-1] or SENTENCES.get(primary(error)) == HELD:
                        raise
        return self._connected("mode=memory")

    @contextmanager
    def _made_file(self) -> Iterator[None]:
        """Create the file and its folder if missing, for their owner only; no empty file stays."""
        make_folder(self.path.parent)
        with suppress(FileExistsError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE))
        try:
            self._size()
            yield
        finally:
            with suppress(OSError, StoreError):
                if not self._size():
                    self.path.unlink()

    def _size(self) -> int:
        """Bytes of the file; 0 where there is none."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return 0
        if not stat.S_ISREG(found.st_mode):
            raise StoreError(
                f"{shown_path(self.path)} is not a store of runs: it is not a regular file"
            )
        return found.st_size

    def _connected(self, mode: str) -> sqlite3.Connection:
        uri = f"{self.path.absolute().as_uri()}?{mode}"
        connection = sqlite3.connect(
            uri, timeout=self._patience, isolation_level=None, uri=True, check_same_thread=False
        )
        try:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
            for setting in SETTINGS:
                connection.execute(setting)
            self._check(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check(self, connection: sqlite3.Connection) -> None:
        """Create the tables of a new store; refuse a file that is not a store of this version."""
        place = shown_path(self.path)
        if is_new(connection):
            self._use_log(connection)
            connection.execute("BEGIN IMMEDIATE")
            if is_new(connection):
                for table in TABLES:
                    connection.execute(table)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("COMMIT")
        if one(connection, "PRAGMA application_id") != APPLICATION:
            raise StoreError(f"{place} is another program's database")
        version = one(connection, "PRAGMA user_version")
        if version != VERSION:
            raise StoreError(
                f"{place} was written by a newer afterstate (format {version}, "
                f"this one reads {VERSION}): nothing in it was changed"
            )
        # SQLite's own tables and indices are no part of the schema.
        query = (
            "SELECT sql FROM sqlite_master WHERE NOT (type = 'index' AND sql IS NULL) "
            "AND NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4')) LIMIT ?"
        )
        found = connection.execute(query, (2 * len(STATEMENTS),)).fetchall()
        if {plain(str(statement)) for (statement,) in found} != STATEMENTS:
            raise StoreError(f"{place} is not a store of runs: its tables are different")

    def _use_log(self, connection: sqlite3.Connection) -> None:
        """Turn on the write-ahead log; retries, as SQLite's own timeout does not apply here."""
        last = time.monotonic() + self._patience
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError:
                if time.monotonic() > last:
                    raise
                time.sleep(0.01)


def primary(error: Exception) -> int:
    """Return the primary result code of an error of SQLite."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def is_new(connection: sqlite3.Connection) -> bool:
    """Return whether a file is an empty database that nobody has marked as theirs."""
    is_marked = one(connection, "PRAGMA application_id") or one(connection, "PRAGMA user_version")
    return not is_marked and not one(connection, "SELECT count(*) FROM sqlite_master")


def one(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])


def last_run() -> RunInfo | None:
    """Return the run that was saved last in the user's store; None if there is none."""
    try:
        store_file()
    except RuntimeError:
        return None
    return Store.open(patience=STARTUP_PATIENCE).latest()
