"""A filter for Textual's own widgets on a terminal without colours."""

from __future__ import annotations

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter


class Colourless(LineFilter):
    """Removes every colour and keeps bold, dim, underline and reverse.

    Text on a background of its own, such as a cursor or a chosen row, is reversed instead.

    Textual's own filters for `NO_COLOR` still write greys, or the codes of the default colours.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments without their colours."""
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
