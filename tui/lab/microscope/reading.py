"""One update: what is backed up, what that reads, and what its numbers stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import space
from afterstate_lab.learners.judge.evaluated_state import true_values
from afterstate_lab.learners.rules.equation import Equation, TargetKind, Term, TermRole
from afterstate_lab.learners.tape.events import RESULTS, Backup, Event, GameOver, Learning, Move
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.learners.tape.timeline import CHOICE, TARGET, WRITE, Timeline
from afterstate_lab.learners.tape.watched import NOTHING_READ, Reads
from afterstate_lab.tui.blocks.meaning import Quantity, Role

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.rules.spec import PlayerSpec


SLOTS: Final = {result: slot for slot, result in RESULTS.items()}
"""Behind a table's rewards, that of each result."""


class Kind(Enum):
    """What a learner keeps a number for."""

    STATES = "states"
    PAIRS = "pairs"
    BEADS = "beads"


def kind_of(spec: PlayerSpec) -> Kind:
    """What this learner keeps a number for."""
    if spec.rule.by_state:
        return Kind.STATES
    return Kind.PAIRS if spec.rule.estimates else Kind.BEADS


@dataclass(frozen=True)
class Step:
    """A time step of a player: an afterstate, a position with the move made in it, or the end."""

    place: int
    """Into the game's path: plies played."""
    move: Move | None = None
    """The player's own move into the afterstate, or made in the position."""
    is_end: bool = False
    """The game is over here (also when somebody resigned)."""

    @property
    def is_exploratory(self) -> bool:
        """Whether a sibling of the move was ranked strictly higher."""
        return self.move is not None and self.move.exploratory


@dataclass(frozen=True)
class Game:
    """A game as far as it is recorded."""

    events: tuple[Event, ...]
    first: int
    """The row of its first event."""
    reads_at: Callable[[int], Reads]
    """What the rule had read when it made the event of a row."""

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        return tuple(event for event in self.events if isinstance(event, Move))

    @cached_property
    def path(self) -> tuple[int, ...]:
        """Position ids by ply, the empty board first."""
        return (0, *(move.afterstate for move in self.moves))

    @property
    def over(self) -> GameOver | None:
        last = self.events[-1] if self.events else None
        return last if isinstance(last, GameOver) else None

    @property
    def is_resigned(self) -> bool:
        """Whether it ended before its board was full or a line was."""
        return self.over is not None and self.over.resigned


def steps_of(game: Game, player: str, table: Table) -> tuple[Step, ...]:
    """The time steps of a player in a game, from S_0 or from its first move."""
    moves, over = game.moves, game.over
    last = len(moves)
    own = [move for move in moves if move.player == player]
    if kind_of(table.spec) is not Kind.STATES:
        pairs = [Step(move.ply - 1, move) for move in own]
        return (*pairs, Step(last, is_end=True)) if over is not None else tuple(pairs)
    if learns_all_plies(table):
        own = list(moves)
    steps = [Step(0)]
    for move in own:
        ends = over is not None and move.ply == last and not game.is_resigned
        steps.append(Step(move.ply, move, is_end=ends))
    if over is not None and not steps[-1].is_end:
        steps.append(Step(last, is_end=True))
    return tuple(steps)


def learns_all_plies(table: Table) -> bool:
    """Whether the boards after the opponent's moves have live entries: they are time steps too."""
    first_of_opponent = 2 - table.side
    return bool(table.entries.live[space().ply[table.entries.boards] == first_of_opponent].any())


@cache
def ply_of(board: int) -> int:
    """How many moves lead to a position: where it lies in the path of any game."""
    return int(space().ply[board])


def step_of(event: Learning, steps: Sequence[Step]) -> int:
    """Which time step an entry belongs to: the one with as many moves played."""
    place = ply_of(event.board)
    for index, step in enumerate(steps):
        if step.place == place and not step.is_end:
            return index
    return 0


