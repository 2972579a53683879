"""What the store takes and returns, the list of runs, and their names.

Light: listing runs needs neither the engine nor numpy.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.learners.errors import DamagedError, StoreError, printable, shown

if TYPE_CHECKING:
    from afterstate_lab.learners.judge.curve import Point
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.tape.run import Run

LONGEST_NAME: Final = 60
LONGEST_NOTE: Final = 1000
MOST_RUNS: Final = 100_000
LARGEST_COUNT: Final = 2**53
"""The largest count that is accepted; SQLite can store many more games after it."""
LATEST: Final = 250_000_000_000
"""The latest time in seconds since 1970: in the year 9892, valid in every time zone."""
DIGEST: Final = re.compile(r"[:,]sha256=[^:,]*$")
"""The SHA-256 of an agent's file, which the list leaves out."""

Rows = Mapping[str, Mapping[int, Any]]
"""By table, then by game: what tells the row that the store holds from another."""


@dataclass(frozen=True)
class Pending:
    """A person's unfinished game."""

    script: Mapping[int, int]
    """The person's moves: cells 0-8 by ply 1-9."""
    side: str
    """X, O, or XO for two people."""


@dataclass(frozen=True)
class StoredRun:
    """A run in the store as it was saved or loaded: the `into` of the run's next save."""

    id: int
    uid: str
    name: str
    generation: int
    rows: Rows = field(repr=False, compare=False)
    """What the store holds, of which the next save writes only the rest."""
    is_copy: bool = False
    """Whether it was saved as a copy, because another process had changed the run."""
    is_repaired: bool = False
    """Whether it was damaged, so that the next save writes everything."""


@dataclass(frozen=True, eq=False)
class LoadedRun:
    run: Run
    stored: StoredRun
    note: str
    history: tuple[Point, ...]
    """The learning curve."""
    pending: Pending | None
    """A person's unfinished game: to resume it, play `run` with its script."""
    is_same_engine: bool
    """Whether the engine's sources are those that played the games."""
    repair: str = ""
    """A sentence where something was damaged, and made again or left out."""

    def make_ready(self) -> LoadedRun:
        """Prepare going to the latest game, which may take seconds: meant for a thread."""
        from afterstate_lab.learners.tape.timeline import first_shown

        if self.run.games:
            self.run.make_ready(first_shown(self.run.games - 1))
        return self


@dataclass(frozen=True)
class RunInfo:
    """A line in the list of runs; its texts are printable."""

    id: int
    name: str
    note: str
    """Of a damaged run, what is damaged."""
    created: datetime
    updated: datetime
    deleted: datetime | None
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
        """X won, drawn, O won."""
        return self.x_won, self.drawn, self.o_won

    def as_json(self) -> dict[str, Any]:
        """The object that `runs --json` prints."""
        told: dict[str, Any] = {
            key: getattr(self, key) for key in ("name", "x", "o", "seed", "games")
        }
        told["results"] = {"x": self.x_won, "draw": self.drawn, "o": self.o_won}
        for key in ("created", "updated"):
            told[key] = getattr(self, key).isoformat(timespec="seconds")
        return told | {"in_game": bool(self.in_game), "note": self.note, "sha256": self.sha256}


def text(value: Any) -> str:
    """A text from the file.

    Raises:
        DamagedError: the value is no text.
    """
    if not isinstance(value, str):
        raise DamagedError("one of its texts is none")
    return printable(value)


def whole(value: Any) -> int:
    """A count from the file.

    Raises:
        DamagedError: the value is no count.
    """
    if type(value) is not int or not 0 <= value <= LARGEST_COUNT:
        raise DamagedError("one of its numbers is no count")
    return value


def seed(value: Any) -> int:
    """A seed from the file.

    Raises:
        DamagedError: the value is no seed.
    """
    if not (isinstance(value, str) and re.fullmatch("[0-9]{1,40}", value)):
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


