"""A player's own time steps in a game, and which of them its backups look from and to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

from game import space
from learners.rules.chain import Chain
from learners.rules.negamax import Negamax
from learners.tape.events import GameOver, Learning, Move
from tui.lab.microscope.symbols import Look, look_of, terms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learners.rules.spec import PlayerSpec
    from learners.tape.events import Event


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

    @property
    def moves(self) -> tuple[Move, ...]:
        """Its moves."""
        return tuple(event for event in self.events if isinstance(event, Move))

    @property
    def path(self) -> tuple[int, ...]:
        """Position ids by ply, the empty board first."""
        return (0, *(move.afterstate for move in self.moves))

    @property
    def over(self) -> GameOver | None:
        """How it ended."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, GameOver) else None


def steps_of(game: Game, player: str, spec: PlayerSpec) -> tuple[Step, ...]:
    """The time steps of a player in a game, from S_0 or from its first move."""
    moves, over = game.moves, game.over
    last = len(moves)
    resigned = over is not None and over.resigned
    own = [move for move in moves if move.player == player]
    if kind_of(spec) is not Kind.STATES:
        pairs = [Step(move.ply - 1, move) for move in own]
        return (*pairs, Step(last, is_end=True)) if over is not None else tuple(pairs)
    if looks_at_all_plies(spec):
        own = list(moves)
    steps = [Step(0)]
    for move in own:
        ends = over is not None and move.ply == last and not resigned
        steps.append(Step(move.ply, move, is_end=ends))
    if over is not None and not steps[-1].is_end:
        steps.append(Step(last, is_end=True))
    return tuple(steps)


def looks_at_all_plies(spec: PlayerSpec) -> bool:
    """Whether the boards after the opponent's moves are time steps as well."""
    if issubclass(spec.rule, Chain):
        return bool(spec.settings["plies"] == "all")
    return issubclass(spec.rule, Negamax)


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
    spec: PlayerSpec, steps: Sequence[Step], index: int, head: int | None = None
) -> int:
    """Which time step the backup of another looks at.

    Args:
        spec: the learner.
        steps: its time steps.
        index: the one that is backed up.
        head: the newest one backed up at the same time, for traces.
    """
    last = len(steps) - 1
    look = look_of(terms_of(spec.rule))
    if look is Look.END:
        return last
    if look is Look.HORIZON:
        horizon: int = min(index + spec.settings["n"], last)
        if spec.settings["exploration"] != "learn":
            for later in range(index + 1, horizon + 1):
                if steps[later].is_exploratory:
                    return max(index, later - 1)
        return horizon
    if look is Look.TRACE and head is not None:
        return min(head + 1, last)
    return min(index + 1, last)
