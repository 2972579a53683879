"""The list of saved runs, in one SQLite file that survives kills, full disks and damage.

The file is never trusted. Errors of SQLite and of the operating system become a `StoreError` that
names the file. A read-only file can still be read. Listing runs needs neither the engine nor numpy
(`learners.runs.store` saves and loads them).
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePath
from typing import Any, Final, Self

from afterstate_lab.learners.errors import (
    DamagedError,
    StoreError,
    printable,
    reason,
    shown,
    shown_path,
)
from afterstate_lab.learners.files import PRIVATE_FILE, can_lock, make_folder, store_file

KEPT_DAYS: Final = 30
"""Days after which a deleted run can no longer be restored."""
LONGEST_NAME: Final = 60
LARGEST_COUNT: Final = 2**53
"""The largest accepted count."""
LATEST: Final = 250_000_000_000
"""The latest time in seconds since 1970: in the year 9892, valid in every time zone."""
DIGEST: Final = re.compile(r"[:,]sha256=[^:,]*$")
"""The SHA-256 of an agent's file, which the list omits."""


class OwnRuleError(StoreError):
    """A run needs a user's rule whose code must not run."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        """The rule, `file.py:Class`."""
        super().__init__(
            f"it is played by the rule {shown(rule)}, and code from a file runs only if you name "
            "it: --x or --o with that rule, or --file"
        )


@dataclass(frozen=True)
class StoredRun:
    """A run in the store as it was saved or loaded: the `into` of the run's next save."""

    id: int
    uid: str
    name: str
    generation: int
    is_copy: bool = False
    """Whether it was saved as a copy, because another process changed the run."""
    is_repaired: bool = False
    """Whether it was damaged, so that the next save writes everything."""


@dataclass(frozen=True)
class RunInfo:
    """A line in the list of runs; its texts are printable."""

    id: int
    name: str
    note: str
    """The note; for a damaged run, the damage."""
    created: datetime
    updated: datetime
    x: str
    o: str
    seed: int
    games: int
    x_won: int
    drawn: int
    o_won: int
    in_game: int
    """Whether a person's game is unfinished."""
    sha256: str
    """The hash of memory."""
    is_damaged: bool = False

    @property
    def results(self) -> tuple[int, int, int]:
        return self.x_won, self.drawn, self.o_won

    def as_json(self) -> dict[str, Any]:
        """Return the object that `runs --json` prints."""
        told: dict[str, Any] = {
            key: getattr(self, key) for key in ("name", "x", "o", "seed", "games")
        }
        told["results"] = {"x": self.x_won, "draw": self.drawn, "o": self.o_won}
        for key in ("created", "updated"):
            told[key] = getattr(self, key).isoformat(timespec="seconds")
        return told | {"in_game": bool(self.in_game), "note": self.note, "sha256": self.sha256}


def text(value: Any) -> str:
    """Return a text from the file."""
    if not isinstance(value, str):
        raise DamagedError("one of its texts is not text")
    return printable(value)


def whole(value: Any) -> int:
    """Return a count from the file."""
    if type(value) is not int or not 0 <= value <= LARGEST_COUNT:
        raise DamagedError("one of its numbers is not a count")
    return value


def seed(value: Any) -> int:
    """Return a seed from the file."""
    if not (isinstance(value, str) and re.fullmatch("[0-9]{1,40}", value)):
        raise DamagedError("its seed is not a number")
    return int(value)


def moment(value: Any) -> datetime:
    """Return a time from the file."""
    if type(value) not in (int, float) or not 0 <= value <= LATEST:
        raise DamagedError("one of its times is not a time")
    return datetime.fromtimestamp(value, UTC)


def player(value: Any) -> str:
    return text(DIGEST.sub("", value) if isinstance(value, str) else value)


LONG_AGO: Final = datetime.fromtimestamp(0, UTC)
COLUMNS: Final[Mapping[str, tuple[str, Callable[[Any], Any], Any]]] = {
    "id": ("id", lambda value: value, 0),
    "name": ("substr(name, 1, 200)", text, "?"),
    "note": ("substr(note, 1, 2000)", text, ""),
    "created": ("created", moment, LONG_AGO),
    "updated": ("updated", moment, LONG_AGO),
    "x": ("substr(x, 1, 1000)", player, "?"),
    "o": ("substr(o, 1, 1000)", player, "?"),
    "seed": ("substr(seed, 1, 41)", seed, 0),
    **{key: (key, whole, 0) for key in ("games", "x_won", "drawn", "o_won", "in_game")},
    "sha256": ("substr(sha256, 1, 64)", text, "?"),
}
"""For each field of `RunInfo`: the SQL (cut to a maximum length), a check, and a default for a
damaged row."""


def info_of(row: Iterable[Any]) -> RunInfo:
    """Return a run's line in the list, from its row."""
    found, damage = {}, ""
    for (name, (_, read, instead)), value in zip(COLUMNS.items(), row, strict=True):
        try:
            found[name] = read(value)
        except DamagedError as error:
            found[name], damage = instead, str(error)
    if damage:
        found |= {"note": f"damaged: {damage}", "is_damaged": True}
    return RunInfo(**found)


