"""The events of games, and recordings of them with the memory before.

Events are one frozen dataclass per kind (a move, a backup, the reason for no backup, the outcome),
read from the columns of a tape; all numbers are the engine's, and nothing is recomputed. `Cursor`
moves over a recording forwards and backwards and keeps memory in step. Forwards it stores each
event's new value, backwards the *recorded* old value, so every bit is restored. A trace is every
event, in order, as one JSON object.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from afterstate_lab.game import Board, space
from afterstate_lab.learners.engine.backups import (
    BACKUP,
    MOVE,
    NO_BACKUP,
    OUTCOME,
    TapeColumns,
)
from afterstate_lab.learners.engine.dice import EXPLORE, PICK, WORDS, dice_word, game_key
from afterstate_lab.learners.engine.entries import padded_edges
from afterstate_lab.learners.engine.play import DRAWN, EXPLORED, GREEDY, RESIGNED, SCRIPTED

if TYPE_CHECKING:
    from afterstate_lab.game.exact import Bools, Floats, Ints
    from afterstate_lab.learners.kernel.memory import Layout, Table
    from afterstate_lab.learners.rules.spec import PlayerSpec

RESULTS = {1: "X", 2: "O", 3: "draw"}
"""Results by the index of their reward."""
CHOICES = {
    GREEDY: "greedy", EXPLORED: "exploratory", DRAWN: "drawn",
    SCRIPTED: "scripted", SCRIPTED | EXPLORED: "scripted",
}  # fmt: skip
NUMBERS = ("old", "target", "step", "trace", "new")
"""The numbers of a backup, by the names of the tape's columns."""


@dataclass(frozen=True)
class Event:
    game: int
    ply: int
    """Number of moves so far, this one included."""


@dataclass(frozen=True)
class Move(Event):
    """A player marked a cell."""

    player: str
    board: int
    """Position id before the move."""
    edge: int
    """The move's number, 0-16166."""
    cell: int
    """0-8."""
    afterstate: int
    """Position id after the move."""
    choice: str
    """greedy, exploratory, drawn or scripted."""
    exploratory: bool
    """Whether a sibling was ranked strictly higher (a scripted move may be exploratory too)."""
    explore: float
    """The random number in [0, 1) that makes the move exploratory if it is below epsilon."""
    pick: float
    """The random number in [0, 1) that picks among the candidate moves."""


@dataclass(frozen=True)
class Learning(Event):
    """The base of backups and no-backups of one entry."""

    player: str
    entry: int
    """Index into memory."""
    board: int
    """Position id of the entry."""
    cell: int | None
    """0-8 for an action value, None for a state value."""


@dataclass(frozen=True)
class Backup(Learning):
    """An entry was written."""

    read: int
    """Index into memory of the value that the target is made of, or `SEVERAL`."""
    old: float
    target: float
    step: float
    trace: float
    new: float

    @property
    def error(self) -> float:
        """The TD error δ = target - old."""
        return self.target - self.old


@dataclass(frozen=True)
class NoBackup(Learning):
    """An entry was left unchanged, because the next move was exploratory."""


@dataclass(frozen=True)
class GameOver(Event):
    result: str
    """X, O or draw."""
    resigned: bool


def read_events(
    columns: TapeColumns, first: int, last: int, layout: Layout, seed: tuple[int, int]
) -> Iterator[Event]:
    """Read rows first .. last - 1 of a tape.

    Args:
        columns: the tape.
        first: the first row.
        last: the row after the last.
        layout: the layout of the memory that the tape's entries refer to.
        seed: the two words of the seed (`learners.engine.dice.seed_words`).
    """
    s = space()
    padded = padded_edges()
    key_of, key = -1, (0, 0)
    for row in range(first, last):
        meta = int(columns.meta[row])
        entry = int(columns.entry[row])
        kind, ply, game = meta & 3, meta >> 3 & 15, meta >> 15
        detail = meta >> 7 & 255
        player = "O" if meta & 4 else "X"
        if kind == MOVE:
            if game != key_of:
                key_of, key = game, game_key(*seed, game)
            edge = int(padded[entry])
            yield Move(
                game,
                ply,
                player,
                board=int(s.edge_state[edge]),
                edge=edge,
                cell=int(s.edge_cell[edge]),
                afterstate=int(s.edge_successor[edge]),
                choice=CHOICES[detail],
                exploratory=bool(detail & EXPLORED),
                explore=dice_word(*key, ply, EXPLORE) / WORDS,
                pick=dice_word(*key, ply, PICK) / WORDS,
            )
        elif kind in (BACKUP, NO_BACKUP):
            table = layout.o if meta & 4 else layout.x
            n = (entry - table.base) % len(table.entries.boards)
            board, cell = int(table.entries.boards[n]), int(table.entries.cells[n])
            about = game, ply, player, entry, board, None if cell < 0 else cell
            if kind == BACKUP:
                numbers = (float(getattr(columns, name)[row]) for name in NUMBERS)
                yield Backup(*about, int(columns.read[row]), *numbers)
            else:
                yield NoBackup(*about)
        else:
            yield GameOver(game, ply, RESULTS[entry], resigned=bool(detail & RESIGNED))


