"""What the panes of the lab show: board, log, curve, stats, mode line, key bar and tour."""

from __future__ import annotations

from typing import NamedTuple

from afterstate_lab.tui.views.words import Words


class ModeView(NamedTuple):
    """The top line: where one is, who plays, how fast."""

    mode: str
    """`WATCH`, `STEP`, `PLAY`, `TRAIN`; any other word does too."""
    x: str = ""
    """X's player in short, e.g. `td α.1 ε.1`."""
    o: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    """Label and value, the most important first, e.g. `("game", "424")`."""
    status: Words = ""
    """At the right end, e.g. `▶ 2/s`."""
    phases: tuple[str, ...] = ()
    """The phases of an update, at the right end instead of the status."""
    phase: int | None = None
    """Which of them is now."""


class KeysView(NamedTuple):
    """The bottom line: keys with what they do, the most important first."""

    keys: tuple[tuple[str, str], ...]
    """Key (as shown) and label."""
    kept: tuple[str, ...] = ("i", "?", "q")
    """Keys that stay at the end however narrow the line."""


class TourView(NamedTuple):
    """The card of a lesson."""

    title: str
    right: str
    text: str
    todo: Words
    focused: bool = True
