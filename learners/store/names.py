"""Names of runs: given by the user, or made from the players; each only once."""

from __future__ import annotations

import sqlite3
from pathlib import PurePath
from typing import Final

from learners.errors import StoreError, shown
from learners.rules.spec import PlayerSpec

LONGEST_NAME: Final = 60
LONGEST_NOTE: Final = 1000


def checked_name(name: str) -> str:
    """A name as it is stored.

    Raises:
        StoreError: it will not do.
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
        StoreError: it will not do.
    """
    note = " ".join(note.split())
    if len(note) > LONGEST_NOTE or not note.isprintable():
        raise StoreError(
            f"a note is at most {LONGEST_NOTE} printable characters, unlike {shown(note)}"
        )
    return note


def name_of_players(x: PlayerSpec, o: PlayerSpec) -> str:
    """What a run is called that nobody has named, such as td-random."""
    return "-".join(short(spec.rule.name) for spec in (x, o))


def short(player: str) -> str:
    """A player's name without folder and ending."""
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
    """This name, or the first of `NAME (2)`, `NAME (3)` ... that no run has."""
    query = "SELECT name FROM runs WHERE deleted IS NULL"
    taken = {row[0] for row in connection.execute(query)}
    stem, number, found = name, 1, name
    while found in taken:
        number += 1
        ending = f" ({number})"
        found = stem[: LONGEST_NAME - len(ending)] + ending
    return found
