from __future__ import annotations

import os


def cores() -> int:
    """Return the number of cores that this process can use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1