def target_step(
    table: Table, game: Game, row: int, steps: Sequence[Step], head: int | None = None
) -> int:
    """Which time step the learning of a row looks at.

    Args:
        table: the learner's.
        game: the game.
        row: what is learned, in the game's window.
        steps: the learner's time steps.
        head: the newest one backed up at the same time, for traces.
    """
    event = game.events[row - game.first]
    assert isinstance(event, Learning)
    last, index = len(steps) - 1, step_of(event, steps)
    kind = table.spec.rule.equation.kind
    if kind is TargetKind.END:
        return last
    if kind is TargetKind.HORIZON:
        return step_read(table, game.reads_at(row), steps, index)
    if kind is TargetKind.TRACE and head is not None:
        return min(head + 1, last)
    return min(index + 1, last)


def step_read(table: Table, reads: Reads, steps: Sequence[Step], index: int) -> int:
    """The time step whose entry was read; the step itself where none was."""
    size = len(table.entries.boards)
    for entry in reads.values:
        if not 0 <= entry - table.base < table.size:
            return len(steps) - 1
        board = int(table.entries.boards[(entry - table.base) % size])
        if space().outcome[board]:
            return len(steps) - 1
        for later in range(index, len(steps)):
            if steps[later].place == ply_of(board) and not steps[later].is_end:
                return later
    return index


@dataclass(frozen=True)
class Update:
    """The current update: an entry of the player's becomes better known."""

    table: Table
    game: Game
    player: str
    """Whose update it is: the mover, or the learner that waits for a mover who does not learn."""
    event: Event
    row: int
    """The row of the event."""
    learned: Learning | None
    """What comes, or came, of it: a backup, or the reason for none."""
    learned_row: int
    """Its row; -1 for none."""
    head_row: int
    """The row of the first backup made together with it (of the newest trace)."""
    index: int
    """Which of the player's steps is backed up, or would be."""
    target: int | None
    """Which of them it looks at; None while that is not known."""

    @property
    def spec(self) -> PlayerSpec:
        return self.table.spec

    @property
    def equation(self) -> Equation:
        return self.spec.rule.equation

    @property
    def target_kind(self) -> TargetKind:
        return self.equation.kind

    @cached_property
    def kind(self) -> Kind:
        return kind_of(self.spec)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The player's time steps, those to come included."""
        return steps_of(self.game, self.player, self.table)

    @property
    def path(self) -> tuple[int, ...]:
        """Position ids of the game, the empty board first, to its last move."""
        return self.game.path

    @property
    def moves(self) -> tuple[Move, ...]:
        return self.game.moves

    @property
    def step(self) -> Step:
        """The time step that is backed up, or would be."""
        return self.steps[self.index] if self.steps else Step(0)

    @property
    def target_step(self) -> Step | None:
        return None if self.target is None or not self.steps else self.steps[self.target]

    @property
    def backup(self) -> Backup | None:
        """The backup, still to come or done."""
        return self.learned if isinstance(self.learned, Backup) else None

    @cached_property
    def reads(self) -> Reads:
        """What the rule had read when it made the backup."""
        return NOTHING_READ if self.backup is None else self.game.reads_at(self.learned_row)

    @cached_property
    def head(self) -> Learning | None:
        """The first quantity learned together with it: with traces the backup of S_t."""
        if self.head_row < 0:
            return None
        event = self.game.events[self.head_row - self.game.first]
        return event if isinstance(event, Learning) else None

    @property
    def error(self) -> float:
        """δ: the TD error of the step; 0 without a backup."""
        return self.head.error if isinstance(self.head, Backup) else 0.0

    @property
    def is_move(self) -> bool:
        """Whether a move is looked at, not what is learned from it."""
        return isinstance(self.event, Move)

    def is_reached(self, phase: int) -> bool:
        """Whether the position of the step has been reached in a phase of the event."""
        return not self.is_move or phase >= CHOICE or self.step.place < self.event.ply

    def knows_target(self, phase: int) -> bool:
        """Whether what the backup looks at is known in a phase of the event."""
        if self.backup is None:
            return False
        return not self.is_move or (phase == CHOICE and self.target_kind is not TargetKind.END)

    def is_written(self, phase: int) -> bool:
        """Whether the backup has been made in a phase of the event."""
        return self.backup is not None and not self.is_move and phase == WRITE

    @property
    def choice(self) -> Move | None:
        """The move whose choice is looked at: the current one, or else the player's latest; of
        beads, the one whose box is looked at."""
        if isinstance(self.event, Move):
            return self.event
        if self.kind is Kind.BEADS:
            return self.step.move
        made = [move for move in self.moves if move.player == self.player and move.ply <= self.ply]
        return made[-1] if made else None

    @property
    def ply(self) -> int:
        """Moves played so far."""
        return self.event.ply

    @property
    def reply(self) -> Move | None:
        """The opponent's latest move that the player had seen then."""
        seen = [m for m in self.moves if m.player != self.player and m.ply <= self.ply]
        return seen[-1] if seen else None


