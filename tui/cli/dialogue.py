"""A person's games without a screen: a line in, some lines out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import Board, IllegalMoveError
from learners.errors import UsageError, shown
from learners.events import Event, GameOver, Move
from learners.recording import Cursor
from learners.run import Run, Seat, Seating
from tui.cli.knowledge import best_cells, cell_values, knowledge_lines, learned_lines
from tui.cli.sentences import (
    board_lines,
    board_words,
    coach,
    exact_labels,
    grid,
    result_words,
    told_move,
)

if TYPE_CHECKING:
    from learners.memory import Table
    from learners.spec import PlayerSpec

HELP = (
    "1 to 9: mark that cell (1 2 3 is the top row).",
    "u: take back your last move.  n: new game.  s: swap sides.",
    "v: what a learner in your seat expects of each move.  e: what each move is really worth.",
    "h: this help.  q: leave.",
)


class Dialogue:
    """A person at the table of a run.

    Args:
        run: the run, with at least one seat for a person.
        show: what is told before the other side moves: `values`, `exact` or `none`.
    """

    def __init__(self, run: Run, show: str = "values") -> None:
        self.is_over = False
        self._run = run
        self._show = show
        self._commands = {
            "u": self.take_back,
            "n": self.new_game,
            "s": self.swap_sides,
            "v": self.values,
            "e": self.exact,
            "h": lambda: list(HELP),
            "q": self.leave,
        }

    @property
    def humans(self) -> str:
        """The sides on which people sit: X, O or XO."""
        seats = self._run.seating
        return "".join(n for n, s in (("X", seats.x), ("O", seats.o)) if s is Seat.HUMAN)

    @property
    def prompt(self) -> str:
        """What asks for the next line."""
        if self._end is not None:
            return "n for a new game, h for help: "
        return f"{self._board.to_move}, your move (h for help): "

    def answer(self, line: str) -> list[str]:
        """Do what a line asks for, and tell what came of it."""
        word = line.strip().lower()
        if word in self._commands:
            return self._commands[word]()
        if word.isascii() and word.isdigit():
            return self.move(int(word[:9]) - 1)
        return [f"{shown(word)} is no move and no command: 1 to 9, u, n, s, v, e, h or q."]

    def new_game(self) -> list[str]:
        """Begin a game; one that is not over is dropped."""
        self._number = self._run.games
        self._script: dict[int, int] = {}
        self._play()
        names = {"X": "You are X", "O": "You are O", "XO": "You are both X and O"}
        return [f"Game {self._number + 1:,}. {names[self.humans]}.", *self._told(0), *self._state()]

    def move(self, cell: int) -> list[str]:
        """Mark a cell (0-8)."""
        before = self._board
        try:
            before.play(cell)
        except IllegalMoveError as error:
            return [str(error) if self._end is None else "The game is over: n for a new one."]
        ply = before.ply + 1
        self._script[ply] = cell
        self._play()
        lines = [f"{before.to_move} takes {cell + 1}. {coach(before, cell)}"]
        return [*lines, *self._told(ply), *self._state()]

    def take_back(self) -> list[str]:
        """Take back the person's last move, and what came of it."""
        if not self._script:
            return ["There is no move of yours to take back."]
        if self._run.games > self._number:
            self._run.rewind(self._number)
        del self._script[max(self._script)]
        self._play()
        return ["Taken back.", *self._state()]

    def swap_sides(self) -> list[str]:
        """Begin a game on the other side."""
        run = self._run
        if self.humans == "XO":
            return ["You play both sides already."]
        other = run.layout.o if self.humans == "X" else run.layout.x
        if other.spec.rule.learns:
            run.seat(Seating(run.seating.o, run.seating.x))
        else:
            mine = run.layout.x if self.humans == "X" else run.layout.o
            try:
                x, o = (other.spec, mine.spec) if self.humans == "X" else (mine.spec, other.spec)
                swapped = Run(x, o, run.seed)
            except UsageError as error:
                return [f"{error}."]
            swapped.seat(Seating(run.seating.o, run.seating.x))
            self._run = swapped
        return self.new_game()

    def values(self) -> list[str]:
        """What a learner in the person's seat expects of each move."""
        if self._end is not None:
            return ["The game is over: n for a new one."]
        table, v = self._table(self._board.to_move), self._run.memory
        if not table.visits(v).any():
            return ["No learner was trained in your seat, so nobody knows; e tells what is true."]
        return knowledge_lines(table, v, self._board)

    def exact(self) -> list[str]:
        """What each move is worth under perfect play."""
        if self._end is not None:
            return ["The game is over: n for a new one."]
        return exact_lines(self._board)

    def leave(self) -> list[str]:
        """End the dialogue."""
        self.is_over = True
        return ["Bye."]

    def _play(self) -> None:
        """Play the game as far as the person's moves go."""
        self._recording = self._run.play(self._script)
        self._events: list[Event] = self._recording.events()
        moves = [event for event in self._events if isinstance(event, Move)]
        self._board = Board.from_id(moves[-1].afterstate) if moves else Board()
        last = self._events[-1] if self._events else None
        self._end = last if isinstance(last, GameOver) else None

    def _told(self, after: int) -> list[str]:
        """The other side's moves after a ply."""
        lines: list[str] = []
        for row, event in enumerate(self._events):
            if isinstance(event, Move) and event.ply > after and event.player not in self.humans:
                lines += self._told_move(row, event)
        return lines

    def _told_move(self, row: int, move: Move) -> list[str]:
        board, table = Board.from_id(move.board), self._table(move.player)
        rule, v = table.spec.rule, Cursor(self._recording, row).v
        has_values = rule.learns or not rule.draws
        best = best_cells(cell_values(table, v, board)) if has_values else []
        lines: list[str] = []
        if self._show == "exact":
            lines = exact_lines(board)
        elif self._show == "values" and has_values:
            lines = knowledge_lines(table, v, board)
        return [*lines, told_move(move, best)]

    def _state(self) -> list[str]:
        """The board, or how the game ended and what was learned from it."""
        lines = [board_words(self._board), *board_lines(self._board)]
        if self._end is None:
            return lines
        lines.append(result_words(self._end, self.humans))
        seats = self._run.seating
        for name, seat in (("X", seats.x), ("O", seats.o)):
            table = self._table(name)
            if seat is Seat.LEARNS and table.spec.learns:
                lines += learned_lines(self._events, table)
        return lines

    def _table(self, name: str) -> Table:
        return self._run.layout.x if name == "X" else self._run.layout.o


def exact_lines(board: Board) -> list[str]:
    """What each move is worth under perfect play: a heading, and three lines."""
    return [f"What each move is worth to {board.to_move}:", *grid(board, exact_labels(board))]


def sit_down(x: PlayerSpec, o: PlayerSpec, seed: int) -> Run:
    """A run with a seat for a person.

    Raises:
        UsageError: nobody is a person.
    """
    if not (x.rule.human or o.rule.human):
        raise UsageError("play needs a person on one side: --x human or --o human")
    return Run.of(x, o, seed)
