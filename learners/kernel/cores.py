"""How many cores there are for this process."""

from __future__ import annotations

import os


def cores() -> int:
    """The cores that this process may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1