def seat_of(timeline: Timeline, player: str) -> Seat:
    seating = timeline.run.seating_of(timeline.game)
    return seating.x if player == "X" else seating.o


def table_of_player(timeline: Timeline, player: str) -> Table:
    layout = timeline.recording.layout
    return layout.x if player == "X" else layout.o


def is_learning(timeline: Timeline, player: str) -> bool:
    """Whether that side learns from the current game."""
    spec = table_of_player(timeline, player).spec
    return seat_of(timeline, player) is Seat.LEARNS and spec.learns and spec.rule.learns


def current_update(timeline: Timeline) -> Update | None:
    """The update to which the current event belongs; None before the first event."""
    event, row = timeline.event, timeline.row
    if event is None:
        return None
    game = Game(tuple(timeline.events_of_game()), timeline.rows.start, timeline.reads_at)
    if isinstance(event, Learning):
        return update_of(timeline, game, event.player, row, event, row)
    if isinstance(event, Move):
        other = "O" if event.player == "X" else "X"
        waits = not is_learning(timeline, event.player) and is_learning(timeline, other)
        player = other if waits else event.player
        return update_of(timeline, game, player, row, *coming(game, row, player))
    for learned_row in range(row - 1, game.first - 1, -1):
        learned = game.events[learned_row - game.first]
        if isinstance(learned, Learning):
            return update_of(timeline, game, learned.player, row, learned, learned_row)
    player = next((p for p in "XO" if is_learning(timeline, p)), "X")
    return update_of(timeline, game, player, row, None, -1)


def coming(game: Game, row: int, player: str) -> tuple[Learning | None, int]:
    """What a player learns next from the move in a row, with its row."""
    for later, event in enumerate(game.events[row - game.first + 1 :], row + 1):
        if isinstance(event, Move):
            break
        if isinstance(event, Learning) and event.player == player:
            return event, later
    return None, -1


def update_of(
    timeline: Timeline,
    game: Game,
    player: str,
    row: int,
    learned: Learning | None,
    learned_row: int,
) -> Update:
    """The update of a player at a row, with what is learned there."""
    table = table_of_player(timeline, player)
    steps = steps_of(game, player, table)
    event = timeline.event_at(row)
    head_row = learned_row if learned is not None else -1
    target: int | None = None
    if learned is not None:
        index = step_of(learned, steps)
        if table.spec.rule.equation.kind is TargetKind.TRACE:
            head_row = head_of(game, learned_row)
        head = game.events[head_row - game.first]
        assert isinstance(head, Learning)
        target = target_step(table, game, learned_row, steps, step_of(head, steps))
    else:
        index, target = waiting(event, steps, kind_of(table.spec))
    return Update(table, game, player, event, row, learned, learned_row, head_row, index, target)


def waiting(event: Event, steps: tuple[Step, ...], kind: Kind) -> tuple[int, int | None]:
    """Where a player stands who learns nothing now: its latest step before, and the next one."""
    if isinstance(event, GameOver):
        return max(0, len(steps) - 2), len(steps) - 1 if steps else None
    early = event.ply - (1 if kind is Kind.PAIRS else 0)
    seen = [i for i, step in enumerate(steps) if not step.is_end and step.place < early]
    index = seen[-1] if seen else 0
    if kind is Kind.BEADS:
        return index, None
    after = index + 1
    reached = after < len(steps) and steps[after].place <= event.ply
    return index, after if reached else None


def head_of(game: Game, row: int) -> int:
    """The row of the first of the backups that are made in one step together with this one."""
    at = row - game.first
    event = game.events[at]
    assert isinstance(event, Learning)
    while at > 0:
        earlier = game.events[at - 1]
        if not is_together(earlier, event):
            break
        assert isinstance(earlier, Learning)
        at, event = at - 1, earlier
    return game.first + at


