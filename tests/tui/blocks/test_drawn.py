"""Every block draws what it says, at every size, in every set of characters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from afterstate_lab.tui.blocks.block import Block, Place, pasted
from afterstate_lab.tui.blocks.cells import Cells, CellView, ScaleView, caption_rows
from afterstate_lab.tui.blocks.choice import Choice, ChoiceRow
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.blocks.diagram import Arc, Diagram, DiagramRow
from afterstate_lab.tui.blocks.entries import Entries, EntryRow
from afterstate_lab.tui.blocks.equation import CodePart, Equation, Sum, Term
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.meaning import Quantity, Role, Value, means_at
from afterstate_lab.tui.blocks.menu import Question
from afterstate_lab.tui.blocks.number_line import Mark, NumberLine, Stretch
from afterstate_lab.tui.blocks.small_board import SmallBoard
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
UPDATE = Equation(
    terms=(
        Term("V(Sₜ)", ".939269", "written", lit=True),
        Term("←", "←"),
        Term("V(Sₜ)", ".940940", "x"),
        Term("+ α [", "+ .1 ["),
        Term("V(Sₜ₊₁)", ".924235", "target"),
        Term("− V(Sₜ) ]", "− .940940 ]"),
    ),
    error=Sum("δ", -0.016705, "text", Quantity(Role.ERROR)),
    step=Sum("step", -0.001671, "text", Quantity(Role.CHANGE)),
    code="v[s] += alpha * (v[s_next] - v[s])",
    place="learners/td.py:41",
    words="Our best reply leads to .924: lower V(Sₜ) by a tenth of the gap.",
    marks=(
        Mark(0.98958, "v*", "truth", "┃"),
        Mark(0.924235, "target", "target", "┃"),
        Mark(0.94094, "old", "x", "●"),
        Mark(0.939269, "new", "written", "○"),
    ),
)
AFTERSTATE = SmallBoard(
    ".XO.X....",
    title="Sₜ₊₁",
    right="n 38",
    moved=(1, 2),
    values=(Value("V", 0.924235, "strong"), Value("v*", 0.97917, "truth")),
)
CHOICE = Choice(
    (
        ChoiceRow("2", 0.92424, 38, 0.97917, best=True, taken=True),
        ChoiceRow("1", 0.595, 2, 0.97917),
        ChoiceRow("7", 0.5, 0, 0.95833),
    ),
    right="u .2131 ≥ ε .10",
)
DIAGRAM = Diagram(
    (
        DiagramRow("S₀", 0.938, ".........", words="t0 +.00033"),
        DiagramRow("S₁", 0.9393, "....X....", lit=True, words="now"),
        DiagramRow("S₂", 0.9242, ".XO.X...."),
        DiagramRow("?", board="explored 1", words="no backup"),
    ),
    (Arc(0, 1), Arc(1, 2, "key")),
)
ENTRIES = Entries(
    (EntryRow("....X....", 0.94094, 0.93927, 0.98958, lit=True),), ("rms .36240 → .36241",)
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
    UPDATE,
    AFTERSTATE,
    CHOICE,
    DIAGRAM,
    ENTRIES,
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


def meant(block: Any, columns: int, rows: int, means: Quantity) -> list[str]:
    """The texts that stand for something."""
    found = []
    for line in block.draw(columns, rows, pen_of(DEFAULT)):
        starts = [sum(len(text) for text, _ in line[:n]) for n in range(len(line))]
        places = zip(line, starts, strict=True)
        found += [text.strip() for (text, _), x in places if text and means_at(line, x) == means]
    return found


def test_a_board_grows_with_its_pane_and_its_cells_are_clicked_in_every_row() -> None:
    view = replace(AFTERSTATE, meanings=(Quantity(Role.NEW, 3),) + (None,) * 8)
    tall = drawn(view, 36, 15)
    assert sum("╲" in line for line in tall) > 1
    assert len(meant(view, 34, 13, Quantity(Role.NEW, 3))) >= 3
    assert not any("╲" in line for line in drawn(view, 36, 11))


def test_a_constant_curve_is_one_level_line() -> None:
    flat = Curve(series=(Series(((0, 1.0), (10, 1.0))),), y_range=(0, 1))
    top = drawn(flat, 30, 8)[1]
    assert top.count("⠉") == 21


def test_symbols_stand_above_their_numbers() -> None:
    rule, numbers = drawn(UPDATE, 100, 8)[1:3]
    assert rule.index("V(Sₜ₊₁)") == numbers.index(".924235")
    assert "δ −.016705" in numbers


LONG = replace(
    UPDATE,
    terms=tuple(
        Term(symbol, number)
        for symbol, number in (
            ("Q₁(S,A)", "−.550000"), ("←", "←"), ("Q₁(S,A)", "−.500000"), ("+", "+"), ("α", ".1"),
            ("[", "["), ("R", "(−1)"), ("+", "+"), ("γ", "1"), ("×", "×"),
            ("Q₂(S′,a*)", "−.500000"), ("−", "−"), ("Q₁(S,A)", "(−.500000)"), ("]", "]"),
        )
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "rows", "has_heads"), [(80, 1, True), (68, 1, False), (60, 2, False)]
)
def test_a_long_rule_takes_the_room_of_its_heads_and_then_more_rows(columns, rows, has_heads):
    lines = [line[1:-1] for line in drawn(LONG, columns, 7)[1:-1]]
    rule, numbers = (" ".join("".join(lines[k : 2 * rows : 2]).split()) for k in (0, 1))
    heads = ("RULE ", "NUMBERS ") if has_heads else ("", "")
    assert rule == heads[0] + "Q₁(S,A) ← Q₁(S,A) + α [ R + γ × Q₂(S′,a*) − Q₁(S,A) ]"
    assert numbers.startswith(
        heads[1] + "−.550000 ← −.500000 + .1 [ (−1) + 1 × −.500000 − (−.500000) ]"
    )


def test_a_term_in_a_later_row_is_clicked_where_it_stands() -> None:
    selected = Quantity(Role.OLD, 3)
    last = LONG.terms[-2]._replace(quantity=selected)
    view = replace(LONG, terms=(*LONG.terms[:-2], last, LONG.terms[-1]))
    assert [text for text in meant(view, 58, 7, selected) if text] == ["Q₁(S,A)", "(−.500000)"]


def test_the_update_drops_words_and_code_before_the_number_line() -> None:
    small = "\n".join(drawn(UPDATE, 80, 5))
    assert "● old ○ new" in small
    assert "CODE" not in small
    assert "WORDS" not in small
    assert all(word in "\n".join(drawn(UPDATE, 100, 7)) for word in ("CODE", "WORDS"))


def test_a_notice_stands_in_the_border_and_a_long_one_below_the_words() -> None:
    short, long = "No earlier write.", "Nothing wrote this value before. " * 3
    said = "Our best reply leads to .924: lower V(Sₜ) by a tenth of the gap."
    for notice, row in ((short, -1), (long, -3)):
        lines = drawn(replace(UPDATE, notice=notice), 80, 9)
        assert any(said in line for line in lines)
        assert notice[:17] in lines[row - (notice is long)]
    both = replace(UPDATE, notice=short, selection=("V(Sₜ) .940940", "  its writer: game 7"))
    border = drawn(both, 60, 8)[-1]
    assert short in border
    assert "V(Sₜ) .940940" in border


def test_a_high_pane_labels_the_marks_above_the_line() -> None:
    labels, line = drawn(UPDATE, 100, 8)[-3:-1]
    assert labels.split()[1:-1] == ["target", "new", "old", "v*"]
    assert "old" not in line


def test_code_that_is_too_long_keeps_its_place() -> None:
    view = replace(UPDATE, code="x" * 100)
    code = drawn(view, 80, 8)[3]
    assert "…" in code
    assert code.rstrip("│ ").endswith("td.py:41")


def test_equal_values_have_one_mark_on_the_number_line_that_names_all() -> None:
    marks = (Mark(1.0, "v*", "truth", "┃"), Mark(0.5, "target", "target", "◆"),
             Mark(0.5, "old", "text", "●"))  # fmt: skip
    shown = NumberLine(marks, (0, 1))
    labels, line = ("".join(t for t, _ in row) for row in shown.draw(60, 2, pen_of(DEFAULT)))
    assert labels.split() == ["target=old", "v*"]
    assert (line.count("●"), line.count("◆"), line.count("┃")) == (1, 0, 1)
    (short,) = shown.draw(60, 1, pen_of(DEFAULT))
    assert "".join(text for text, _ in short).endswith("┃ v* ● target=old")


def test_marks_on_the_number_line_keep_their_order_side_by_side() -> None:
    line = drawn(UPDATE, 80, 8)[-2]
    assert "┃○●" in line
    assert line.rindex("┃") > line.index("●")


def test_the_choice_stars_the_greedy_cell_and_says_which_was_taken() -> None:
    lines = drawn(CHOICE, 60, 8)
    assert lines[2].split()[1:5] == ["2", ".92424", "38", ".979"]
    assert "★ taken" in lines[2]
    assert "█" in lines[3]


def test_candidates_that_do_not_fit_are_counted() -> None:
    assert "2 more" in drawn(CHOICE, 60, 5)[-2]


def test_the_diagram_draws_an_arrow_from_each_successor() -> None:
    lines = drawn(DIAGRAM, 50, 9)
    assert [line[21:23] for line in lines[1:6]] == ["◂╮", " │", "◂┤", " │", " ╯"]


def test_arrows_that_cross_have_lanes_of_their_own() -> None:
    rows = tuple(DiagramRow(f"S{n}", 0.5, ".........") for n in range(5))
    arcs = (Arc(0, 2), Arc(1, 3), Arc(2, 4))
    lines = drawn(Diagram(rows, arcs), 50, 7)
    assert [line[21:24] for line in lines[1:6]] == ["◂╮ ", "◂│╮", "◂┤│", " │╯", " ╯ "]


def test_arrows_from_one_result_share_a_lane() -> None:
    rows = tuple(DiagramRow(f"S{n}", 0.5, ".........") for n in range(3))
    lines = drawn(Diagram(rows, (Arc(0, 2), Arc(1, 2))), 50, 6)
    assert [line[21:23] for line in lines[1:4]] == ["◂╮", "◂┤", " ╯"]


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


def test_of_a_box_words_give_way_to_numbers() -> None:
    values = (Value("beads", 3220, "strong"), Value("of", 4312, "text"))
    view = SmallBoard("." * 9, title="the box", values=values, places=0)
    assert "beads 3220  of 4312" in drawn(view, 30, 7)[4]
    assert drawn(view, 21, 7)[4].split()[1:-1] == ["3220", "of", "4312"]
    many = (values[0]._replace(value=1_203_220), values[1]._replace(value=4_043_312))
    small = drawn(replace(view, values=many), 21, 7)[4]
    assert small.split()[1:-1] == ["1203220"]


def test_a_chosen_cell_is_marked_by_its_number() -> None:
    view = replace(AFTERSTATE, placed=4, note=(("stored ", "dim"), ("as X.O.X....@3", "text")))
    assert "5" in drawn(view, 21, 7)[2]
    assert "│ as X.O.X....@3" in drawn(view, 21, 7)[5]
    assert "stored as" in "".join(drawn(view, 30, 7))


def test_the_colours_of_a_box_show_their_share() -> None:
    rows = (
        ChoiceRow("1 3 7 9", 4.0, share=0.5, colour=0),
        ChoiceRow("5", 4.0, share=0.5, colour=4),
    )
    lines = drawn(Choice(rows, "beads", places=0), 40, 7)
    assert lines[2].split()[1:7] == ["1", "3", "7", "9", "4", "50%"]
    assert "●" in lines[2]


def test_a_long_list_of_entries_keeps_the_lit_one_in_sight() -> None:
    rows = tuple(EntryRow(f"{n:09}", 0.5, 0.6, lit=n == 11) for n in range(20))
    assert any("000000011" in line for line in drawn(Entries(rows), 40, 7))


def test_entries_align_old_new_and_exact() -> None:
    head, row = drawn(ENTRIES, 40, 8)[1:3]
    assert row.split()[1:5] == ["....X....", ".94094", ".93927", ".990"]
    assert head.index("new") == row.index(".93927")


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


READ = Quantity(Role.READ)
THINGS = replace(
    UPDATE,
    terms=tuple(
        term._replace(quantity=quantity)
        for term, quantity in zip(
            UPDATE.terms,
            (Quantity(Role.NEW), None, Quantity(Role.OLD), None, READ, None),
            strict=True,
        )
    ),
    marks=tuple(
        mark._replace(quantities=(READ,)) if mark.label == "target" else mark
        for mark in UPDATE.marks
    ),
    code="backup(v, s, v[s_next])",
    parts=(CodePart(13, 22, READ),),
    selection=("V(Sₜ₊₁) .924235: X's value of .XO.X....", "; v* .979", "; never written" * 5),
)
CHOSEN = replace(THINGS, chosen=READ)


@pytest.mark.parametrize("look", [DEFAULT, BARE], ids=["unicode", "ascii"])
def test_what_is_selected_is_pointed_at_in_every_row(look: Look) -> None:
    rule, numbers, code, *_, labels, _, foot = drawn(CHOSEN, 100, 8, look)[1:]
    sign, symbol = look.glyphs.text("›"), look.glyphs.text("V(Sₜ₊₁)")
    assert f"{sign}{symbol}" in rule
    assert f"{sign}.924235" in numbers
    assert f",{sign}v[s_next]" in code
    assert f"{sign}target" in labels
    assert f"{symbol} .924235: X's value of .XO.X....; v* .979 " in foot
    assert "never written" not in foot
    assert sign not in drawn(UPDATE, 100, 8, look)[2]


def test_a_selected_number_keeps_its_place() -> None:
    picked, bare = (drawn(view, 100, 8)[1:3] for view in (CHOSEN, THINGS))
    assert [line.replace("›", " ") for line in picked] == bare


def test_a_selected_stretch_is_drawn_on_the_number_line() -> None:
    error = Quantity(Role.ERROR)
    view = replace(UPDATE, stretches=(Stretch(0.4, 0.6, error),))
    assert "=" * 10 in drawn(replace(view, chosen=error), 100, 8)[-2]
    assert "=" not in drawn(view, 100, 8)[-2]


def test_the_error_stands_in_the_title_where_its_row_is_full() -> None:
    long = replace(UPDATE, terms=(*UPDATE.terms, Term("+ more terms", "1.000000")))
    title, _, numbers = drawn(long, 70, 8)[:3]
    assert "δ" not in numbers
    assert "the update, four ways  δ −.016705" in title
    chosen = replace(long, chosen=Quantity(Role.ERROR))
    assert "›δ −.016705" in drawn(chosen, 70, 8)[0]
    assert "δ" not in drawn(long, 120, 8)[0]


def test_bars_have_the_scale_of_the_learner() -> None:
    rows = (ChoiceRow("1", 1.0), ChoiceRow("2", 0.0), ChoiceRow("3", -1.0))
    lines = drawn(Choice(rows, scale=(-1.0, 1.0)), 60, 8)
    full, half, none = (line.count("█") for line in lines[2:5])
    assert none == 0
    assert abs(full - 2 * half) <= 1


ENTRY = Quantity(Role.ENTRY, 8)


@pytest.mark.parametrize(
    ("view", "row"),
    [
        (Choice([ChoiceRow(str(n), 0.5, about=(n,)) for n in range(1, 10)], chosen=ENTRY), "›8"),
        (
            Diagram(
                tuple(DiagramRow(f"S{n}", 0.5, "." * 9, about=(n,)) for n in range(9)), chosen=ENTRY
            ),
            "›S8",
        ),
        (Diagram(tuple(DiagramRow(f"S{n}", 0.5, "." * 9, lit=n == 3) for n in range(9))), " S3"),
        (
            Entries([EntryRow(f"{n:09}", 0.5, 0.6, about=(n,)) for n in range(20)], chosen=ENTRY),
            "›000000008",
        ),
    ],
    ids=["choice", "diagram", "lit", "entries"],
)
def test_rows_point_at_the_selected_entry_and_keep_it_in_sight(view: Any, row: str) -> None:
    assert any(row in line for line in drawn(view, 40, 4 if row == " S3" else 7))


def test_a_selected_candidate_is_marked_on_the_board() -> None:
    view = SmallBoard("." * 9, title="S′", meanings=(READ, *(None,) * 8), chosen=READ)
    assert "›1" in drawn(view, 21, 7)[1]


@pytest.mark.parametrize("columns", [50, 78, 120])
def test_a_click_lies_where_the_number_is_drawn(columns: int) -> None:
    texts = [text for text in meant(THINGS, columns - 2, 6, READ) if text]
    assert texts[:2] == ["V(Sₜ₊₁)", ".924235"]
    errors = "".join(meant(THINGS, columns - 2, 6, Quantity(Role.ERROR)))
    assert errors == "δ−.016705" * (columns > 60)


@pytest.mark.parametrize("columns", [38, 70])
def test_a_click_on_a_row_of_details_finds_each(columns: int) -> None:
    old, new = Quantity(Role.OLD), Quantity(Role.NEW)
    details = (Value("Q₁", 0.25, "dim", old), Value("Q₂", 0.75, "dim", READ))
    view = Choice((ChoiceRow("2", 0.5, details=details, quantity=new),), "mean")
    assert ".250" in meant(view, columns - 2, 5, old)
    assert ".750" in meant(view, columns - 2, 5, READ)
    assert "2" in meant(view, columns - 2, 5, new)
