"""How the parts of a run are written into the store, and how they are read: every claim checked."""

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
from learners.judge.curve import Point, evaluation_of
from learners.players.policy_file import is_in_range
from learners.store.records import Pending
from learners.tape.run import script_of
from learners.tape.state import Seat, Seating

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL: Final = 1
"""How hard zlib tries: more makes the files 4% smaller and takes five times as long."""
MOVES: Final = re.compile(r"[.1-9]{9}")


def packed(array: NDArray[Any]) -> bytes:
    """An array of eight-byte numbers, little-endian, compressed."""
    return zlib.compress(array.astype(array.dtype.newbyteorder("<")).tobytes(), LEVEL)


def unpacked(data: Any, size: int, what: str) -> bytes:
    """`size` numbers of eight bytes, no more memory being taken than they need.

    Raises:
        DamagedError: they are not there, or more than they.
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
    """Memory, float64[size]: values of a sensible size, then counts.

    Raises:
        DamagedError: it is none.
    """
    memory = np.frombuffer(unpacked(data, size, "memory"), "<f8").astype(np.float64)
    check_memory(memory)
    return memory


def check_memory(memory: NDArray[np.float64]) -> None:
    """Refuse numbers that no learner has.

    Raises:
        DamagedError: there are some.
    """
    values, visits = np.split(memory, 2)
    if not (is_in_range(values, counts=False) and is_in_range(visits, counts=True)):
        raise DamagedError("its memory has numbers that no learner has")


def tally_of(data: Any, games: int) -> NDArray[np.int64]:
    """The results after so many games, int64[4 + RECENT].

    Raises:
        DamagedError: they are those of another number of games.
    """
    tally = np.frombuffer(unpacked(data, 4 + RECENT, "results"), "<i8").astype(np.int64)
    counted, latest = tally[:4], tally[4:]
    if (tally < 0).any() or sum(counted.tolist()) != games or (latest > 3).any():
        raise DamagedError("its results are not those of its games")
    return tally


def legs_text(legs: tuple[tuple[int, Seating], ...]) -> str:
    """Who sits where, from which game on."""
    return json.dumps([[game, seats.x.value, seats.o.value] for game, seats in legs])


def legs_of(text: Any, games: int) -> tuple[tuple[int, Seating], ...]:
    """The same, read.

    Raises:
        DamagedError: it is not.
    """
    try:
        legs = tuple((game, Seating(Seat(x), Seat(o))) for game, x, o in json.loads(text))
        starts = [game for game, _ in legs]
        whole = all(type(game) is int for game in starts)
    except (TypeError, ValueError, RecursionError):
        whole, starts = False, []
    if not whole or starts[:1] != [0] or starts != sorted(set(starts)) or starts[-1] > games:
        raise DamagedError("who sat where cannot be read")
    return legs


def moves_text(moves: tuple[int, ...]) -> str:
    """A script: by ply, the cell 1-9 given from outside, or a dot."""
    return "".join("." if cell < 0 else str(cell + 1) for cell in moves[1:])


def moves_of(text: Any) -> tuple[int, ...]:
    """The same, read.

    Raises:
        DamagedError: it is none, or marks a cell twice.
    """
    if not (isinstance(text, str) and MOVES.fullmatch(text)):
        raise DamagedError("a person's moves cannot be read")
    cells = text.replace(".", "")
    if len(set(cells)) != len(cells):
        raise DamagedError("a person's moves mark a cell twice")
    return (-1, *(-1 if cell == "." else int(cell) - 1 for cell in text))


def scripts_of(rows: list[tuple[Any, Any]], games: int) -> dict[int, tuple[int, ...]]:
    """The scripts of a person's games.

    Raises:
        DamagedError: they are none.
    """
    if not all(type(game) is int and 0 <= game < games for game, _ in rows):
        raise DamagedError("a person's moves belong to no game")
    return {game: moves_of(text) for game, text in rows}


def check_openings(
    legs: tuple[tuple[int, Seating], ...], scripts: Mapping[int, tuple[int, ...]], games: int
) -> None:
    """Refuse games that a person opened without a move: replayed, they would never begin.

    Raises:
        DamagedError: there are some.
    """
    opened = {game for game, moves in scripts.items() if moves[1] >= 0}
    for (first, seats), last in zip(legs, (*(leg[0] for leg in legs[1:]), games), strict=True):
        is_whole = last - first <= len(opened) and opened.issuperset(range(first, last))
        if seats.x is Seat.HUMAN and not is_whole:
            raise DamagedError("a person's moves are missing")


def pending_text(pending: Pending | None) -> str | None:
    """A person's unfinished game.

    Raises:
        StoreError: it is none.
    """
    if pending is None:
        return None
    try:
        moves = moves_text(script_of(pending.script))
    except IllegalMoveError as error:
        raise StoreError(str(error)) from None
    return json.dumps([pending.side, moves])


def pending_of(text: Any) -> Pending | None:
    """The same, read.

    Raises:
        DamagedError: it is not.
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
    """A point of the learning curve: games, results and evaluation."""
    judged = point.evaluation
    sides = judged and [None if side is None else side.as_json() for side in judged]
    return (point.games, *point.results, json.dumps(sides))


def point_of(row: tuple[Any, ...]) -> Point:
    """The same, read.

    Raises:
        DamagedError: it is none.
    """
    games, *results, text = row
    try:
        told = json.loads(text)
        if told is not None:
            x, o = map(evaluation_of, told)
        if any(type(n) is not int or not 0 <= n < 2**63 for n in (games, *results)):
            raise ValueError("it is no count")
    except (TypeError, ValueError, RecursionError):
        raise DamagedError("its learning curve cannot be read") from None
    won_x, drawn, won_o = results
    return Point(games, (won_x, drawn, won_o), None if told is None else (x, o))


def changed(
    wanted: Mapping[int, Any], stored: Mapping[int, Any]
) -> tuple[list[int], dict[int, Any]]:
    """What to remove, and what to write, so that what is stored becomes what is wanted."""
    gone = [key for key in stored if key not in wanted]
    return gone, {key: value for key, value in wanted.items() if stored.get(key) != value}