def is_together(earlier: Event, event: Learning) -> bool:
    """Whether an event is made in one step with the backup before it, of an earlier board."""
    return (
        isinstance(earlier, Backup)
        and (earlier.player, earlier.ply) == (event.player, event.ply)
        and ply_of(earlier.board) > ply_of(event.board)
    )


NO_ENTRY: Final = -1


@dataclass(frozen=True)
class Candidate:
    """A move that an update looks at."""

    edge: int
    cell: int
    value: float


def candidates(
    table: Table, v: NDArray[np.float64], board: int, which: int = -1
) -> list[Candidate]:
    """The moves of a position with what a table says of each.

    Args:
        table: the learner's; for the opponent's moves too where it values positions.
        v: memory.
        board: the position.
        which: which of its tables (0, 1); -1 for the number by which moves are ranked.
    """
    s = space()
    entries, edges = table.entries, space().edges_of(board)
    moves = slice(edges.start, edges.stop)
    if entries.of_state is not None:
        known = table.values(v)[0][entries.of_state[s.edge_successor[moves]]]
    elif which < 0:
        known = table.preferences(v, edges)
    else:
        known = table.values(v)[which][entries.of_edge[moves]]
    return [
        Candidate(edge, int(s.edge_cell[edge]), float(value))
        for edge, value in zip(edges, known, strict=True)
    ]


def best_of(options: list[Candidate]) -> Candidate:
    """The first of the highest valued."""
    return max(options, key=lambda candidate: candidate.value)


@dataclass(frozen=True)
class Colour:
    """The beads of one colour in a matchbox."""

    number: int
    """Its cell on the canonical board, 0-8: symmetric positions show the same colours."""
    cells: tuple[int, ...]
    """The cells that it stands for: more than one where a symmetry exchanges them."""
    beads: float
    share: float
    """Of all beads in the box; 0 in an empty one."""
    entry: int
    """Index into memory; `NO_ENTRY` where a move is forced and needs no bead."""


def colours_of(table: Table, v: NDArray[np.float64], board: int) -> tuple[Colour, ...]:
    """The colours of a position's box, by their first cell."""
    values = table.values(v)[0]
    cells: dict[int, list[int]] = {}
    for edge in space().edges_of(board):
        entry = int(table.entries.of_edge[edge])
        cells.setdefault(entry, []).append(int(space().edge_cell[edge]))
    total = sum(float(values[entry]) for entry in cells)
    return tuple(
        Colour(
            number=int(table.entries.cells[entry]),
            cells=tuple(alike),
            beads=float(values[entry]),
            share=float(values[entry]) / total if total else 0.0,
            entry=table.base + entry if table.entries.live[entry] else NO_ENTRY,
        )
        for entry, alike in cells.items()
    )


def scale_of_values(spec: PlayerSpec) -> tuple[float, float]:
    """From the least to the most that a learner's values can be: its rewards."""
    win, draw, loss = spec.rule.rewards(spec.settings)
    low, high = min(win, draw, loss), max(win, draw, loss)
    return (low, high) if low < high else (low - 1.0, high + 1.0)


def entry_of_board(table: Table, position: int) -> int:
    """The entry of a board; of one on which the game is over, that of what the result is worth.

    One table for both sides values the end for whoever moved last, so it keeps its own entries.
    """
    outcome = int(space().outcome[position])
    if outcome and not table.spec.rule.one_table:
        return table.rewards + outcome
    assert table.entries.of_state is not None
    return table.base + int(table.entries.of_state[position])


def entry_of_edge(table: Table, edge: int, which: int = 0) -> int:
    """The entry by which a player's move is valued, in one of its tables (0, 1)."""
    if table.entries.of_state is not None:
        return entry_of_board(table, int(space().edge_successor[edge]))
    own = int(table.entries.of_edge[edge])
    if not table.spec.rule.estimates and not table.entries.live[own]:
        return NO_ENTRY
    return table.base + which * len(table.entries.boards) + own


