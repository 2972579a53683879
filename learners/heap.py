"""The heap of the C library: how many pieces it is in.

GNU's gives every thread a piece of its own, up to eight for each processor, and what is free in one
is of no use to another. The compiler asks for some hundred megabytes in whatever thread it is
called and frees them again: in a lab that had compiled many players, more was free than in use.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress

ARENA_MAX = -8
"""What `mallopt` calls the most pieces (malloc.h)."""
PIECES = 2
"""One for the screen's thread, and one for all others: they hold the interpreter's lock anyway."""


def share() -> None:
    """Let all threads that begin from now on share a piece, but as the user's environment says.

    Nothing happens where the C library has no such pieces.
    """
    if "MALLOC_ARENA_MAX" not in os.environ:
        with suppress(OSError, TypeError, AttributeError):
            ctypes.CDLL(None).mallopt(ARENA_MAX, PIECES)
