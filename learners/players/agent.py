"""An external agent as a player: a function of a file, a program, or a table of answers.

The lab asks it for a move on every board of its side before the first game; afterwards everything
is exact. Boards that its own games reach are asked twice, the second time in a shuffled order: an
agent that answers differently plays each answer half of the time. On a board that its games never
reach it can fail: it counts as random there.
"""

from __future__ import annotations

import ast
import hashlib
import json
import math
import os
import random
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, ClassVar, Final, cast

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import ROUNDING, reached_positions, uniform_policy
from afterstate_lab.learners import errors, files
from afterstate_lab.learners.engine.entries import Entries
from afterstate_lab.learners.errors import AgentError, UsageError, printable, shown, shown_path
from afterstate_lab.learners.players.agent_table import (
    TOLERANCE,
    AgentTable,
    Complaint,
    read_table,
)
from afterstate_lab.learners.players.host import LIFELINE
from afterstate_lab.learners.rules.opponents import Agent
from afterstate_lab.learners.rules.spec import PlayerSpec

Progress = Callable[[int, int], None]
"""Called with the number of boards asked, and of all; it can raise a `UsageError` to cancel."""
HOST: Final = str(Path(__file__).with_name("host.py"))
THREADS: Final = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "NUMEXPR")}
"""Limits threads of numerical libraries, which reserve address space."""
AHEAD: Final = 64
"""Number of boards to ask a function at once."""
LONGEST_LINE: Final = 20_000
"""Maximum number of bytes of an answer."""
KEPT: Final = 4_000
"""Maximum number of bytes of a process's last errors."""
AGENTS_KEPT: Final = 16
OPTIONS: Final = re.compile(r"(.*?)(?::((?:seconds|sha256)=.*))?", re.DOTALL)
"""A name, which can contain colons, and its options."""
TABLE: Final = re.compile(r"(.+\.(?:csv|json))(?::(.*))?", re.DOTALL)
DIGITS: Final = 16
"""Number of hex digits of a SHA-256 in a spec."""
PROGRAM: Final = "cmd:"
FILE: Final = "file"


class NoAnswer(Exception):
    """A process gives no more answers; the message explains why, after its name."""


class LateAnswer(NoAnswer):
    """A process gives no answer in time."""


class Child:
    """External code in a separate process: lines in, lines out.

    The process and everything that it started end with the asking (see `host`).

    Raises:
        UsageError: this system cannot end what it starts.
        OSError: it cannot be started.
    """

    def __init__(self, *command: str, **env: str) -> None:
        if not hasattr(os, "fork"):
            raise UsageError("external agents and programs are not available on this system")
        self.out, self._said = b"", b""
        ears, self._lifeline = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, *command],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                pass_fds=(ears,),
                env=os.environ | THREADS | env | {LIFELINE: str(ears)},
            )
        except OSError:
            os.close(self._lifeline)
            raise
        finally:
            os.close(ears)
        self._open = selectors.DefaultSelector()
        for pipe in (self._process.stdout, self._process.stderr):
            self._open.register(cast(IO[bytes], pipe), selectors.EVENT_READ)
        self._is_closed = False

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._lifeline)  # at which the host ends what it runs
        cast(IO[bytes], self._process.stdin).close()
        try:
            self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._open.close()
        with self._process:  # closes its output
            pass

    def write(self, lines: Iterable[str]) -> None:
        with suppress(BrokenPipeError):  # it ended, as the next reading explains
            data = "".join(f"{line}\n" for line in lines).encode()
            cast(IO[bytes], self._process.stdin).write(data)

    def read(self, seconds: float = 0.0) -> None:
        """Read what it writes within some seconds."""
        for key, _ in self._open.select(seconds):
            data = os.read(key.fd, 1 << 16)
            is_answer = key.fileobj is self._process.stdout
            if not data:
                self._open.unregister(key.fileobj)
                self._is_closed |= is_answer
            elif is_answer:
                self.out += data
            else:
                self._said = (self._said + data)[-KEPT:]

    def line(
        self, seconds: float, beat: Callable[[], object] = int, longest: int = LONGEST_LINE
    ) -> str:
        """Return the next line of its output.

        Args:
            seconds: time limit.
            beat: called again and again meanwhile.
            longest: how many bytes it may have.
        """
        until = time.monotonic() + seconds
        while b"\n" not in self.out:
            if len(self.out) > longest:
                raise NoAnswer(f"answers with more than {longest:,} characters")
            if self._is_closed:
                raise self._ended()
            if (left := until - time.monotonic()) <= 0:
                raise LateAnswer(f"gives no answer within {seconds:g} s")
            self.read(min(left, 0.1))
            beat()
        line, _, self.out = self.out.partition(b"\n")
        return line.decode(errors="replace")

    def _ended(self) -> NoAnswer:
        until = time.monotonic() + 0.5
        while self._open.get_map() and (left := until - time.monotonic()) > 0:
            self.read(left)
        try:
            status = self._process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            return NoAnswer("closes its output")
        how = f"ends (status {status})"
        if status < 0:
            with suppress(ValueError):
                how = f"is ended by {signal.Signals(-status).name}"
        lines = self._said.decode(errors="replace").strip().splitlines()
        return NoAnswer(f"{how}: {printable(lines[-1][:200])}" if lines else how)


