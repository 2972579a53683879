"""Threads of the background, and the memory that they leave."""

import subprocess
import sys

import pytest

ARENAS = """
import ctypes, threading
from afterstate_lab.tui.terminal.threads import Threads, give_memory_back

{first}
pool, together = Threads(), threading.Barrier(4)

def work():
    together.wait()
    return bytearray(100_000)

kept = [future.result() for future in [pool.submit(work) for _ in range(4)]]
library = ctypes.CDLL(None)
library.malloc_info(0, ctypes.c_void_p.in_dll(library, "stdout"))
library.fflush(None)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="another C library has no arenas")
@pytest.mark.parametrize(
    ("first", "is_one"), [("", True), ("Threads.__init__.__globals__['M_ARENA_MAX'] = 99", False)]
)
def test_all_threads_allocate_from_one_arena(first, is_one):
    """Else each keeps what it once needed, as glibc itself lists them."""
    program = [sys.executable, "-c", ARENAS.format(first=first)]
    told = subprocess.run(program, check=True, capture_output=True, text=True).stdout
    assert (told.count("<heap nr=") == 1) is is_one
