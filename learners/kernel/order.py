"""Order the machine code of one kernel from another process (`learners.precompile`).

Compiling adds some 70 MB to its process and holds the interpreter's lock for a tenth of a second at
a time; loading machine code does neither. So the lab lets another process compile.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path

OURS = Path(__file__).absolute().parents[2]
"""The folder of our own packages."""
SCRIPT = "learners.precompile"
"""The module that the other process runs."""
LONGEST = 120.0
"""Seconds after which the other process is ended."""


@dataclass(frozen=True)
class Order:
    """The kernel to compile."""

    x: str
    """Spec of X."""
    o: str
    frozen_x: bool
    frozen_o: bool
    recording: bool

    def start(self) -> subprocess.Popen[bytes] | None:
        """Start the other process; None if that fails."""
        # -P: a folder `learners` in the working directory is not ours. The other process must load
        # the same sources as this one, or its machine code would not be found.
        command = [sys.executable, "-P", "-m", SCRIPT, *map(str, astuple(self))]
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