@dataclass(frozen=True, eq=False)
class Answers:
    """An agent's answers for one side."""

    policy: NDArray[np.float64]
    """float64[16167]: its moves; random where it has none, and for the other side."""
    answered: tuple[int, int]
    """The number of its side's boards with a legal move, and of all."""
    complaint: str
    """What was wrong with the first of the other boards."""
    unasked: int
    """The number of boards not asked, after too many exits or time-outs."""
    differs: tuple[str, ...]
    """The boards on which its second answer differed."""
    read_as: tuple[str, ...] = ()
    """How a table's numbers and cells were read."""


class ReadAgent(Agent):
    """An agent that is asked when its first run starts; a subclass names one agent."""

    sha256: ClassVar[str]
    command: ClassVar[tuple[str, ...]]
    """The host's arguments; empty for a table."""
    table: ClassVar[AgentTable | None] = None
    known: ClassVar[dict[tuple[Side, float], Answers]]
    """Its answers by side and time limit."""

    def __init_subclass__(cls) -> None:
        cls.known = {}

    @classmethod
    def check_side(cls, side: int) -> None:
        if cls.table is not None and not cls.table.plays(Side(side)):
            raise cls.error(f"has no row for {'XO'[side]}")

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> NDArray[np.float64]:
        side = Side(int(space().ply[entries.boards[0]]) % 2)
        policy = cls.answers(side, settings).policy
        return policy[space().edge_of[entries.boards, entries.cells]]

    @classmethod
    def answers(
        cls, side: Side, settings: Mapping[str, Any], progress: Progress = lambda *_: None
    ) -> Answers:
        """Return its answers for a side, asked once."""
        cls.check_side(side)
        key = side, float(settings["seconds"])
        if key not in cls.known:
            cls.known[key] = Reading(cls, *key, progress).answers()
        return cls.known[key]

    @classmethod
    def error(cls, message: object, board: str = "") -> AgentError:
        """Return the error for an agent's answer on a board."""
        where = f"on the board {board} " if board else ""
        return AgentError(f"{where}{shown_path(cls.name)} {message}")


def unread(spec: PlayerSpec, side: Side) -> type[ReadAgent] | None:
    """Return the agent of a player that must still be asked, or None."""
    if not spec.rule.is_asked:
        return None
    rule = agent_of(spec)
    return None if (side, float(spec.settings["seconds"])) in rule.known else rule


def agent_of(spec: PlayerSpec) -> type[ReadAgent]:
    return cast(type[ReadAgent], spec.rule)