SAME_TURN: Final = ~(3 | 255 << 7)
"""The bits of `meta` that are equal for two events of one player at one ply of one game."""


class TapePosition(NamedTuple):
    """The position of an event in a run; positions sort in the order of the events."""

    game: int
    row: int
    """The event's number within its game, from 0; -1 is before the first event."""


@dataclass(frozen=True, eq=False)
class Recording:
    """The events of consecutive games."""

    layout: Layout
    seed: tuple[int, int]
    """The two words of the seed."""
    first: int
    """Number of the first game."""
    before: Floats
    """float64[2N] memory before the first event."""
    columns: TapeColumns
    """The events; every column has `size` rows."""
    counting: tuple[tuple[int, bool, bool], ...]
    """(game, X, O): from this game on, whether X's and O's greedy moves are counted in memory."""

    @property
    def size(self) -> int:
        """Number of events."""
        return len(self.meta)

    @property
    def meta(self) -> Ints:
        """int64[size]: kind, player, ply, detail and game of each event."""
        meta: Ints = self.columns.meta
        return meta

    @cached_property
    def kinds(self) -> Ints:
        """int64[size]: the kind of each event."""
        return self.meta & 3

    @cached_property
    def games(self) -> Ints:
        """int64[size]: the game of each event."""
        return self.meta >> 15

    @cached_property
    def counted(self) -> tuple[Bools, Bools]:
        """For X and for O, bool[size]: the moves that add 1 to its count of greedy moves."""
        first, *counts = map(np.array, zip(*self.counting, strict=True))
        period = np.searchsorted(first, self.games, "right") - 1
        greedy = (self.kinds == MOVE) & (self.meta >> 7 & EXPLORED == 0)
        x, o = (greedy & (self.meta >> 2 & 1 == n) & counts[n][period] for n in (0, 1))
        return x, o

    @cached_property
    def errors(self) -> Floats:
        """float64[size] the TD error δ that each backup applies; 0 for other events.

        With traces that is the error of the newest state, which comes first in its turn, for all.
        """
        columns = self.columns
        # Rows that are no backups have target = old = 0, so they need not be told apart.
        errors: Floats = columns.target - columns.old
        for table in self.layout:
            if table.rule.shares_error:
                is_backup = (self.kinds == BACKUP) & (self.meta >> 2 & 1 == table.side)
                rows = np.flatnonzero(is_backup)
                numbers = np.arange(len(rows))
                first = np.maximum.accumulate(np.where(self.begins_turn(rows), numbers, 0))
                errors[rows] = errors[rows[first]]
        return errors

    def begins_turn(self, rows: Ints) -> Bools:
        """Return bool[len(rows)]: which backups are the first that read their time step.

        When the opponent resigns, a player learns twice after the same ply.
        """
        turn, read = self.meta[rows] & SAME_TURN, self.columns.read[rows]
        return np.asarray((np.diff(turn, prepend=-1) != 0) | (np.diff(read, prepend=-1) != 0))

    @property
    def last(self) -> int:
        """Number after the last game, which need not be over."""
        return int(self.games[-1]) + 1 if self.size else self.first

    @property
    def is_over(self) -> bool:
        """Whether the last game is over."""
        return bool(self.size) and int(self.kinds[-1]) == OUTCOME

    @property
    def board(self) -> Board:
        """The board after the last move."""
        moves = np.flatnonzero(self.kinds == MOVE)
        return Board.from_id(self.event(moves[-1]).afterstate) if len(moves) else Board()  # type: ignore[attr-defined]

    def event(self, row: int) -> Event:
        return next(read_events(self.columns, row, row + 1, self.layout, self.seed))

    def events(self, first: int = 0, last: int | None = None) -> list[Event]:
        """Return the events in rows first .. last - 1 (to the end by default)."""
        end = self.size if last is None else last
        return list(read_events(self.columns, first, end, self.layout, self.seed))

    def rows_of(self, game: int) -> range:
        """Return the rows of a game; empty if the recording does not hold it."""
        start = int(np.searchsorted(self.games, game, "left"))
        return range(start, int(np.searchsorted(self.games, game, "right")))


