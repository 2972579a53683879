"""Which update is looked at: the player's two time steps, and the move between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from game import space
from learners.events import Backup, Event, GameOver, Learning, Move, NoBackup
from learners.timeline import Timeline

if TYPE_CHECKING:
    from learners.memory import Table


@dataclass(frozen=True)
class Update:
    """The update of now: S_t becomes better known because S_t+1 has been reached."""

    table: Table
    player: str
    path: tuple[int, ...]
    """Position ids of the game, the empty board first, to its last move."""
    moves: tuple[Move, ...]
    """The game's moves."""
    before: int
    """Index into `path` of S_t."""
    after: int
    """Index into `path` of S_t+1."""
    event: Event
    learned: Learning | None
    """What comes, or came, of it: the backup of S_t, or the reason for none."""

    @property
    def choice(self) -> Move | None:
        """The player's own move that is looked at: into S_t+1, or into S_t when the opponent
        ended the game."""
        made = self.moves[self.after - 1] if self.after else None
        if made is not None and made.player != self.player:
            made = self.moves[self.before - 1] if self.before else None
        return made

    @property
    def reply(self) -> Move | None:
        """The opponent's move that was seen between S_t and S_t+1."""
        between = [move for move in self.moves[self.before : self.after] if move.player != self.player]
        return between[-1] if between else None

    @property
    def backup(self) -> Backup | None:
        """The backup of S_t, still to come or done."""
        return self.learned if isinstance(self.learned, Backup) else None


def update_of_now(timeline: Timeline) -> Update | None:
    """The update to which the event of now belongs; None before the first event."""
    event = timeline.event
    if event is None:
        return None
    events = timeline.events_of_game()
    moves = tuple(e for e in events if isinstance(e, Move))
    path = (0, *(move.afterstate for move in moves))
    layout = timeline.recording.layout
    if isinstance(event, GameOver):
        learned = [e for e in events if isinstance(e, Learning)]
        if not learned:
            return None
        player = learned[-1].player
        before, after = max(0, len(path) - 2), len(path) - 1
    elif isinstance(event, Move):
        player, after = event.player, event.ply
        before = max(0, after - 2)
    else:
        assert isinstance(event, Backup | NoBackup)
        player = event.player
        before = place_of(event, path)
        after = min(before + (2 if before or player == "X" else 2), len(path) - 1)
        if before == 0:
            after = min(1 if player == "X" else 2, len(path) - 1)
    table = layout.x if player == "X" else layout.o
    learned: Learning | None = event if isinstance(event, Learning) else None
    if isinstance(event, Move):
        learned = next(
            (
                e
                for e in events
                if isinstance(e, Learning)
                and e.player == player
                and e.ply >= event.ply
                and place_of(e, path) == before
            ),
            None,
        )
    return Update(table, player, path, moves, before, after, event, learned)


def place_of(event: Learning, path: tuple[int, ...]) -> int:
    """Where in a game's path the position of an entry lies (a symmetric one, if entries are)."""
    if event.board in path:
        return path.index(event.board)
    canonical = space().canonical
    for place, position in enumerate(path):
        if canonical[position] == canonical[event.board]:
            return place
    return 0
