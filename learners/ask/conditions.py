"""Conditions of breakpoints: the events at which a search stops.

A condition has one text notation everywhere:

    error > 0.3              a backup with |δ| above a number
    change                   a backup that changes a value: old and new differ
    wrote X ....X....        a backup of X's entry of a board (wrote X X..O.....@3: of a move)
    flip                     a backup that changes the greedy moves of some position
    flip X....O...           ... of this position
    exploratory              an exploratory move
    first visit              the first backup of an entry
    X loses, O loses, draw   the end of a game with this result
    game 424, game 1..99     the start of the game with this number, or of one in this range

joined by `and`, and these by `or`. `error > 0.3 and X loses` stops at the large
errors in the games that X loses: in a conjunction, a property of a game holds for all its events,
and `exploratory` for the move and for the backups of its player at that ply. The search stops at
the event of the narrowest part.

A search replays the games, recorded by the compiled engine a thousand at a time, and looks through
the columns of events. A segment between two keyframes is skipped if these show that the condition
cannot have come true in it. Backwards, the segments are searched last to first; each is replayed
forwards, and its last match counts. Machine code searches as many segments at once as there are
cores; the nearest match is the same.
"""

from __future__ import annotations

import math
import re
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from threading import Event
from typing import Any, ClassVar, Final, Self

import numpy as np

from afterstate_lab.game import Board, InvalidBoardError, space
from afterstate_lab.game.exact import Bools, Ints
from afterstate_lab.learners.ask.marks import entry_moves, leads_to, marked
from afterstate_lab.learners.engine.backups import BACKUP, MOVE, OUTCOME
from afterstate_lab.learners.engine.play import EXPLORED
from afterstate_lab.learners.errors import ConditionError, shown
from afterstate_lab.learners.kernel.kernel import cores
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.tape.recording import (
    SAME_TURN,
    Recording,
    TapePosition,
    position_of,
    row_at,
)
from afterstate_lab.learners.tape.run import (
    Progress,
    Run,
    Segment,
    Stop,
    never,
    prepare,
    replay,
    segments,
)

LONGEST: Final = 400
"""Maximum number of characters."""
WHAT: Final = (
    "a condition is error > .3, change, wrote X ....X...., flip, flip X....O..., exploratory,"
    " first visit, X loses, O loses, draw or game 424, joined by and, or"
)
TURN, GAME = 4, 5
"""An atom of this breadth or more holds for the events of a turn, or of a game."""

Rows = Ints
"""The rows of events in a recording, in order."""
LOOK_SECONDS: Final = 0.01
"""Seconds between two checks of `stop`."""


class Atom:
    """A condition without `and` and `or`."""

    breadth: ClassVar[int] = 0
    """In a conjunction the search stops at the rows of the atom with the least breadth: 0-3 are
    single backups (the quickest to find first), 4 a move, 5 the end of a game, 6 its start."""
    notation: ClassVar[str]
    """A pattern for the whole text, whose groups `read` gets."""

    @classmethod
    def read(cls, *words: Any) -> Self:
        """Return an atom for the words that its notation matched."""
        return cls(*words)

    def check(self, layout: Layout) -> None:
        """Raise ConditionError if it can never come true for these players."""

    def stops(self, recording: Recording) -> Rows:
        """Return the rows at which a search for this atom stops."""
        raise NotImplementedError

    def holds(self, recording: Recording, rows: Rows) -> Bools:
        stops = self.stops(recording)
        if self.breadth < TURN:
            return np.isin(rows, stops, assume_unique=True)
        key = recording.games if self.breadth >= GAME else recording.meta & SAME_TURN
        return np.isin(key[rows], key[stops])

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        """Return whether it can come true in this segment, judged by its keyframes."""
        return True


