"""A person's games, told a line at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from game import Board, IllegalMoveError
from learners.errors import UsageError, shown
from learners.tape.events import Event, GameOver, Move
from learners.tape.recording import Cursor
from learners.tape.state import Seat
from tui.lab.modes import Help
from tui.plain.knowledge import best_cells, cell_values, knowledge_lines, learned_lines
from tui.plain.sentences import (
    board_lines,
    board_words,
    coach,
    exact_labels,
    grid,
    result_words,
    told_move,
)
from tui.plain.speech import sentence

if TYPE_CHECKING:
    from learners.kernel.memory import Table
    from tui.plain.session import PlainSession

SHOWS = {"values": Help.VALUES, "exact": Help.EXACT, "none": Help.OFF}
"""What can be told before the other side moves, and what the lab calls it."""
NAMES = {"X": "You are X", "O": "You are O", "XO": "You are both X and O"}
OVER = "The game is over: n for a new one."


class Playing:
    """A person at the board of a session.

    Args:
        session: what is played.
        show: what is told before the other side moves: `values`, `exact` or `none`.
    """

    def __init__(self, session: PlainSession, show: str) -> None:
        self._session = session
        self._show = show

    @property
    def is_over(self) -> bool:
        """Whether no move is waited for."""
        return not self._session.game_goes_on

    @property
    def board(self) -> Board:
        """The board at the place that is looked at."""
        return self._session.board

    def new_game(self) -> list[str]:
        """Begin a game; one that is not over is dropped."""
        number = self._session.run.games
        self._session.new_game()
        return self._begun(number)

    def _begun(self, number: int) -> list[str]:
        begun = f"Game {number + 1:,}. {NAMES[self._session.humans]}."
        return [begun, *self._told(0), *self.state()]

    def move(self, cell: int) -> list[str]:
        """Mark a cell (0-8)."""
        before = self.board
        try:
            before.play(cell)
            self._session.move(cell)
        except IllegalMoveError as error:
            return [OVER if self.is_over else str(error)]
        lines = [f"{before.to_move} takes {cell + 1}. {coach(before, cell)}"]
        return [*lines, *self._told(before.ply + 1), *self.state()]

    def take_back(self, text: str = "") -> list[str]:
        """Take back the person's last move, and what came of it."""
        if not self._session.take_back():
            return ["There is no move of yours to take back."]
        return ["Taken back.", *self.state()]

    def swap_sides(self, text: str = "") -> list[str]:
        """Begin a game on the other side."""
        session = self._session
        if session.plays_both:
            return ["You play both sides already."]
        run, number = session.run, session.run.games
        try:
            session.swap_sides()
        except UsageError as error:
            return [sentence(str(error))]
        return self._begun(number if session.run is run else 0)

    def values(self, text: str = "") -> list[str]:
        """What a learner in the person's seat expects of each move."""
        if self.is_over:
            return [OVER]
        table, v = self._table(self.board.to_move), self._session.timeline.v
        if not table.visits(v).any():
            return ["No learner was trained in your seat, so nobody knows; e tells what is true."]
        return knowledge_lines(table, v, self.board)

    def exact(self, text: str = "") -> list[str]:
        """What each move is worth under perfect play."""
        return [OVER] if self.board.is_over else exact_lines(self.board)

    def show(self, text: str) -> list[str]:
        """Change what is told before the other side moves."""
        if text not in SHOWS:
            said = f"{shown(text)} cannot be shown" if text else f"Now it is show {self._show}"
            return [f"{said}: show values, show exact or show none."]
        self._show, self._session.help = text, SHOWS[text]
        return [f"Before the other side moves you are told: {text}."]

    def learning(self, text: str = "") -> list[str]:
        """Let the learner learn from the person's games, or not."""
        self._session.toggle_learning()
        does = "learns from your games" if self._session.learner_learns else "is frozen"
        return [f"The learner {does}{', from the next game on' if self._session.script else ''}."]

    def where(self) -> list[str]:
        """Whose game this is, and how it stands."""
        run = self._session.run
        over = self.is_over
        number = run.games + (not over)
        players = [f"{name} is {spec}" for name, spec in (("X", run.x), ("O", run.o))]
        others = [told for told in players if told[0] not in self._session.humans]
        return [
            f"Playing game {number:,}. {'. '.join([NAMES[self._session.humans], *others])}.",
            *self.state(),
            "The game is over." if over else f"{self.board.to_move}, it is your move.",
        ]

    def state(self) -> list[str]:
        """The board, or how the game ended and what was learned from it."""
        session = self._session
        lines = [board_words(self.board), *board_lines(self.board)]
        events = session.timeline.events_of_game()
        last = events[-1] if events else None
        if not isinstance(last, GameOver):
            return lines
        lines.append(result_words(last, session.humans))
        seats = session.run.seating
        for name, seat in (("X", seats.x), ("O", seats.o)):
            table = self._table(name)
            if seat is Seat.LEARNS and table.spec.learns:
                lines += learned_lines(events, table)
        return lines

    def _told(self, after: int) -> list[str]:
        """The other side's moves after a ply."""
        timeline = self._session.timeline
        lines: list[str] = []
        for row in timeline.rows:
            event = timeline.event_at(row)
            if is_others(event, self._session.humans) and event.ply > after:
                lines += self._told_move(row, event)
        return lines

    def _told_move(self, row: int, move: Move) -> list[str]:
        board, table = Board.from_id(move.board), self._table(move.player)
        rule, v = table.spec.rule, Cursor(self._session.timeline.recording, row).v
        has_values = rule.learns or not rule.draws
        best = best_cells(cell_values(table, v, board)) if has_values else []
        lines: list[str] = []
        if self._show == "exact":
            lines = exact_lines(board)
        elif self._show == "values" and has_values:
            lines = knowledge_lines(table, v, board)
        return [*lines, told_move(move, best)]

    def _table(self, name: str) -> Table:
        layout = self._session.run.layout
        return layout.x if name == "X" else layout.o


def is_others(event: Event, humans: str) -> TypeGuard[Move]:
    """Whether an event is a move that nobody at the keyboard made."""
    return isinstance(event, Move) and event.player not in humans


def exact_lines(board: Board) -> list[str]:
    """What each move is worth under perfect play: a heading, and three lines."""
    return [f"What each move is worth to {board.to_move}:", *grid(board, exact_labels(board))]
