"""The store of runs: saves a run incrementally, and loads it with every claim checked.

A run is one line of text: its players, seed and given moves. Memory, results and keyframes are a
cache, valid if its hashes are right, whichever engine made it; otherwise the games are replayed.
"""

from __future__ import annotations

import json
import re
import secrets
import sqlite3
import time
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from afterstate_lab.game import IllegalMoveError
from afterstate_lab.learners.engine.play import RECENT
from afterstate_lab.learners.errors import (
    DamagedError,
    PolicyFileError,
    StoreError,
    UsageError,
    shown,
)
from afterstate_lab.learners.judge.curve import Point
from afterstate_lab.learners.judge.evaluation import Evaluation
from afterstate_lab.learners.players import resolve
from afterstate_lab.learners.players.policy_file import AGENT, is_in_range, player_in_header
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.runs.address import (
    Address,
    AddressError,
    check_openings,
)
from afterstate_lab.learners.runs.listing import (
    OwnRuleError,
    RunInfo,
    RunList,
    StoredRun,
    change,
    checked_name,
    found_info,
    free_name,
    refuse_taken,
    short,
    text,
    whole,
)
from afterstate_lab.learners.runs.replay import OpenedRun, engine_hash, play_on
from afterstate_lab.learners.tape.run import (
    MOST,
    Changes,
    Keyframe,
    Run,
    Script,
    Seat,
    Seating,
    cells_of,
    script_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.game.exact import Floats, Ints

MOST_REPLAYED: Final = 10_000_000
"""Maximum number of games to replay if a run's memory is damaged."""
ROWS: Final = {
    "keyframes": "game, sha256",
    "scripts": "game, moves",
    "points": "games, x_won, drawn, o_won, evaluation",
}
"""By table, its key and the columns that tell whether a row is new."""


class Store(RunList):
    """Saved runs, and the list of them."""

    def load(self, which: str | int, *, own_rules: Collection[str] = ()) -> OpenedRun:
        """Load a run.

        Args:
            which: its name or id.
            own_rules: rules in files, `file.py:Class`, whose code may be run for it.

        Raises:
            OwnRuleError: it needs another rule in a file (see its `rule`).
            StoreError: there is none, or it is damaged.
        """
        with self._transaction() as connection:
            info = found_info(connection, which)
            try:
                return loaded(connection, info, own_rules)
            except OwnRuleError as error:
                error.args = (f"the run {shown(info.name)} was not loaded: {error}",)
                raise
            except UsageError as error:
                raise StoreError(f"cannot load run {shown(info.name)}: {error}") from None

    def save(
        self,
        run: Run,
        *,
        into: StoredRun | None = None,
        name: str | None = None,
        history: Iterable[Point] | None = None,
        script: Mapping[int, int] | None = None,
    ) -> StoredRun:
        """Save a run in one transaction; writes only what is new since the last save.

        If another process has saved the run since then, nothing is overwritten: this run is saved
        as a copy under another name (`is_copy`). Saving restores a deleted run.

        Args:
            run: the run; a copy (`Run.fork`) if another thread plays its games.
            into: the result of the last save or load; None for a new run.
            name: the name of a new run; by default the players' names.
            history: the learning curve, or None to leave it unchanged.
            script: the moves, cells 0-8 by ply, of a person's unfinished game.

        Returns:
            The `into` of the next save.

        Raises:
            StoreError: the run has numbers that could not be loaded again.
        """
        players = "-".join(short(spec.rule.name) for spec in (run.x, run.o))
        wanted = players if name is None else checked_name(name)
        try:
            checked(run.memory)
            moves = None if script is None else moves_text(script_of(script))
        except (DamagedError, IllegalMoveError) as error:
            raise StoreError(f"could not save the run: {error}") from None
        _, won_x, won_o, drawn = run.tally[:4].tolist()
        row: dict[str, Any] = {
            "updated": time.time(),
            "x": run.x.stored_text,
            "o": run.o.stored_text,
            "seed": str(run.seed),
            "games": run.games,
            "x_won": won_x,
            "drawn": drawn,
            "o_won": won_o,
            "in_game": int(script is not None),
            "sha256": run.sha256,
            "engine": engine_hash(run.x, run.o),
        }
        query = "SELECT generation, name, deleted, note FROM runs WHERE id = ? AND uid = ?"
        with self._transaction(writes=True) as connection:
            if into is None and name is not None:
                refuse_taken(connection, wanted)
            found = into and connection.execute(query, (into.id, into.uid)).fetchone()
            wanted = into.name if into is not None else wanted
            generation, wanted, deleted, old = found or (0, wanted, None, "")
            if into is not None and generation == into.generation:
                wanted = wanted if deleted is None else free_name(connection, wanted)
                stored = StoredRun(into.id, into.uid, wanted, generation + 1)
                fresh = {"generation": stored.generation, "name": wanted, "deleted": None}
                change(connection, into.id, **row, **fresh)
                for table in ("contents", *(ROWS if into.is_repaired else ())):
                    connection.execute(f"DELETE FROM {table} WHERE run = ?", (into.id,))
            else:
                wanted, uid = free_name(connection, wanted), secrets.token_hex(8)
                fresh = {"uid": uid, "generation": 1, "name": wanted, "created": row["updated"]}
                number = insert(connection, "runs", {"note": old} | row | fresh)
                stored = StoredRun(number, uid, wanted, 1, is_copy=bool(found))
            seats = [[game, seats.x.value, seats.o.value] for game, seats in run.seating_changes]
            contents = {
                "run": stored.id,
                "memory": packed(run.memory),
                "tally": packed(run.tally),
                "legs": json.dumps(seats),
                "pending": moves and json.dumps(["", moves]),
            }
            insert(connection, "contents", contents)
            frames = {frame.game: (frame.sha256, frame) for frame in run.keyframes}
            keep(connection, stored.id, "keyframes", frames)
            scripts = {game: (moves_text(moves),) for game, moves in run.scripts.items()}
            keep(connection, stored.id, "scripts", scripts)
            if history is not None:
                points = {point.games: point_row(point) for point in history}
                keep(connection, stored.id, "points", points)
            return stored


def loaded(connection: sqlite3.Connection, info: RunInfo, own_rules: Collection[str]) -> OpenedRun:
    """Return the run of a line of the list."""
    if info.is_damaged:
        raise DamagedError(info.note.removeprefix("damaged: "))
    get = partial(rows, connection, info.id)
    ((uid, generation, x, o, engine),) = get("uid, generation, x, o, engine FROM runs", 1, "id")
    find = partial(player_in_store, own_rules)
    players = PlayerSpec.parse(str(x), find), PlayerSpec.parse(str(o), find)
    if any(spec.rule.human for spec in players):
        raise DamagedError("a person keeps no table, only the learner on that side does")
    contents = next(get("memory, tally, legs, pending FROM contents", 1), None)
    if contents is None:
        raise DamagedError("its contents are missing")
    memory, tally, legs, pending = contents
    changes = seating_changes_of(legs, info.games)
    scripts = scripts_of(get("game, substr(moves, 1, 10) FROM scripts", 10_000_000), info.games)
    try:
        check_openings(changes, scripts, info.games)
    except AddressError:
        raise DamagedError("a person's moves are missing") from None
    script = pending_of(pending)
    points: tuple[Point, ...] = ()
    repairs = []
    try:
        run = Run(*players, info.seed, info.games, scripts)
        size = 2 * run.layout.values
        run.memory, run.tally = memory_of(memory, size), tally_of(tally, info.games)
        run.seating_changes = list(changes)
        frames = get("game, sha256, memory, tally FROM keyframes", MOST)
        run.keyframes = keyframes_of(frames, size, info.games)
        if run.sha256 != info.sha256:
            raise DamagedError("its memory is not what was saved (checksum)")
    except DamagedError as error:
        began = Address("", "", info.seed, info.games, changes, scripts)
        if (again := played_again(players, began, info)) is None:
            raise
        run = again
        repairs.append(f"{error}; all {info.games:,} games were replayed")
    try:
        columns = "games, x_won, drawn, o_won, substr(evaluation, 1, 20000)"
        points = tuple(map(point_of, get(f"{columns} FROM points", 100_000)))
    except DamagedError as error:
        repairs.append(f"{error}, and is omitted")
    repair = f"{info.name} was damaged: {'; '.join(repairs)}." if repairs else ""
    stored = StoredRun(info.id, text(uid), info.name, whole(generation), is_repaired=bool(repair))
    is_same_engine = engine == engine_hash(*players)
    return OpenedRun(run, points, script, repair, stored, is_same_engine)


def rows(
    connection: sqlite3.Connection, number: int, what: str, most: int, key: str = "run"
) -> Iterator[tuple[Any, ...]]:
    """Yield a run's rows in order of their first column, one at a time, as each may be large."""
    query = f"SELECT {what} WHERE {key} = ? ORDER BY 1 LIMIT ?"
    for count, row in enumerate(connection.execute(query, (number, most + 1))):
        if count == most:
            raise DamagedError("it has more of everything than a run can have")
        yield row


@contextmanager
def read_as(what: str) -> Iterator[None]:
    """Raise a `DamagedError` that names what was being read."""
    try:
        yield
    except (KeyError, TypeError, ValueError, RecursionError, zlib.error) as error:
        if isinstance(error, DamagedError):
            raise
        raise DamagedError(what) from None


def keyframes_of(found: Iterable[tuple[Any, ...]], size: int, games: int) -> tuple[Keyframe, ...]:
    """Return the keyframes of a run."""
    frames: list[Keyframe] = []
    for game, sha256, memory, tally in found:
        start = frames[0].start if frames else None
        frame = Keyframe(whole(game), memory_of(memory, size), tally_of(tally, whole(game)), start)
        if frame.sha256 != sha256:
            raise DamagedError(f"its keyframe before game {game} is not what was saved (checksum)")
        frames.append(frame)
    if not frames or frames[0].game != 0 or frames[-1].game > games:
        raise DamagedError("its keyframes do not match its games")
    return tuple(frames)


def played_again(
    players: tuple[PlayerSpec, PlayerSpec], began: Address, info: RunInfo
) -> Run | None:
    """A run whose memory is damaged, played again; None if it does not come to what was saved."""
    if sum(info.results) != began.games or began.games > MOST_REPLAYED:
        return None
    run = Run(*players, began.seed)
    try:
        for _ in play_on(run, began):
            pass
    except AddressError:
        return None
    _, won_x, won_o, drawn = run.tally[:4].tolist()
    is_same = run.sha256 == info.sha256 and (won_x, drawn, won_o) == info.results
    return run if is_same else None


def player_in_store(own_rules: Collection[str], name: str) -> tuple[type[Rule], str]:
    """Return the rule that a stored spec names, and the text of its options.

    The file of a saved policy or of an agent may be missing: what it knows is in the run's own
    memory, and no agent is asked again.

    Raises:
        OwnRuleError: it is a rule in a file whose code may not be run.
        SpecError: there is no such rule.
    """
    if AGENT.fullmatch(name):
        return player_in_header(name)
    path, ending, rest = name.rpartition(".py:")
    rule = f"{path}{ending}{rest.partition(':')[0]}"
    if ending and rule not in own_rules:
        raise OwnRuleError(rule)
    try:
        return resolve.find(name)
    except PolicyFileError:
        return player_in_header(name)


def unpacked(data: Any, size: int, what: str, kind: str) -> NDArray[Any]:
    """Decompress exactly `size` numbers of eight bytes, using no more memory than they need."""
    unpacker = zlib.decompressobj()
    with read_as(f"its {what} cannot be unpacked"):
        numbers = unpacker.decompress(data, 8 * size + 1)
    if len(numbers) != 8 * size or not unpacker.eof or unpacker.unused_data:
        raise DamagedError(f"the length of its {what} is wrong for its players")
    return np.frombuffer(numbers, f"<{kind}").astype(kind)


def memory_of(data: Any, size: int) -> Floats:
    """Memory, float64[size]: values, then visit counts."""
    return checked(unpacked(data, size, "memory", "f8"))


def checked(memory: Floats) -> Floats:
    """Memory itself, whose values and visit counts are in range."""
    values, visits = np.split(memory, 2)
    if not (is_in_range(values, counts=False) and is_in_range(visits, counts=True)):
        raise DamagedError("its memory has impossible numbers")
    return memory


def tally_of(data: Any, games: int) -> Ints:
    """Return the tally after `games` games, int64[4 + RECENT]."""
    tally = unpacked(data, 4 + RECENT, "results", "i8")
    if (tally < 0).any() or sum(tally[:4].tolist()) != games or (tally[4:] > 3).any():
        raise DamagedError("its results do not match its games")
    return tally


def seating_changes_of(told: Any, games: int) -> Changes:
    """Read the seatings from JSON: [[game, seat of X, seat of O], ...]."""
    with read_as("its sides cannot be read"):
        changes = tuple((game, Seating(Seat(x), Seat(o))) for game, x, o in json.loads(told))
        starts = [game for game, _ in changes if type(game) is int]
        is_sorted = starts == sorted({*starts}) and len(starts) == len(changes)
        if not is_sorted or starts[:1] != [0] or starts[-1] > games:
            raise ValueError(told)
    return changes


def scripts_of(rows: Iterable[tuple[Any, Any]], games: int) -> dict[int, Script]:
    """Return the scripts of a person's games, by game."""
    scripts = {}
    for game, told in rows:
        if type(game) is not int or not 0 <= game < games:
            raise DamagedError("a person's moves belong to no game")
        scripts[game] = moves_of(told)
    return scripts


def moves_text(moves: Script) -> str:
    """Return a script: by ply, the cell 1-9 given from outside, or a dot."""
    return "".join("." if cell < 0 else str(cell + 1) for cell in moves[1:])


def moves_of(told: Any) -> Script:
    """Decode `moves_text`."""
    if not (isinstance(told, str) and re.fullmatch("[.1-9]{9}", told)):
        raise DamagedError("a person's moves cannot be read")
    given = {ply: int(cell) - 1 for ply, cell in enumerate(told, 1) if cell != "."}
    if len({*given.values()}) != len(given):
        raise DamagedError("a person's moves play a cell twice")
    return script_of(given)


def pending_of(told: Any) -> dict[int, int]:
    """Return the moves of a person's unfinished game, from JSON: ["", moves]."""
    with read_as("its unfinished game cannot be read"):
        _, moves = ("", ".........") if told is None else json.loads(told)
        return cells_of(moves_of(moves))


def point_row(point: Point) -> tuple[Any, ...]:
    """A point of the learning curve: results, and evaluations with the opening moves."""
    judged = point.evaluation
    told: list[Any] | None = judged and [None if s is None else s.as_json() for s in judged]
    if told and point.opening:
        told.append(point.opening)
    return *point.results, json.dumps(told)


def point_of(row: tuple[Any, ...]) -> Point:
    """Return the point of a row: the games, and `point_row`."""
    games, won_x, drawn, won_o, told = row
    with read_as("its learning curve cannot be read"):
        judged = json.loads(told)
        opening: tuple[int, ...] = ()
        if judged is not None:
            x, o = map(Evaluation.read, judged[:2])
            opening = tuple(cell for cells in judged[2:3] for cell in cells)
        if any(type(cell) is not int or not 0 <= cell < 9 for cell in opening):
            raise ValueError("it is not a cell")
        if any(type(n) is not int or not 0 <= n < 2**63 for n in row[:4]):
            raise ValueError("it is not a count")
        return Point(games, (won_x, drawn, won_o), None if judged is None else (x, o), opening)


def packed(array: NDArray[Any]) -> bytes:
    """Return an array of eight-byte numbers, little-endian, compressed.

    Higher levels save 4% of size and take five times as long.
    """
    return zlib.compress(array.astype(array.dtype.newbyteorder("<")).tobytes(), 1)


def keep(
    connection: sqlite3.Connection, run: int, table: str, wanted: Mapping[int, tuple[Any, ...]]
) -> None:
    """Write the rows of a table that differ from the stored ones, and remove those not wanted."""
    columns = ROWS[table]
    found = connection.execute(f"SELECT {columns} FROM {table} WHERE run = ?", (run,))
    stored = {game: told for game, *told in found}
    connection.executemany(
        f"DELETE FROM {table} WHERE run = ? AND {columns.partition(',')[0]} = ?",
        [(run, game) for game in stored if game not in wanted],
    )
    for game, row in wanted.items():
        if (told := stored.get(game)) is None or told != list(row[: len(told)]):
            if isinstance(row[-1], Keyframe):
                row = (*row[:-1], packed(row[-1].memory), packed(row[-1].tally))
            query = f"INSERT OR REPLACE INTO {table} VALUES (?{', ?' * (1 + len(row))})"
            connection.execute(query, (run, game, *row))


def insert(connection: sqlite3.Connection, table: str, row: Mapping[str, Any]) -> int:
    """Insert a row; returns its id."""
    places = ", ".join("?" * len(row))
    query = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})"
    return int(connection.execute(query, tuple(row.values())).lastrowid or 0)
