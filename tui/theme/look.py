"""How the screen looks: a palette and a set of characters; and what `NO_COLOR` leaves of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from afterstate_lab.tui.theme.glyphs import ASCII, UNICODE, Glyphs
from afterstate_lab.tui.theme.palette import DARK, PLAIN, Palette


@dataclass(frozen=True, slots=True)
class Look:
    palette: Palette
    glyphs: Glyphs


DEFAULT: Final = Look(DARK, UNICODE)
BARE: Final = Look(PLAIN, ASCII)


class Colourless(LineFilter):
    """Removes every colour and keeps bold, dim, underline and reverse.

    Text with its own background, such as a cursor or a chosen row, is reversed instead.

    Textual's own filters for `NO_COLOR` still write greys, or the codes of the default colours.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, style and _without_colour(style), control)
            for text, style, control in segments
        ]


@lru_cache(1024)
def _without_colour(style: Style) -> Style:
    plain = style.without_color
    if style.bgcolor is not None and not style.bgcolor.is_default:
        plain += Style(reverse=True)
    return plain + Style.from_meta(style.meta) if style.meta else plain
