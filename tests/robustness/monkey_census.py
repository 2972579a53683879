"""What a lab holds: what must not grow, however long a monkey has been at it."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.worker import Worker

from afterstate_lab.learners.kernel import compiler

OPEN_FILES = Path("/proc/self/fd")


@dataclass(frozen=True)
class Census:
    """Counts of a lab at rest."""

    screens: int
    widgets: int
    timers: int
    workers: int
    tasks: int
    threads: int
    files: int
    """Open files; a database has three."""
    objects: int
    """All that the collector knows."""
    kernels: int
    """Pairs of rules that were compiled: each keeps about 3 MB, for as long as the lab is open."""
    memory: float
    """Resident megabytes (Linux)."""
    peak: float
    """The most that was resident since the census before, in megabytes (Linux)."""

    def __str__(self) -> str:
        counts = asdict(self)
        told = [f"{name} {counts[name]:,}" for name in list(counts)[:-2]]
        return f"{', '.join(told)}, memory {self.memory:.0f} MB, peak {self.peak:.0f} MB"


def take_census() -> Census:
    """Count now; what is garbage is collected before, and the peak of memory begins anew."""
    gc.collect()
    objects = gc.get_objects()
    kinds: Counter[type] = Counter(map(type, objects))

    def count(kind: type) -> int:
        return sum(number for found, number in kinds.items() if issubclass(found, kind))

    memory, peak = resident()
    forget_peak()
    return Census(
        screens=count(Screen),
        widgets=count(Widget),
        timers=count(Timer),
        workers=count(Worker),
        tasks=len(asyncio.all_tasks()),
        threads=threading.active_count(),
        files=sum(1 for _ in OPEN_FILES.iterdir()) if OPEN_FILES.is_dir() else 0,
        objects=len(objects),
        kernels=len(compiler._kernels),
        memory=memory,
        peak=peak,
    )


def resident() -> tuple[float, float]:
    """Megabytes that this process holds now, and held at most; nothing where that is not told."""
    try:
        with Path("/proc/self/status").open(encoding="ascii") as file:
            told = dict(line.split(":", 1) for line in file)
    except OSError:
        return 0.0, 0.0
    return int(told["VmRSS"].split()[0]) / 1024, int(told["VmHWM"].split()[0]) / 1024


def forget_peak() -> None:
    """Let the peak of memory begin with what is held now."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return
