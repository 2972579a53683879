"""The policy of somebody's agent: its answers on every board on which its side is to move.

It is asked before the first game, and from then on all is exact. The boards that its own games
reach are asked twice, the second time in another order: an agent that answers differently plays
each answer half of the time. On a board that its games never reach it may fail: it counts as random
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from game import Side, space
from game.exact import reached_positions, uniform_policy
from learners.errors import AgentError, shown_path
from learners.players.agent_answer import Complaint, probabilities
from learners.players.agent_process import (
    AgentProcess,
    FunctionProcess,
    LoadingError,
    ProcessError,
)
from learners.players.agent_table import AgentTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

AGENTS_KEPT: Final = 16
AHEAD: Final = 64
"""Boards that a function is asked for at once, which spares waiting."""
Progress = Callable[[int, int], None]
"""Takes how many boards were asked, and of how many."""


@dataclass(frozen=True, eq=False)
class Answers:
    """What an agent answered for one side."""

    policy: NDArray[np.float64]
    """float64[16167]: its moves; random where it has none, and for the other side."""
    answered: tuple[int, int]
    """On how many of its side's boards it has a legal move, of how many."""
    complaint: str
    """What was wrong with the first of the others, as a sentence; empty where there is none."""
    differs: tuple[str, ...]
    """The boards on which it gave another answer when it was asked again."""


@dataclass(frozen=True)
class AgentSource:
    """Where an agent comes from."""

    name: str
    """As a spec has it, without options."""
    sha256: str
    table: AgentTable | None = None
    start: Callable[[float], AgentProcess | Any] | None = None
    """Starts the process that answers, given the seconds for a move."""

    def read(self, side: Side, seconds: float, progress: Progress | None = None) -> Answers:
        """Ask an agent on every board of a side.

        Raises:
            AgentError: it has no legal move on a board that its games reach.
        """
        key = self.name, self.sha256, side, seconds
        if key not in _read:
            while len(_read) >= AGENTS_KEPT:
                _read.pop(next(iter(_read)))
            _read[key] = Reading(self, side, seconds, progress).answers()
        return _read[key]

    def is_read(self, side: Side, seconds: float) -> bool:
        """Whether it was asked already."""
        return (self.name, self.sha256, side, seconds) in _read

    def error(self, message: object, board: str = "") -> AgentError:
        """The error for what the agent does, on a board."""
        where = f"on the board {board} " if board else ""
        return AgentError(f"{where}{shown_path(self.name)} {message}")


_read: dict[tuple[str, str, Side, float], Answers] = {}
"""What agents have answered, the latest last."""


class Reading:
    """An agent that is being asked.

    Args:
        source: the agent.
        side: whose moves are asked for.
        seconds: how long it may take for one.
        progress: is told how far it has come.
    """

    def __init__(
        self, source: AgentSource, side: Side, seconds: float, progress: Progress | None
    ) -> None:
        self._source, self._side, self._seconds = source, side, seconds
        self._process: Any = None
        self._is_over = False
        s = space()
        own = (s.outcome == 0) & (s.ply % 2 == side)
        self._own: list[int] = np.flatnonzero(own).tolist()
        self._policy = uniform_policy().copy()
        self._known = np.zeros(len(s.codes), dtype=np.bool_)
        self._complaints: dict[int, AgentError] = {}
        self._asked, self._progress = 0, progress

    def answers(self) -> Answers:
        """Ask for everything."""
        try:
            self._ask_what_is_reached()
            differs = () if self._source.table is not None else self._ask_again()
            self._ask_the_rest()
            if differs:
                self._check_reached()
        finally:
            self._close()
        complaint = str(next(iter(self._complaints.values()), ""))
        answered = int(np.count_nonzero(self._known[self._own])), len(self._own)
        return Answers(self._policy, answered, complaint, differs)

    def _ask_what_is_reached(self) -> None:
        """Ask ply by ply on the boards that its answers lead to."""
        ply = space().ply
        for first in range(self._side, 9, 2):
            reached = reached_positions(self._policy, self._side.player)
            boards = [board for board in self._own if ply[board] == first and reached[board]]
            for board in self._ahead(boards):
                self._take(board, self._row(board))

    def _ask_again(self) -> tuple[str, ...]:
        """Ask on the same boards in another order; an answer that differs counts half."""
        differs = []
        known = [board for board in self._own if self._known[board]]
        for board in self._ahead(known[::-1]):
            row, was = self._row(board), self._policy[space().edges_of(board)]
            if not np.array_equal(row, was):
                differs.append(space().text(board))
                self._take(board, (row + was) / 2)
        return tuple(reversed(differs))

    def _ask_the_rest(self) -> None:
        """Ask on the other boards; what goes wrong there is noted, no more."""
        for board in self._ahead([board for board in self._own if not self._known[board]]):
            try:
                if self._is_over:
                    raise self._source.error("gives no more answers", space().text(board))
                self._take(board, self._row(board))
            except AgentError as error:
                self._complaints[board] = error

    def _ahead(self, boards: list[int]) -> Iterator[int]:
        """The boards, each asked for a little before its answer is taken."""
        for first in range(0, len(boards), AHEAD):
            few = boards[first : first + AHEAD]
            if isinstance(self._process, FunctionProcess) and not self._is_over:
                with suppress(ProcessError):
                    self._process.send([space().text(board) for board in few])
            yield from few

    def _check_reached(self) -> None:
        """Refuse a failure on a board that only the second answers lead to."""
        reached = reached_positions(self._policy, self._side.player)
        for board, error in self._complaints.items():
            if reached[board]:
                raise error

    def _take(self, board: int, row: NDArray[np.float64]) -> None:
        self._policy[space().edges_of(board)] = row
        self._known[board] = True

    def _row(self, board: int) -> NDArray[np.float64]:
        """The probability of each legal move on a board."""
        text = space().text(board)
        self._asked += 1
        if self._progress is not None:
            self._progress(self._asked, len(self._own))
        try:
            chances = np.array(probabilities(self._answer(text), text))
        except Complaint as error:
            raise self._source.error(error, text) from None
        return chances[space().edge_cell[space().edges_of(board)]]

    def _answer(self, text: str) -> Any:
        if self._source.table is not None:
            return self._source.table.answer(text)
        assert self._source.start is not None
        try:
            if self._process is None:
                self._process = self._source.start(self._seconds)
            return self._process.answer(text)
        except OSError as error:
            raise self._source.error(
                f"cannot be started: {(error.strerror or '').lower()}"
            ) from None
        except LoadingError as error:
            raise self._source.error(error) from None
        except ProcessError as error:
            self._is_over = True
            raise self._source.error(error, self._process.board) from None

    def _close(self) -> None:
        if self._process is not None:
            self._process.close()
