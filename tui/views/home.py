"""What the home screen shows besides the board."""

from __future__ import annotations

from dataclasses import dataclass

from tui.views.words import Words


@dataclass(frozen=True, slots=True)
class Door:
    """A way into the lab."""

    key: str
    name: str
    """What it does, in a word or three."""
    says: str
    """One line that invites."""


@dataclass(frozen=True, slots=True)
class DoorsView:
    """The doors, one of them selected."""

    doors: tuple[Door, ...]
    cursor: int | None = None
    about: str = ""
    """What the lab is, above the doors."""
    remark: Words = ""
    """In the last rows."""
    title: Words = "tic-tac-toe, learned from nothing"
    right: Words = ""
    focused: bool = True
