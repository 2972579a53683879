"""What the home screen shows besides the board."""

from __future__ import annotations

from typing import NamedTuple

from tui.views.words import Words


class Door(NamedTuple):
    """A way into the lab."""

    key: str
    name: str
    """What it does, in a word or three."""
    says: str
    """One line that invites."""
    aside: str = ""
    """Behind its name."""


class DoorsView(NamedTuple):
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
