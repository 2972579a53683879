"""The list of runs and their names, read without the engine and without the runs' memory."""

from __future__ import annotations

import re
import sqlite3
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from learners.errors import DamagedError, StoreError, printable, shown
from learners.files import store_file
from learners.store.database import Database
from learners.store.records import RunInfo

if TYPE_CHECKING:
    from learners.rules.spec import PlayerSpec

COLUMNS: Final = (
    "id, substr(name, 1, 200), substr(note, 1, 2000), created, updated, deleted, "
    "substr(x, 1, 1000), substr(o, 1, 1000), substr(seed, 1, 41), games, x_won, drawn, o_won, "
    "in_game, substr(sha256, 1, 64)"
)
"""The columns of `RunInfo`, each cut to its maximum length."""
SEARCHED: Final = ("name", "note", "x", "o")
MOST_RUNS: Final = 100_000
LARGEST_COUNT: Final = 2**53
"""The largest count that is accepted; SQLite can store many more games after it."""
LATEST: Final = 250_000_000_000
"""The latest time in seconds since 1970: in the year 9892, valid in every time zone."""
DIGEST: Final = re.compile(r"[:,]sha256=[^:,]*$")
"""The SHA-256 of an agent's file, which the list leaves out."""
SEED: Final = re.compile(r"[0-9]{1,40}")


def listed(connection: sqlite3.Connection, search: str, *, deleted: bool) -> list[RunInfo]:
    """The latest `MOST_RUNS` runs that contain a text, the latest first.

    Args:
        connection: reads the store.
        search: the text, in any case; every run contains the empty text.
        deleted: list the deleted runs instead of the others.

    Raises:
        StoreError: a run is damaged.
    """
    query = f"SELECT {COLUMNS} FROM runs WHERE deleted IS {'NOT' if deleted else ''} NULL"
    words: tuple[str, ...] = ()
    if search:
        escaped = re.sub(r"([\\%_])", r"\\\1", search.encode(errors="replace").decode())
        query += f" AND ({' OR '.join(f'{column} LIKE ? ESCAPE char(92)' for column in SEARCHED)})"
        words = (f"%{escaped}%",) * len(SEARCHED)
    query += f" ORDER BY updated DESC, id DESC LIMIT {MOST_RUNS}"
    found = connection.execute(query, words)
    return [info_of(row) for row in found]


def last_saved(connection: sqlite3.Connection) -> RunInfo | None:
    """The run that was saved last; None in an empty store.

    Raises:
        StoreError: its row is damaged.
    """
    row = connection.execute(
        f"SELECT {COLUMNS} FROM runs WHERE deleted IS NULL ORDER BY updated DESC, id DESC LIMIT 1"
    ).fetchone()
    return None if row is None else info_of(row)


def info_of(row: tuple[Any, ...]) -> RunInfo:
    """A run's line in the list, from its row.

    Raises:
        StoreError: the row is damaged.
    """
    number, name, note, created, updated, deleted, x, o, seed, games, *results = row
    *results, in_game, sha256 = results
    try:
        won_x, drawn, won_o = map(whole, results)
        return RunInfo(
            id=whole(number),
            name=printable(text(name)),
            note=printable(text(note)),
            created=moment(created),
            updated=moment(updated),
            deleted=None if deleted is None else moment(deleted),
            x=printable(DIGEST.sub("", text(x))),
            o=printable(DIGEST.sub("", text(o))),
            seed=seed_of(seed),
            games=whole(games),
            results=(won_x, drawn, won_o),
            in_game=bool(whole(in_game)),
            sha256=printable(text(sha256)),
        )
    except DamagedError as error:
        raise StoreError(f"run {shown(number)} in the store is damaged: {error}") from None


def text(value: Any) -> str:
    """A text from the file.

    Raises:
        DamagedError: the value is no text.
    """
    if not isinstance(value, str):
        raise DamagedError("one of its texts is none")
    return value


