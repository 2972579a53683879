"""What a screen showed for a while, cell by cell in its colours, and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.segment import Segment
    from rich.style import Style

DIMMED = 0.6
"""How much of a dim text's own colour is left."""

Rgb = tuple[int, ...]


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

    def ink(self, style: Style) -> Ink:
        """The colours of a style on this ground."""
        return ink_of(style, self.ground)


@lru_cache(4096)
def ink_of(style: Style, ground: Style) -> Ink:
    """The colours of a style, laid over a ground that has both."""
    style = ground + style
    assert style.color is not None
    assert style.bgcolor is not None
    fore, back = style.color.get_truecolor(), style.bgcolor.get_truecolor()
    if style.reverse:
        fore, back = back, fore
    mixed: Rgb = fore
    if style.dim:
        mixed = tuple(round(DIMMED * a + (1 - DIMMED) * b) for a, b in zip(fore, back, strict=True))
    return Ink(tuple(mixed), tuple(back), bool(style.bold), bool(style.underline))


def shot_of(begins: float, lines: Iterable[Sequence[Segment]]) -> Shot:
    """A picture of painted lines; neighbours of one style are one piece."""
    from rich.segment import Segment
    from rich.style import Style

    rows = []
    for line in lines:
        pieces: list[Piece] = []
        column = 0
        for text, style, _ in Segment.simplify(s for s in line if s.text and not s.control):
            pieces.append(Piece(column, text, style or Style.null()))
            column += len(text)
        rows.append(tuple(pieces))
    return Shot(begins, tuple(rows))
