"""Threads share pieces of the heap, where the C library has such pieces."""

import os
import platform
import subprocess
import sys

import pytest

PIECES = """
import ctypes, threading
from learners import heap

heap.share()
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


def pieces(**environment: str) -> int:
    """How many pieces six threads use that ask for memory at the same time."""
    kept = {name: text for name, text in os.environ.items() if name != "MALLOC_ARENA_MAX"}
    told = subprocess.run(
        [sys.executable, "-c", PIECES],
        env=kept | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return told.stdout.count("<heap nr=")


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only GNU's C library has such pieces"
)
def test_all_threads_but_the_first_share_a_piece_unless_the_user_says_otherwise():
    assert pieces() == 2
    assert pieces(MALLOC_ARENA_MAX="4") == 4
