"""Every block draws what it says, at every size, in every set of characters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from afterstate_lab.tui.blocks.block import Block, Place, pasted
from afterstate_lab.tui.blocks.cells import Cells, CellView, ScaleView, caption_rows
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.menu import Question
from afterstate_lab.tui.blocks.number_line import Mark
from afterstate_lab.tui.blocks.span import Line, Pen, width
from afterstate_lab.tui.blocks.stats import SideStats, Stats
from afterstate_lab.tui.screens.paper import pen_of
from afterstate_lab.tui.theme.glyphs import ASCII, LINUX, UNICODE
from afterstate_lab.tui.theme.look import BARE, DEFAULT, Look
from afterstate_lab.tui.theme.palette import DARK_256, PLAIN, SIXTEEN

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
    messages=("The corner reply keeps the draw.",),
)
LOG = Log(lines=tuple(f"{game} X 7 plies" for game in range(421, 441)), cursor=19)
STATS = Stats(
    sides=(
        SideStats("X", True, 0.962, 0.012, 0.026, 0.87, 1871, 2423, 0.362),
        SideStats("O", False, 0.741, 0.102, 0.157, 1.0, 2097, 2097, 0.388),
    ),
    results=(122, 48, 30),
    seen=(("X", 812, 2097), ("O", 700, 2422)),
    rate=9_412_000.0,
)
CURVE = Curve(
    series=(
        Series(((0, 0.2), (200, 0.5), (424, 0.61)), role="x", label="X 61%"),
        Series(((0, 0.4), (424, 0.15)), role="o", label="O 15%"),
    ),
    cursor=200,
    levels=(Level(0.98, "v*"),),
)
SAMPLES: list[Block] = [
    BOARD,
    LOG,
    STATS,
    replace(STATS, progress=0.4, left=42.0),
    Stats(sides=(SideStats("X"), SideStats("O"))),
    CURVE,
    replace(CURVE, log_x=True, y_range=None),
    Curve(series=()),
]
NAMES = [f"{type(block).__name__}-{index}" for index, block in enumerate(SAMPLES)]
SIZES = [(15, 7), (22, 6), (28, 13), (50, 10), (78, 6), (120, 30)]


def text(line: Line) -> str:
    return "".join(piece for piece, _ in line)


def lines_of(view: Block, columns: int, rows: int, look: Look = DEFAULT) -> list[Line]:
    return pasted([Place(view, 0, 0, columns, rows)], rows, pen_of(look))


def drawn(view: Block, columns: int, rows: int, look: Look = DEFAULT) -> list[str]:
    return [text(line) for line in lines_of(view, columns, rows, look)]


@pytest.mark.parametrize("view", SAMPLES, ids=NAMES)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("glyphs", [UNICODE, LINUX, ASCII], ids=lambda glyphs: glyphs.name)
def test_no_line_is_wider_or_lower_than_the_pane(
    view: Block, size: tuple[int, int], glyphs: Any
) -> None:
    lines = lines_of(view, *size, Look(DARK_256, glyphs))
    assert len(lines) <= size[1]
    assert max(map(width, lines)) <= size[0]


@pytest.mark.parametrize("view", SAMPLES, ids=NAMES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_ascii_look_draws_in_ascii(view: Block, size: tuple[int, int]) -> None:
    assert all(line.isascii() for line in drawn(view, *size, look=BARE))


@pytest.mark.parametrize("view", SAMPLES, ids=NAMES)
def test_the_plain_look_uses_no_colour(view: Block) -> None:
    styles = [
        PLAIN.style(role)
        for line in lines_of(view, 80, 20, Look(PLAIN, UNICODE))
        for _, role in line
    ]
    assert all(style.color is None and style.bgcolor is None for style in styles)


def test_the_board_shows_values_the_star_and_large_marks() -> None:
    lines = drawn(replace(BOARD, messages=()), 28, 13)
    assert lines[0] == "╭─ board ────── X to move ─╮"
    assert ".595" in lines[2]
    assert ".924 ★" in lines[2]
    assert "╭──╮" in lines[1]
    assert "╳" in lines[6]


def test_a_small_board_shows_letters() -> None:
    lines = drawn(replace(BOARD, messages=()), 15, 7)
    assert "O" in lines[1]
    assert "X" in lines[3]


def test_cells_without_backgrounds_are_told_apart_by_lines() -> None:
    lines = drawn(BOARD, 28, 13, Look(SIXTEEN, LINUX))
    assert any("─┼─" in line for line in lines)


def test_the_coach_stands_below_the_board_or_else_in_its_border() -> None:
    assert "The corner reply" in drawn(BOARD, 50, 22)[-2]
    assert "The corner reply" in drawn(BOARD, 40, 13)[-1]


def test_the_cursor_is_drawn_as_brackets() -> None:
    lines = drawn(replace(BOARD, messages=()), 28, 13)
    assert lines[1][1:9] == "┌      ┐"
    assert "[" in drawn(BOARD, 15, 7)[1]


def test_an_exact_value_is_a_second_line_of_its_cell() -> None:
    assert "v* .979" in drawn(BOARD, 28, 13)[3]


def test_the_line_of_the_tape_is_pointed_at() -> None:
    assert any(line.startswith("│▸440 X 7 plies") for line in drawn(LOG, 50, 10))


def test_a_long_sentence_in_the_log_takes_no_column_from_the_lines_above_it():
    words = lambda *texts: tuple((text, "dim") for text in texts)  # noqa: E731
    view = Log(lines=(words("20k ", "X 21% ", "X unbeatable"), words("a sentence " * 6)), yields=1)
    assert any("20k X 21% X unbeatable" in line for line in drawn(view, 40, 10))
    assert any("20k X unbeatable" in line for line in drawn(view, 22, 10))


def test_stats_give_the_verdict_in_words_and_exact_shares() -> None:
    lines = drawn(STATS, 52, 10)
    assert lines[1].split()[1:-1] == ["v", "random", "perfect", "right"]
    assert lines[2].split()[1:-1] == ["win", "draw", "loss", "draw", "moves"]
    assert "X beatable   .962 .012 .026    .870 1,871/2,423" in lines[3]
    assert "O unbeatable .741 .102 .157    1.00 2,097/2,097" in lines[4]
    assert "X 61 draw 24 O 15" in lines[6]
    assert "seen X 39%  O 29%" in lines[7]
    assert "9.41M games/s" in lines[8]


def test_wide_stats_write_every_label_in_full() -> None:
    lines = drawn(STATS, 74, 11)
    everything = "\n".join(lines)
    words = ("against random", "right", "last 200 games", "draw 24%", "error ", "entries seen")
    assert [word for word in words if word not in everything] == []
    assert lines[3].split()[1:-1] == [
        "X",
        "beatable",
        ".962",
        ".012",
        ".026",
        ".870",
        "1,871",
        "of",
        "2,423",
    ]
    starts = [lines[n].index(word) for n, word in ((1, "right"), (2, "moves"), (3, "1,871"))]
    assert len(set(starts)) == 1


def test_a_narrow_table_leaves_columns_out_and_cuts_none() -> None:
    assert drawn(STATS, 32, 9)[3].split()[1:-1] == [
        "X",
        "beatable",
        ".962",
        ".012",
        ".026",
    ]


def test_a_bar_without_colours_is_made_of_letters() -> None:
    assert "XXXX" in drawn(STATS, 52, 10, BARE)[6]
    assert "OO" in drawn(STATS, 52, 10, BARE)[6]


def test_a_training_shows_its_share_and_the_time_left() -> None:
    line = drawn(replace(STATS, progress=0.4, left=42.0), 52, 10)[8]
    assert "40% 0:42 left" in line


def test_unknown_figures_are_dashes() -> None:
    lines = drawn(Stats(sides=(SideStats("X"),)), 52, 10)
    assert lines[3].count("—") >= 4


def test_curves_carry_labels_the_range_and_the_cursor() -> None:
    lines = drawn(CURVE, 50, 12)
    everything = "\n".join(lines)
    assert all(word in everything for word in ("X 61%", "O 15%", "v*", "▲", "you are here"))
    assert lines[-2].split()[-3:-1] == ["424", "games"]


def test_labels_stand_in_the_margin_and_never_on_a_curve() -> None:
    meeting = Curve(
        series=(
            Series(((0, 0.2), (200, 0.5), (424, 0.5)), role="x", label="X", name="X won"),
            Series(((0, 0.4), (424, 0.5)), role="o", label="O", name="O won"),
        ),
    )
    for columns in (28, 50):
        lines = drawn(meeting, columns, 8)
        assert sorted("".join(line[-4:-1] for line in lines[1:-2]).strip()) == ["O", "X"]
        assert not any(set("XO") & set(line[6:-4]) for line in lines[1:-2])


def test_what_comes_after_the_place_that_is_looked_at_is_faint() -> None:
    style = DEFAULT.palette.style
    view = Curve(series=(Series(((0, 1.0), (100, 1.0)), role="x"),), cursor=50)
    lines = lines_of(view, 40, 8)[1:-2]
    dots = [
        style(role) for line in lines for piece, role in line[1:-1] if piece.strip(" .0123456789")
    ]
    assert dots == [style("x"), style("faint")]


def test_the_axis_says_what_it_counts_and_when_it_is_logarithmic() -> None:
    assert "games" in drawn(replace(CURVE, cursor=None), 40, 8)[-2]
    foot = drawn(replace(CURVE, cursor=None, log_x=True, x_range=(10, 424)), 40, 8)[-2]
    assert "games (log)" in foot


def test_letters_tell_the_curves_where_no_colour_does() -> None:
    inside = [line[6:40] for line in drawn(CURVE, 50, 12, Look(PLAIN, UNICODE))[1:-2]]
    assert [sum(letter in line for line in inside) > 1 for letter in "XO"] == [True, True]
    assert not set("XO") & set("".join(line[6:40] for line in drawn(CURVE, 50, 12)[1:]))


def test_a_constant_curve_is_one_level_line() -> None:
    flat = Curve(series=(Series(((0, 1.0), (10, 1.0))),), y_range=(0, 1))
    top = drawn(flat, 30, 8)[1]
    assert top.count("⠉") == 21


def test_an_open_matchbox_shows_beads_their_number_and_their_share() -> None:
    cell = CellView(label="1", beads=3, colour=4, note=(("43%", "text"),), best=True)
    view = Cells(cells=(cell, *OPEN[1:]))
    lines = drawn(view, 28, 13)
    assert "●●●" in lines[1]
    assert "3" in lines[3]
    assert "43%" in lines[3]
    assert "eee" in drawn(view, 28, 13, BARE)[1]
    assert "1 e3" in drawn(view, 28, 7, BARE)[1]
    assert "letter = 1 bead" in drawn(view, 28, 13, BARE)[-1]


def test_a_bead_that_was_drawn_is_out_of_its_box_and_others_come_and_leave() -> None:
    drew = CellView(label="1", beads=3, drawn=True)
    came = CellView(label="2", beads=5, came=3)
    left = CellView(label="3", beads=1, came=-1)
    lines = drawn(Cells(cells=(drew, came, left, *OPEN[3:])), 40, 13)
    assert "1 ●●·" in lines[1]
    assert "2 ●●●●●" in lines[1]
    assert "3 ●·" in lines[1]
    assert "2→5" in lines[3]
    assert "2→1" in lines[3]
    assert "●" in lines[3]


@pytest.mark.parametrize(
    ("beads", "unit", "marks"), [(3217, 500, 6), (834, 100, 8), (258, 50, 5), (9, 1, 9)]
)
def test_a_mark_stands_for_as_many_beads_as_the_border_says(
    beads: int, unit: int, marks: int
) -> None:
    fullest = CellView(label="1", beads=beads, colour=4)
    view = Cells(cells=(fullest, CellView(label="2", beads=1), *OPEN[2:]))
    lines = drawn(view, 28, 14)
    word = "bead" if unit == 1 else "beads"
    assert f"● = {unit} {word}" in lines[-1]
    assert sum(line[:10].count("●") for line in lines[:-1]) == marks
    assert sum(line[10:18].count("●") for line in lines[:-1]) == 1
    assert any(f"{beads:,}" in line for line in lines)


def test_the_board_stays_where_it_is_when_a_caption_comes() -> None:
    for size in ((28, 12), (28, 14), (44, 22), (28, 13), (60, 40)):
        bare = drawn(replace(BOARD, messages=()), *size)
        told = drawn(BOARD, *size)
        above = size[1] - 1 - caption_rows(size[1] - 2)
        assert bare[:above] == told[:above], size


def test_the_lower_border_has_the_scale_of_the_values() -> None:
    view = replace(BOARD, messages=(), scale=ScaleView(0.02, 0.98, (-1.0, 0.0, 0.5, 1.0), 1))
    assert ".020  =   .980" in drawn(view, 28, 14)[-1]
    assert ".020 #=## .980" in drawn(view, 28, 14, Look(SIXTEEN, ASCII))[-1]
    assert ".020" not in drawn(view, 28, 14, BARE)[-1]


def test_where_no_background_tells_it_the_rank_of_a_cell_is_read() -> None:
    view = Cells(cells=tuple(cell._replace(rank=place) for place, cell in enumerate(OPEN, 1)))
    for look in (BARE, Look(SIXTEEN, LINUX)):
        lines = drawn(view, 28, 14, look)
        assert all(f"#{place}" in "".join(lines) for place in range(1, 10))
    assert "#1" not in "".join(drawn(view, 28, 14))


def test_in_a_low_pane_a_quiz_gives_up_blank_rows_before_what_it_says_of_an_answer() -> None:
    facts = (("..O.OX..X holds", ".6487"), ("..O.OXXOX holds", ".6270"), ("", "a rule " * 8))
    question = Question(
        prompt="What is written?", facts=(*facts, ("target", ".6270"), ("step size", ".1")),
        marks=(Mark(0.65, "old", "dim", "●"),), scale=(0.0, 1.0), guess=".6487",
        verdict="wrong", why=".6487 becomes .6466: .6487 + .1 × (.6270 − .6487).",
    )  # fmt: skip
    shown = ["".join(text for text, _ in line) for line in question.draw(38, 16, Pen(UNICODE))]
    assert len(shown) <= 16
    told = "wrong .6487 becomes .6466: .6487 + .1 × (.6270 − .6487)."
    assert told in " ".join(" ".join(shown).split())
