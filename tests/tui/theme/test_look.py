"""Characters, numbers, lines and frames for every terminal."""

from collections.abc import Iterator
from pathlib import Path
from types import CodeType

from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab import tui
from afterstate_lab.tui.blocks.span import Pen, fit, frame, spread, wrap
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.screens.paper import pen_of, strip_of
from afterstate_lab.tui.theme.glyphs import ASCII, LINUX, UNICODE
from afterstate_lab.tui.theme.numerals import aligned, decimals, duration, percents, short, signed
from afterstate_lab.tui.theme.palette import DARK, DEFAULT, Look

PEN = Pen(UNICODE)


def test_a_frame_carries_both_titles_which_give_way_and_are_cut_at_a_word() -> None:
    lines = frame(PEN, 24, 3, "log", "f filter", [PEN.line("X wins")])
    assert [joined(line) for line in lines] == [
        "╭─ log ───── f filter ─╮",
        "│X wins                │",
        "╰──────────────────────╯",
    ]
    assert joined(frame(PEN, 16, 2, "", "", [], footer="a draw")[1]) == "╰─ a draw ─────╯"
    assert joined(frame(PEN, 16, 2, "learning", "wins 200", [])[0]) == "╭─ learning ───╮"
    assert joined(frame(PEN, 12, 2, "the whole life", "", [])[0]) == "╭─ the… ───╮"
    assert joined(frame(PEN, 12, 2, "everything", "", [])[0]) == "╭─ every… ─╮"


def test_lines_wrap_at_spaces_and_fit_exact_columns() -> None:
    line = PEN.line((("the corner reply ", "text"), ("keeps the draw", "truth")))
    wrapped = [joined(row).rstrip() for row in wrap(line, 12)]
    assert wrapped == ["the corner", "reply keeps", "the draw"]
    assert [joined(row) for row in wrap(PEN.line("abcdefgh"), 3)] == ["abc", "def", "gh"]
    assert wrap((("some words", ""),), 0) == wrap((("some words", ""),), -3) == []
    assert joined(fit(PEN.line("ab"), 4, to_right=True)) == "  ab"
    assert joined(fit(PEN.line("abcdef"), 4)) == "abcd"
    assert joined(spread(PEN.line("left"), PEN.line("right"), 7)) == "left   "


def test_each_set_says_what_unicode_says() -> None:
    said = "V(Sₜ₊₁) − V(S₀), α .1, u ≥ ε: O→3 ★ max|δ| …"
    assert ASCII.text(said) == "V(St+1) - V(S0), a .1, u >= e: O->3 * max|d| .."
    assert LINUX.text("╭─╮ ★ Sₜ") == "┌─┐ * St"
    assert UNICODE.text("╭ Sₜ₊₁ ≥ ★") == "╭ Sₜ₊₁ ≥ ★"
    assert [LINUX.cell(character) for character in "中🔎é▔"] == ["?", "?", "é", "─"]
    cells = [ASCII.cell(chr(code)) for code in range(32, 0x3000)]
    assert all(len(cell) == 1 and cell.isascii() for cell in cells)


def texts_of(constant: object) -> Iterator[str]:
    """The texts in a constant of a compiled file: itself, its parts, or those of its code."""
    if isinstance(constant, CodeType):
        constant = constant.co_consts
    if isinstance(constant, str):
        yield constant
    elif isinstance(constant, tuple | frozenset):
        for part in constant:
            yield from texts_of(part)


def test_ascii_has_a_sign_for_all_that_is_drawn() -> None:
    """Every text in the sources of what draws panes; the compiler leaves docstrings out."""
    drawn: set[str] = set()
    for folder in ("blocks", "lab", "pages", "screens"):
        for path in (Path(tui.__file__).parent / folder).rglob("*.py"):
            code = compile(path.read_bytes(), str(path), "exec", optimize=2)
            drawn |= {c for text in texts_of(code) for c in text if c > "\x7f"}
    assert {"→", "–", "»", "━"} <= drawn
    assert not {character for character in drawn if not ASCII.text(character).isascii()}


def test_signs_times_and_columns_of_numbers_without_a_leading_zero() -> None:
    for value, places, written in (
        (0.92424, 3, ".924"), (-0.016705, 4, "−.0167"), (1.0, 3, "1.00"), (0.0, 2, ".00"),
        (-0.0001, 3, ".000"), (10.5, 3, "10.50"), (None, 3, "—"),
    ):  # fmt: skip
        assert decimals(value, places) == written
    assert (signed(0.05, 4), signed(-0.5, 1)) == ("+.0500", "−.5")
    assert (short(9_412_000), short(424), short(20_000)) == ("9.41M", "424", "20k")
    assert (duration(42), duration(725), duration(3723)) == ("0:42", "12:05", "1:02:03")
    column = [aligned(number, 3) for number in (0.94094, 1.0, -0.5, -0.0001)]
    assert column == [".941", "1.000", "−.500", ".000"]


def test_control_and_wide_characters_never_reach_the_terminal_and_ascii_is_ascii() -> None:
    assert strip_of((("a\x1b[2Jb\x07日", "text"),), 9, DEFAULT).text == "a·[2Jb·· "
    assert DEFAULT.glyphs is UNICODE
    assert strip_of(pen_of(DEFAULT).line("╭δ→Sₜ日★é"), 12, Look(DARK, ASCII)).text.isascii()


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=5).filter(any), st.integers(0, 2))
def test_shares_of_a_whole_sum_to_a_hundred(counts, places):
    exact = [100 * count / sum(counts) for count in counts]
    parts = percents([part / 100 for part in exact], places)
    assert round(sum(parts), places) == 100
    assert max(abs(a - b) for a, b in zip(parts, exact, strict=True)) <= 10**-places
