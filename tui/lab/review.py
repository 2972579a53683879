"""The review of a game against the other player: each move judged, and what came of it.

What a move is worth is exact (minimax). What the learner expected is read from its memory before
and after the game, and what it wrote from the game's events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from afterstate_lab.game import Board, Side, space
from afterstate_lab.learners.tape.events import Backup, GameOver, Move
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.run import Seat, Seating
from afterstate_lab.tui.lab.board import colour_at, greedy_cells
from afterstate_lab.tui.lab.coach import holding_cells, worth
from afterstate_lab.tui.lab.commands import Screen
from afterstate_lab.tui.lab.labels import player_label
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Open, Outcome, Search, command_key, refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.lab.session import Session


@dataclass(frozen=True)
class Score:
    """The games between the person and the other player so far, up to the one reviewed."""

    won: int
    drawn: int
    lost: int
    since: int
    """The number of the first of them, from 0."""


@dataclass(frozen=True)
class ReviewedMove:
    """A move of the game."""

    move: Move
    place: TapePosition
    is_own: bool
    """Whether it is the person's."""
    before: int
    """What the position was worth to the mover: 1 a win, 0 a draw, -1 a loss."""
    after: int
    """What it is worth after the move."""
    holding: tuple[int, ...]
    """The cells (0-8) that keep what it was worth."""
    expected: tuple[float, float] | None
    """What the learner expected after this move, before the game and after it.

    Of a learner that draws beads, its chance of this move; None where it has no such number.
    """
    is_chance: bool = False
    """Whether that is a chance."""

    @property
    def standing(self) -> int:
        """What the position is worth to the person after the move."""
        return self.after if self.is_own else -self.after

    @property
    def board(self) -> Board:
        """The board after the move."""
        return Board.from_id(self.move.afterstate)

    @property
    def errs(self) -> bool:
        """Whether the mover could have had more."""
        return self.after < self.before

    @property
    def judgement(self) -> str:
        """What the move did against perfect play, in a few words."""
        cells = " ".join(str(cell + 1) for cell in self.holding)
        only = "only " if len(self.holding) == 1 else ""
        if self.errs and self.before == 0:
            return f"? lost the draw: {only}{cells} held"
        if self.errs:
            what = "let the win go" if self.after == 0 else "lost a won game"
            return f"? {what}: {only}{cells} won"
        if self.board.winner:
            return "wins"
        if self.before < 0:
            return "lost already: no cell held"
        kept = "win" if self.before > 0 else "draw"
        is_only = only and len(Board.from_id(self.move.board).legal_cells) > 1
        return f"the only move that keeps the {kept}" if is_only else f"keeps the {kept}"


@dataclass(frozen=True)
class Answer:
    """What a learner plays on a board of the game, before the game and after it."""

    board: int
    cells: tuple[tuple[int, ...], tuple[int, ...]]
    """Its greedy moves (0-8)."""

    @property
    def is_other(self) -> bool:
        """Whether it will move otherwise."""
        return self.cells[0] != self.cells[1]


@dataclass(frozen=True)
class WrittenEntry:
    """An entry that the game wrote: its value before the game and after it."""

    backup: Backup
    """The last one."""
    old: float
    new: float


@dataclass(frozen=True)
class Review:
    """A game between a person and a player, move by move, and what that player made of it."""

    game: int
    person: Side
    name: str
    """The other player."""
    learns: bool
    """Whether it learned from the game."""
    result: str
    """X, O or draw."""
    moves: tuple[ReviewedMove, ...]
    writes: tuple[WrittenEntry, ...]
    """The largest change first."""
    answers: tuple[Answer, ...]
    score: Score

    @property
    def outcome(self) -> str:
        """How it ended for the person."""
        if self.result == "draw":
            return "you drew"
        return "you won" if self.result == self.person.mark else "you lost"

    @property
    def score_words(self) -> str:
        """The score since the first game of the two."""
        s = self.score
        return f"you {s.won}, drawn {s.drawn}, it {s.lost} since game {s.since + 1:,}"


