"""Order the machine code of one kernel from a process of its own (`learners.precompile`).

Compiling leaves its process some 70 MB larger and holds the interpreter's lock for a tenth of a
second at a time. Loading the machine code does neither, so a screen has it made elsewhere.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path

OURS = Path(__file__).absolute().parents[2]
"""Where our own packages are."""
SCRIPT = "learners.precompile"
"""The module that is run there."""
LONGEST = 120.0
"""Seconds after which the other process is given up."""


@dataclass(frozen=True)
class Order:
    """The kernel that is wanted."""

    x: str
    """Spec of X."""
    o: str
    frozen_x: bool
    frozen_o: bool
    recording: bool

    def start(self) -> subprocess.Popen[bytes] | None:
        """Start the other process, or None where that cannot be done."""
        # -P: a folder `learners` where the user happens to be is not ours. What the other process
        # makes is found only if it has our own sources, wherever we were imported from.
        command = [sys.executable, "-P", "-m", SCRIPT, *map(str, astuple(self))]
        path = os.pathsep.join([str(OURS), *(folder for folder in sys.path if folder)])
        with suppress(OSError, ValueError):
            return subprocess.Popen(
                command,
                env=os.environ | {"PYTHONPATH": path},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        return None


def wait(process: subprocess.Popen[bytes]) -> None:
    """Wait until the other process is done, well or not; it does not outlive an interruption."""
    try:
        with suppress(subprocess.TimeoutExpired):
            process.wait(LONGEST)
    finally:
        process.kill()
        process.wait()
