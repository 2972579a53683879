"""Which update is looked at: what is backed up, what it looks at, and the move between the two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from game import space
from learners.tape.events import Backup, Event, GameOver, Learning, Move
from learners.tape.state import Seat
from learners.tape.timeline import CHOICE, WRITE, Timeline
from tui.lab.microscope.steps import Game, Kind, Step, kind_of, step_of, steps_of, target_step
from tui.lab.microscope.symbols import Look, look_of, terms_of

if TYPE_CHECKING:
    from learners.kernel.memory import Table
    from learners.rules.spec import PlayerSpec


@dataclass(frozen=True)
class Update:
    """The update of now: an entry of the player's becomes better known."""

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
        """The learner."""
        return self.table.spec

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The terms of the rule's equation."""
        return terms_of(self.spec.rule)

    @cached_property
    def look(self) -> Look:
        """What the backup looks at."""
        return look_of(self.terms)

    @cached_property
    def kind(self) -> Kind:
        """What the learner keeps a number for."""
        return kind_of(self.spec)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The player's time steps, those to come included."""
        return steps_of(self.game, self.player, self.spec)

    @cached_property
    def path(self) -> tuple[int, ...]:
        """Position ids of the game, the empty board first, to its last move."""
        return self.game.path

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The game's moves."""
        return self.game.moves

    @property
    def step(self) -> Step:
        """The time step that is backed up, or would be."""
        return self.steps[self.index] if self.steps else Step(0)

    @property
    def target_step(self) -> Step | None:
        """The time step that it looks at."""
        return None if self.target is None or not self.steps else self.steps[self.target]

    @property
    def backup(self) -> Backup | None:
        """The backup, still to come or done."""
        return self.learned if isinstance(self.learned, Backup) else None

    @cached_property
    def head(self) -> Learning | None:
        """The first thing learned together with it: with traces the backup of S_t."""
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
        return not self.is_move or (phase == CHOICE and self.look is not Look.END)

    def is_written(self, phase: int) -> bool:
        """Whether the backup has been made in a phase of the event."""
        return self.backup is not None and not self.is_move and phase == WRITE

    @property
    def choice(self) -> Move | None:
        """The move whose choice is looked at: the one of now, or else the player's latest; of
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


def plays(timeline: Timeline, player: str) -> Seat:
    """Who sits on a side in the game of now."""
    seating = timeline.run.seating_of(timeline.game)
    return seating.x if player == "X" else seating.o


def is_learning(timeline: Timeline, player: str) -> bool:
    """Whether that side learns from the game of now."""
    layout = timeline.recording.layout
    spec = (layout.x if player == "X" else layout.o).spec
    return plays(timeline, player) is Seat.LEARNS and spec.learns and spec.rule.learns


def update_of_now(timeline: Timeline) -> Update | None:
    """The update to which the event of now belongs; None before the first event."""
    event, row = timeline.event, timeline.row
    if event is None:
        return None
    game = Game(tuple(timeline.events_of_game()), timeline.rows.start)
    if isinstance(event, Learning):
        return update_of(timeline, game, event.player, row, event, row)
    if isinstance(event, Move):
        other = "O" if event.player == "X" else "X"
        waits = not is_learning(timeline, event.player) and is_learning(timeline, other)
        player = other if waits else event.player
        learned, learned_row = coming(game, row, player)
        return update_of(timeline, game, player, row, learned, learned_row)
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
    """The last thing learned from a game, with its row."""
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
    layout = timeline.recording.layout
    table = layout.x if player == "X" else layout.o
    steps = steps_of(game, player, table.spec)
    event = timeline.event_at(row)
    head_row = learned_row if learned is not None else -1
    target: int | None = None
    if learned is not None:
        index = step_of(learned, steps)
        if look_of(terms_of(table.spec.rule)) is Look.TRACE:
            head_row = head_of(game, learned_row)
        head = game.events[head_row - game.first]
        assert isinstance(head, Learning)
        target = target_step(table.spec, steps, index, step_of(head, steps))
    else:
        index, target = waiting(event, steps, kind_of(table.spec))
    return Update(table, game, player, event, row, learned, learned_row, head_row, index, target)


def waiting(event: Event, steps: tuple[Step, ...], kind: Kind) -> tuple[int, int | None]:
    """Where a player stands who learns nothing now: its latest step before, and the next one."""
    if isinstance(event, GameOver):
        return max(0, len(steps) - 2), len(steps) - 1 if steps else None
    if kind is Kind.BEADS:
        seen = [i for i, step in enumerate(steps) if not step.is_end and step.place < event.ply]
        return (seen[-1] if seen else 0), None
    early = event.ply - (1 if kind is Kind.PAIRS else 0)
    seen = [i for i, step in enumerate(steps) if not step.is_end and step.place < early]
    index = seen[-1] if seen else 0
    after = index + 1
    reached = after < len(steps) and steps[after].place <= event.ply
    return index, after if reached else None


def head_of(game: Game, row: int) -> int:
    """The row of the first of the backups that are made in one step together with this one."""
    at = row - game.first
    event = game.events[at]
    assert isinstance(event, Learning)
    place = ply_before(event)
    while at > 0:
        earlier = game.events[at - 1]
        together = (
            isinstance(earlier, Backup)
            and earlier.player == event.player
            and earlier.ply == event.ply
            and ply_before(earlier) > place
        )
        if not together:
            break
        at -= 1
        place = ply_before(game.events[at])  # type: ignore[arg-type]
    return game.first + at


def ply_before(event: Learning) -> int:
    """Moves played in the position of an entry."""
    return int(space().ply[event.board])