def expected_after(
    table: Table, memories: Sequence[NDArray[np.float64]], move: Move
) -> tuple[float, float] | None:
    """What a learner expects after a move, in each of two memories.

    After its own move that is the value of the move; after another's, of its best reply.
    """
    is_own = move.player == table.side.mark
    if not table.spec.rule.learns or not (is_own or table.spec.rule.estimates):
        return None
    if not table.spec.rule.estimates:
        board = Board.from_id(move.board)
        found = [colour_at(table, v, board, move.cell) for v in memories]
        return tuple(0.0 if one is None else one.share for one in found)  # type: ignore[return-value]
    s = space()
    if is_own:
        edges = range(move.edge, move.edge + 1)
    elif s.outcome[move.afterstate]:
        return None
    else:
        edges = s.edges_of(move.afterstate)
    return tuple(float(table.preferences(v, edges).max()) for v in memories)  # type: ignore[return-value]


def review_game(run: Run, game: int) -> Review:
    """Review a game of a run that a person played.

    Raises:
        IndexError: the run has fewer games.
    """
    seats = run.seating_of(game)
    person = Side.X if seats.x is Seat.HUMAN else Side.O
    table = run.layout.table(person.other)
    memories = run.memory_at(game), run.memory_at(game + 1)
    events = run.record(game, game + 1).events()
    moves = []
    for row, event in enumerate(events):
        if isinstance(event, Move):
            board = Board.from_id(event.board)
            moves.append(
                ReviewedMove(
                    move=event,
                    place=TapePosition(game, row),
                    is_own=event.player == person.mark,
                    before=worth(board, event.player),
                    after=worth(board.play(event.cell), event.player),
                    holding=holding_cells(board),
                    expected=expected_after(table, memories, event),
                    is_chance=not table.spec.rule.estimates,
                )
            )
    backups = [event for event in events if isinstance(event, Backup)]
    last = {backup.entry: backup for backup in backups}
    writes = [
        WrittenEntry(backup, float(memories[0][entry]), float(memories[1][entry]))
        for entry, backup in last.items()
    ]
    replies = [one.move.board for one in moves if not one.is_own]
    greedy = [tuple(greedy_cells(table, v, board) for v in memories) for board in replies]
    end = events[-1]
    assert isinstance(end, GameOver)
    return Review(
        game=game,
        person=person,
        name=player_label(table.spec),
        learns=table.spec.learns and Seat.FROZEN not in (seats.x, seats.o),
        result=end.result,
        moves=tuple(moves),
        writes=tuple(sorted(writes, key=lambda one: -abs(one.new - one.old))),
        answers=tuple(Answer(*pair) for pair in zip(replies, greedy, strict=True))  # type: ignore[arg-type]
        if table.spec.rule.learns
        else (),
        score=score(run, game),
    )


def score(run: Run, game: int) -> Score:
    """How the person's games ended, up to and with a game of theirs."""
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
    return Score(won, drawn, lost, since)


def is_of_person(seats: Seating) -> bool:
    """Whether a person played against somebody who is none."""
    return (seats.x is Seat.HUMAN) != (seats.o is Seat.HUMAN)


def review(session: Session) -> Outcome:
    """Review the person's game that is looked at."""
    run, game = session.run, session.timeline.game
    if session.mode is Mode.PLAY and session.game_goes_on:
        return refusal("The game is not over: a review looks back at a whole game.")
    if game >= run.games or not is_of_person(run.seating_of(game)):
        return refusal(f"A review is of a game of yours: {command_key('play')} begins one.")
    tape = session.timeline.recording
    if not any(isinstance(tape.event(row), Move) for row in tape.rows_of(game)):
        return refusal("Nobody moved in this game, so there is nothing to review.")

    def work(progress: Callable[[float], None], stop: Callable[[], bool]) -> Review:
        run.make_ready(game)
        return review_game(run, game)

    return Search("the review", work, lambda found: Open(Screen.REVIEW, found), run)
