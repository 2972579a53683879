"""What the curve pane shows."""

from __future__ import annotations

from dataclasses import dataclass

from tui.views.words import Words


@dataclass(frozen=True, slots=True)
class SeriesView:
    """One line, from left to right."""

    points: tuple[tuple[float, float], ...]
    """(x, y), x rising."""
    role: str = "text"
    label: str = ""
    """At the right end; short."""


@dataclass(frozen=True, slots=True)
class CurveView:
    """Curves over games (or writes)."""

    series: tuple[SeriesView, ...]
    x_range: tuple[float, float] | None = None
    """None: from the points."""
    y_range: tuple[float, float] | None = (0.0, 1.0)
    """None: from the points and the reference."""
    log_x: bool = False
    cursor: float | None = None
    """The x of "you are here"."""
    point: tuple[float, float] | None = None
    """(x, y) of what is selected."""
    reference: float | None = None
    """An exact value: a horizontal line."""
    reference_label: str = "v*"
    title: Words = "learning"
    right: Words = ""
    focused: bool = False