def entry_of_step(update: Update, step: Step, which: int = 0) -> int:
    """The entry of a time step, in one of the player's tables (0, 1)."""
    table, over = update.table, update.game.over
    if step.is_end and over is not None:
        return table.rewards + SLOTS[over.result]
    if table.entries.of_state is not None:
        return entry_of_board(table, update.path[step.place])
    return NO_ENTRY if step.move is None else entry_of_edge(table, step.move.edge, which)


def board_of(table: Table, entry: int) -> tuple[int, int] | None:
    """The position id and cell (-1 for none) of an entry; None for what a result is worth."""
    within = entry - table.base
    if not 0 <= within < table.size:
        return None
    own = within % len(table.entries.boards)
    return int(table.entries.boards[own]), int(table.entries.cells[own])


@dataclass(frozen=True)
class TargetInputs:
    """What one backup read besides the entry itself."""

    reward: float = 0.0
    """What the result is worth, or what it adds in beads; 0 before the end."""
    value: float | None = None
    """What is looked at: the first number that the target is made of."""
    candidate: Candidate | None = None
    """The move that it belongs to."""
    written_table: int = 0
    """Which of two tables is written (0, 1)."""
    is_end: bool = False
    """The game is over in what it looks at."""
    is_refill: bool = False
    """An empty matchbox is filled anew."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """By symbol, what the terms of the target were."""
    entries: Mapping[str, int] = field(default_factory=dict)
    """By symbol, which entries they were read from."""


def inputs_of(update: Update, v: NDArray[np.float64]) -> TargetInputs:
    """What the update reads, from memory as it is before the write."""
    event, table, step = update.backup, update.table, update.target_step
    is_end = step is not None and step.is_end and update.target_kind is not TargetKind.BEST_REPLY
    reward = reward_of(update, v) if is_end else 0.0
    if event is None or step is None:
        return TargetInputs(reward, is_end=is_end)
    if update.kind is Kind.BEADS:
        numbers = TermReader(update, event, step, 0).numbers
        refill = is_refill(update, event)
        return TargetInputs(reward, event.old, is_end=True, is_refill=refill, numbers=numbers)
    which = max(0, event.entry - table.base) // len(table.entries.boards)
    reader = TermReader(update, event, step, which)
    found = {term.symbol: reader.entry_and_move(term) for term in update.equation.read}
    first = next(iter(update.equation.read), None)
    return TargetInputs(
        reward=reward,
        value=event.target if first is None else reader.numbers.get(first.symbol),
        candidate=None if first is None else found[first.symbol][1],
        written_table=which,
        is_end=is_end,
        numbers=reader.numbers,
        entries={symbol: entry for symbol, (entry, _) in found.items()},
    )


class TermReader:
    """Finds the numbers and the entries of the terms in what was recorded of a backup."""

    def __init__(self, update: Update, event: Backup, step: Step, which: int) -> None:
        self.update = update
        self.event = event
        self.step = step
        self.which = which
        self.other = 1 - which if update.spec.rule.tables > 1 else 0
        self.read = {self._shown(e): value for e, value in update.reads.earlier.items()}
        known = ((term.symbol, self._number(term)) for term in update.equation.terms)
        self.numbers = {symbol: number for symbol, number in known if number is not None}

    def _shown(self, entry: int) -> int:
        """The entry as which one that was read is shown: of a final board, that of the result."""
        place = board_of(self.update.table, entry)
        is_state = place is not None and place[1] < 0
        return entry_of_board(self.update.table, place[0]) if place and is_state else entry

    def _number(self, term: Term) -> float | None:
        """The number of a term, as far as the equation alone does not have it."""
        reads = self.update.reads
        if term.role is TermRole.TARGET:
            return self.event.target
        if term.variable in reads.variables:
            return reads.variables[term.variable]
        if term.role is TermRole.REWARD:
            rewards = range(self.update.table.rewards, self.update.table.rewards + 4)
            return next((n for e, n in self.read.items() if e in rewards), 0.0)
        if term.role not in (TermRole.READ, TermRole.ERROR) or term.variable:
            return None
        if not self.update.equation.is_composed:
            return self.event.target
        if term.looks_at is None:
            return None
        if term.looks_at.is_pair and self.step.is_end:
            return 0.0
        if term.looks_at is TargetKind.BEST_PAIR:
            return max(reads.values.values(), default=None)
        return self.read.get(self._entry_looked_at(term))

    def _entry_looked_at(self, term: Term) -> int:
        last = self.update.steps[-1]
        step = last if term.looks_at is TargetKind.END else self.step
        return entry_of_step(self.update, step, self.other)

    def entry_and_move(self, term: Term) -> tuple[int, Candidate | None]:
        """The entry that a term was read from, and the move whose value it is."""
        update, step = self.update, self.step
        number = self.numbers.get(term.symbol)
        if term.looks_at is None or number is None:
            return NO_ENTRY, None
        if term.looks_at is TargetKind.BEST_REPLY:
            return self._move_read(update.path[update.step.place], number)
        if step.is_end and term.looks_at.is_pair:
            return NO_ENTRY, None
        if term.looks_at is TargetKind.BEST_PAIR:
            return self._move_read(update.path[step.place], number)
        if term.looks_at is TargetKind.NEXT_PAIR and step.move is not None:
            move = Candidate(step.move.edge, step.move.cell, number)
            return entry_of_edge(update.table, move.edge, self.other), move
        if term.looks_at is TargetKind.EXPECTED_PAIR or update.kind is not Kind.STATES:
            return NO_ENTRY, None
        entry = self._entry_looked_at(term)
        return entry if self.read.get(entry) == number else NO_ENTRY, None

    def _move_read(self, board: int, number: float) -> tuple[int, Candidate | None]:
        """The first move of a position whose entry was read with this number."""
        for edge in space().edges_of(board):
            entry = entry_of_edge(self.update.table, edge, self.other)
            if self.update.reads.values.get(entry) == number:
                return entry, Candidate(edge, int(space().edge_cell[edge]), number)
        return NO_ENTRY, None


def reward_of(update: Update, v: NDArray[np.float64]) -> float:
    """What the game's result is worth to the player, or adds in beads."""
    over = update.game.over
    return 0.0 if over is None else float(v[update.table.rewards + SLOTS[over.result]])


