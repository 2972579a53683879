"""The list of stored runs, one line each."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.learners.errors import DamagedError, StoreError, printable, shown

if TYPE_CHECKING:
    from afterstate_lab.learners.judge.curve import Point
    from afterstate_lab.learners.tape.run import Run

KEPT_DAYS: Final = 30
"""Days after which a deleted run can no longer be restored."""
LONGEST_NAME: Final = 60
LONGEST_NOTE: Final = 1000
MOST_RUNS: Final = 100_000
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
            "its rule with the run"
        )


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
    is_copy: bool = False
    """Whether it was saved as a copy, because another process changed the run."""
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
    """Whether this engine played the games."""
    repair: str = ""
    """What was damaged, and repaired or omitted."""

    def make_ready(self) -> LoadedRun:
        """Prepare for the latest game; can take seconds, so call it in a thread."""
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
    """The note; for a damaged run, the damage."""
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
    "deleted": ("deleted", lambda value: None if value is None else moment(value), LONG_AGO),
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
    connection: sqlite3.Connection, where: str, *values: object, most: int = MOST_RUNS
) -> list[RunInfo]:
    """Return the lines of some runs, the latest first."""
    columns = ", ".join(column for column, _, _ in COLUMNS.values())
    which = f"FROM runs WHERE {where} ORDER BY updated DESC, id DESC LIMIT {most}"
    try:
        return list(map(info_of, connection.execute(f"SELECT {columns} {which}", values)))
    except sqlite3.DatabaseError:  # one of the rows cannot be read
        numbers = connection.execute(f"SELECT id {which}", values).fetchall()
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
    """Return the line of a run."""
    where = "id = ?" if isinstance(which, int) else "name = ? AND deleted IS NULL"
    is_sound = isinstance(which, int) or which.isprintable()
    found = infos(connection, where, which) if is_sound else []
    if not found:
        raise StoreError(f"no such run: {shown(which)} (afterstate runs lists them all)")
    return found[0]


def changed(connection: sqlite3.Connection, info: RunInfo, **columns: object) -> RunInfo:
    """Change columns of a run; its line then."""
    update(connection, info.id, columns)
    return found_info(connection, info.id)


def update(connection: sqlite3.Connection, run: int, row: Mapping[str, object]) -> None:
    columns = ", ".join(f"{column} = ?" for column in row)
    connection.execute(f"UPDATE runs SET {columns} WHERE id = ?", (*row.values(), run))


def checked_line(what: str, least: int, most: int, line: str) -> str:
    """Return a name or a note as it is stored, with single spaces."""
    line = " ".join(line.split())
    if not least <= len(line) <= most or not line.isprintable():
        raise StoreError(f"{what} {most} printable characters, unlike {shown(line)}")
    return line


checked_name = partial(checked_line, "a run's name is 1 to", 1, LONGEST_NAME)
checked_note = partial(checked_line, "a note is at most", 0, LONGEST_NOTE)


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
