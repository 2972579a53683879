"""Which update is looked at: what is backed up, what it looks at, and the move between the two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from typing import TYPE_CHECKING

from game import space
from learners.rules.equation import Equation, TargetKind
from learners.tape.events import Backup, Event, GameOver, Learning, Move
from learners.tape.state import Seat
from learners.tape.timeline import CHOICE, WRITE, Timeline
from learners.tape.watched import NOTHING_READ, Reads

if TYPE_CHECKING:
    from learners.kernel.memory import Table
    from learners.rules.spec import PlayerSpec


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
    learned, learned_row = latest(game)
    if learned is not None:
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


def latest(game: Game) -> tuple[Learning | None, int]:
    """The last quantity learned from a game, with its row."""
    for at in range(len(game.events) - 1, -1, -1):
        event = game.events[at]
        if isinstance(event, Learning):
            return event, game.first + at
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