def is_refill(update: Update, event: Backup) -> bool:
    """Whether a backup fills an empty box anew instead of rewarding the colour played."""
    move = update.step.move
    if move is None:
        return False
    own = update.table.base + int(update.table.entries.of_edge[move.edge])
    if event.entry != own:
        return True
    row = update.learned_row - update.game.first
    earlier = update.game.events[row - 1]
    return isinstance(earlier, Backup) and earlier.board == event.board


COMPUTED: Final = {
    TermRole.STEP: Role.STEP,
    TermRole.DISCOUNT: Role.DISCOUNT,
    TermRole.ERROR: Role.ERROR,
    TermRole.TRACE: Role.TRACE,
    TermRole.REWARD: Role.REWARD,
    TermRole.BEADS: Role.BEADS,
    TermRole.TARGET: Role.TARGET,
}
"""What a term is, where it is neither the entry nor read from another."""


@dataclass(frozen=True, eq=False)
class UpdateContext:
    """What every pane is made from: a place of a timeline, and the update there."""

    timeline: Timeline
    update: Update
    asks: bool = False
    """What is written is asked of the user before it is shown."""

    @property
    def is_masked(self) -> bool:
        """Whether what the current backup writes may not be told yet."""
        return self.asks and self.update.backup is not None and not self.is_written

    @property
    def is_written(self) -> bool:
        """Whether the backup of the update has been made."""
        return self.update.is_written(self.phase)

    @property
    def phase(self) -> int:
        return self.timeline.phase

    @cached_property
    def v(self) -> NDArray[np.float64]:
        """Memory before the current write, in its last phase too."""
        v, event = self.timeline.v, self.timeline.event
        if isinstance(event, Backup) and self.timeline.at > self.timeline.row:
            v = v.copy()
            v[event.entry] = event.old
        return v

    @cached_property
    def _truths(self) -> dict[str, NDArray[np.float64]]:
        return {}

    def truth(self, player: str) -> NDArray[np.float64]:
        """float64[5478], v* by position for a player; of beads, from a loss (0) to a win (1)."""
        if player not in self._truths:
            table, layout = table_of_player(self.timeline, player), self.timeline.recording.layout
            values = true_values(layout, self.timeline.v, table.side, self.timeline.game)
            rule = table.spec.rule
            if rule.learns and not rule.estimates:
                win, _, loss = rule.rewards(table.spec.settings)
                values = (values - loss) / ((win - loss) or 1.0)
            self._truths[player] = values
        return self._truths[player]

    @cached_property
    def inputs(self) -> TargetInputs:
        return inputs_of(self.update, self.v)

    @cached_property
    def quantities(self) -> Quantities:
        return Quantities(self)

    @cached_property
    def value(self) -> float | None:
        """What the entry that is looked at holds; None while it is not known which that is."""
        if not self.update.is_reached(self.phase):
            return None
        return self.value_of(self.update.step)

    @property
    def exact(self) -> float | None:
        """v* of the entry; None for beads, which are no estimates."""
        update = self.update
        if update.kind is Kind.BEADS or not update.spec.rule.learns or not update.steps:
            return None
        return self.exact_of(update.step)

    def role_of_change(self, backup: Backup) -> str:
        """`better` for a change that leads nearer to v*, `worse` for one that leads away."""
        if not table_of_player(self.timeline, backup.player).spec.rule.estimates:
            return "text"
        board = backup.board
        if backup.cell is not None:
            board = int(space().successor[board, backup.cell])
        truth = float(self.truth(backup.player)[board])
        was, now = abs(backup.old - truth), abs(backup.new - truth)
        return "better" if now < was else "worse" if now > was else "text"

    def is_revealed(self, step: Step) -> bool:
        """Whether the move made in a step has been chosen here."""
        move, event = step.move, self.update.event
        if move is None:
            return False
        return move.ply < event.ply or event is not move or self.phase >= CHOICE

    def value_of(self, step: Step) -> float | None:
        """What the learner knows of a step (of the table that is written, if there are two)."""
        update = self.update
        table, position = update.table, update.path[step.place]
        if not table.spec.rule.learns:
            return None
        if step.is_end:
            return reward_of(update, self.timeline.v)
        if table.entries.of_state is not None:
            return float(self.timeline.v[table.base + table.entries.of_state[position]])
        if step.move is None or not self.is_revealed(step):
            return None
        which = self.inputs.written_table if table.spec.rule.tables > 1 else -1
        known = candidates(table, self.timeline.v, position, which)
        return next(c.value for c in known if c.cell == step.move.cell)

    def exact_of(self, step: Step) -> float:
        position = self.update.path[step.place]
        if self.update.kind is not Kind.STATES and step.move is not None and self.is_revealed(step):
            position = step.move.afterstate
        return float(self.truth(self.update.player)[position])


