"""Threads of the background, and the memory that they leave."""

import subprocess
import sys

import pytest

LEFT = """
import threading
from pathlib import Path
from afterstate_lab.tui.terminal import threads

if not {tidies}:
    threads.give_memory_back = lambda: None
pool, together = threads.Threads(), threading.Barrier(4)

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

def work():
    together.wait()
    blocks = [bytearray(60_000) for _ in range(500)]
    return bytearray(60_000)  # lies above what is freed now

before = resident()
kept = [future.result() for future in [pool.submit(work) for _ in range(4)]]
pool.shutdown()
print((resident() - before) / 120e6)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="another C library has no arenas")
@pytest.mark.parametrize("tidies", [True, False])
def test_what_work_has_freed_is_given_back_to_the_system(tidies):
    """Each of four threads frees 30 MB below a block that it keeps: the part that is left."""
    program = [sys.executable, "-c", LEFT.format(tidies=tidies)]
    left = float(subprocess.run(program, check=True, capture_output=True, text=True).stdout)
    assert (left < 0.2) is tidies, left