class Reading:
    """Asks an agent on every board.

    Args:
        side: the side to ask about.
        seconds: time limit for a move.
        progress: called with the progress.
    """

    def __init__(
        self, agent: type[ReadAgent], side: Side, seconds: float, progress: Progress
    ) -> None:
        self._agent, self._side, self._seconds = agent, side, seconds
        self._policy = uniform_policy().copy()
        self._child: Child | None = None
        self._sent = 0
        """Number of boards already sent."""
        self._children = ExitStack()
        self._asked, self._progress = 0, progress
        self._lives = 100
        """Number of restarts left; a time-out costs ten."""
        s = space()
        self._own: list[int] = np.flatnonzero((s.outcome == 0) & (s.ply % 2 == side)).tolist()

    def answers(self) -> Answers:
        known: list[int] = []
        differs: list[int] = []
        complaints: dict[int, AgentError] = {}
        unasked = 0
        edges_of = space().edges_of
        with self._children:
            for ply in range(self._side, 9, 2):
                reached = reached_positions(self._policy, self._side)
                boards = [b for b in self._own if space().ply[b] == ply and reached[b]]
                for n, board in enumerate(boards):
                    self._policy[edges_of(board)] = self._row(boards[n:])
                known += boards
            again = known.copy() if self._agent.table is None else []
            random.Random(0).shuffle(again)  # in order, an agent's own period may be missed
            for n, board in enumerate(again):
                row, first = self._row(again[n:]), self._policy[edges_of(board)]
                if not np.array_equal(row, first):
                    differs.append(board)
                    self._policy[edges_of(board)] = (row + first) / 2
            rest = sorted(set(self._own) - set(known))
            for n, board in enumerate(rest):
                try:
                    if self._lives <= 0:
                        unasked += 1
                        raise self._agent.error("gives no more answers", space().text(board))
                    self._policy[edges_of(board)] = self._row(rest[n:])
                except AgentError as error:
                    complaints[board] = error
        reached = reached_positions(self._policy, self._side)
        for board in filter(reached.__getitem__, complaints):  # by the second answers
            raise complaints[board]
        return Answers(
            self._policy,
            (len(self._own) - len(complaints), len(self._own)),
            str(next(iter(complaints.values()), "")),
            unasked,
            tuple(space().text(board) for board in sorted(differs)),
            () if self._agent.table is None else tuple(self._agent.table.notes),
        )

    def _row(self, boards: list[int]) -> NDArray[np.float64]:
        """Return the probability of each legal move on the first of these boards."""
        texts = [space().text(board) for board in boards[:AHEAD]]
        self._asked += 1
        self._beat()
        try:
            chances = np.array(probabilities(self._answer(texts), texts[0]))
        except Complaint as error:
            raise self._agent.error(error, texts[0]) from None
        return chances[space().edge_cell[space().edges_of(boards[0])]]

    def _beat(self) -> None:
        self._progress(self._asked, len(self._own))

    def _answer(self, boards: list[str]) -> Any:
        """Return its answer to the first of these boards."""
        agent, where = self._agent, ""
        if agent.table is not None:
            return agent.table.answer(boards[0])
        is_function, seconds = not agent.name.startswith(PROGRAM), self._seconds
        try:
            if self._child is None:
                child = Child(*agent.command, PYTHONDONTWRITEBYTECODE="1")
                self._child = self._children.enter_context(child)
                if not is_function:
                    seconds += 3.0
                elif why := failed(child.line(max(30.0, seconds), self._beat)):  # may import much
                    raise NoAnswer(why)
            child, where = self._child, boards[0]
            if not is_function:
                child.read()
                if child.out:
                    text = shown(child.out[:40].decode(errors="replace"), 20)
                    raise NoAnswer(f"prints more than one line for one board ({text})")
            if not self._sent:
                self._sent = len(boards) if is_function else 1
                child.write(boards[: self._sent])
            self._sent -= 1
            line = child.line(seconds, self._beat).strip()
            why = failed(line) if is_function else ""
        except (NoAnswer, OSError) as error:
            self._child, self._sent = None, 0
            self._children.close()
            self._lives -= 10 if isinstance(error, LateAnswer) else 1
            message: object = error
            if isinstance(error, LateAnswer):
                message = f"{error} (:seconds={10 * self._seconds:g} allows more)"
            elif isinstance(error, OSError):
                message = f"does not start: {errors.reason(error)}"
            raise agent.error(message, where) from None
        if why:
            raise Complaint(why)
        if is_function:
            return json.loads(line)
        return int(line) if re.fullmatch("[0-9]{1,2}", line) else line


def failed(line: str) -> str:
    """Describe what a file or its function did wrong, by a line of the host; empty if nothing.

    Raises:
        NoAnswer: the line is none of the host's.
    """
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        raise NoAnswer("writes into the pipe of its answers") from None
    if not isinstance(told, dict) or told.keys() != {"failed", "line"}:
        return ""
    where = f" in line {told['line']}" if type(told["line"]) is int else ""
    return f"fails{where}: {printable(str(told['failed'])[:200])}"


def find_agent(text: str) -> tuple[type[ReadAgent], str] | None:
    """Return the agent that a text names and its options, or None; run nothing of it."""
    if text.startswith(PROGRAM):
        match = OPTIONS.fullmatch(text)
        assert match is not None
        return program(match[1]), match[2] or ""
    if match := TABLE.fullmatch(text):
        return agent_rule(match[1], digest_of(match[1])), match[2] or ""
    path, ending, rest = text.rpartition(".py:")
    path, (name, _, options) = f"{path}.py", rest.partition(":")
    if not ending:
        return None
    try:
        source = files.source_of(Path(path), FILE)
    except UsageError:
        if name[:1].islower():
            raise
        return None  # a rule's: its own reader says why
    if not is_function(source, name):
        return None
    digest = hashlib.sha256(source).hexdigest()[:DIGITS]
    command = ("-P", HOST, "function", path, name)
    # Plain minimax needs some seconds for the empty board.
    return agent_rule(f"{path}:{name}", digest, command, 20.0), options


