"""What the board pane shows."""

from __future__ import annotations

from dataclasses import dataclass

from tui.views.words import Words


@dataclass(frozen=True, slots=True)
class CellView:
    """One of the nine cells."""

    mark: str = ""
    """`X`, `O` or empty."""
    label: str = ""
    """The key that plays here, in the corner."""
    value: float | None = None
    """What the learner thinks of playing here."""
    beads: int | None = None
    """Beads of the cell's colour in the open matchbox, instead of a value."""
    colour: int = 0
    """0-8: the colour of its beads."""
    heat: float | None = None
    """0…1 for the background; None leaves it unpainted."""
    note: Words = ""
    """A second line: the exact value, a rank, beads, a trace."""
    best: bool = False
    """A greedy (or best) cell."""
    cursor: bool = False
    last: bool = False
    """The move just made."""
    winning: bool = False
    """Part of the line that won."""
    changed: bool = False
    """Its value is being written now."""
    faded: bool = False
    """The value no longer matters: the game is over."""


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board with its titles and what is said about it."""

    cells: tuple[CellView, ...]
    title: Words = "board"
    right: Words = ""
    messages: tuple[Words, ...] = ()
    """Below the board; wrapped. Where there is no room the first stands in the border."""
    focused: bool = False
