"""The review of a game: each move judged, and what the opponent learned.

The value of a move is exact (minimax). The learner's expectations come from its memory before and
after the game, its backups from the game's events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from afterstate_lab.game import Board, Side, space
from afterstate_lab.learners.tape.events import Backup, GameOver, Move
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.run import Seat, Seating
from afterstate_lab.tui.lab.board import colour_at, greedy_cells
from afterstate_lab.tui.lab.coach import Judged
from afterstate_lab.tui.lab.commands import Screen
from afterstate_lab.tui.lab.labels import player_label
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Open, Outcome, Work, command_key, refusal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.lab.session import Session


class ReviewedMove(NamedTuple):
    move: Move
    place: TapePosition
    is_own: bool
    """Whether the person made it."""
    judged: Judged
    expected: tuple[float, float] | None
    """The learner's value after this move, before and after the game.

    For beads, the chance of this move; None without such a number.
    """

    @property
    def standing(self) -> int:
        """The exact value to the person after the move."""
        return self.judged.now if self.is_own else -self.judged.now


@dataclass(frozen=True)
class Review:
    """A game between a person and a player, move by move, and what the player learned."""

    game: int
    person: Side
    name: str
    """The other player."""
    learns: bool
    """Whether the player learned from the game."""
    has_beads: bool
    """Whether its numbers are chances, from beads."""
    result: str
    """X, O or draw."""
    moves: tuple[ReviewedMove, ...]
    changes: tuple[tuple[Backup, float, float], ...]
    """The changed entries: the last backup, the values before and after the game."""
    answers: tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]
    """The boards with a new answer: the greedy moves before and after the game."""
    score: tuple[int, int, int, int]
    """The person's wins, draws and losses against this player, and the first game, from 0."""

    @property
    def outcome(self) -> str:
        """The result for the person."""
        if self.result == "draw":
            return "you drew"
        return "you won" if self.result == self.person.mark else "you lost"


def expected_after(
    table: Table, memories: Sequence[NDArray[np.float64]], move: Move
) -> tuple[float, float] | None:
    """Return a learner's value after a move, in each of two memories.

    After its own move it is the value of the move; after the opponent's, of the best reply.
    """
    s, is_own = space(), move.player == table.side.mark
    if not table.spec.rule.learns or not (is_own or table.spec.rule.estimates):
        return None
    if not table.spec.rule.estimates:
        board = Board.from_id(move.board)
        found = [colour_at(table, v, board, move.cell) for v in memories]
        before, after = (0.0 if one is None else one.share for one in found)
        return before, after
    edges = range(move.edge, move.edge + 1) if is_own else s.edges_of(move.afterstate)
    if not is_own and s.outcome[move.afterstate]:
        return None
    before, after = (float(table.preferences(v, edges).max()) for v in memories)
    return before, after


def review_game(run: Run, game: int) -> Review:
    """Review a person's game of a run."""
    seats = run.seating_of(game)
    person = Side.X if seats.x is Seat.HUMAN else Side.O
    table = run.layout.table(person.other)
    memories = run.memory_at(game), run.memory_at(game + 1)
    events = run.record(game, game + 1).events()
    moves = tuple(
        ReviewedMove(
            event,
            TapePosition(game, row),
            event.player == person.mark,
            Judged.of(Board.from_id(event.board), event.cell),
            expected_after(table, memories, event),
        )
        for row, event in enumerate(events)
        if isinstance(event, Move)
    )
    last = {event.entry: event for event in events if isinstance(event, Backup)}
    before, after = memories
    written = [(last[entry], float(before[entry]), float(after[entry])) for entry in last]
    changes = sorted(
        (change for change in written if change[1] != change[2]),
        key=lambda change: -abs(change[2] - change[1]),
    )
    answers = []
    if table.spec.rule.learns:
        for one in moves:
            was, now = (tuple(greedy_cells(table, v, one.move.board)) for v in memories)
            if not one.is_own and was != now:
                answers.append((one.move.board, was, now))
    end = events[-1]
    assert isinstance(end, GameOver)
    return Review(
        game=game,
        person=person,
        name=player_label(table.spec),
        learns=table.spec.learns and Seat.FROZEN not in (seats.x, seats.o),
        has_beads=not table.spec.rule.estimates,
        result=end.result,
        moves=moves,
        changes=tuple(changes),
        answers=tuple(answers),
        score=score(run, game),
    )


def score(run: Run, game: int) -> tuple[int, int, int, int]:
    """Return the results of your games up to this game, and your first game."""
    won = drawn = lost = 0
    since = game
    ends = [first for first, _ in run.seating_changes[1:]]
    for (first, seats), end in zip(run.seating_changes, [*ends, game + 1], strict=True):
        last = min(end, game + 1)
        if not seats.has_human or first >= last:
            continue
        since = min(since, first)
        x, o, draws = (run.tally_at(last) - run.tally_at(first))[1:4].tolist()
        own, other = (x, o) if seats.x is Seat.HUMAN else (o, x)
        won, drawn, lost = won + own, drawn + draws, lost + other
    return won, drawn, lost, since


def is_of_person(seats: Seating) -> bool:
    """Return whether exactly one player is a person."""
    return (seats.x is Seat.HUMAN) != (seats.o is Seat.HUMAN)


def review(session: Session) -> Outcome:
    """Review your current game."""
    run, game = session.run, session.timeline.game
    if session.mode is Mode.PLAY and session.game_goes_on:
        return refusal("The game is not over: a review looks back at a whole game.")
    if game >= run.games or not is_of_person(run.seating_of(game)):
        return refusal(f"You can review only your own games: {command_key('play')} starts one.")
    tape = session.timeline.recording
    if not any(isinstance(tape.event(row), Move) for row in tape.rows_of(game)):
        return refusal("Nobody moved in this game, so there is nothing to review.")

    def work(stop: object) -> Review:
        run.make_ready(game)
        return review_game(run, game)

    return Work(work, says="the review", then=lambda found: Open(Screen.REVIEW, found), run=run)
