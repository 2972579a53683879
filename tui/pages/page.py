"""A page: a title, blocks, and keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.tui.blocks import Block, Part, Window, Words, leaves
from afterstate_lab.tui.lab.controller import LabController as LabController
from afterstate_lab.tui.lab.outcomes import Key as Key
from afterstate_lab.tui.lab.outcomes import Work as Work

PAGE_SIZE: Final = (80, 24)
BOARD_SIZE: Final = (40, 12)
"""The columns and rows that a page needs, and just the board of a game."""


class Leave(NamedTuple):
    """Leaves the page for the page below, which takes the outcome."""

    outcome: Any = None


def to_lab(outcome: Any) -> Leave:
    """Leave the page, and home or the list below it; the lab takes the outcome."""
    return Leave(Leave(outcome))


BACK = Key("escape q", "back", Leave, "back to the lab")


def fits(size: tuple[int, int], least: tuple[int, int]) -> bool:
    """Return whether a window of so many columns and rows has at least others."""
    return size[0] >= least[0] and size[1] >= least[1]


@lean_dataclass
class Page:
    """What to show of a state."""

    name: str
    body: Part
    keys: Sequence[Key] = ()
    title: Sequence[tuple[str, str]] = ()
    """Labels and values, the most important first."""
    right: Words = ""
    note: str = ""
    work: Work | None = None
    """Work that the page waits for; the page is made again afterwards."""
    typing: Callable[[str], None] | None = None
    """Takes the text of a line that is always open, whenever it changes."""
    of_run: bool = False
    """Whether it closes when the lab changes to another run."""
    least: tuple[int, int] = PAGE_SIZE
    """The columns and rows that it needs."""
    is_over: bool = False
    """Whether it covers only the bottom of the page below."""

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(leaves(self.body))

    @property
    def window(self) -> Window | None:
        """The first window, which the arrow keys move."""
        return next((block.window for block in self.blocks if block.window is not None), None)


Opened = Callable[[], Page]
"""Makes a page of its current state."""
