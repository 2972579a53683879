"""Without colours nothing is lost that only a colour told."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from afterstate_lab.tui.theme.look import Colourless


def colourless(style: str) -> Style | None:
    """A style as it is written without colours."""
    return Colourless().apply([Segment("text", Style.parse(style))], Color(0, 0, 0))[0].style


def test_attributes_stay_and_colours_go() -> None:
    assert colourless("bold underline red") == Style(bold=True, underline=True)
    assert colourless("dim green on default") == Style(dim=True)


def test_what_stands_on_a_colour_of_its_own_is_reversed() -> None:
    assert colourless("black on white") == Style(reverse=True)
    assert colourless("bold on #202020") == Style(bold=True, reverse=True)