@dataclass(frozen=True)
class Error(Atom):
    """A backup's |δ| is above a number."""

    above: float
    breadth = 1
    notation = r"(?:error|\|?(?:δ|Δ|delta)\|?) ?> ?(\S+)"

    @classmethod
    def read(cls, number: str) -> Self:
        try:
            above = float(number)
        except ValueError:
            above = -1.0
        if not (math.isfinite(above) and above >= 0.0):
            raise ConditionError(f"error > {shown(number)} is not a condition: use 0 or more")
        return cls(above)

    def stops(self, recording: Recording) -> Rows:
        return np.flatnonzero(np.abs(recording.errors) > self.above)


@dataclass(frozen=True)
class Change(Atom):
    """A backup changes its value."""

    breadth = 2
    notation = "change"

    def stops(self, recording: Recording) -> Rows:
        columns = recording.columns
        return np.flatnonzero((recording.kinds == BACKUP) & (columns.new != columns.old))


@dataclass(frozen=True)
class Wrote(Atom):
    """A backup of a player's value of a board, or of a move on it.

    If symmetric boards share an entry, any of them names it. For a learner of action values a board
    without a cell means all its moves.
    """

    player: str
    board: int
    """Position id."""
    cell: int | None = None
    """0-8."""
    notation = r"wrote ([XO]) ([^@ ]+)(?:@(\S+))?"

    @classmethod
    def read(cls, player: str, board: str, cell: str | None) -> Self:
        found = position(board)
        if cell is None:
            return cls(player.upper(), found.id)
        if cell not in [str(n + 1) for n in found.legal_cells]:
            raise ConditionError(f"cell {shown(cell)} is not free on {found}")
        return cls(player.upper(), found.id, int(cell) - 1)

    def check(self, layout: Layout) -> None:
        self.entries(layout)

    @lru_cache(maxsize=64)  # noqa: B019 (conditions are few and small)
    def entries(self, layout: Layout) -> Ints:
        """Return the indices of these values in memory, sorted."""
        table = layout.x if self.player == "X" else layout.o
        entries, who = table.entries, f"{self.player} ({table.rule.name})"
        board = Board.from_id(self.board)
        if not table.spec.learns:
            raise ConditionError(f"{who} learns nothing, so it has no backups")
        if entries.of_state is not None:
            if self.cell is not None:
                raise ConditionError(f"{who} keeps values of boards, not of moves: omit the cell")
            found = entries.of_state[[self.board]]
        elif board.is_over or board.to_move != self.player:
            raise ConditionError(f"{self.player} does not value moves on {board}")
        else:
            cells = board.legal_cells if self.cell is None else (self.cell,)
            found = np.unique(entries.of_edge[space().edge_of[self.board, list(cells)]])
        found = found[entries.live[found]]
        if not len(found):
            raise ConditionError(f"{who} keeps no value for {board}")
        tables = np.arange(table.rule.tables) * len(entries.boards)
        return np.sort((table.base + found + tables[:, None]).ravel()).astype(np.int64)

    def stops(self, recording: Recording) -> Rows:
        return written_rows(recording, self.entries(recording.layout))

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        return segment.may_write(self.entries(layout))


def written_rows(recording: Recording, entries: Ints) -> Rows:
    """Return the rows of the backups of these entries."""
    columns = recording.columns
    one = len(entries) == 1
    wrote = columns.entry == entries[0] if one else np.isin(columns.entry, entries)
    rows = np.flatnonzero(wrote)
    return np.asarray(rows[recording.kinds[rows] == BACKUP])


