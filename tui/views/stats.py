"""What the stats pane shows."""

from __future__ import annotations

from dataclasses import dataclass

from tui.views.words import Words


@dataclass(frozen=True, slots=True)
class SideStats:
    """One player, judged exactly. None stands for what is not known."""

    mark: str
    beatable: bool | None = None
    win: float | None = None
    """Against a random opponent, as `draw` and `loss`."""
    draw: float | None = None
    loss: float | None = None
    perfect_draw: float | None = None
    """The share of draws against a perfect opponent."""
    optimal: int | None = None
    """Positions in which the greedy move is optimal."""
    of: int | None = None
    """Of so many."""
    rms: float | None = None
    """Root mean square of V − v*."""
    others: tuple[tuple[str, str], ...] = ()
    """(label, value) of the figures that have no place above."""


@dataclass(frozen=True, slots=True)
class StatsView:
    """Both players, the last games, the training."""

    sides: tuple[SideStats, ...]
    results: tuple[int, int, int] = (0, 0, 0)
    """Of the last games: won by X, drawn, won by O."""
    seen: int | None = None
    seen_of: int | None = None
    rate: float | None = None
    """Games per second."""
    progress: float | None = None
    """0…1 of the training; None when there is none."""
    left: float | None = None
    """Seconds left."""
    note: Words = ""
    """Beside the rate, e.g. `when asked (t)`."""
    title: Words = "stats"
    right: Words = "exact, greedy play"
    focused: bool = False
