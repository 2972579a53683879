"""What the tour's pane shows."""

from __future__ import annotations

from dataclasses import dataclass

from tui.views.words import Words


@dataclass(frozen=True, slots=True)
class TourView:
    """The card of a lesson."""

    title: str
    right: str
    text: str
    todo: Words
    focused: bool = True
