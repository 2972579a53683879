"""The terminal shows what the app wrote, and was sent no more than what changed."""

import pyte
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from afterstate_lab.tui.terminal.picture import (
    PLAIN,
    PictureStream,
    TextStyle,
    shortest_change,
    shortest_move,
)

COLUMNS, ROWS = 24, 6

basic = st.sampled_from([0, 1, 2, 3, 4, 7, 8, 22, 23, 24, 27, 28, 39, 49, 53, 55])
sixteen = st.one_of(*(st.integers(low, low + 7) for low in (30, 40, 90, 100)))
byte = st.integers(0, 255)
ground = st.sampled_from([38, 48])
palette = st.builds("{};5;{}".format, ground, byte)
true = st.builds("{};2;{};{};{}".format, ground, byte, byte, byte)
code = st.one_of(basic.map(str), sixteen.map(str), palette, true)
style = st.lists(code, max_size=4).map(lambda codes: f"\x1b[{';'.join(codes)}m")
text = st.text(st.sampled_from("ab  é█╭"), min_size=1, max_size=8)
wide_text = st.text(st.sampled_from("a 中é"), min_size=1, max_size=4)
place = st.builds("\x1b[{};{}H".format, st.integers(0, ROWS), st.integers(0, COLUMNS))
outside = st.sampled_from([f"\x1b[{ROWS + 3};2H", f"\x1b[2;{COLUMNS + 5}H"])
jump = st.one_of(st.just("\x1b[C"), st.integers(0, 6).map(lambda n: f"\x1b[{n}C"))
erase = st.sampled_from(["\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[J", "\x1b[2J"])
other = st.sampled_from(
    ["\x1b[?2026h", "\x1b[?2026l", "\x1b[?25l", "\x1b[H", "\x1b]22;default\x07", "\x1b[A", "\x1bM"]
)
line_end = st.builds("\x1b[{};1H\n{}".format, st.integers(1, ROWS - 2), place)
one = [style] * 2 + [text] * 3 + [wide_text, place, outside, jump, erase, other, line_end]
anything = st.lists(st.one_of(one), max_size=40)
styles = st.lists(st.one_of(st.sampled_from(["1", "2", "3", "4", "7"]), palette, true), max_size=3)


@st.composite
def frames(draw: st.DrawFn) -> str:
    """What Textual writes: lines of styled pieces, each line at its place and within the edge."""
    parts = []
    for _ in range(draw(st.integers(1, 6))):
        row, column = draw(st.integers(1, ROWS)), draw(st.integers(1, COLUMNS))
        parts.append(f"\x1b[{row};{column}H")
        while column <= COLUMNS and draw(st.booleans()):
            words = draw(text)[: COLUMNS + 1 - column]
            column += len(words)
            codes = draw(styles)
            parts.append(f"\x1b[{';'.join(codes)}m{words}\x1b[0m" if codes else words)
        parts.append("\n" if row < ROWS else "")
    return "".join([*parts, "\x1b[1;1H"])


def shown(*writes: str) -> list[list[tuple[object, ...]]]:
    """The cells that a terminal shows; of a blank only what can be seen of it."""
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.Stream(screen)
    for data in writes:
        stream.feed(data)

    def seen(cell: pyte.screens.Char) -> tuple[object, ...]:
        shows = cell.underscore or cell.strikethrough or cell.reverse
        return (" ", cell.bg) if cell.data == " " and not shows else tuple(cell)

    return [[seen(screen.buffer[y][x]) for x in range(COLUMNS)] for y in range(ROWS)]


def rewritten(parts: list[str]) -> list[str]:
    stream = PictureStream(COLUMNS, ROWS)
    return [stream.rewrite(part) for part in parts]


@given(anything)
@example(["\x1b[1;31;44mX", "\x1b[m ", "\x1b[5;5H", "X"])
@example(["\x1b[3;5H", "\x1b[0C", "a"])
def test_any_stream_shows_the_same(parts):
    assert shown(*rewritten(parts)) == shown(*parts)
    assert shown("".join(rewritten(["".join(parts)]))) == shown("".join(parts))


@given(st.lists(frames(), min_size=1, max_size=5))
def test_frames_are_shown_in_no_more_bytes_and_never_again(parts):
    *sent, again = rewritten([*parts, parts[-1]])
    assert shown(*sent) == shown(*parts)
    assert again == ""
    for raw, thrifty in zip(parts, sent, strict=True):
        assert len(thrifty.encode()) <= len(raw.encode())


@given(frames(), frames())
def test_after_a_disturbance_a_frame_is_sent_whole(before, after):
    stream = PictureStream(COLUMNS, ROWS)
    disturbed = stream.rewrite(before) + "\x1b[2J\x1b[3;3Hwall\x1b[31;4m"
    stream.resize(COLUMNS, ROWS)
    whole = stream.rewrite(after)
    assert shown(disturbed, whole) == shown(disturbed, "\x1b[0m", after)


