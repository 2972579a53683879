"""The heap of the C library, where it is GNU's."""

import os
import platform
import subprocess
import sys

import pytest

PIECES = """
import ctypes, threading
from learners.kernel import malloc as heap

heap.limit_arenas()
threads, together = [], threading.Barrier(6)
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p

def ask():
    together.wait()
    libc.malloc(100_000)
    together.wait()

for _ in range(6):
    threads.append(threading.Thread(target=ask))
    threads[-1].start()
for thread in threads:
    thread.join()
libc.fdopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""

HELD = """
import ctypes
from pathlib import Path
from learners.kernel import malloc as heap

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
chunks = [libc.malloc(50_000) for _ in range(2_000)]
for chunk in chunks:
    ctypes.memset(chunk, 1, 50_000)
for chunk in chunks[:-1]:
    libc.free(ctypes.c_void_p(chunk))
before = held()
heap.give_back()
print(before - held())
"""

pytestmark = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only GNU's C library has such a heap"
)


def told(code: str, **environment: str) -> str:
    """What a process of its own prints."""
    kept = {name: text for name, text in os.environ.items() if name != "MALLOC_ARENA_MAX"}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=kept | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout


def pieces(**environment: str) -> int:
    """How many pieces six threads use that ask for memory at the same time."""
    return told(PIECES, **environment).count("<heap nr=")


def test_all_threads_but_the_first_share_a_piece_unless_the_user_says_otherwise():
    assert pieces() == 2
    assert pieces(MALLOC_ARENA_MAX="4") == 4


def test_what_was_freed_in_the_middle_goes_back_to_the_machine():
    assert float(told(HELD)) > 80
