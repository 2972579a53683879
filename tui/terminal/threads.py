"""The threads of what goes on in the background."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import Context
from typing import Any

MOST = 32
"""Of Python's few, on a small machine, all can be waiting for the compiler."""
LONG = 0.2
"""Seconds after which what was done may have needed much memory."""


class Threads(ThreadPoolExecutor):
    """Threads that keep nothing of what they did.

    Textual notes in a thread's context whose work it does. Threads that wait for more work would
    keep that: its screen, and all that it found.
    """

    def __init__(self) -> None:
        super().__init__(MOST, thread_name_prefix="background")

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do something in a thread, in a context of its own."""
        return super().submit(Context().run, tidily, work, *args, **kwargs)


def tidily(work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Do something; the memory that long work has freed goes back to the machine."""
    began = time.monotonic()
    try:
        return work(*args, **kwargs)
    finally:
        if time.monotonic() - began > LONG:
            from learners.kernel import malloc

            malloc.give_back()
