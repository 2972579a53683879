"""Events of a game, one frozen dataclass per kind, read from the columns of a tape.

A move, a backup (old and new value of one entry), the reason for no backup, and the outcome. All
numbers are the engine's; nothing is recomputed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from afterstate_lab.game import space
from afterstate_lab.learners.engine.backups import BACKUP, EXPLORATORY, MOVE, NO_BACKUP, TapeColumns
from afterstate_lab.learners.engine.dice import EXPLORE, PICK, WORDS, dice_word, game_key
from afterstate_lab.learners.engine.entries import padded_edges
from afterstate_lab.learners.engine.play import DRAWN, EXPLORED, GREEDY, RESIGNED, SCRIPTED

if TYPE_CHECKING:
    from afterstate_lab.learners.kernel.memory import Layout

RESULTS = {1: "X", 2: "O", 3: "draw"}
"""Results by the index of their reward."""
REASONS = {EXPLORATORY: "exploratory"}
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
    rule: str
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
    """An entry was left unchanged."""

    reason: str


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
            place = entry, board, None if cell < 0 else cell
            about = game, ply, player, table.spec.rule.name, *place
            if kind == BACKUP:
                numbers = (float(getattr(columns, name)[row]) for name in NUMBERS)
                yield Backup(*about, int(columns.read[row]), *numbers)
            else:
                yield NoBackup(*about, REASONS[detail])
        else:
            yield GameOver(game, ply, RESULTS[entry], resigned=bool(detail & RESIGNED))