@dataclass(frozen=True)
class FirstVisit(Atom):
    """The first backup of an entry."""

    breadth = 2
    notation = "first visit"

    def stops(self, recording: Recording) -> Rows:
        columns = recording.columns
        rows = np.flatnonzero(recording.kinds == BACKUP)
        visits = recording.before[len(recording.before) // 2 :]
        rows = rows[visits[columns.entry[rows]] == 0]
        return np.sort(rows[np.unique(columns.entry[rows], return_index=True)[1]])

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        return segment.may_write(np.flatnonzero(segment.before.visits == 0))


@dataclass(frozen=True)
class Flip(Atom):
    """A backup changes the greedy moves of some position, or of this one."""

    board: int | None = None
    """Position id."""
    breadth = 3
    notation = r"flip(?: (\S+))?"

    @classmethod
    def read(cls, board: str | None) -> Self:
        return cls(None if board is None else position(board).id)

    def check(self, layout: Layout) -> None:
        if self.board is None:
            return
        board = Board.from_id(self.board)
        table = layout.x if board.to_move == "X" else layout.o
        if board.is_over:
            raise ConditionError(f"the game is over on {board}, so no move there can become greedy")
        if not table.spec.learns:
            raise ConditionError(f"{board.to_move} learns nothing: its greedy moves never change")

    def stops(self, recording: Recording) -> Rows:
        layout, matters = recording.layout, np.ones(recording.layout.values, dtype=np.uint8)
        if self.board is not None:
            matters = leads_to(layout, self.board).astype(np.uint8)
            if not matters[recording.columns.entry[recording.kinds == BACKUP]].any():
                return np.zeros(0, dtype=np.int64)
        at, v = np.zeros(2, dtype=np.int64), recording.before.copy()
        return np.flatnonzero(marked(recording, v, matters, at, entry_moves(layout, self.board)))

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        return self.board is None or segment.may_write(np.flatnonzero(leads_to(layout, self.board)))


@dataclass(frozen=True)
class Exploratory(Atom):
    """A move with a sibling of strictly higher rank."""

    breadth = TURN
    notation = "exploratory"

    def stops(self, recording: Recording) -> Rows:
        return np.flatnonzero(recording.meta & (3 | EXPLORED << 7) == MOVE | EXPLORED << 7)


@dataclass(frozen=True)
class Ended(Atom):
    """A game ended with this result."""

    slot: int
    """1 X wins, 2 O wins, 3 draw."""
    breadth = GAME
    notation = r"([XO] (?:loses|wins)|draw)"
    SLOTS: ClassVar = {"o loses": 1, "x wins": 1, "x loses": 2, "o wins": 2, "draw": 3}

    @classmethod
    def read(cls, result: str) -> Self:
        return cls(cls.SLOTS[result.lower()])

    def stops(self, recording: Recording) -> Rows:
        rows = np.flatnonzero(recording.kinds == OUTCOME)
        return np.asarray(rows[recording.columns.entry[rows] == self.slot])

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        before, after = segment.before.tally, segment.after
        return after is None or bool(before[self.slot] < after.tally[self.slot])


@dataclass(frozen=True)
class Games(Atom):
    """The start of a game whose number is in `first` .. `last`."""

    first: int
    """From 0, as in a trace; the notation counts from 1, like the screens."""
    last: int
    breadth = GAME + 1
    notation = r"game ([0-9][0-9_,]{0,20})(?:\.\.([0-9][0-9_,]{0,20}))?"

    @classmethod
    def read(cls, first: str, last: str | None) -> Self:
        low, high = (int(n.replace(",", "").replace("_", "")) for n in (first, last or first))
        if low < 1:
            raise ConditionError("no game 0: games count from 1")
        if high < low:
            raise ConditionError(f"game {low}..{high} is empty: put the smaller number first")
        return cls(low - 1, high - 1)

    def stops(self, recording: Recording) -> Rows:
        low, high = max(self.first, recording.first), min(self.last + 1, recording.last)
        numbers = np.arange(low, max(low, high))
        return np.searchsorted(recording.games, numbers).astype(np.int64)

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        return segment.first <= self.last and self.first < segment.last


@dataclass(frozen=True)
class Condition:
    """Alternatives, each of atoms that all hold."""

    ways: tuple[tuple[Atom, ...], ...]

    def check(self, layout: Layout) -> None:
        """Raise ConditionError if the condition can never come true for these players."""
        for atom in chain.from_iterable(self.ways):
            atom.check(layout)

    def rows(self, recording: Recording) -> Rows:
        """Return the rows of a recording (of whole games) at which a search stops, in order."""
        found = []
        for way in self.ways:
            narrowest = min(way, key=lambda atom: atom.breadth)
            rows = narrowest.stops(recording)
            for atom in way:
                if atom is not narrowest and len(rows):
                    rows = rows[atom.holds(recording, rows)]
            found.append(rows)
        return found[0] if len(found) == 1 else np.unique(np.concatenate(found))

    def may_hold(self, segment: Segment, layout: Layout) -> bool:
        """Return whether it can come true in this segment, judged by its keyframes."""
        return any(all(atom.may_hold(segment, layout) for atom in way) for way in self.ways)


def parse(text: str) -> Condition:
    """Read a condition; `and` binds more tightly than `or`."""
    if len(text) > LONGEST:
        raise ConditionError(f"a condition is at most {LONGEST} characters long")
    if not text.isprintable():
        raise ConditionError(f"a condition has printable characters only, unlike {shown(text)}")
    ways = re.split(r"\bor\b", text, flags=re.IGNORECASE)
    return Condition(
        tuple(tuple(map(atom_of, re.split(r"\band\b", way, flags=re.IGNORECASE))) for way in ways)
    )


def atom_of(text: str) -> Atom:
    """Read a condition without `and` and `or`."""
    text = " ".join(text.split())
    for kind in Atom.__subclasses__():
        # In Unicode, ſ would match s.
        if match := re.fullmatch(kind.notation, text, re.IGNORECASE | re.ASCII):
            return kind.read(*match.groups())
    raise ConditionError(f"{shown(text)} is not a condition: {WHAT}" if text else WHAT)


def position(text: str) -> Board:
    """Return a board that you named."""
    try:
        return Board.parse(text)
    except InvalidBoardError as error:
        raise ConditionError(str(error).removesuffix(".")) from None


# the search


def find(
    run: Run,
    condition: Condition,
    start: TapePosition,
    *,
    forwards: bool = True,
    progress: Progress = lambda part: None,
    stop: Stop = never,
) -> TapePosition | None:
    """Return the nearest event after (or before) a position at which a condition comes true.

    Meant for a thread: a million games take a fraction of a second compiled, a minute interpreted.
    The run may be trained meanwhile, but not rewound; games that are over at the call are searched.

    Args:
        condition: what to look for.
        start: where to start; the event there does not count. `TapePosition(0, -1)` is before all
            events, `TapePosition(run.games, -1)` after all.
        forwards: the direction.
        progress: called with the part that is done.
        stop: called every few milliseconds; true ends the search.

    Returns:
        The position, or None if there is none or `stop` ended the search.
    """
    condition.check(run.layout)
    first, last = (start.game, run.games) if forwards else (0, min(start.game + 1, run.games))
    spans = [s for s in segments(run, first, last) if condition.may_hold(s, run.layout)]
    spans = spans if forwards else spans[::-1]
    if not spans:
        return None
    over = Event()

    def nearest(span: Segment) -> TapePosition | None:
        found = None
        for recording in replay(run, [span], stop=over.is_set):
            rows = condition.rows(recording)
            if recording.first <= start.game < recording.last:
                edge = row_at(recording, start)
                rows = rows[rows > edge] if forwards else rows[rows < edge]
            if len(rows):
                found = position_of(recording, int(rows[0 if forwards else -1]))
            if found and forwards:
                break
        return None if over.is_set() else found

    is_compiled = prepare(run, min(s.first for s in spans), max(s.last for s in spans))
    with ThreadPoolExecutor(min(cores(), len(spans)) if is_compiled else 1) as pool:
        looks = [pool.submit(nearest, span) for span in spans]
        try:
            for number, look in enumerate(looks, 1):
                is_done = False
                while not is_done:
                    if stop():
                        return None
                    is_done = bool(wait([look], LOOK_SECONDS).done)
                if (place := look.result()) is not None:
                    return place
                progress(number / len(looks))
            return None
        finally:
            over.set()
            pool.shutdown(cancel_futures=True)