def infos(
    connection: sqlite3.Connection, where: str, *values: object, most: int = 100_000
) -> list[RunInfo]:
    """Return the lines of some runs, the latest first."""
    columns = ", ".join(column for column, _, _ in COLUMNS.values())
    which = f"SELECT id FROM runs WHERE {where} ORDER BY updated DESC, id DESC LIMIT {most}"
    query = f"SELECT {columns} FROM runs WHERE id = ?"
    found = []
    for (number,) in connection.execute(which, values).fetchall():
        try:
            row = connection.execute(query, (number,)).fetchone()
        except sqlite3.DatabaseError:  # it cannot be read
            row = (number, *[None] * (len(COLUMNS) - 1))
        found.append(info_of(row))
    return found


def found_info(connection: sqlite3.Connection, which: str | int) -> RunInfo:
    """Return the line of a run."""
    where = "id = ?" if isinstance(which, int) else "name = ? AND deleted IS NULL"
    is_sound = isinstance(which, int) or which.isprintable()
    found = infos(connection, where, which) if is_sound else []
    if not found:
        raise StoreError(f"no such run: {shown(which)} (afterstate runs lists them all)")
    return found[0]


def change(connection: sqlite3.Connection, run: int, **row: object) -> None:
    """Change columns of a run."""
    columns = ", ".join(f"{column} = ?" for column in row)
    connection.execute(f"UPDATE runs SET {columns} WHERE id = ?", (*row.values(), run))


def changed(connection: sqlite3.Connection, run: int, **row: object) -> RunInfo:
    """Change columns of a run; its line then."""
    change(connection, run, **row)
    return found_info(connection, run)


def checked_line(what: str, least: int, most: int, line: str) -> str:
    """Return a name or a note as it is stored, with single spaces."""
    line = " ".join(line.split())
    if not least <= len(line) <= most or not line.isprintable():
        raise StoreError(f"{what} {most} printable characters, unlike {shown(line)}")
    return line


checked_name = partial(checked_line, "a run's name is 1 to", 1, LONGEST_NAME)
checked_note = partial(checked_line, "a note is at most", 0, 1000)


def short(name: str) -> str:
    """Return a player's name; of a file, its name without folder and ending."""
    for ending in (".npz", ".py"):
        path, found, _ = name.rpartition(ending)
        if found:
            return PurePath(path).name[:20] or "file"
    return name


def is_taken(connection: sqlite3.Connection, name: str) -> bool:
    """Return whether a run that is not deleted has this name."""
    query = "SELECT 1 FROM runs WHERE name = ? AND deleted IS NULL"
    return connection.execute(query, (name,)).fetchone() is not None


def refuse_taken(connection: sqlite3.Connection, name: str) -> None:
    if is_taken(connection, name):
        raise StoreError(f"a run named {shown(name)} already exists")


def free_name(connection: sqlite3.Connection, name: str) -> str:
    """This name, or the first free one of `NAME (2)`, `NAME (3)` ..."""
    number, found = 1, name
    while is_taken(connection, found):
        number += 1
        ending = f" ({number})"
        found = name[: LONGEST_NAME - len(ending)] + ending
    return found


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
    # legs: [[game, seat of X, seat of O], ...]; pending: ["", moves] of a person's game, or NULL
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
NO_LOCKS: Final = (
    "the disk of {} cannot lock files: set AFTERSTATE_DATA to a folder on another disk"
)
NEED_LOCKS: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PROTOCOL)
"""What SQLite reports where a lock fails, among other things."""
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


class RunList:
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

    def list(self) -> list[RunInfo]:
        """Return the runs, the latest first."""
        with self._transaction() as connection:
            return infos(connection, "deleted IS NULL")

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
            return changed(connection, found.id, name=wanted)

    def set_note(self, which: str | int, note: str) -> RunInfo:
        wanted = checked_note(note)
        with self._transaction(writes=True) as connection:
            return changed(connection, found_info(connection, which).id, note=wanted)

    def delete(self, which: str | int) -> RunInfo:
        """Delete a run; `undelete` restores it for `KEPT_DAYS`, unless its row cannot be read."""
        now = time.time()
        with self._transaction(writes=True) as connection:
            found = found_info(connection, which)
            connection.execute("DELETE FROM runs WHERE deleted < ?", (now - KEPT_DAYS * 86_400,))
            try:
                return changed(connection, found.id, deleted=now)
            except sqlite3.DatabaseError:
                connection.execute("DELETE FROM runs WHERE id = ?", (found.id,))
                return found

    def undelete(self) -> RunInfo | None:
        """Restore the run that was deleted last, under another name if its own is taken.

        Returns:
            Its line; None if no run was deleted.
        """
        query = "SELECT id FROM runs WHERE deleted NOT NULL ORDER BY deleted DESC, id DESC LIMIT 1"
        with self._transaction(writes=True) as connection:
            if (row := connection.execute(query).fetchone()) is None:
                return None
            name = free_name(connection, found_info(connection, row[0]).name)
            return changed(connection, row[0], deleted=None, name=name)

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
            if primary(error) in NEED_LOCKS and not can_lock(self.path.parent):
                sentence = NO_LOCKS
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
