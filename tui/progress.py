"""The progress of a training in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from learners.training import Snapshot

BAR = 24


def duration(seconds: float) -> str:
    """A duration as text: 0.4 s, 12 s, 3:05, 2:15:00."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def progress_line(snapshot: Snapshot) -> str:
    """Bar, games, rate and time left, in ASCII."""
    share = snapshot.done / snapshot.goal.games if snapshot.goal.games else 1.0
    bar = "#" * round(BAR * share)
    left = snapshot.seconds_left
    end = "" if left is None else f"  {duration(left)} left"
    return f"[{bar:.<{BAR}}] {snapshot.done:,} games  {snapshot.rate:,.0f}/s{end}"
