"""Every block draws what it says: in which room and look, and in which words."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from afterstate_lab.tui.blocks.block import Block, Place, pasted
from afterstate_lab.tui.blocks.cells import Cells, CellView, ScaleView
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.blocks.menu import Question
from afterstate_lab.tui.blocks.number_line import Mark
from afterstate_lab.tui.blocks.span import Line, Pen
from afterstate_lab.tui.blocks.stats import SideStats, Stats
from afterstate_lab.tui.screens.paper import pen_of
from afterstate_lab.tui.theme.glyphs import ASCII, LINUX, UNICODE
from afterstate_lab.tui.theme.look import BARE, DEFAULT, Look
from afterstate_lab.tui.theme.palette import PLAIN, SIXTEEN

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
SILENT = replace(BOARD, messages=())


def text(line: Line) -> str:
    return "".join(piece for piece, _ in line)


def lines_of(view: Block, columns: int, rows: int, look: Look = DEFAULT) -> list[Line]:
    return pasted([Place(view, 0, 0, columns, rows)], rows, pen_of(look))


def drawn(view: Block, columns: int, rows: int, look: Look = DEFAULT) -> list[str]:
    return [text(line) for line in lines_of(view, columns, rows, look)]


SCALED = replace(SILENT, scale=ScaleView(0.02, 0.98, (-1.0, 0.0, 0.5, 1.0), 1))
ROUGH = Look(SIXTEEN, LINUX)
AXIS = replace(CURVE, cursor=None)
RANKED = Cells(cells=tuple(cell._replace(rank=place) for place, cell in enumerate(OPEN, 1)))
RANKS = tuple(f"#{place}" for place in range(1, 10))
BOXES = Cells(
    cells=(
        CellView(label="1", beads=3, drawn=True),
        CellView(label="2", beads=5, came=3),
        CellView(label="3", beads=1, came=-1),
        *OPEN[3:],
    )
)
BOX = Cells(cells=(
    CellView(label="1", beads=3, colour=4, note=(("43%", "text"),), best=True), *OPEN[1:],
))  # fmt: skip


@pytest.mark.parametrize(
    ("view", "size", "look", "row", "words"),
    [
        (SILENT, (15, 7), DEFAULT, 3, ("X",)),
        (BOARD, (15, 7), DEFAULT, 1, ("[",)),
        (BOARD, (28, 13), ROUGH, None, ("─┼─",)),  # no backgrounds tell cells apart
        (BOARD, (50, 22), DEFAULT, -2, ("The corner reply",)),
        (BOARD, (40, 13), DEFAULT, -1, ("The corner reply",)),
        (SCALED, (28, 14), Look(SIXTEEN, ASCII), -1, (".020 #=## .980",)),
        (RANKED, (28, 14), BARE, None, RANKS),
        (RANKED, (28, 14), ROUGH, None, RANKS),
        (BOX, (28, 13), DEFAULT, 3, ("3", "43%")),
        (BOX, (28, 13), BARE, 1, ("eee",)),
        (BOX, (28, 7), BARE, 1, ("1 e3",)),
        (BOX, (28, 13), BARE, -1, ("letter = 1 bead",)),
        (BOXES, (40, 13), DEFAULT, 1, ("1 ●●·", "2 ●●●●●", "3 ●·")),
        (BOXES, (40, 13), DEFAULT, 3, ("2→5", "2→1", "●")),
        (STATS, (52, 10), DEFAULT, 4, ("O unbeatable .741 .102 .157 1.00 2,097/2,097",)),
        (STATS, (52, 10), BARE, 6, ("XXXX", "OO")),
        (STATS, (74, 11), DEFAULT, 3, ("│ X beatable .962 .012 .026 .870 1,871 of 2,423 │",)),
        (STATS, (32, 9), DEFAULT, 3, ("│ X beatable .962 .012 .026 │",)),
        (replace(STATS, progress=0.4, left=42.0), (52, 10), DEFAULT, 8, ("40% 0:42 left",)),
        (CURVE, (50, 12), DEFAULT, None, ("X 61%", "O 15%", "v*", "▲", "you are here")),
        (replace(AXIS, log_x=True, x_range=(10, 424)), (40, 8), DEFAULT, -2, ("games (log)",)),
    ],
)  # fmt: skip
def test_a_block_says(view: Block, size: tuple[int, int], look: Look, row: int | None, words):
    """In a row, or anywhere; as it stands, or with one blank for many."""
    lines = drawn(view, *size, look)
    said = "\n".join(lines) if row is None else lines[row]
    plain = re.sub(" +", " ", said)
    assert [word for word in words if word not in said and word not in plain] == []


def test_letters_tell_the_curves_where_no_colour_does() -> None:
    inside = [line[6:40] for line in drawn(CURVE, 50, 12, Look(PLAIN, UNICODE))[1:-2]]
    assert [sum(letter in line for line in inside) > 1 for letter in "XO"] == [True, True]
    assert not set("XO") & set("".join(line[6:40] for line in drawn(CURVE, 50, 12)[1:]))


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
