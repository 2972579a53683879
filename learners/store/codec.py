"""Encode the parts of a run for the store and decode them, checking every claim."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from game import IllegalMoveError
from learners.engine.play import RECENT
from learners.errors import DamagedError, StoreError
from learners.judge.curve import Point
from learners.judge.evaluation import Evaluation
from learners.players.policy_file import is_in_range
from learners.store.records import Pending
from learners.tape.run import script_of
from learners.tape.state import Seat, Seating

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL: Final = 1
"""Compression level of zlib: higher levels save 4% of size and take five times as long."""
MOVES: Final = re.compile(r"[.1-9]{9}")


def packed(array: NDArray[Any]) -> bytes:
    """An array of eight-byte numbers, little-endian, compressed."""
    return zlib.compress(array.astype(array.dtype.newbyteorder("<")).tobytes(), LEVEL)


def unpacked(data: Any, size: int, what: str) -> bytes:
    """Decompress exactly `size` numbers of eight bytes, using no more memory than they need.

    Raises:
        DamagedError: the data holds fewer or more.
    """
    unpacker = zlib.decompressobj()
    try:
        numbers = unpacker.decompress(data, 8 * size + 1)
    except (TypeError, zlib.error):
        raise DamagedError(f"its {what} cannot be unpacked") from None
    if len(numbers) != 8 * size or not unpacker.eof or unpacker.unused_data:
        raise DamagedError(f"its {what} is not as long as its players need")
    return numbers


def memory_of(data: Any, size: int) -> NDArray[np.float64]:
    """Memory, float64[size]: values, then visit counts.

    Raises:
        DamagedError: the data is no memory of that size, or has numbers out of range.
    """
    memory = np.frombuffer(unpacked(data, size, "memory"), "<f8").astype(np.float64)
    check_memory(memory)
    return memory


def check_memory(memory: NDArray[np.float64]) -> None:
    """Check that all values and visit counts are in range.

    Raises:
        DamagedError: one is not.
    """
    values, visits = np.split(memory, 2)
    if not (is_in_range(values, counts=False) and is_in_range(visits, counts=True)):
        raise DamagedError("its memory has numbers that no learner has")


def tally_of(data: Any, games: int) -> NDArray[np.int64]:
    """The tally after `games` games, int64[4 + RECENT].

    Raises:
        DamagedError: it is that of another number of games.
    """
    tally = np.frombuffer(unpacked(data, 4 + RECENT, "results"), "<i8").astype(np.int64)
    counted, latest = tally[:4], tally[4:]
    if (tally < 0).any() or sum(counted.tolist()) != games or (latest > 3).any():
        raise DamagedError("its results are not those of its games")
    return tally


def seating_changes_text(changes: tuple[tuple[int, Seating], ...]) -> str:
    """The seating changes as JSON: [[game, seat of X, seat of O], ...]."""
    return json.dumps([[game, seats.x.value, seats.o.value] for game, seats in changes])


def seating_changes_of(text: Any, games: int) -> tuple[tuple[int, Seating], ...]:
    """Decode `seating_changes_text`.

    Raises:
        DamagedError: the text is malformed.
    """
    try:
        changes = tuple((game, Seating(Seat(x), Seat(o))) for game, x, o in json.loads(text))
        starts = [game for game, _ in changes]
        whole = all(type(game) is int for game in starts)
    except (TypeError, ValueError, RecursionError):
        whole, starts = False, []
    if not whole or starts[:1] != [0] or starts != sorted(set(starts)) or starts[-1] > games:
        raise DamagedError("who sat where cannot be read")
    return changes


def moves_text(moves: tuple[int, ...]) -> str:
    """A script: by ply, the cell 1-9 given from outside, or a dot."""
    return "".join("." if cell < 0 else str(cell + 1) for cell in moves[1:])


def moves_of(text: Any) -> tuple[int, ...]:
    """Decode `moves_text`.

    Raises:
        DamagedError: the text is malformed, or marks a cell twice.
    """
    if not (isinstance(text, str) and MOVES.fullmatch(text)):
        raise DamagedError("a person's moves cannot be read")
    cells = text.replace(".", "")
    if len(set(cells)) != len(cells):
        raise DamagedError("a person's moves mark a cell twice")
    return (-1, *(-1 if cell == "." else int(cell) - 1 for cell in text))


def scripts_of(rows: list[tuple[Any, Any]], games: int) -> dict[int, tuple[int, ...]]:
    """The scripts of a person's games, by game.

    Raises:
        DamagedError: a row is malformed.
    """
    if not all(type(game) is int and 0 <= game < games for game, _ in rows):
        raise DamagedError("a person's moves belong to no game")
    return {game: moves_of(text) for game, text in rows}


def check_openings(
    changes: tuple[tuple[int, Seating], ...], scripts: Mapping[int, tuple[int, ...]], games: int
) -> None:
    """Check that a person's first move is stored for every game that the person opened.

    Without it, a replay of the game would wait for the move.

    Raises:
        DamagedError: one is missing.
    """
    opened = {game for game, moves in scripts.items() if moves[1] >= 0}
    for (first, seats), last in zip(
        changes, (*(game for game, _ in changes[1:]), games), strict=True
    ):
        is_whole = last - first <= len(opened) and opened.issuperset(range(first, last))
        if seats.x is Seat.HUMAN and not is_whole:
            raise DamagedError("a person's moves are missing")


def pending_text(pending: Pending | None) -> str | None:
    """A person's unfinished game as JSON: [side, moves].

    Raises:
        StoreError: the moves are no script.
    """
    if pending is None:
        return None
    try:
        moves = moves_text(script_of(pending.script))
    except IllegalMoveError as error:
        raise StoreError(str(error)) from None
    return json.dumps([pending.side, moves])


def pending_of(text: Any) -> Pending | None:
    """Decode `pending_text`.

    Raises:
        DamagedError: the text is malformed.
    """
    if text is None:
        return None
    try:
        side, moves = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        side, moves = None, None
    if side not in ("X", "O", "XO"):
        raise DamagedError("its unfinished game cannot be read")
    return Pending({ply: cell for ply, cell in enumerate(moves_of(moves)) if cell >= 0}, side)


def point_row(point: Point) -> tuple[Any, ...]:
    """A point of the learning curve: games, results, and evaluations with the opening moves."""
    judged = point.evaluation
    told: list[Any] | None = judged and [None if s is None else s.as_json() for s in judged]
    if told and point.opening:
        told.append(point.opening)
    return (point.games, *point.results, json.dumps(told))


def point_of(row: tuple[Any, ...]) -> Point:
    """Decode `point_row`.

    Raises:
        DamagedError: the row is malformed.
    """
    games, *results, text = row
    try:
        told = json.loads(text)
        opening: tuple[int, ...] = ()
        if told is not None:
            x, o = map(Evaluation.read, told[:2])
            opening = tuple(cell for cells in told[2:3] for cell in cells)
        if any(type(cell) is not int or not 0 <= cell < 9 for cell in opening):
            raise ValueError("it is no cell")
        if any(type(n) is not int or not 0 <= n < 2**63 for n in (games, *results)):
            raise ValueError("it is no count")
    except (KeyError, TypeError, ValueError, RecursionError):  # a slice is a key from 3.12 on
        raise DamagedError("its learning curve cannot be read") from None
    won_x, drawn, won_o = results
    return Point(games, (won_x, drawn, won_o), None if told is None else (x, o), opening)


def changed(
    wanted: Mapping[int, Any], stored: Mapping[int, Any]
) -> tuple[list[int], dict[int, Any]]:
    """The keys to remove and the items to write to turn `stored` into `wanted`."""
    gone = [key for key in stored if key not in wanted]
    return gone, {key: value for key, value in wanted.items() if stored.get(key) != value}
