"""The heap of the C library: how many pieces it is in, and what is free in it.

GNU's gives every thread a piece of its own, up to eight for each processor, and what is free in one
is of no use to another. It hardly ever gives back to the machine what is free in the middle of a
piece. The compiler asks for some hundred megabytes and frees them again, as a long search does: in
a lab that had done both often, more was free than in use.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from typing import Any

ARENA_MAX = -8
"""What `mallopt` calls the most pieces (malloc.h)."""
PIECES = 2
"""One for the screen's thread, and one for all others: they hold the interpreter's lock anyway."""


def share() -> None:
    """Let all threads that begin from now on share a piece, but as the user's environment says."""
    if "MALLOC_ARENA_MAX" not in os.environ:
        call("mallopt", ARENA_MAX, PIECES)


def give_back() -> None:
    """Give back to the machine what is free."""
    call("malloc_trim", 0)


def call(name: str, *arguments: Any) -> None:
    """Call a function of the C library; nothing happens where it has no such function."""
    with suppress(OSError, TypeError, AttributeError):
        getattr(ctypes.CDLL(None), name)(*arguments)
