"""External code in a separate process: lines in, lines out."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, cast

from afterstate_lab.learners.errors import UsageError, printable
from afterstate_lab.learners.players.host import LIFELINE

HOST: Final = str(Path(__file__).with_name("host.py"))
START: Final = (
    "import sys; from importlib.machinery import SourceFileLoader; __file__ = sys.argv.pop(1); "
    "SourceFileLoader(__name__, __file__).exec_module(sys.modules[__name__])"
)
"""Runs a script from its bytecode: it starts twice as fast as by its path."""
THREADS: Final = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "NUMEXPR")}
"""Limits threads of numerical libraries, which reserve address space."""
LONGEST_LINE: Final = 20_000
"""Maximum number of bytes of an answer."""
KEPT: Final = 4_000
"""Maximum number of bytes of a process's last errors."""
GATHERED: Final = 0.002
"""Seconds for which answers are gathered where many are due: to wake for each costs more."""


class NoAnswer(Exception):
    """A process gives no more answers; the message explains why, after its name."""


class LateAnswer(NoAnswer):
    """A process gives no answer in time."""


class Child:
    """External code in a separate process: lines in, lines out.

    The process and everything that it started end with the asking (see `host`).

    Args:
        options: options of the interpreter.
        command: the host's arguments.
        env: environment variables to add.

    Raises:
        UsageError: this system cannot end what it starts.
        OSError: it cannot be started.
    """

    def __init__(self, options: str, *command: str, **env: str) -> None:
        if not hasattr(os, "fork"):
            raise UsageError("external agents and programs are not available on this system")
        self.out, self._said = b"", b""
        ears, self._lifeline = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, *options.split(), "-c", START, HOST, *command],
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
        self._open, self._input = selectors.DefaultSelector(), cast(IO[bytes], self._process.stdin)
        for pipe in (self._process.stdout, self._process.stderr):
            self._open.register(cast(IO[bytes], pipe), selectors.EVENT_READ)
        self._is_closed = False

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._lifeline)  # at which the host ends what it runs
        self._input.close()
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
            self._input.write(data)

    def read(self, seconds: float = 0.0, gathered: float = 0.0) -> None:
        """Read what it writes within some seconds, and a little later."""
        ready = self._open.select(seconds)
        if gathered and ready:
            time.sleep(gathered)
        for key, _ in ready:
            data = os.read(key.fd, 1 << 16)
            is_answer = key.fileobj is self._process.stdout
            if not data:
                self._open.unregister(key.fileobj)
                self._is_closed |= is_answer
            elif is_answer:
                self.out += data
            else:
                self._said = (self._said + data)[-KEPT:]

    def lines(
        self,
        seconds: float,
        beat: Callable[[], object] = int,
        longest: int = LONGEST_LINE,
        most: int = 1,
    ) -> list[str]:
        """Return the next lines of its output, at least one.

        Args:
            seconds: time limit for the first.
            beat: called again and again meanwhile.
            longest: how many bytes a line may have.
            most: how many to return, if there are so many.

        Raises:
            NoAnswer: there is none, for the reason given.
        """
        until = time.monotonic() + seconds
        while b"\n" not in self.out:
            if len(self.out) > longest:
                raise NoAnswer(f"answers with more than {longest:,} characters")
            if self._is_closed:
                raise self._ended()
            if (left := until - time.monotonic()) <= 0:
                raise LateAnswer(f"gives no answer within {seconds:g} s")
            self.read(min(left, 0.1), GATHERED if most > 1 else 0.0)
            beat()
        *lines, self.out = self.out.split(b"\n", most)
        return [line.decode(errors="replace") for line in lines]

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
