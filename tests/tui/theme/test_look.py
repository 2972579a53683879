"""Lines fit, wrap, and stand in frames; without colours nothing is lost that a colour told."""

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from afterstate_lab.tui.blocks.span import Line, Pen, fit, frame, spread, width, wrap
from afterstate_lab.tui.theme.glyphs import ASCII, UNICODE
from afterstate_lab.tui.theme.look import Colourless

PEN = Pen(UNICODE)
BARE = Pen(ASCII)


def text(line: Line) -> str:
    return "".join(piece for piece, _ in line)


def test_a_frame_carries_both_titles_around_its_body() -> None:
    lines = frame(PEN, 24, 3, "log", "f filter", [PEN.line("X wins")])
    assert [text(line) for line in lines] == [
        "╭─ log ───── f filter ─╮",
        "│X wins                │",
        "╰──────────────────────╯",
    ]
    assert text(frame(PEN, 16, 2, "", "", [], footer="a draw")[1]) == "╰─ a draw ─────╯"


def test_a_title_gives_way_and_is_cut_at_a_word() -> None:
    assert text(frame(PEN, 16, 2, "learning", "wins 200", [])[0]) == "╭─ learning ───╮"
    assert text(frame(BARE, 12, 2, "the whole life", "", [])[0]) == "+- the. ---+"
    assert text(frame(BARE, 12, 2, "everything", "", [])[0]) == "+- every. -+"


@pytest.mark.parametrize("columns", range(2, 40))
def test_a_frame_is_exactly_as_wide_as_asked(columns: int) -> None:
    lines = frame(PEN, columns, 4, "board", "X to move", [PEN.line("." * 50)])
    assert [width(line) for line in lines] == [columns] * 4


def test_lines_wrap_at_spaces_and_fit_exact_columns() -> None:
    line = PEN.line((("the corner reply ", "text"), ("keeps the draw", "truth")))
    wrapped = [text(row).rstrip() for row in wrap(line, 12)]
    assert wrapped == ["the corner", "reply keeps", "the draw"]
    assert [text(row) for row in wrap(PEN.line("abcdefgh"), 3)] == ["abc", "def", "gh"]
    assert text(fit(PEN.line("ab"), 4, "right")) == "  ab"
    assert text(fit(PEN.line("abcdef"), 4)) == "abcd"
    assert text(spread(PEN.line("left"), PEN.line("right"), 7)) == "left   "


@pytest.mark.parametrize(
    ("style", "left"),
    [
        ("bold underline red", Style(bold=True, underline=True)),
        ("dim green on default", Style(dim=True)),
        ("black on white", Style(reverse=True)),
        ("bold on #202020", Style(bold=True, reverse=True)),
    ],
)
def test_colours_go_attributes_stay_and_grounds_are_reversed(style: str, left: Style) -> None:
    segment = Segment("text", Style.parse(style))
    assert Colourless().apply([segment], Color(0, 0, 0))[0].style == left
