"""Make the machine code of one kernel in a process of its own, and leave it in the cache.

    python -m learners.precompile X_SPEC O_SPEC FROZEN_X FROZEN_O RECORDING

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

OURS = Path(__file__).absolute().parents[1]
"""Where our own packages are."""
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
        command = [sys.executable, "-P", "-m", __spec__.name, *map(str, astuple(self))]
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


def main(x: str, o: str, frozen_x: str, frozen_o: str, recording: str) -> None:
    """Compile one kernel here."""
    from learners.kernel import Kernel
    from learners.memory import Layout
    from learners.spec import PlayerSpec

    layout = Layout.of(PlayerSpec.parse(x), PlayerSpec.parse(o))
    frozen = {"frozen_x": frozen_x == "True", "frozen_o": frozen_o == "True"}
    Kernel(layout, 0, **frozen).compile(recording=recording == "True", elsewhere=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