def is_function(source: bytes, name: str) -> bool:
    """Return whether a file defines a function of this name, without running it.

    A class is a rule, and so is an imported name with a capital letter.
    """
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
                return isinstance(node, ast.FunctionDef)
    return name[:1].islower()


def program(text: str) -> type[ReadAgent]:
    """Return the player of a command line."""
    name = shown_path(text)
    if files.is_locked():
        raise AgentError(f"refusing to run {name}: {files.LockedError(Path(text)).strerror}")
    try:
        words = shlex.split(text.removeprefix(PROGRAM))
    except ValueError:
        raise AgentError(f"{name} has an unclosed quote") from None
    if not words or shutil.which(words[0]) is None:
        missing = shown_path(words[0]) if words else "nothing"
        raise AgentError(f"no such program for {name}: {missing}")
    digest = hashlib.sha256(text.encode("utf-8", "surrogateescape"))
    for word in filter(files.is_file, words):
        digest.update(digest_of(word).encode())
        files.check_trust(Path(word), FILE)
    command = ("-I", "-S", HOST, "program", *words)
    return agent_rule(text, digest.hexdigest()[:DIGITS], command)


@lru_cache(maxsize=AGENTS_KEPT)
def agent_rule(
    name: str, sha256: str, command: tuple[str, ...] = (), default_seconds: float = 2.0
) -> type[ReadAgent]:
    """Return the player of one version of an agent; a table if there is no command."""
    fields: dict[str, Any] = {"name": name, "sha256": sha256, "command": command}
    if not command:
        fields["table"] = read_table(Path(name))
    seconds, digest = Agent.options
    fields["options"] = (replace(seconds, default=default_seconds), digest)
    return type("OneAgent", (ReadAgent,), fields)


def digest_of(path: str) -> str:
    try:
        return files.sha256_of(Path(path))[:DIGITS]
    except (OSError, ValueError) as error:
        raise AgentError(f"cannot read {shown_path(path)}: {errors.reason(error)}") from None


def with_digest(spec: PlayerSpec) -> PlayerSpec:
    """Return an agent whose spec names its file by its SHA-256, for saved runs."""
    rule = agent_of(spec)
    wanted, found = spec.settings["sha256"], rule.sha256
    if wanted and not (wanted.startswith(found) or found.startswith(wanted)):
        raise AgentError(
            f"{shown_path(rule.name)} has changed: it has sha256={found} now, not "
            f"{wanted} (leave sha256 out to take it as it is)"
        )
    return spec.with_setting("sha256", found)


CELLS: Final = list("123456789")


def probabilities(answer: Any, board: str) -> list[float]:
    """Return the probability of each of the nine cells, from an answer.

    Args:
        answer: a cell 1-9, nine numbers, or numbers by cell; anything else is refused.
        board: nine characters, not finished.
    """
    if type(answer) is int:
        if not 1 <= answer <= 9:
            raise Complaint(f"answers with {answer}, and cells are 1 to 9")
        answer = {str(answer): 1.0}
    if isinstance(answer, dict):
        unknown = next((cell for cell in answer if cell not in CELLS), None)
        if unknown is not None:
            raise Complaint(f"answers with a probability of {shown(unknown, 20)}; cells are 1 to 9")
        answer = [answer.get(cell, 0.0) for cell in CELLS]
    if not (isinstance(answer, list) and len(answer) == 9):
        raise Complaint(f"answers with {described(answer)}, not a cell 1 to 9 or probabilities")
    for cell, chance in zip(CELLS, answer, strict=True):
        is_number = type(chance) in (int, float) and math.isfinite(chance)
        if not is_number or not 0.0 <= chance <= 1.0 + TOLERANCE:
            raise Complaint(f"answers with {described(chance)} as the probability of cell {cell}")
        if chance > 0.0 and board[int(cell) - 1] != ".":
            raise Complaint(f"answers with cell {cell}, which is not free")
    total = sum(map(float, answer))
    if abs(total - 1.0) > TOLERANCE:
        raise Complaint(f"answers with probabilities that sum to {total:g}, not 1")
    # Kept bit by bit where only the last bits of the sum are missing.
    return [float(p) if abs(total - 1.0) < ROUNDING else p / total for p in answer]


def described(answer: Any) -> str:
    """Return an answer in a few printable characters."""
    if answer is None:
        return "nothing"
    if isinstance(answer, str):
        return f"the text {shown(answer, 30)}" if answer else "an empty line"
    if isinstance(answer, list):
        return f"a list of {len(answer)}"
    if isinstance(answer, float):
        return "NaN" if math.isnan(answer) else repr(answer)
    return shown(answer, 30)[1:-1]
