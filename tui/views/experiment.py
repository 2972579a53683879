"""What the panes of the experiments screen show."""

from __future__ import annotations

from dataclasses import dataclass

from tui.views.words import Words


@dataclass(frozen=True, slots=True)
class ArmRow:
    """An arm and how far it has come."""

    label: str
    name: str
    players: Words
    role: str
    """The colour of the arm, here and in the chart."""
    share: float | None = None
    """0…1 of its games; None before it is run."""
    count: str = ""
    """Trials that are over, of all."""


@dataclass(frozen=True, slots=True)
class ArmsView:
    """A window of arms, one of them selected."""

    rows: tuple[ArmRow, ...]
    cursor: int | None = None
    title: Words = "arms"
    right: Words = ""
    footer: Words = ""
    focused: bool = False


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """A curve with its band, from left to right."""

    points: tuple[tuple[float, float], ...]
    """(x, y), x rising."""
    band: tuple[tuple[float, float, float], ...] = ()
    """(x, low, high)."""
    role: str = "text"
    label: str = ""
    """A few characters at the right end."""
    dim: bool = False
    """Another one is looked at."""


@dataclass(frozen=True, slots=True)
class ChartReference:
    """An exact value: a line across."""

    value: float
    label: str


@dataclass(frozen=True, slots=True)
class ChartView:
    """Curves over a common axis, with exact values beside them."""

    series: tuple[ChartSeries, ...] = ()
    references: tuple[ChartReference, ...] = ()
    x_range: tuple[float, float] = (0.0, 1.0)
    y_range: tuple[float, float] | None = None
    """None: from the points, to round numbers."""
    log_x: bool = False
    x_label: str = "games"
    message: str = ""
    """Instead of curves."""
    title: Words = ""
    right: Words = ""
    focused: bool = False
