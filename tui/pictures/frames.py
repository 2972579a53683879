"""What a screen showed for a while, cell by cell in its colours, and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.color import Color
    from rich.segment import Segment
    from rich.style import Style

DIMMED = 0.6
"""How much of a dim text's own colour is left."""

Rgb = tuple[int, int, int]


class Ink(NamedTuple):
    """How a text is written."""

    fore: Rgb
    back: Rgb
    bold: bool = False
    underline: bool = False


class Piece(NamedTuple):
    """Neighbouring cells of a row in one style."""

    column: int
    text: str
    style: Style


@dataclass(frozen=True)
class Shot:
    """A whole screen, from a time on."""

    begins: float
    """Seconds since the first one."""
    rows: tuple[tuple[Piece, ...], ...]


@dataclass(frozen=True)
class Footage:
    """The pictures of a film in their order."""

    title: str
    size: tuple[int, int]
    """Columns and rows."""
    ground: Style
    """What is behind everything: a text colour and a background."""
    shots: tuple[Shot, ...]
    seconds: float
    """When the last picture ends."""

    @property
    def ends(self) -> tuple[float, ...]:
        """When each picture ends."""
        return (*(after.begins for _, after in pairwise(self.shots)), self.seconds)

    def ink(self, style: Style) -> Ink:
        """The colours of a style on this ground."""
        return ink_of(style, self.ground)


@lru_cache(4096)
def ink_of(style: Style, ground: Style) -> Ink:
    """The colours of a style, laid over a ground that has both."""
    style = ground + style
    assert style.color is not None
    assert style.bgcolor is not None
    fore, back = rgb(style.color), rgb(style.bgcolor)
    if style.reverse:
        fore, back = back, fore
    ink = Ink(fore, back, bool(style.bold), bool(style.underline))
    return ink._replace(fore=mixed(*ink[:2], DIMMED)) if style.dim else ink


def rgb(color: Color) -> Rgb:
    red, green, blue = color.get_truecolor()
    return red, green, blue


def mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    """A colour between two: so much of the one, and the rest of the other."""
    red, green, blue = (round(share * a + (1 - share) * b) for a, b in zip(one, other, strict=True))
    return red, green, blue


def shot_of(begins: float, lines: Iterable[Sequence[Segment]]) -> Shot:
    """A picture of painted lines; neighbours of one style are one piece."""
    from rich.style import Style

    rows = []
    for line in lines:
        pieces: list[Piece] = []
        column = 0
        for text, style, control in line:
            if control or not text:
                continue
            style = style or Style.null()
            if pieces and pieces[-1].style == style:
                last = pieces.pop()
                pieces.append(Piece(last.column, last.text + text, style))
            else:
                pieces.append(Piece(column, text, style))
            column += len(text)
        rows.append(tuple(pieces))
    return Shot(begins, tuple(rows))