LETTERS = "\x1b[1;1Habcdefghij\x1b[6;24H."
RED, BLUE = "\x1b[38;5;196m", "\x1b[38;5;111m"
STRIPES = f"1H{RED}ab{BLUE}cd{RED}ef{BLUE}gh"


@pytest.mark.parametrize(
    ("before", "after", "thrifty"),
    [
        (LETTERS, "\x1b[1;1Habcdefghij", ""),
        (LETTERS, "\x1b[1;1HabcdefghiX", "\x1b[1;10HX"),
        (LETTERS, "\x1b[1;1HXbcdefghij", "\x1b[1HX"),
        (LETTERS, "\x1b[1;1HXbcXefghij", "\x1b[1HXbcX"),
        (LETTERS, "\x1b[1;1HXbcdefghiX", "\x1b[1HX\x1b[8CX"),
        (LETTERS, "\x1b[1;1Hab\x1b[1mcd\x1b[0mefghij", "\x1b[1;3H\x1b[1mcd"),
        (LETTERS, "\x1b[1;1Hxxxxxxxxxx\x1b[1;1Habcdefghij", ""),
        (LETTERS, "\x1b[1;11H\x1b[31m    ", "\x1b[1;11H    "),
        (LETTERS, "\x1b[1;1Habcdefghij\x1b[31m \x1b[32m  \x1b[1mX", "\x1b[1;11H   \x1b[1;32mX"),
        ("\x1b[1;1H\x1b[31m    ", "\x1b[1;1H\x1b[32;1m    ", ""),
        # styles and moves as differences
        ("", "\x1b[1mA\x1b[0m\x1b[1mB\x1b[0m", "\x1b[1mAB"),
        ("", "\x1b[H\x1b[31mA\x1b[0m\x1b[2;2H\x1b[3;3H\x1b[31mB", "\x1b[1H\x1b[31mA\x1b[3;3HB"),
        ("", "\x1b[2;2H\x1b[5Cx", "\x1b[2;7Hx"),
        ("", "\x1b[H\x1b[31mA\x1b[0m  \x1b[31mB\x1b[0m", "\x1b[1H\x1b[31mA  B"),
        ("", "\x1b[H\x1b[1;3mA\x1b[0;3mB", "\x1b[1H\x1b[1;3mA\x1b[22mB"),
        ("", "\x1b[Ha\x1b[0m\n\x1b[2;1Hb", "\x1b[1Ha\x1b[2Hb"),
        ("", "a\nb", "a\nb"),
        # attributes that the lab has not are left out
        ("", "\x1b[H\x1b[1mA\x1b[58;5;9mB\x1b[4:3m\x1b[9mC", "\x1b[1H\x1b[1mABC"),
        # style by style where that is shorter
        ("", f"\x1b[2;{STRIPES}", f"\x1b[2H{RED}ab\x1b[2Cef\x1b[4D{BLUE}cd\x1b[2Cgh"),
        (
            f"\x1b[2;{STRIPES}", f"\x1b[4;{STRIPES}",
            f"\x1b[4;3Hcd\x1b[2Cgh\x1b[4H{RED}ab\x1b[2Cef",
        ),
    ],
)  # fmt: skip
def test_only_cells_that_change_are_sent_in_the_shortest_way(before, after, thrifty):
    assert rewritten([before, after])[1] == thrifty


@given(st.lists(st.tuples(st.integers(1, ROWS), st.integers(1, COLUMNS)), min_size=2))
def test_the_cursor_comes_where_it_is_wanted_in_no_more_than_it_takes_to_say_where(places):
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.Stream(screen)
    for at, to in zip([None, *places], places, strict=False):
        move = shortest_move(at, to)
        stream.feed(move)
        assert (screen.cursor.y + 1, screen.cursor.x + 1) == to
        assert len(move) <= len(f"\x1b[{to[0]};{to[1]}H")
    assert shortest_move((3, 9), (3, 8)) == "\x1b[D"
    assert shortest_move((3, 9), (4, 9)) == "\x1b[B"


BOLD, BOLD_REVERSE = TextStyle(on=frozenset({1})), TextStyle(on=frozenset({1, 7}))


@pytest.mark.parametrize(
    ("sent", "wanted", "clears", "change"),
    [
        (BOLD_REVERSE, BOLD, True, "27m"),
        (BOLD, BOLD_REVERSE, False, "7m"),
        # all are cleared together where the terminal clears no single one
        (BOLD_REVERSE, BOLD, False, "0;1m"),
        (BOLD_REVERSE, PLAIN, False, "m"),
        (BOLD_REVERSE, TextStyle((32,), on=frozenset({7})), False, "0;7;32m"),
    ],
)
def test_attributes_are_cleared_as_the_terminal_can(sent, wanted, clears, change) -> None:
    assert shortest_change(sent, wanted, clears=clears) == f"\x1b[{change}"
