"""The panes of the table say what their views say, at every size, in every set of characters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tui.theme.glyphs import ASCII, LINUX, UNICODE
from tui.theme.look import BARE, DEFAULT, Line, Look, width
from tui.theme.palette import DARK_256, PLAIN
from tui.views.table import BarView, ColumnView, EntryView, StripView, TableView
from tui.widgets.pane import Pane
from tui.widgets.table_pane import EntryPane, HeatStrip, TablePane

TABLE = TableView(
    columns=(
        ColumnView("board", 9, 0, left=True),
        ColumnView("V", 6, 1, sorted="▼"),
        ColumnView("v*", 5, 2),
        ColumnView("n", 7, 3),
        ColumnView("class", 9, 8, left=True),
    ),
    rows=tuple(
        ("X.O......", f".{value}000", (("1.000", "truth"),), f"{value:,}", "X.O......")
        for value in range(9, 0, -1)
    ),
    cursor=2,
    footer="filter visits>10",
    title="X td",
    right="3 of 9",
)
STRIP = StripView(
    lines=(("|error|", (0.0, 0.5, 1.0, None)), ("visits", (1.0, 0.2, 0.0, None))),
    plies=((0, 1), (2, 3)),
    cursor=1,
    right="5 of 9 written",
)
ENTRY = EntryView(
    cells="X.O......",
    lit=4,
    facts=((("n ", "dim"), ("12", "text")),),
    bars=(BarView("V", ".9409", 0.94, "x"), BarView("v*", "1.0000", 1.0, "truth")),
    moves="X prefers 5",
    head="class X.O......",
    images=tuple(f"image {number}" for number in range(7)),
    footer="last: game 424",
    right="ply 2",
)
SAMPLES: list[tuple[type[Pane[Any]], Any]] = [
    (TablePane, TABLE),
    (TablePane, TableView((), (), message="random does not learn: it keeps no table.")),
    (HeatStrip, STRIP),
    (HeatStrip, StripView(())),
    (EntryPane, ENTRY),
    (EntryPane, EntryView()),
]
NAMES = [f"{pane.__name__}-{index}" for index, (pane, _) in enumerate(SAMPLES)]
SIZES = [(22, 4), (28, 17), (52, 17), (80, 4), (120, 30)]


def drawn(
    pane: type[Pane[Any]], view: Any, columns: int, rows: int, look: Look = DEFAULT
) -> list[str]:
    return [text(line) for line in pane(look=look).lines(view, columns, rows)]


def text(line: Line) -> str:
    return "".join(piece for piece, _ in line)


@pytest.mark.parametrize(("pane", "view"), SAMPLES, ids=NAMES)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("glyphs", [UNICODE, LINUX, ASCII], ids=lambda glyphs: glyphs.name)
def test_no_line_is_wider_or_lower_than_the_pane(
    pane: type[Pane[Any]], view: Any, size: tuple[int, int], glyphs: Any
) -> None:
    lines = pane(look=Look(DARK_256, glyphs)).lines(view, *size)
    assert len(lines) <= size[1]
    assert max(map(width, lines)) <= size[0]


@pytest.mark.parametrize(("pane", "view"), SAMPLES, ids=NAMES)
def test_the_ascii_look_draws_in_ascii_without_strangers(pane: type[Pane[Any]], view: Any) -> None:
    lines = drawn(pane, view, 80, 17, BARE)
    assert all(line.isascii() for line in lines)
    assert not any("?" in line for line in lines)


@pytest.mark.parametrize(("pane", "view"), SAMPLES, ids=NAMES)
def test_the_plain_look_uses_no_colour(pane: type[Pane[Any]], view: Any) -> None:
    lines = pane(look=Look(PLAIN, UNICODE)).lines(view, 80, 17)
    assert all(style.color is None and style.bgcolor is None for line in lines for _, style in line)


def test_the_selected_row_is_pointed_at() -> None:
    lines = drawn(TablePane, TABLE, 60, 14)
    assert [line[1] for line in lines[2:11]] == [" ", " ", "▸", *" " * 6]


def test_titles_stand_above_their_numbers_and_the_sorted_one_is_marked() -> None:
    head, row = drawn(TablePane, TABLE, 60, 14)[1:3]
    assert head.index("V▼") + 2 == row.index(".9000") + 5
    assert head.index("n") == row.index(" 9 ") + 1


def test_columns_give_way_by_rank() -> None:
    assert "class" in drawn(TablePane, TABLE, 48, 14)[1]
    narrow = drawn(TablePane, TABLE, 38, 14)[1]
    assert "class" not in narrow
    assert narrow.split()[1:5] == ["board", "V▼", "v*", "n"]
    assert drawn(TablePane, TABLE, 22, 14)[1].split()[1:3] == ["board", "V▼"]


def test_a_filter_stands_in_the_lower_border() -> None:
    assert "filter visits>10" in drawn(TablePane, TABLE, 60, 14)[-1]


def test_the_strip_grows_with_the_heat_and_is_blank_where_nothing_is_shown() -> None:
    lines = drawn(HeatStrip, STRIP, 40, 4)
    assert lines[1][10:14] == "▁▅█ "
    assert drawn(HeatStrip, STRIP, 40, 4, BARE)[1][10:14] == ".+# "


def test_the_strip_marks_plies_and_the_cursor_below_their_columns() -> None:
    axis = drawn(HeatStrip, STRIP, 40, 4)[-1]
    assert axis[10:13] == "1▲3"


def test_an_entry_shows_its_board_with_the_cell_and_its_numbers() -> None:
    lines = drawn(EntryPane, ENTRY, 28, 20)
    assert lines[1][2:11] == " X  ·  O "
    assert lines[2][5:8] == "[×]"
    assert "n 12" in lines[1]
    assert any(".9409 ██" in line for line in lines)
    assert "last: game 424" in lines[-1]


def test_images_that_do_not_fit_are_counted() -> None:
    assert "3 more" in drawn(EntryPane, ENTRY, 28, 14)[-2]
    assert "image 6" in drawn(EntryPane, replace(ENTRY, bars=()), 28, 14)[-2]
