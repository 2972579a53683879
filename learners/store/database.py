"""The SQLite file: its tables, and connections shared by threads and processes.

The file is never trusted. A connection has one user at a time, so any thread may use the store.
Errors of SQLite and of the operating system become a `StoreError` of one sentence.
A save writes one row of `runs` and `contents`, and only the new rows of the other tables.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from learners.errors import StoreError, printable, reason, shown_path
from learners.files import PRIVATE_FILE, make_folder

APPLICATION: Final = 0x41465354
"""The application id in the file's header ("AFST")."""
VERSION: Final = 1

REMARK: Final = re.compile(r"--[^\n]*")


def plain(statement: str) -> str:
    """A statement without comments, with single spaces."""
    return " ".join(REMARK.sub("", statement).split())


TABLES: Final = (
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL,         -- differs from that of a later run with the same id
        generation INTEGER NOT NULL,  -- number of saves
        name TEXT NOT NULL,
        note TEXT NOT NULL,
        created REAL NOT NULL,     -- seconds since 1970
        updated REAL NOT NULL,
        deleted REAL,              -- when, or NULL
        x TEXT NOT NULL,           -- player specs
        o TEXT NOT NULL,
        seed TEXT NOT NULL,        -- decimal
        games INTEGER NOT NULL,
        x_won INTEGER NOT NULL,
        drawn INTEGER NOT NULL,
        o_won INTEGER NOT NULL,
        in_game INTEGER NOT NULL,  -- whether a person's game is unfinished
        sha256 TEXT NOT NULL,      -- of memory
        engine TEXT NOT NULL       -- hash of the sources that played the latest games
    )
    """,
    "CREATE UNIQUE INDEX names ON runs (name) WHERE deleted IS NULL",
    """
    CREATE TABLE contents (
        run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
        memory BLOB NOT NULL,      -- float64, little-endian, zlib
        tally BLOB NOT NULL,       -- int64, little-endian, zlib
        legs TEXT NOT NULL,        -- [[game, seat of X, seat of O], ...]
        pending TEXT               -- [side, moves] of a person's unfinished game, or NULL
    )
    """,
    """
    CREATE TABLE keyframes (
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        game INTEGER NOT NULL,
        sha256 TEXT NOT NULL,      -- of memory and results
        memory BLOB NOT NULL,
        tally BLOB NOT NULL,
        PRIMARY KEY (run, game)
    )
    """,
    """
    CREATE TABLE scripts (
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        game INTEGER NOT NULL,
        moves TEXT NOT NULL,       -- by ply, the cell 1-9 given from outside, or a dot
        PRIMARY KEY (run, game)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE points (
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        games INTEGER NOT NULL,
        x_won INTEGER NOT NULL,
        drawn INTEGER NOT NULL,
        o_won INTEGER NOT NULL,
        evaluation TEXT NOT NULL,  -- [X, O], as printed by `evaluate --json`
        PRIMARY KEY (run, games)
    )
    """,
)

STATEMENTS: Final = frozenset(map(plain, TABLES))
"""The only statements accepted in a file's schema: a view in place of a table, or a trigger, could
change the result of any query."""


PATIENCE: Final = 5.0
"""Seconds to wait for another process that holds the store."""
LARGEST_VALUE: Final = 16_000_000
"""Bytes of the largest value that is read or written."""
LOG_BYTES: Final = 8_000_000
"""Maximum size of the write-ahead log after a checkpoint."""

SETTINGS: Final = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",
    f"PRAGMA journal_size_limit = {LOG_BYTES}",
)


class Database:
    """One SQLite file.

    Args:
        path: the file; if missing, it is created, readable by its owner only.
        patience: seconds to wait for another process that holds it.
    """

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        self.path = path
        self._patience = patience
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        self._file: tuple[int, int] | None = None
        weakref.finalize(self, close_all, self._idle)
        with self.reading():
            pass

    def close(self) -> None:
        close_all(self._idle)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one unchanging state of the store.

        Raises:
            StoreError: the store cannot be read.
        """
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection whose changes are all committed, or none if anything fails.

        Raises:
            StoreError: the store cannot be written.
        """
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._translated_errors():
            connection = self._borrowed()
            try:
                connection.execute(begin)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.rollback()
                connection.close()
                raise
            self._idle.put(connection)

    def _borrowed(self) -> sqlite3.Connection:
        """An idle connection, or a new one; never one to a file that was replaced."""
        self._make_file()
        found = self.path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise StoreError(f"{shown_path(self.path)} is no store of runs: it is no ordinary file")
        if self._file != (found.st_dev, found.st_ino):
            self.close()
            self._file = found.st_dev, found.st_ino
        try:
            return self._idle.get_nowait()
        except Empty:
            return self._connected()

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=self._patience, isolation_level=None, check_same_thread=False
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

    def _make_file(self) -> None:
        """Create the file and its folder if missing, accessible by their owner only."""
        if self.path.exists():
            return
        make_folder(self.path.parent)
        with suppress(FileExistsError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE))

    def _check(self, connection: sqlite3.Connection) -> None:
        """Create the tables of a new store; refuse a file that is not a store of this version."""
        if self._is_new(connection):
            self._use_log(connection)
            connection.execute("BEGIN IMMEDIATE")
            if self._is_new(connection):
                for table in TABLES:
                    connection.execute(table)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("COMMIT")
        if one(connection, "PRAGMA application_id") != APPLICATION:
            raise StoreError(f"{shown_path(self.path)} is a database of another program")
        version = one(connection, "PRAGMA user_version")
        if version != VERSION:
            raise StoreError(
                f"{shown_path(self.path)} was written by a newer afterstate (format {version}, "
                f"this one reads {VERSION}): nothing in it was changed"
            )
        if found_statements(connection) != STATEMENTS:
            raise StoreError(
                f"{shown_path(self.path)} is no store of runs: its tables are not those of one"
            )

    def _is_new(self, connection: sqlite3.Connection) -> bool:
        is_marked = one(connection, "PRAGMA application_id") or one(
            connection, "PRAGMA user_version"
        )
        return not is_marked and not one(connection, "SELECT count(*) FROM sqlite_master")

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

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeError) as error:
            # A damaged name in the file can make SQLite's message impossible to decode.
            raise StoreError(sentence(self.path, error)) from None
        except OSError as error:
            name = shown_path(self.path)
            raise StoreError(f"the store {name} cannot be used: {reason(error)}") from None


def found_statements(connection: sqlite3.Connection) -> set[str]:
    """The statements of the file's schema, without SQLite's own tables and indices."""
    query = (
        "SELECT sql FROM sqlite_master WHERE NOT (type = 'index' AND sql IS NULL) "
        "AND NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4')) LIMIT ?"
    )
    found = connection.execute(query, (2 * len(STATEMENTS),)).fetchall()
    return {plain(str(statement)) for (statement,) in found}


def close_all(idle: SimpleQueue[sqlite3.Connection]) -> None:
    with suppress(Empty):
        while True:
            idle.get_nowait().close()


def one(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])


def sentence(path: Path, error: Exception) -> str:
    """An error of SQLite as a sentence for the user."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    place = shown_path(path)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"the store {place} is held by another process: try again"
    if code == sqlite3.SQLITE_FULL:
        return f"the disk is full: nothing was written to {place}, what it holds is unharmed"
    if code == sqlite3.SQLITE_NOTADB:
        return f"{place} is no store of runs: it is not a database"
    if code == sqlite3.SQLITE_IOERR:
        return f"the disk of {place} is full or fails: what was saved before is unharmed"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN):
        return f"the store {place} cannot be written: its folder or file is read-only"
    why = printable(str(error)[:100])
    return f"the store {place} is damaged ({why}): move it away, and a new one is made"