def player(value: Any) -> str:
    return text(DIGEST.sub("", value) if isinstance(value, str) else value)


LONG_AGO: Final = datetime.fromtimestamp(0, UTC)
COLUMNS: Final[Mapping[str, tuple[str, Callable[[Any], Any], Any]]] = {
    "id": ("id", lambda value: value, 0),
    "name": ("substr(name, 1, 200)", text, "?"),
    "note": ("substr(note, 1, 2000)", text, ""),
    "created": ("created", moment, LONG_AGO),
    "updated": ("updated", moment, LONG_AGO),
    "deleted": ("deleted", lambda value: None if value is None else moment(value), LONG_AGO),
    "x": ("substr(x, 1, 1000)", player, "?"),
    "o": ("substr(o, 1, 1000)", player, "?"),
    "seed": ("substr(seed, 1, 41)", seed, 0),
    "games": ("games", whole, 0),
    "x_won": ("x_won", whole, 0),
    "drawn": ("drawn", whole, 0),
    "o_won": ("o_won", whole, 0),
    "in_game": ("in_game", whole, 0),
    "sha256": ("substr(sha256, 1, 64)", text, "?"),
}
"""For each field of `RunInfo`: what is read, cut to its maximum length, by which check, and what
stands in its place in a row that is damaged."""


def info_of(row: Iterable[Any]) -> RunInfo:
    """A run's line in the list, from its row."""
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
    connection: sqlite3.Connection, where: str, *values: object, most: int = MOST_RUNS
) -> list[RunInfo]:
    """The lines of some runs, the latest first."""
    columns = ", ".join(column for column, _, _ in COLUMNS.values())
    order = "ORDER BY updated DESC, id DESC LIMIT"
    try:
        query = f"SELECT {columns} FROM runs WHERE {where} {order} {most}"
        return list(map(info_of, connection.execute(query, values)))
    except sqlite3.DatabaseError:  # one of the rows cannot be read
        query = f"SELECT id FROM runs WHERE {where} {order} {most}"
        numbers = connection.execute(query, values).fetchall()
    found = []
    for (number,) in numbers:
        try:
            query = f"SELECT {columns} FROM runs WHERE id = ?"
            row = connection.execute(query, (number,)).fetchone()
        except sqlite3.DatabaseError:
            row = (number, *[None] * (len(COLUMNS) - 1))
        found.append(info_of(row))
    return found


def found_info(connection: sqlite3.Connection, which: str | int) -> RunInfo:
    """The line of a run.

    Raises:
        StoreError: there is no such run.
    """
    where = "id = ?" if isinstance(which, int) else "name = ? AND deleted IS NULL"
    is_sound = isinstance(which, int) or which.isprintable()
    found = infos(connection, where, which) if is_sound else []
    if not found:
        raise StoreError(f"there is no run {shown(which)}; afterstate runs lists them all")
    return found[0]


def changed(connection: sqlite3.Connection, info: RunInfo, **columns: object) -> RunInfo:
    """Change columns of a run; its line then."""
    update(connection, "runs", "id", info.id, columns)
    return found_info(connection, info.id)


def update(
    connection: sqlite3.Connection, table: str, key: str, which: int, row: Mapping[str, object]
) -> None:
    columns = ", ".join(f"{column} = ?" for column in row)
    connection.execute(f"UPDATE {table} SET {columns} WHERE {key} = ?", (*row.values(), which))


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


def refuse_taken(connection: sqlite3.Connection, name: str) -> None:
    """Refuse a name that is taken.

    Raises:
        StoreError: a run has it.
    """
    if is_taken(connection, name):
        raise StoreError(f"there is a run called {shown(name)} already")


def free_name(connection: sqlite3.Connection, name: str) -> str:
    """This name, or the first free one of `NAME (2)`, `NAME (3)` ..."""
    number, found = 1, name
    while is_taken(connection, found):
        number += 1
        ending = f" ({number})"
        found = name[: LONGEST_NAME - len(ending)] + ending
    return found