def position_of(recording: Recording, row: int) -> TapePosition:
    game = int(recording.games[row])
    return TapePosition(game, row - recording.rows_of(game).start)


def row_at(recording: Recording, position: TapePosition) -> int:
    """Return the row of a position; for one before its game, the row before the game's first."""
    rows = recording.rows_of(position.game)
    if not -1 <= position.row < len(rows):
        raise IndexError(f"game {position.game} has no event {position.row} here")
    return rows.start + position.row


class Cursor:
    """A position in a recording, and memory as it was there.

    `at` is the number of events before the position.
    """

    def __init__(self, recording: Recording, at: int = 0) -> None:
        self.recording = recording
        self.at = 0
        self.v = recording.before.copy()
        self.seek(at)

    def seek(self, at: int) -> None:
        """Go to the position after the first `at` events."""
        if not 0 <= at <= self.recording.size:
            raise IndexError(f"{at} is not a moment from 0 to {self.recording.size}")
        if at > self.at:
            self._apply(slice(self.at, at), "new", 1.0)
        elif at < self.at:
            reverse = slice(self.at - 1, at - 1 if at else None, -1)
            self._apply(reverse, "old", -1.0)
        self.at = at

    def _apply(self, part: slice, column: str, visit: float) -> None:
        """Write one column of the backups in a part of the tape, in that part's order."""
        recording = self.recording
        wrote = recording.kinds[part] == BACKUP
        entries = recording.columns.entry[part][wrote]
        # Of several values for one entry the last stays.
        self.v[entries] = getattr(recording.columns, column)[part][wrote]
        np.add.at(self.v, entries + len(self.v) // 2, visit)
        for table, counted in zip(recording.layout, recording.counted, strict=True):
            self.v[table.counter] += visit * np.count_nonzero(counted[part])


def counts_greedy_moves(spec: PlayerSpec) -> bool:
    """Whether a learner's greedy moves are counted in memory, as its step size depends on them."""
    settings = spec.settings
    return bool(spec.learns and settings.get("decay", 1.0) < 1.0 and settings.get("step") != "1/n")


def trace_recording(recording: Recording) -> Iterator[dict[str, Any]]:
    """Yield every event of a recording as plain data, each with the mover's values at that time."""
    cursor = Cursor(recording)
    for row, event in enumerate(recording.events()):
        cursor.seek(row)
        yield event_json(event, recording, cursor.v)


def event_json(event: Event, recording: Recording, v: Floats) -> dict[str, Any]:
    """One event as plain data; `v` is memory just before it."""
    s = space()
    about: dict[str, Any] = {"game": event.game, "ply": event.ply}
    if isinstance(event, GameOver):
        about |= {"kind": "outcome", "result": event.result, "plies": event.ply}
        return about | {"resigned": True} if event.resigned else about
    if isinstance(event, Move):
        about |= {
            "player": event.player,
            "kind": "move",
            "board": s.text(event.board),
            "cell": event.cell + 1,
            "afterstate": s.text(event.afterstate),
            "choice": event.choice,
            "dice": {"explore": event.explore, "pick": event.pick},
        }
        table = recording.layout.x if event.player == "X" else recording.layout.o
        rule = table.player.rule
        if rule.learns or not (rule.draws or rule.human):
            values = mover_values(table, v, event.board)
            about["values"] = {str(cell + 1): value for cell, value in values.items()}
        return about
    assert isinstance(event, Learning)
    table = recording.layout.table_of(event.entry)
    about |= {
        "player": event.player,
        "kind": "backup" if isinstance(event, Backup) else "no-backup",
        "rule": table.rule.name,
        "board": s.text(event.board),
        "cell": None if event.cell is None else event.cell + 1,
    }
    if isinstance(event, NoBackup):
        return about | {"reason": "exploratory"}
    about |= {name: getattr(event, name) for name in NUMBERS}
    if table.rule.tables > 1:
        about["table"] = 1 + (event.entry - table.base) // len(table.entries.boards)
    return about


def mover_values(table: Table, v: Floats, board: int) -> dict[int, float]:
    """Return the number by which a player ranks each legal cell (0-8) of a position."""
    edges = space().edges_of(board)
    ranked = table.preferences(v, edges).tolist()
    return dict(zip(space().edge_cell[edges].tolist(), ranked, strict=True))


def best_cells(values: Mapping[int, float]) -> list[int]:
    """Return the cells of the highest value; none where there is no value."""
    highest = max(values.values(), default=None)
    return [cell for cell, value in values.items() if value == highest]
