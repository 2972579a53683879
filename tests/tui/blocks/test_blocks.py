"""Every block, in every room: it keeps to it, cuts no number, and draws what it says."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import compare, cut_numbers, framed, lines_of

from afterstate_lab.game.constants import LINES
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.evaluation import Evaluation
from afterstate_lab.tui.blocks.block import (
    Beside,
    Block,
    Part,
    Place,
    Room,
    Stack,
    Window,
    pasted,
    placed,
    shared,
)
from afterstate_lab.tui.blocks.cells import Cells, CellView, HeatScale, marked
from afterstate_lab.tui.blocks.curve import Axis, Curve, Level, Series, round_range
from afterstate_lab.tui.blocks.lists import Column, Item, Log, Menu, Question, Table
from afterstate_lab.tui.blocks.span import Pen, Words
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.blocks.text import Bar, Bars, Card, Text, Track
from afterstate_lab.tui.lab.panes import SideStats, Stats
from afterstate_lab.tui.screens.paper import pen_of, visible
from afterstate_lab.tui.theme.glyphs import ASCII, LINUX, UNICODE
from afterstate_lab.tui.theme.palette import BARE, DARK, DEFAULT, PLAIN, SIXTEEN, Look

KEPT = Path(__file__).parents[2] / "scenarios" / "blocks" / "drawn.txt"
V = -0.98768867
"""Every digit is 6 or more: where one is cut, the rest is no rounding of it."""
BIG = 9_876_867
WORDS = f"of game {BIG:,} after {BIG:,} plies"
PENS = {
    "unicode": (Pen(UNICODE), DARK),
    "sixteen": (Pen(UNICODE, paints=False), SIXTEEN),
    "linux": (Pen(LINUX), DARK),
    "no colour": (Pen(UNICODE, paints=False, colours=False), PLAIN),
    "ascii": (Pen(ASCII, paints=False, colours=False), PLAIN),
}
PEN = PENS["unicode"][0]
COLUMNS = (
    Column("board", 9, 0),
    Column("V▼", 7, 1, left=False),
    Column("v*", 5, 2, left=False),
    Column("n", 9, 3, left=False),
    Column("[95% band]", 17, 4, left=False),
    Column("class", 9, 8),
)


def cells_of(n: int) -> tuple[Words, ...]:
    return "X.O......", "−.98768", "1.000", f"{BIG + n:,}", "[9,876.8,9,878.8]", "X.O......"


def table(at: Window | None = None, **given) -> Table:
    return Table(COLUMNS, range(9), cells_of, at or Window(2), **given)


VALUES = tuple(
    CellView(label=str(n), value=V, note=(("v* ", "dim"), ("−.98768", "truth")), best=n == 3,
             heat=n / 10, cursor=n == 5)
    for n in range(1, 10)
)  # fmt: skip
BEADS = tuple(
    CellView(label=str(n), beads=BIG, colour=n - 1, note=(("98.68%", "dim"),)) for n in range(1, 10)
)
MARKS = tuple(CellView(mark=mark, label="7", last=True) for mark in "XOXOXOXOX")
EVENT = ((f"{BIG:,}", "text"), ("  backup ", "dim"), ("−.98769→−.98768", "text"))
JUDGED = (f.BEATABLE, f.WORST_LOSS, f.WIN, f.DRAW, f.LOSS, f.PERFECT_DRAW, f.OPTIMAL, f.RMS_MINIMAX)


def judged(*values) -> Evaluation:
    return Evaluation("", {one.name: value for one, value in zip(JUDGED, values, strict=True)})


ONE = judged(True, None, -V, -V, -V, -V, (2417, 2423), 9.87688)
SIDES = SideStats("X", ONE), SideStats("O", ONE)
SERIES = (
    Series(((1, 0.868), (BIG, 0.987)), ((1, 0.8, 0.9), (BIG, 0.86, 0.99)), "x", "A", "A skip"),
    Series(((1, 0.8), (BIG, 0.9)), role="o", label="B", name="B learn"),
)
BARS = (Bar("V", ".9409", 0.94, "x"), Bar("vπ", "1.0000", 1.0, "truth"))
FACTS: tuple[Words, ...] = ((("n ", "dim"), (f"{BIG:,}", "text")),)
IMAGES = tuple(f"image {number}" for number in range(7))
ENTRY = Card(
    (marked("X.O......", 4), Text(FACTS), Bars(BARS), Text(("X prefers 5",), least=1),
     Text(IMAGES, least=2)),
    title="entry", right=WORDS, footer=WORDS,
)  # fmt: skip
ITEMS = [Item(str(n), f"item {n}", WORDS, f"{BIG:,}") for n in range(1, 6)]

SAMPLES: dict[str, Block] = {
    "text": Text((WORDS, "", WORDS), title=WORDS, right=WORDS, footer=WORDS),
    "table": table(title="X td", right=WORDS, footer=WORDS),
    "message": Table((), (), cells_of, message="random does not learn: it keeps no table."),
    "board": marked("XOX.O....", 4),
    "bars": Bars(BARS),
    "card": ENTRY,
    "values": Cells(cells=VALUES, right=WORDS,
                    scale=HeatScale((V, -V), (1.0, 0.5, 0.0))),
    "beads": Cells(cells=BEADS, right=WORDS),
    "marks": Cells(cells=MARKS),
    "curve": Curve(series=SERIES, levels=(Level(0.98768, "exact .9877"),), right=WORDS,
                   x_range=(1.0, float(BIG)), log_x=True, title=WORDS),
    "learning": Curve(series=SERIES, x_range=(1, BIG), cursor=BIG // 2, point=(BIG // 2, 0.9),
                      right=WORDS),
    "no curve": Curve(note="Nothing is measured yet."),
    "log": Log(lines=(WORDS, EVENT, WORDS), heads=WORDS, right=WORDS, cursor=1),
    "no log": Log(lines=()),
    "menu": Menu(items=ITEMS, at=Window(2), about=WORDS, remark=WORDS),
    "stats": Stats(sides=SIDES, results=(66, 67, 67), seen=(("", BIG, BIG),), rate=9.876e7,
                   progress=0.98, left=359_999.0),
    "no stats": Stats(sides=(SideStats("X"), SideStats("O", is_person=True)), results=None),
    "track": Track(at=0.5, marks=((0.2, "●"),), said=f"game {BIG:,} of {BIG:,}"),
}  # fmt: skip


every_block = pytest.mark.parametrize("name", SAMPLES)


@every_block
@given(st.sampled_from([*PENS]), st.integers(5, 250), st.integers(3, 70))
def test_a_block_fills_any_room_in_its_characters_and_colours(name, look, columns, rows) -> None:
    (pen, palette), block = PENS[look], SAMPLES[name]
    lines = pasted(list(placed(block, columns, rows, pen)), rows, pen)
    assert len(lines) == rows
    for line in lines:
        text = visible(joined(line), pen.glyphs)
        assert len(text) == columns or not (block.framed or text)
        assert text.isprintable()
        assert look != "ascii" or (text.isascii() and "?" not in text)
        for _, role in line:
            style = palette.style(role)
            assert palette is not PLAIN or style.color is style.bgcolor is None


@every_block
def test_a_block_without_room_leaves_numbers_out_and_cuts_none(name: str) -> None:
    block = SAMPLES[name]
    if isinstance(block, Curve):
        return  # its axis has other numbers in every room; below
    assert not [*cut_numbers(block, *range(28, 64, 5), 76, 80, 100, 120, 200)]


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 30), st.floats(0, 1), st.integers(-1, 3)),
             min_size=1, max_size=6),
    st.integers(1, 80),
)  # fmt: skip
def test_the_rows_of_a_stack_are_given_away_exactly_once(parts, rows: int) -> None:
    rooms = [Room(least, least + more, share) for least, more, share, _ in parts]
    given = shared(rooms, [rank for *_, rank in parts], rows)
    assert min(given) >= 0
    assert sum(given) == rows or not any(given)


parts = st.recursive(
    st.sampled_from([block for block in SAMPLES.values() if block.framed]),
    lambda inner: st.builds(Stack, st.lists(inner, min_size=1, max_size=3)),
    max_leaves=5,
)


@given(parts, parts, st.integers(80, 160), st.integers(20, 50))
def test_blocks_of_a_page_do_not_overlap(left: Part, right: Part, columns: int, rows: int) -> None:
    places = list(placed(Beside((left, right)), columns, rows, PEN))
    for n, one in enumerate(places):
        assert one.x + one.columns <= columns
        assert one.y + one.rows <= rows
        for other in places[:n]:
            across = one.x < other.x + other.columns and other.x < one.x + one.columns
            assert not (across and one.y < other.y + other.rows and other.y < one.y + one.rows)
    assert all(len(line) <= columns for line in framed(Beside((left, right)), columns, rows))


@given(st.lists(st.integers(-3000, 3000), max_size=20), st.integers(1, 60), st.integers(0, 2100))
def test_a_cursor_that_leaves_the_window_comes_to_its_middle(moves, height, count):
    window = Window()
    window.fit(count, height)
    for by in moves:
        before = window.top
        is_turn = by % 7 == 0
        window.turn(by % 5 - 2) if is_turn else window.move(by)
        stays = not is_turn and before <= window.cursor < before + height
        seen = window.fit(count, height)
        assert window.cursor in seen or not count
        assert len(seen) == min(height, count)
        if stays:
            assert window.top == before
        elif not is_turn and window.top not in (0, max(0, count - height)):
            assert window.cursor == window.top + height // 2


def window_of(log: Log, rows: int) -> list[int]:
    return [log.lines.index(line.strip("▸ ")) for line in lines_of(log, 80, rows)]


LETTERS = tuple("abcdefghi")


def test_a_full_log_moves_rarely_and_scrolls_back():
    for log, rows, seen in (
        (Log(lines=LETTERS), 8, [4, 5, 6, 7, 8]),
        (Log(lines=LETTERS, jump=1), 8, [1, 2, 3, 4, 5, 6, 7, 8]),
        (Log(lines=LETTERS, offset=2), 4, [3, 4, 5, 6]),
        (Log(lines=LETTERS[:8], cursor=2, jump=4), 7, [1, 2, 3, 4, 5, 6, 7]),
        (Log(lines=LETTERS[:8], cursor=1, jump=4), 7, [1, 2, 3, 4, 5, 6, 7]),
        (Log(lines=LETTERS[:8], cursor=0, jump=4), 7, [0, 1, 2, 3, 4, 5, 6]),
        (Log(lines=LETTERS), 0, []),
    ):
        assert window_of(log, rows) == seen
    log = Log(lines=((("a sentence that needs two rows", "text"),), "c"))
    assert (log.room(20, PEN).least, Log(lines=()).room(20, PEN).least) == (3, 1)


@given(st.integers(1, 30), st.integers(0, 29), st.integers(1, 40))
def test_a_log_keeps_its_cursor_in_sight_and_else_its_newest_line(count, cursor, rows) -> None:
    lines, cursor = tuple(f"line {n}" for n in range(count)), cursor % count
    assert count - 1 in window_of(Log(lines=lines), rows)
    seen = window_of(Log(lines=lines, cursor=cursor), rows)
    assert cursor in seen
    assert count - 1 in seen or count - cursor > rows


def test_sentences_are_wrapped_where_the_log_is_narrow_and_events_are_cut() -> None:
    event = (("X→5", "x"), (" backup of a board that is long", "dim"))
    said = "5 keeps a draw, as every cell does."
    log = Log(lines=(event, ((said, "text"),)), cursor=0)
    first, *rest = (line.strip("│▸ ") for line in lines_of(log, 22, 6))
    assert first == "X→5 backup of a boar"
    assert " ".join(rest).strip() == said


@given(columns=st.integers(20, 200), rows=st.integers(8, 50), cursor=st.integers(0, 60))
@pytest.mark.parametrize("kind", ["table", "no heads", "menu", "remark"])
def test_a_click_on_a_row_names_it(kind: str, columns: int, rows: int, cursor: int) -> None:
    count = 5 if kind in ("menu", "remark") else 61
    at = Window(cursor % count)
    named = [f"n{n}." for n in range(count)]
    column = (Column("name", 5, say=""), Column("what", 9, 1))
    base = Table(column, named, lambda name: (name, "what"), at)
    items = [Item("k", name, "says") for name in named]
    blocks: dict[str, Block] = {
        "table": base,
        "no heads": replace(base, heads=False),
        "menu": Menu(items=items, at=at, about=WORDS),
        "remark": Menu(items=items, at=at, about="about " * 40, remark="remark " * 60),
    }  # fmt: skip
    block = blocks[kind]
    found = {}
    for y, line in enumerate(lines_of(block, columns, rows)[:rows]):
        for match in re.finditer(r"n(\d+)\.", line):
            found[int(match[1])] = block.row_at(match.start(), y, columns, rows)
    assert found == {n: n for n in found}
    assert found
    assert block.row_at(0, rows + 1, columns, rows) is None
    block.choose(next(iter(found)))
    assert at.cursor == next(iter(found))


@given(columns=st.integers(20, 80), rows=st.integers(6, 40))
def test_a_click_on_the_board_names_its_cell_and_between_them_none(columns: int, rows: int) -> None:
    heard: list[int] = []
    cells = tuple(CellView(label=str(n)) for n in range(1, 10))
    block = Cells(cells=cells, clicked=heard.append)
    for y, line in enumerate(lines_of(block, columns, rows)):
        for match in re.finditer(r"\d", line):
            found = block.row_at(match.start(), y, columns, rows)
            assert found == int(match[0]) - 1
            block.choose(found)
    assert sorted(heard) == list(range(9))
    assert block.row_at(0, -1, columns, rows) is None


@given(columns=st.integers(20, 90), rows=st.integers(3, 60))
def test_every_mark_of_a_board_is_seen_at_any_size(columns: int, rows: int) -> None:
    shown = "\n".join(lines_of(marked("XO......."), columns, rows))
    assert "X" in shown or "▀▄▄▄▀" in shown or "██" in shown
    assert "O" in shown or "▄▀▀▀▄" in shown or "▄█" in shown


OPEN = tuple(CellView(label=str(cell), value=0.5, heat=0.5) for cell in range(1, 10))
BOARD = Cells(
    cells=(
        OPEN[0]._replace(value=0.595, cursor=True),
        OPEN[1]._replace(value=0.92424, best=True, note=(("v* .979", "truth"),)),
        CellView("O", "3", last=True),
        OPEN[3],
        CellView("X", "5"),
        *OPEN[5:],
    ),
    right="X to move",
)
STATS = Stats(
    sides=(
        SideStats("X", judged(True, 0.5, 0.962, 0.012, 0.026, 0.87, (1871, 2423), 0.362)),
        SideStats("O", judged(False, 0.0, 0.741, 0.102, 0.157, 1.0, (2097, 2097), 0.388)),
    ),
    results=(122, 48, 30),
    seen=(("X", 812, 2097), ("O", 700, 2422)),
    rate=9_412_000.0,
)
CURVE = Curve(
    series=(
        Series(((0, 0.2), (200, 0.5), (424, 0.61)), role="x", label="X"),
        Series(((0, 0.4), (424, 0.15)), role="o", label="O"),
    ),
    x_range=(0, 424),
    cursor=200,
    levels=(Level(0.98, "v*"),),
)
SCALED = replace(BOARD, scale=HeatScale((0.02, 0.98), (1.0, 0.5, 0.0)))
ROUGH = Look(SIXTEEN, LINUX)
AXIS = replace(CURVE, cursor=None)
BOX = Cells(cells=(
    CellView(label="1", beads=3, colour=4, note=(("43%", "text"),), best=True), *OPEN[1:],
))  # fmt: skip


MEETING = replace(
    AXIS,
    levels=(),
    series=(
        replace(CURVE.series[0], points=((0, 0.2), (200, 0.5), (424, 0.5))),
        replace(CURVE.series[1], points=((0, 0.4), (424, 0.5))),
    ),
)
LOW = Question(
    prompt="What is written?",
    facts=(("..O.OX..X holds", ".6487"), ("..O.OXXOX holds", ".6270"), ("", "a rule " * 8),
           ("target", ".6270"), ("step size", ".1")),
    guess=".6487", verdict="wrong", why=".6487 becomes .6466: .6487 + .1 × (.6270 − .6487).",
)  # fmt: skip
DRAWN: dict[str, tuple[Block, tuple[int, int], Look]] = {
    "a board in a small pane, the cursor on it": (BOARD, (15, 7), DEFAULT),
    "no backgrounds tell cells apart": (BOARD, (28, 13), ROUGH),
    "the scale of a board": (SCALED, (28, 14), Look(SIXTEEN, ASCII)),
    "beads and their share": (BOX, (28, 13), DEFAULT),
    "beads as letters": (BOX, (28, 13), BARE),
    "few rows for beads": (BOX, (28, 7), BARE),
    "stats": (STATS, (52, 10), DEFAULT),
    "the results of stats as letters": (STATS, (52, 10), BARE),
    "wide stats": (STATS, (74, 11), DEFAULT),
    "narrow stats": (STATS, (32, 9), DEFAULT),
    "stats of a training": (replace(STATS, progress=0.4, left=42.0), (52, 10), DEFAULT),
    "curves": (CURVE, (50, 12), DEFAULT),
    "letters tell curves where no colour does": (CURVE, (50, 12), Look(PLAIN, UNICODE)),
    "an interval and curves in ASCII": (
        replace(CURVE, series=(replace(CURVE.series[0], band=((0, 0.1, 0.3), (424, 0.5, 0.7))),
                               CURVE.series[1])), (50, 12), BARE),
    "labels stand in the margin and never on a curve": (MEETING, (28, 8), DEFAULT),
    "and so where it is wide": (MEETING, (50, 8), DEFAULT),
    "a low quiz has no blank rows but all that it says of an answer": (LOW, (40, 18), DEFAULT),
    "a logarithmic axis": (replace(AXIS, log_x=True, x_range=(10, 424)), (40, 8), DEFAULT),
    "an entry with its cell": (ENTRY, (28, 20), DEFAULT),
    "and what does not fit is counted": (ENTRY, (28, 14), BARE),
    "the selected row is pointed at": (table(footer="filter visits>10"), (62, 14), DEFAULT),
    **{
        f"columns give way by rank, in {columns}": (table(), (columns, 12), DEFAULT)
        for columns in (82, 40, 22)
    },
    **{
        f"a mark stands for some of {beads} beads": (
            Cells(cells=(CellView(label="1", beads=beads, colour=4), CellView(label="2", beads=1),
                         *OPEN[2:])), (28, 14), DEFAULT,
        ) for beads in (3217, 258, 9)
    },
}  # fmt: skip


def test_blocks_are_drawn_as_they_are_kept() -> None:
    found = ""
    for name, (view, size, look) in DRAWN.items():
        lines = framed(view, *size, pen_of(look))
        found += "".join(f"{line}\n" for line in (f"== {name}", *lines))
    compare(found, KEPT)


def test_what_comes_after_the_place_that_is_looked_at_is_faint() -> None:
    style = DEFAULT.palette.style
    view = Curve(series=(Series(((0, 1.0), (100, 1.0)), role="x"),), x_range=(0, 100), cursor=50)
    lines = pasted([Place(view, 0, 0, 40, 8)], 8, pen_of(DEFAULT))[1:-2]
    dots = [
        style(role) for line in lines for piece, role in line[1:-1] if piece.strip(" .0123456789")
    ]
    assert dots == [style("x"), style("faint")]


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("size", [(26, 14), (26, 5), (40, 22)])
def test_the_line_of_a_win_goes_through_its_marks_and_leaves_their_ink(size, glyphs, monkeypatch):
    for won in LINES:
        board = Cells(cells=[CellView("X" if n in won else "", str(n + 1)) for n in range(9)])
        struck = [piece for line in board.draw(*size, Pen(glyphs)) for piece in line]
        assert any(role == "strong" for _, role in struck)
        with monkeypatch.context() as patched:
            patched.setattr("afterstate_lab.tui.blocks.cells.strike", lambda *given: None)
            still = joined(piece for line in board.draw(*size, Pen(glyphs)) for piece in line)
        assert all(a == b or a in "│─┼|-+ " for a, b in zip(still, joined(struck), strict=True))


def test_the_numbers_of_an_axis_are_round_and_hold_both_ends():
    low, high, step = round_range(0.9612, 0.9951, 10)
    assert (round(low, 4), round(high, 4), round(step, 4)) == (0.96, 1.0, 0.005)
    assert round_range(0.5, 0.5, 10)[0] < 0.5 < round_range(0.5, 0.5, 10)[1]
    assert Axis(0, 20_000).ticks(4) == [0, 5_000, 10_000, 15_000, 20_000]
    assert Axis(50, 50_000, log=True).ticks(4) == [50, 100, 1_000, 10_000, 50_000]


def test_a_number_stands_at_its_share_of_an_axis_and_a_logarithm_gives_decades_as_much_room():
    for axis, numbers, shares in (
        (Axis(-1, 3), (-1, 0, 3), [0, 0.25, 1]),
        (Axis(1, 10_000, log=True), (1, 10, 100, 10_000), [0, 0.25, 0.5, 1]),
        (Axis(0, 100, log=True), (0,), [0]),
        (Axis(0.01, 1, log=True), (0.01, 0.1, 1), [0, 0.5, 1]),
    ):
        assert [round(axis.share(number), 9) for number in numbers] == shares


def test_only_the_intervals_that_are_drawn_need_room():
    band = ((0, -2.0, 3.0),)
    for dim, ends in ((False, (-2.0, 3.0)), (True, (0.25, 0.75))):
        series = Series([(0, 0.25), (1, 0.75)], band, dim=dim)
        assert Curve(series=(series,)).extent() == ends
