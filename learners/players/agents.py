"""Somebody's agent as a player: a function of a file, a program, or a table.

An agent is asked for its move on every board on which its side is to move, before the first game;
what it answers is a policy, and from then on all is exact. The boards that its own games reach are
asked twice, the second time in another order: an agent that answers differently plays each answer
half of the time. On a board that its games never reach it may fail: it counts as random there.
"""

from __future__ import annotations

import ast
import hashlib
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

import numpy as np

from game import Side, space
from game.exact import reached_positions, uniform_policy
from learners.errors import AgentError, shown_path
from learners.files import LockedError, check_trust, is_locked, opened, source_of
from learners.players.agent_answer import Complaint, probabilities
from learners.players.agent_process import (
    AgentProcess,
    FunctionProcess,
    LoadingError,
    ProcessError,
    Program,
)
from learners.players.agent_table import AgentTable, read_table
from learners.rules.base import Rule
from learners.rules.opponents import Agent
from learners.rules.spec import PlayerSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from learners.engine.entries import Entries

OPTIONS: Final = re.compile(r"(.*?)(?::((?:seconds|sha256)=.*))?", re.DOTALL)
"""A text whose options may follow a colon: what comes before may have colons, too."""
TABLE: Final = re.compile(r"(.+\.(?:csv|json))(?::(.*))?", re.DOTALL)
DIGITS: Final = 16
"""Of a SHA-256, in a spec."""
FUNCTION_SECONDS: Final = 20.0
"""A minimax without a table needs some for the empty board."""
PROGRAM: Final = "cmd:"
FILE: Final = "the file"
"""What messages call the file of an agent."""
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
            row, was = self._row(board), self._policy[self._edges(board)]
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

    def _edges(self, board: int) -> slice:
        return slice(*space().first_edge[board : board + 2].tolist())

    def _take(self, board: int, row: NDArray[np.float64]) -> None:
        self._policy[self._edges(board)] = row
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
        return chances[space().edge_cell[self._edges(board)]]

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


class ReadAgent(Agent):
    """An agent that is asked when its first run begins; a subclass names one."""

    from_where: ClassVar[AgentSource]

    @classmethod
    def check_side(cls, side: int) -> None:
        source = cls.from_where
        if source.table is not None and not source.table.plays(Side(side)):
            raise source.error(f"has no row for {'XO'[side]}")

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> NDArray[np.float64]:
        side = Side(int(space().ply[entries.boards[0]]) % 2)
        policy = cls.answers(side, settings).policy
        return policy[space().edge_of[entries.boards, entries.cells]]

    @classmethod
    def answers(
        cls, side: Side, settings: Mapping[str, Any], progress: Progress | None = None
    ) -> Answers:
        """What it answers for a side; it is asked once.

        Raises:
            AgentError: it does not play this side, or not legally.
        """
        cls.check_side(side)
        return cls.from_where.read(side, float(settings["seconds"]), progress)


def agent_of(spec: PlayerSpec) -> type[ReadAgent]:
    """The agent that a player is, of those that are asked."""
    return cast(type[ReadAgent], spec.rule)


def unread(spec: PlayerSpec, side: Side) -> type[ReadAgent] | None:
    """The agent that a player is, where it has still to be asked; None for all others."""
    if not spec.rule.is_asked:
        return None
    rule = agent_of(spec)
    return None if rule.from_where.is_read(side, float(spec.settings["seconds"])) else rule


def agent_rule(source: AgentSource, default_seconds: float = 2.0) -> type[Rule]:
    """The player that an agent is.

    Args:
        source: the agent.
        default_seconds: how long it may take for a move, where the spec does not say.
    """

    class OneAgent(ReadAgent):
        """The agent of one file, in one version, or of one command line."""

        name = source.name
        from_where = source
        options = (replace(Agent.options[0], default=default_seconds), Agent.options[1])

    return OneAgent


