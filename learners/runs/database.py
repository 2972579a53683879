"""The SQLite file of the saved runs: its tables, and connections for threads and processes.

The file is never trusted. Errors of SQLite and of the operating system become a `StoreError` of one
sentence that names the file. Where it cannot be written, it can still be read.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from afterstate_lab.learners.errors import StoreError, printable, reason, shown_path
from afterstate_lab.learners.files import PRIVATE_FILE, make_folder

APPLICATION: Final = 0x41465354
"""The application id in the file's header ("AFST")."""
VERSION: Final = 1

TABLES: Final = (
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL,         -- differs from that of a later run with the same id
        generation INTEGER NOT NULL,  -- number of saves
        name TEXT NOT NULL, note TEXT NOT NULL,
        created REAL NOT NULL, updated REAL NOT NULL, deleted REAL,  -- seconds since 1970
        x TEXT NOT NULL, o TEXT NOT NULL, seed TEXT NOT NULL, games INTEGER NOT NULL,
        x_won INTEGER NOT NULL, drawn INTEGER NOT NULL, o_won INTEGER NOT NULL,
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
        memory BLOB NOT NULL, tally BLOB NOT NULL, PRIMARY KEY (run, game)
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
        x_won INTEGER NOT NULL, drawn INTEGER NOT NULL, o_won INTEGER NOT NULL,
        evaluation TEXT NOT NULL,  -- [X, O], as printed by `evaluate --json`
        PRIMARY KEY (run, games)
    )
    """,
)


def plain(statement: str) -> str:
    """A statement without comments, with single spaces."""
    return " ".join(re.sub(r"--[^\n]*", "", statement).split())


STATEMENTS: Final = frozenset(map(plain, TABLES))
"""The only statements accepted in a file's schema: a view in place of a table, or a trigger, could
change the result of any query."""
PATIENCE: Final = 5.0
"""Seconds to wait for another process that holds the store."""
LARGEST_VALUE: Final = 16_000_000
"""Bytes of the largest value that is read or written."""
SETTINGS: Final = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",
    "PRAGMA journal_size_limit = 8000000",
)
MODES: Final = ("mode=rw", "mode=ro", "mode=ro&immutable=1")
"""How a file is opened for reading: where nothing can be written, without a log."""
READ_ONLY: Final = "the store {} cannot be written: its folder or file is read-only"
HELD: Final = "the store {} is held by another process: try again"
SENTENCES: Final = {
    sqlite3.SQLITE_BUSY: HELD,
    sqlite3.SQLITE_LOCKED: HELD,
    sqlite3.SQLITE_FULL: "the disk is full: nothing was written to {}, what it holds is unharmed",
    sqlite3.SQLITE_NOTADB: "{} is no store of runs: it is not a database",
    sqlite3.SQLITE_IOERR: "the disk of {} is full or fails: what was saved before is unharmed",
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: READ_ONLY,
}


class Database:
    """One SQLite file, made by the first save, readable by its owner only.

    Args:
        path: the file.
        patience: seconds to wait for another process that holds it.
    """

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        self.path = path
        self._patience = patience

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one unchanging state of the store; empty where there is none.

        Raises:
            StoreError: the store cannot be read.
        """
        with self._translated_errors(), self._transaction(self._readable(), "BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection whose changes are all committed, or none if anything fails.

        Raises:
            StoreError: the store cannot be written.
        """
        with self._translated_errors(), self._made_file():
            connection = self._connected(MODES[0])
            with self._transaction(connection, "BEGIN IMMEDIATE"):
                yield connection

    @contextmanager
    def _transaction(
        self, connection: sqlite3.Connection, begin: str
    ) -> Iterator[sqlite3.Connection]:
        try:
            connection.execute(begin)
            yield connection
            connection.execute("COMMIT")
        finally:
            with suppress(sqlite3.Error):
                connection.rollback()
            connection.close()

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
        """Bytes of the file; 0 where there is none.

        Raises:
            StoreError: it is no regular file.
        """
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return 0
        if not stat.S_ISREG(found.st_mode):
            raise StoreError(f"{shown_path(self.path)} is no store of runs: it is no ordinary file")
        return found.st_size

    def _connected(self, mode: str) -> sqlite3.Connection:
        uri = f"{self.path.absolute().as_uri()}?{mode}"
        connection = sqlite3.connect(
            uri, self._patience, isolation_level=None, uri=True, check_same_thread=False
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
            raise StoreError(f"{shown_path(self.path)} is a database of another program")
        version = one(connection, "PRAGMA user_version")
        if version != VERSION:
            raise StoreError(
                f"{shown_path(self.path)} was written by a newer afterstate (format {version}, "
                f"this one reads {VERSION}): nothing in it was changed"
            )
        # SQLite's own tables and indices are no part of the schema.
        query = (
            "SELECT sql FROM sqlite_master WHERE NOT (type = 'index' AND sql IS NULL) "
            "AND NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4')) LIMIT ?"
        )
        found = connection.execute(query, (2 * len(STATEMENTS),)).fetchall()
        if {plain(str(statement)) for (statement,) in found} != STATEMENTS:
            raise StoreError(
                f"{shown_path(self.path)} is no store of runs: its tables are not those of one"
            )

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
        place = shown_path(self.path)
        try:
            yield
        except (sqlite3.Error, UnicodeError) as error:
            # A damaged name in the file can make SQLite's message impossible to decode.
            why = printable(str(error)[:100])
            damaged = f"the store {{}} is damaged ({why}): move it away, and a new one is made"
            raise StoreError(SENTENCES.get(primary(error), damaged).format(place)) from None
        except OSError as error:
            raise StoreError(f"the store {place} cannot be used: {reason(error)}") from None


def primary(error: Exception) -> int:
    """The primary result code of an error of SQLite."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def is_new(connection: sqlite3.Connection) -> bool:
    """Whether a file is an empty database that nobody has marked as theirs."""
    is_marked = one(connection, "PRAGMA application_id") or one(connection, "PRAGMA user_version")
    return not is_marked and not one(connection, "SELECT count(*) FROM sqlite_master")


def one(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])
