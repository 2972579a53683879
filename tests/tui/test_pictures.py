"""Films as files: each shows, at any time, what the lab showed then."""

import json

import pytest
from rich.segment import Segment
from rich.style import Style

from afterstate_lab.tui.pictures import Footage, Ink, cast, ink_of, shot_of

GROUND = Style.parse("#c9d1d9 on #0f141b")
RED = Style.parse("bold #ff6a8c")
BAR = Style.parse("on #1a212c")


@pytest.fixture
def footage() -> Footage:
    """Three pictures of 8 by 2 cells; the second row changes in the second, and goes back."""
    above = [Segment("──", GROUND), Segment("5 <b>&", RED)]
    one = [Segment("game 1  ", BAR)]
    two = [Segment("game ", BAR), Segment("2▲ ", BAR)]
    shots = tuple(
        shot_of(begins, (above, below), GROUND)
        for begins, below in ((0.0, one), (0.5, two), (1.5, one))
    )
    return Footage("td v td, <3> games", (8, 2), ink_of(GROUND), shots, 3.0)


def test_a_cast_shows_each_picture_at_its_time(footage):
    pyte = pytest.importorskip("pyte")
    header, *events = map(json.loads, cast(footage).splitlines())
    assert (header["version"], header["width"], header["height"]) == (2, 8, 2)
    screen = pyte.Screen(8, 2)
    stream = pyte.Stream(screen)
    seen = []
    for seconds, kind, text in events:
        assert kind == "o"
        stream.feed(text)
        seen.append((seconds, screen.display[1]))
    assert seen == [
        (0.0, "        "), (0.0, "game 1  "), (0.5, "game 2▲ "), (1.5, "game 1  "),
        (3.0, "game 1  "),
    ]  # fmt: skip
    cell = screen.buffer[0][2]
    assert (cell.data, cell.fg, cell.bg, cell.bold) == ("5", "ff6a8c", "0f141b", True)


def test_of_a_later_picture_a_cast_has_the_cells_that_change(footage):
    texts = [text for _, _, text in map(json.loads, cast(footage).splitlines()[1:])]
    assert len(texts[2]) < len(texts[1]) / 2
    assert "game" not in texts[2]


def test_inks_are_those_of_a_terminal():
    assert ink_of(GROUND + RED) == Ink((255, 106, 140), (15, 20, 27), bold=True)
    assert ink_of(GROUND + Style(reverse=True)) == Ink((15, 20, 27), (201, 209, 217))
    dim = ink_of(Style.parse("dim #ffffff on #000000"))
    assert dim.fore == (153, 153, 153)