def find_agent(text: str) -> tuple[type[Rule], str] | None:
    """The player that is an agent, and the text of its options; None where the text names none.

    Nothing of the agent is run for it.

    Raises:
        AgentError: there is no such file or program, or it may not be used.
    """
    if text.startswith(PROGRAM):
        match = OPTIONS.fullmatch(text)
        assert match is not None
        return program_rule(match[1]), match[2] or ""
    if match := TABLE.fullmatch(text):
        return table_rule(match[1], digest_of(match[1])), match[2] or ""
    path, ending, rest = text.rpartition(".py:")
    name, _, options = rest.partition(":")
    if not ending or not is_function(f"{path}.py", name):
        return None
    return function_rule(f"{path}.py", name), options


def is_function(path: str, name: str) -> bool:
    """Whether a file defines a function of this name, or what may be one; it is not run.

    A class is a rule, and so is a name with a capital that comes from elsewhere.
    """
    try:
        tree = ast.parse(source_of(Path(path), FILE))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return name[:1].islower()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return isinstance(node, ast.FunctionDef)
    return name[:1].islower()


def function_rule(path: str, name: str) -> type[Rule]:
    """The player that a function of a file is."""
    source = source_of(Path(path), FILE)
    return one_function(path, name, hashlib.sha256(source).hexdigest()[:DIGITS])


@lru_cache(maxsize=AGENTS_KEPT)
def one_function(path: str, name: str, sha256: str) -> type[Rule]:
    """`function_rule` for one version of the file."""
    source = AgentSource(
        f"{path}:{name}", sha256, start=lambda seconds: FunctionProcess(path, name, seconds)
    )
    return agent_rule(source, FUNCTION_SECONDS)


@lru_cache(maxsize=AGENTS_KEPT)
def table_rule(path: str, sha256: str) -> type[Rule]:
    """The player that a table is, in one version of its file."""
    try:
        return agent_rule(AgentSource(path, sha256, read_table(Path(path))))
    except AgentError as error:
        raise AgentError(f"{shown_path(path)} {error}") from None


def program_rule(text: str) -> type[Rule]:
    """The player that the program of a command line is.

    Raises:
        AgentError: the lab is locked, or there is no such program.
    """
    name = shown_path(text)
    if is_locked():
        raise AgentError(f"{name} is not run: {LockedError(Path(text)).strerror}")
    try:
        words = tuple(shlex.split(text.removeprefix(PROGRAM)))
    except ValueError:
        raise AgentError(f"{name} has a quote that does not end") from None
    if not words or shutil.which(words[0]) is None:
        program = shown_path(words[0]) if words else "nothing"
        raise AgentError(f"there is no program {program} to run for {name}")
    digest = hashlib.sha256(text.encode("utf-8", "surrogateescape"))
    for word in words:
        if is_own_file(word):
            digest.update(digest_of(word).encode())
            check_trust(Path(word), FILE)
    return one_program(text, words, digest.hexdigest()[:DIGITS])


def is_own_file(word: str) -> bool:
    """Whether a word of a command line is the path of a file that can be read."""
    try:
        return Path(word).is_file()
    except (OSError, ValueError):
        return False


@lru_cache(maxsize=AGENTS_KEPT)
def one_program(text: str, words: tuple[str, ...], sha256: str) -> type[Rule]:
    """`program_rule` for one version of the files that the command line names."""
    return agent_rule(AgentSource(text, sha256, start=lambda seconds: Program(words, seconds)))


def digest_of(path: str) -> str:
    """The first digits of the SHA-256 of a file.

    Raises:
        AgentError: it cannot be read.
    """
    try:
        with opened(Path(path)) as file:
            digest = hashlib.sha256()
            while data := file.read(1 << 20):
                digest.update(data)
            return digest.hexdigest()[:DIGITS]
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or "it is no path").lower()
        raise AgentError(f"{shown_path(path)} cannot be read: {why}") from None


def with_digest(spec: PlayerSpec) -> PlayerSpec:
    """An agent whose spec names its file by its SHA-256, so that a saved run knows which it was.

    Raises:
        AgentError: the spec names another.
    """
    rule = agent_of(spec)
    wanted, found = spec.settings["sha256"], rule.from_where.sha256
    if wanted and not (wanted.startswith(found) or found.startswith(wanted)):
        raise AgentError(
            f"{shown_path(rule.name)} has changed: it has sha256={found} now, not "
            f"{wanted} (leave sha256 out to take it as it is)"
        )
    return spec.with_setting("sha256", found)
