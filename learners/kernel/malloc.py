"""The C library's heap: limit its arenas, and return free memory to the system.

glibc gives every thread an arena, up to eight for each processor; memory that is free in one arena
cannot be used by another, and free memory inside an arena is rarely returned to the system. The
compiler and a long search allocate and free hundreds of megabytes: without these limits, a
long-running lab held more free memory than it used.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from typing import Any

ARENA_MAX = -8
"""`M_ARENA_MAX` of `mallopt` (malloc.h)."""
ARENAS = 2
"""One for the screen's thread and one for all others, which hold the interpreter's lock anyway."""


def limit_arenas() -> None:
    """Limit the number of arenas for threads that start later, unless the environment sets it."""
    if "MALLOC_ARENA_MAX" not in os.environ:
        call("mallopt", ARENA_MAX, ARENAS)


def give_back() -> None:
    """Return free memory to the system."""
    call("malloc_trim", 0)


def call(name: str, *arguments: Any) -> None:
    """Call a function of the C library if it has it."""
    with suppress(OSError, TypeError, AttributeError):
        getattr(ctypes.CDLL(None), name)(*arguments)
