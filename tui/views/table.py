"""What the panes of the table screen show."""

from __future__ import annotations

from dataclasses import dataclass

from tui.views.words import Words


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column of the table."""

    title: str
    width: int
    rank: int
    """Where there is no room for all, the largest give way first."""
    left: bool = False
    """Text, at the left of its column; numbers are at the right."""
    sorted: str = ""
    """`▲` or `▼` behind the title of the column that gives the order."""


@dataclass(frozen=True, slots=True)
class TableView:
    """A window of rows, one of them selected."""

    columns: tuple[ColumnView, ...]
    rows: tuple[tuple[Words, ...], ...]
    """For each row its cells; plain text has the text's style."""
    cursor: int | None = None
    """The row of the window that is selected."""
    blocks: int = 1
    """Side by side, each with the titles; rows fill the first from top to bottom, then the next."""
    message: Words = ""
    """Instead of rows."""
    footer: Words = ""
    title: Words = "table"
    right: Words = ""
    focused: bool = False


@dataclass(frozen=True, slots=True)
class StripView:
    """The whole table from left to right: a character for each bucket of entries."""

    lines: tuple[tuple[str, tuple[float | None, ...]], ...]
    """Name, and the heat 0…1 of each bucket; None where a bucket holds nothing that is shown."""
    plies: tuple[tuple[int, int], ...] = ()
    """The column where each ply starts, and the ply."""
    cursor: int | None = None
    """The column of the selected entry."""
    title: Words = "whole table"
    right: Words = ""
    focused: bool = False


@dataclass(frozen=True, slots=True)
class BarView:
    """A number with its bar."""

    label: str
    number: str
    share: float
    """0…1 of the bar's length."""
    role: str


@dataclass(frozen=True, slots=True)
class EntryView:
    """One entry from every side."""

    cells: str = "." * 9
    """Nine characters: `X`, `O` or `.`."""
    lit: int | None = None
    """The cell 0-8 of an action value."""
    facts: tuple[Words, ...] = ()
    """Beside the board."""
    bars: tuple[BarView, ...] = ()
    moves: Words = ""
    """What is played there."""
    head: Words = ""
    """Above the images, or what there is to say of them."""
    images: tuple[Words, ...] = ()
    """A line for each image under the symmetries of the board."""
    footer: Words = ""
    title: Words = "entry"
    right: Words = ""
    focused: bool = False
