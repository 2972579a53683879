"""Order machine code from another process (`learners.precompile`).

Compiling adds some 70 MB to its process and holds the interpreter's lock for a tenth of a second at
a time; loading machine code does neither. So the lab lets another process compile.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

OURS = Path(__file__).absolute().parents[2]
"""The folder of our own packages."""
SCRIPT = "learners.precompile"
"""The module that the other process runs."""
LONGEST = 120.0
"""Seconds after which the other process is ended."""


@dataclass(frozen=True)
class Order:
    """What another process is to compile."""

    words: tuple[str, ...]
    """Arguments of `learners.precompile`."""

    @classmethod
    def of_kernel(cls, x: str, o: str, frozen_x: bool, frozen_o: bool, recording: bool) -> Order:
        """The kernel of two players by their specs."""
        return cls((x, o, str(frozen_x), str(frozen_o), str(recording)))

    def start(self) -> subprocess.Popen[bytes] | None:
        """Start the other process; None if that fails."""
        # -P: a folder `learners` in the working directory is not ours. The other process must load
        # the same sources as this one, or its machine code would not be found.
        command = [sys.executable, "-P", "-m", SCRIPT, *self.words]
        path = os.pathsep.join([str(OURS), *(folder for folder in sys.path if folder)])
        with suppress(OSError, ValueError):
            return subprocess.Popen(
                command,
                env=os.environ | {"PYTHONPATH": path},
                stdin=subprocess.PIPE,  # its other end closes with this process, however that ends
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        return None


def wait(process: subprocess.Popen[bytes]) -> None:
    """Wait until the other process has ended; end it if this wait is interrupted."""
    try:
        with suppress(subprocess.TimeoutExpired):
            process.wait(LONGEST)
    finally:
        process.kill()
        process.wait()
        if process.stdin is not None:
            process.stdin.close()
