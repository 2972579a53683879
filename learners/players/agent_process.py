"""The process of somebody's agent: a board a line goes in, an answer a line comes out.

No answer is waited for longer than it may take, none may be long, and the process ends with
whatever it has started. What it prints on its standard error is kept for the sentence about its
end. This is no sandbox: it stops mistakes, not malice.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from learners.errors import UsageError, printable, shown
from learners.players.agent_answer import Complaint
from learners.players.confined import THREADS, end

HOST: Final = Path(__file__).with_name("agent_host.py")
LOADING_SECONDS: Final = 30.0
"""How long a file may take until its function can be asked: it may import much."""
STARTING_SECONDS: Final = 3.0
"""What a program has for its first answer beyond the time for a move."""
LONGEST_LINE: Final = 20_000
"""Bytes of an answer."""
KEPT: Final = 4_000
"""Bytes of the latest of what a process says about its end."""


class ProcessError(Exception):
    """The process gives no more answers; the message says why, to follow the agent and a board."""


class LoadingError(ProcessError):
    """The file of a function cannot be run; the message follows the agent."""


class AgentProcess:
    """A process that answers boards.

    Args:
        command: the program and its arguments.
        seconds: how long it may take for an answer.

    Raises:
        UsageError: this system cannot wait for pipes.
    """

    def __init__(self, command: list[str], seconds: float) -> None:
        if not hasattr(select, "poll"):
            raise UsageError(
                "agents are asked through pipes that can be waited for: not on Windows"
            )
        self.seconds = seconds
        self.board = ""
        """The board that it was asked last."""
        self._out, self._said = b"", b""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=os.environ | THREADS | {"PYTHONDONTWRITEBYTECODE": "1"},
        )

    def close(self) -> None:
        """End the process, and those that it has started."""
        end(self._process)
        assert self._process.stderr is not None
        self._process.stderr.close()

    def tell(self, board: str) -> None:
        """Ask for the answer to a board.

        Raises:
            ProcessError: it has ended, or has already said more than was asked.
        """
        if self._out or self._has_more():
            text = self._out[:40].decode(errors="replace")
            raise ProcessError(f"prints more than one line for one board ({shown(text, 20)})")
        self.board = board
        self.write(board)

    def write(self, lines: str) -> None:
        """Write some lines.

        Raises:
            ProcessError: the process has ended.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(lines.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            self._read_to_end()
            raise self._ended() from None

    def line(self, seconds: float) -> str:
        """The next line.

        Raises:
            ProcessError: there is none in time, or it is too long.
        """
        until = time.monotonic() + seconds
        while b"\n" not in self._out:
            if len(self._out) > LONGEST_LINE:
                raise ProcessError(f"answers with more than {LONGEST_LINE:,} characters")
            left = until - time.monotonic()
            if left <= 0:
                longer = f":seconds={10 * self.seconds:g} behind it gives it longer"
                raise ProcessError(f"gives no answer within {seconds:g} s ({longer})")
            if not self._read(left):
                raise self._ended()
        line, _, self._out = self._out.partition(b"\n")
        return line.decode(errors="replace")

    def _has_more(self) -> bool:
        out = self._process.stdout
        assert out is not None
        return bool(select.select([out], [], [], 0)[0]) and self._read(0) and bool(self._out)

    def _read(self, seconds: float) -> bool:
        """Wait for more of its output or of its errors; False once both have ended."""
        out, err = self._process.stdout, self._process.stderr
        assert out is not None and err is not None
        open_pipes = [pipe for pipe in (out, err) if not pipe.closed]
        for pipe in select.select(open_pipes, [], [], seconds)[0]:
            data = os.read(pipe.fileno(), 65_536)
            if pipe is out:
                self._out += data
                if not data:
                    self._read_to_end()
                    return False
            elif data:
                self._said = (self._said + data)[-KEPT:]
            else:
                pipe.close()
        return True

    def _read_to_end(self) -> None:
        """Read what it still has to say of its end, for a moment."""
        err = self._process.stderr
        assert err is not None
        while not err.closed and select.select([err], [], [], 0.2)[0]:
            data = os.read(err.fileno(), 65_536)
            if not data:
                return
            self._said = (self._said + data)[-KEPT:]

    def _ended(self) -> ProcessError:
        """Why no more answers come."""
        try:
            status = self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            return ProcessError("closes its output")
        how = f"ends (status {status})"
        if status < 0:
            with suppress(ValueError):
                how = f"is ended by {signal.Signals(-status).name}"
        lines = self._said.decode(errors="replace").strip().splitlines()
        return ProcessError(f"{how}: {printable(lines[-1][:200])}" if lines else how)


class Program(AgentProcess):
    """A program: a board a line in, a cell a line out."""

    def __init__(self, words: tuple[str, ...], seconds: float) -> None:
        host = [sys.executable, "-I", "-S", str(HOST), "program"]
        super().__init__([*host, *words], seconds)

    def answer(self, board: str) -> Any:
        """Its answer to a board: a number where the line is one, else the line.

        Raises:
            ProcessError: it gives none.
        """
        is_first = not self.board
        self.tell(board)
        line = self.line(self.seconds + STARTING_SECONDS * is_first).strip()
        return int(line) if len(line) < 3 and line.isascii() and line.isdigit() else line


class FunctionProcess(AgentProcess):
    """A function of a Python file."""

    def __init__(self, path: str, function: str, seconds: float) -> None:
        super().__init__([sys.executable, str(HOST), "function", path, function], seconds)
        self._is_ready = False
        self._sent: deque[str] = deque()

    def answer(self, board: str) -> Any:
        """What the function returns for a board, as JSON has it.

        Raises:
            ProcessError: the file cannot be read, or the process ends.
            Complaint: the function fails at this board.
        """
        if not self._is_ready:
            told = self._told(max(LOADING_SECONDS, self.seconds))
            if "failed" in told:
                raise LoadingError(failed(told))
            self._is_ready = True
        if not self._sent:
            self.send([board])
        self.board = self._sent.popleft()
        assert self.board == board
        told = self._told(self.seconds)
        if "failed" in told:
            raise Complaint(failed(told))
        return told["answer"]

    def send(self, boards: Sequence[str]) -> None:
        """Ask for the answers to a few boards, which are then to be taken in this order.

        Raises:
            ProcessError: the process has ended.
        """
        self._sent.extend(boards)
        self.write("\n".join(boards))

    def _told(self, seconds: float) -> dict[str, Any]:
        line = self.line(seconds)
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict) or not told.keys() & {"answer", "failed"}:
            raise ProcessError("writes into the pipe of its answers")
        return told


def failed(told: dict[str, Any]) -> str:
    """What a file or its function did wrong."""
    line = f" in line {told['line']}" if type(told.get("line")) is int else ""
    return f"fails{line}: {printable(str(told['failed'])[:200])}"