def whole(value: Any) -> int:
    """A count from the file.

    Raises:
        DamagedError: the value is no count.
    """
    if type(value) is not int or not 0 <= value <= LARGEST_COUNT:
        raise DamagedError("one of its numbers is no count")
    return value


def seed_of(value: Any) -> int:
    """A seed from the file.

    Raises:
        DamagedError: the value is no seed.
    """
    if not (isinstance(value, str) and SEED.fullmatch(value)):
        raise DamagedError("its seed is no number")
    return int(value)


def moment(value: Any) -> datetime:
    """A time from the file.

    Raises:
        DamagedError: the value is no time.
    """
    if type(value) not in (int, float) or not 0 <= value <= LATEST:
        raise DamagedError("one of its times is none")
    return datetime.fromtimestamp(value, UTC)


HOMELESS: Final = "there is no home folder for runs: set AFTERSTATE_DATA"
STARTUP_PATIENCE: Final = 1.0
"""Seconds that the lab waits at its start for another process that holds the store."""


def last_run() -> RunInfo | None:
    """The run that was saved last in the user's store; None, without creating it, if there is none.

    Raises:
        StoreError: the store cannot be read.
    """
    try:
        path = store_file()
    except RuntimeError:
        return None
    try:
        if not path.exists():
            return None
    except OSError:
        raise StoreError("the folder of the saved runs cannot be read") from None
    database = Database(path, STARTUP_PATIENCE)
    try:
        with database.reading() as connection:
            return last_saved(connection)
    finally:
        database.close()


def saved_runs() -> list[RunInfo]:
    """The runs in the user's store, the latest first; none, without creating it, if it is missing.

    Raises:
        StoreError: the store cannot be read.
    """
    try:
        path = store_file()
    except RuntimeError:
        raise StoreError(HOMELESS) from None
    if not path.exists():
        return []
    database = Database(path)
    try:
        with database.reading() as connection:
            return listed(connection, "", deleted=False)
    finally:
        database.close()


LONGEST_NAME: Final = 60
LONGEST_NOTE: Final = 1000


def checked_name(name: str) -> str:
    """A name as it is stored, with single spaces.

    Raises:
        StoreError: the name is not allowed.
    """
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise StoreError(
            f"a run's name is 1 to {LONGEST_NAME} printable characters, unlike {shown(name)}"
        )
    return name


def checked_note(note: str) -> str:
    """A note as it is stored, in one line.

    Raises:
        StoreError: the note is not allowed.
    """
    note = " ".join(note.split())
    if len(note) > LONGEST_NOTE or not note.isprintable():
        raise StoreError(
            f"a note is at most {LONGEST_NOTE} printable characters, unlike {shown(note)}"
        )
    return note


def name_of_players(x: PlayerSpec, o: PlayerSpec) -> str:
    """The default name of a run, such as td-random."""
    return "-".join(short(spec.rule.name) for spec in (x, o))


def short(player: str) -> str:
    """A player's name; of a file, its name without folder and ending."""
    for ending in (".npz", ".py"):
        path, found, _ = player.rpartition(ending)
        if found:
            return PurePath(path).name[:20] or "file"
    return player


def is_taken(connection: sqlite3.Connection, name: str) -> bool:
    """Whether a run that is not deleted has this name."""
    query = "SELECT 1 FROM runs WHERE name = ? AND deleted IS NULL"
    return connection.execute(query, (name,)).fetchone() is not None


def free_name(connection: sqlite3.Connection, name: str) -> str:
    """This name, or the first free one of `NAME (2)`, `NAME (3)` ..."""
    query = "SELECT name FROM runs WHERE deleted IS NULL"
    taken = {row[0] for row in connection.execute(query)}
    stem, number, found = name, 1, name
    while found in taken:
        number += 1
        ending = f" ({number})"
        found = stem[: LONGEST_NAME - len(ending)] + ending
    return found