class Quantities:
    """Says what each number is, as far as it is known in the current phase."""

    def __init__(self, context: UpdateContext) -> None:
        update, phase, inputs = context.update, context.phase, context.inputs
        self.update = update
        self.inputs = inputs
        self.is_decided = not update.is_move or phase >= CHOICE
        self.is_written = update.is_written(phase)
        self.knows_target = update.knows_target(phase)
        self.tells_error = (
            update.backup is not None and update.event is update.backup and phase >= TARGET
        )
        self.backed_up = NO_ENTRY if context.value is None else self._backed_up()
        self.reward, self.reads = NO_ENTRY, dict[str, int]()
        if self.knows_target:
            self.reward, self.reads = self._reward(), dict(inputs.entries)

    def _backed_up(self) -> int:
        learned = self.update.learned
        return self.entry_of(self.update.step) if learned is None else learned.entry

    def _reward(self) -> int:
        """The entry of the reward that the formula has a term for."""
        step, terms = self.update.target_step, self.update.equation.terms
        if step is None or not step.is_end or self.inputs.is_refill:
            return NO_ENTRY
        has_term = any(term.role is TermRole.REWARD for term in terms)
        return self.entry_of(step) if has_term else NO_ENTRY

    def entry_of(self, step: Step) -> int:
        """The entry of a time step (in the table that is written, if there are two)."""
        return entry_of_step(self.update, step, self.inputs.written_table)

    def is_known(self, step: Step) -> bool:
        """Whether a time step is reached in the current phase: its numbers may then be selected."""
        update = self.update
        over, ply = update.game.over, update.ply
        if step.is_end and over is not None and over.resigned:
            return not update.is_move
        done = step.place if step.move is None else step.move.ply
        return done < ply or (done == ply and self.is_decided)

    def of_step(self, step: Step) -> Quantity | None:
        """What a time step holds now."""
        return self.now(self.entry_of(step)) if self.is_known(step) else None

    def mean_before(self, entries: tuple[int, ...]) -> Quantity | None:
        """The mean of two tables' entries before the current write; None where that changed it."""
        if self.is_written and self.backed_up in entries and self.before(entries[0]) is not None:
            changes = self.update.event is self.update.learned
            return None if changes else Quantity(Role.MEAN, entries[0])
        return Quantity(Role.MEAN, entries[0])

    def now(self, entry: int) -> Quantity | None:
        """What an entry holds now."""
        if entry == NO_ENTRY:
            return None
        if entry == self.backed_up:
            return Quantity(Role.NEW if self.is_written else Role.OLD, entry)
        return self._other(entry)

    def before(self, entry: int) -> Quantity | None:
        """What an entry held before the current write; that of an earlier one is done."""
        if entry == self.backed_up != NO_ENTRY and self.update.event is self.update.learned:
            return Quantity(Role.OLD, entry)
        return self.now(entry)

    def _other(self, entry: int) -> Quantity:
        if entry == self.reward:
            return Quantity(Role.REWARD, entry)
        return Quantity(Role.READ if entry in self.reads.values() else Role.ENTRY, entry)

    @property
    def old(self) -> Quantity | None:
        return None if self.backed_up == NO_ENTRY else Quantity(Role.OLD, self.backed_up)

    @property
    def new(self) -> Quantity | None:
        return Quantity(Role.NEW, self.backed_up) if self.is_written else None

    @property
    def looked_at(self) -> Quantity | None:
        """What is read first, or computed from what is read; None where it is 0 after the end."""
        term = next(iter(self.update.equation.read), None)
        return self._whole() if term is None else self._read(term.symbol)

    def _whole(self) -> Quantity | None:
        known = self.knows_target and self.update.kind is not Kind.BEADS
        return Quantity(Role.TARGET) if known else None

    def _read(self, symbol: str) -> Quantity | None:
        """What a term of the target was read from."""
        if not self.knows_target or self.update.kind is Kind.BEADS:
            return None
        if self.inputs.is_end and self.update.target_kind.is_pair:
            return None
        return Quantity(Role.READ, self.reads.get(symbol, NO_ENTRY))

    @property
    def target(self) -> Quantity | None:
        return self._whole() if self.update.equation.is_composed else self.looked_at

    @property
    def error(self) -> Quantity:
        return Quantity(Role.ERROR)

    @property
    def change(self) -> Quantity:
        """New minus old."""
        return Quantity(Role.CHANGE, self.backed_up)

    def of_term(self, place: int) -> Quantity | None:
        """What the number of a term of the formula stands for."""
        term = self.update.equation.terms[place]
        if not term.is_number or term.role is TermRole.NUMBER:
            return None
        if term.role is TermRole.NEW:
            return self.new
        if term.role is TermRole.OLD:
            return self.old
        if term.role is TermRole.READ:
            return self._read(term.symbol)
        if term.role in (TermRole.STEP, TermRole.DISCOUNT):
            return Quantity(COMPUTED[term.role])
        if not self.knows_target:
            return None
        if term.role is TermRole.TRACE:
            return Quantity(Role.TRACE, self.backed_up)
        if self.inputs.is_refill:
            return self.change if term.role is TermRole.REWARD else None
        reward = self.reward if term.role is TermRole.REWARD else NO_ENTRY
        return Quantity(COMPUTED[term.role], reward)

    def wholes_of(self, place: int) -> tuple[Quantity, ...]:
        """What a term is a part of: the target where it is computed, and the error."""
        equation, target = self.update.equation, self.target
        wholes = []
        if target is not None and equation.is_composed and place in equation.target_range:
            wholes.append(target)
        if self.tells_error and place in equation.error_range:
            wholes.append(self.error)
        return tuple(wholes)
