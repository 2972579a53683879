"""Code of others in a process of its own, with limits on memory and processor time.

This is no sandbox: that process may do what its user may. What it cannot do is hang the program
that started it, fill the machine's memory, or write into the answer by printing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

OURS: Final = Path(__file__).absolute().parents[2]
"""The folder of our own packages."""
MEGABYTES: Final = 2048
"""Address space of the process: numpy alone reserves some hundred."""
THREADS: Final = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "NUMEXPR")}
"""Each thread of a numerical library reserves address space of its own."""


def start(module: str, arguments: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    """Start a module of ours in a process and a process group of its own.

    Its standard input and output are pipes; what it prints as an error goes nowhere.
    """
    # -P: a folder `learners` in the working directory is not ours.
    path = os.pathsep.join([str(OURS), *(folder for folder in sys.path if folder)])
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, *arguments],
        env=os.environ | THREADS | {"PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started, and close its pipes."""
    if process.returncode is None:
        with suppress(OSError, AttributeError):  # Windows has no groups
            os.killpg(process.pid, 9)
        process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def confine(seconds: int, megabytes: int = MEGABYTES) -> None:
    """Limit this process: so many seconds of processor time, and so much memory."""
    try:
        import resource
    except ImportError:  # Windows has no such limits; the parent's clock is left
        return
    for kind, limit in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, megabytes << 20),
        (resource.RLIMIT_CORE, 0),
    ):
        _, most = resource.getrlimit(kind)
        soft = limit if most == resource.RLIM_INFINITY else min(limit, most)
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (soft, most))


def own_output() -> BinaryIO:
    """Where this process answers; from now on what anything prints goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    return answers
