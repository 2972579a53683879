"""Threads for background work."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context
from typing import Any

MAX_THREADS = 32
"""Python's default is small on a small machine, where the compiler can block every thread."""
NICENESS = 10
"""For background work: with few cores, the thread that handles keys goes first."""
M_ARENA_MAX = -8
"""The number of a setting in glibc's `malloc.h`."""


def give_way() -> None:
    """Let other threads go first; only Linux has priorities by thread."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        now = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, max(now, NICENESS))


def glibc(name: str, *numbers: int) -> None:
    """Call a function of glibc, if that is the C library."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            getattr(ctypes.CDLL(None), name)(*numbers)


def tidied(work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Do work, then let glibc return to the system what is free, in the arenas of all threads.

    By default glibc keeps it: a lab in use held three times as much. A low trim threshold would do
    the same, and slow training down by a tenth.
    """
    try:
        return work(*args, **kwargs)
    finally:
        glibc("malloc_trim", 0)


class Threads(ThreadPoolExecutor):
    """Threads that keep no reference to finished work.

    Textual stores the widget that ordered the work in the thread's context. A thread waiting for
    more work would keep that widget's screen and results alive.
    """

    def __init__(self) -> None:
        glibc("mallopt", M_ARENA_MAX, 1)  # threads share: each would keep free memory of its own
        super().__init__(MAX_THREADS, "background", give_way)

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run work in a thread, in its own context."""
        return super().submit(Context().run, tidied, work, *args, **kwargs)
