"""The list of runs: a line each, read without their memory."""

from __future__ import annotations

import re
import sqlite3
from datetime import UTC, datetime
from typing import Any, Final

from learners.errors import DamagedError, StoreError, printable, shown
from learners.store.records import RunInfo

COLUMNS: Final = (
    "id, substr(name, 1, 200), substr(note, 1, 2000), created, updated, deleted, "
    "substr(x, 1, 1000), substr(o, 1, 1000), substr(seed, 1, 41), games, x_won, drawn, o_won, "
    "in_game, substr(sha256, 1, 64)"
)
"""What a line tells, each cut to what could be true."""
SEARCHED: Final = ("name", "note", "x", "o")
MOST_RUNS: Final = 100_000
LARGEST_COUNT: Final = 2**53
"""Nothing was counted so far, and what goes on from there can still be stored."""
LATEST: Final = 250_000_000_000
"""Seconds since 1970, to the year 9892: a time that is one in every time zone."""
SEED: Final = re.compile(r"[0-9]{1,40}")


def listed(connection: sqlite3.Connection, search: str, *, deleted: bool) -> list[RunInfo]:
    """The runs in which a text occurs, the latest `MOST_RUNS` of them, the latest first.

    Args:
        connection: reads the store.
        search: the text, whatever its case; every run has the empty one.
        deleted: list those that are deleted, instead of those that are not.

    Raises:
        StoreError: one is damaged.
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
        StoreError: its line is damaged.
    """
    row = connection.execute(
        f"SELECT {COLUMNS} FROM runs WHERE deleted IS NULL ORDER BY updated DESC, id DESC LIMIT 1"
    ).fetchone()
    return None if row is None else info_of(row)


def info_of(row: tuple[Any, ...]) -> RunInfo:
    """A line of the list.

    Raises:
        StoreError: it is damaged.
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
            x=printable(text(x)),
            o=printable(text(o)),
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
        DamagedError: it is none.
    """
    if not isinstance(value, str):
        raise DamagedError("one of its texts is none")
    return value


def whole(value: Any) -> int:
    """A count from the file.

    Raises:
        DamagedError: it is none.
    """
    if type(value) is not int or not 0 <= value <= LARGEST_COUNT:
        raise DamagedError("one of its numbers is no count")
    return value


def seed_of(value: Any) -> int:
    """A seed from the file.

    Raises:
        DamagedError: it is none.
    """
    if not (isinstance(value, str) and SEED.fullmatch(value)):
        raise DamagedError("its seed is no number")
    return int(value)


def moment(value: Any) -> datetime:
    """A time from the file.

    Raises:
        DamagedError: it is none.
    """
    if type(value) not in (int, float) or not 0 <= value <= LATEST:
        raise DamagedError("one of its times is none")
    return datetime.fromtimestamp(value, UTC)
