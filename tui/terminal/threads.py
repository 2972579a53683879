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

M_TRIM_THRESHOLD, M_ARENA_MAX = -1, -8
"""Parameters of glibc's `mallopt` (malloc.h)."""


def give_way() -> None:
    """Let other threads go first; only Linux has priorities by thread."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        now = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, max(now, NICENESS))


def give_memory_back() -> None:
    """Let glibc return freed memory to the system; other C libraries do.

    Each thread that allocates would get an arena, which is never given back: a lab in use held
    three times as much.
    """
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            mallopt = ctypes.CDLL(None).mallopt
            mallopt(M_ARENA_MAX, 1)
            mallopt(M_TRIM_THRESHOLD, 1 << 16)


class Threads(ThreadPoolExecutor):
    """Threads that keep no reference to finished work.

    Textual stores the widget that ordered the work in the thread's context. A thread waiting for
    more work would keep that widget's screen and results alive.
    """

    def __init__(self) -> None:
        give_memory_back()
        super().__init__(MAX_THREADS, "background", give_way)

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run work in a thread, in its own context."""
        return super().submit(Context().run, work, *args, **kwargs)
