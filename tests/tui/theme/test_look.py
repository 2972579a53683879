"""Lines fit, wrap, and stand in frames; numbers are written as in the book."""

from __future__ import annotations

import pytest

from afterstate_lab.tui.blocks.span import Line, Pen, fit, frame, spread, width, wrap
from afterstate_lab.tui.theme.glyphs import ASCII, UNICODE
from afterstate_lab.tui.theme.numerals import aligned, count, decimals, duration, short, signed

PEN = Pen(UNICODE)
BARE = Pen(ASCII)


def text(line: Line) -> str:
    return "".join(piece for piece, _ in line)


def test_a_frame_carries_both_titles_and_air_beside_its_body() -> None:
    lines = frame(PEN, 24, 3, "log", "f filter", [PEN.line("X wins")])
    assert [text(line) for line in lines] == [
        "╭─ log ───── f filter ─╮",
        "│ X wins               │",
        "╰──────────────────────╯",
    ]


def test_the_right_title_gives_way_to_the_left() -> None:
    top = text(frame(PEN, 16, 2, "learning", "wins 200", [])[0])
    assert top == "╭─ learning ───╮"


def test_a_title_that_is_too_long_is_cut_at_a_word() -> None:
    assert text(frame(BARE, 12, 2, "the whole life", "", [])[0]) == "+- the. ---+"
    assert text(frame(BARE, 12, 2, "everything", "", [])[0]) == "+- every. -+"


def test_words_stand_in_the_lower_border() -> None:
    assert text(frame(PEN, 16, 2, "", "", [], footer="a draw")[1]) == "╰─ a draw ─────╯"


@pytest.mark.parametrize("columns", range(2, 40))
def test_a_frame_is_exactly_as_wide_as_asked(columns: int) -> None:
    lines = frame(PEN, columns, 4, "board", "X to move", [PEN.line("." * 50)])
    assert len(lines) == 4
    assert all(width(line) == columns for line in lines)


def test_lines_wrap_at_spaces_and_never_exceed_the_columns() -> None:
    line = PEN.line((("the corner reply ", "text"), ("keeps the draw", "truth")))
    assert [text(row).rstrip() for row in wrap(line, 12)] == [
        "the corner",
        "reply keeps",
        "the draw",
    ]


def test_a_word_longer_than_the_line_is_broken() -> None:
    assert [text(row) for row in wrap(PEN.line("abcdefgh"), 3)] == ["abc", "def", "gh"]


def test_fit_pads_and_crops_to_exact_columns() -> None:
    assert text(fit(PEN.line("ab"), 4, "right")) == "  ab"
    assert text(fit(PEN.line("abcdef"), 4)) == "abcd"


def test_spread_drops_the_right_end_when_both_do_not_fit() -> None:
    assert text(spread(PEN.line("left"), PEN.line("right"), 7)) == "left   "


@pytest.mark.parametrize(
    ("value", "places", "written"),
    [
        (0.92424, 3, ".924"),
        (-0.016705, 4, "−.0167"),
        (1.0, 3, "1.00"),
        (0.0, 2, ".00"),
        (-0.0001, 3, ".000"),
        (10.5, 3, "10.50"),
        (None, 3, "—"),
    ],
)
def test_decimals_have_no_leading_zero(value: float | None, places: int, written: str) -> None:
    assert decimals(value, places) == written


def test_signs_counts_and_times() -> None:
    assert (signed(0.05, 4), signed(-0.5, 1), count(1871)) == ("+.0500", "−.5", "1,871")
    assert (short(9_412_000), short(424), short(20_000)) == ("9.41M", "424", "20k")
    assert (duration(42), duration(725), duration(3723)) == ("0:42", "12:05", "1:02:03")


@pytest.mark.parametrize(
    ("number", "text"), [(0.94094, ".941"), (1.0, "1.000"), (-0.5, "−.500"), (-0.0001, ".000")]
)
def test_numbers_are_aligned_on_the_point(number: float, text: str) -> None:
    assert aligned(number, 3) == text
