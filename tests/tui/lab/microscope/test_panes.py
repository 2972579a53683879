"""The panes of Step in any room: what stands where, what gives way, and what is clicked."""

from dataclasses import replace
from typing import Any

import pytest
from drawing import PEN, meant, panes_at, picked, update_of

from afterstate_lab.learners.tape.timeline import TARGET
from afterstate_lab.tui.blocks.block import Place, pasted
from afterstate_lab.tui.blocks.meaning import Quantity, Role
from afterstate_lab.tui.blocks.number_line import Mark, NumberLine
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.lab.microscope.choice import Candidate, Choice
from afterstate_lab.tui.lab.microscope.equation import Equation
from afterstate_lab.tui.lab.microscope.hero import Diagram
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.theme.glyphs import ASCII
from afterstate_lab.tui.theme.numerals import decimals

BARE = Pen(ASCII, paints=False, colours=False, heats=False)
OLD, NEW, READ, ERROR = (Quantity(role) for role in (Role.OLD, Role.NEW, Role.READ, Role.ERROR))
MARKS = (Mark(0.98958, "v*", "truth", "┃"), Mark(0.924235, "target", "target", "┃"),
         Mark(0.94094, "old", "x", "●"), Mark(0.939269, "new", "written", "○"))  # fmt: skip


def drawn(block: Any, columns: int, rows: int, pen: Pen = PEN) -> list[str]:
    """The lines of a block in its frame."""
    lines = pasted([Place(block, 0, 0, columns, rows)], rows, pen)
    return ["".join(text for text, _ in line) for line in lines]


def equation(x: str = "td", chosen: Quantity | None = None, **given: Any) -> Equation:
    return replace(Microscope(update_of(x), chosen).equation(), **given)


@pytest.mark.parametrize(
    "size", [(15, 7), (21, 6), (28, 13), (50, 10), (78, 6), (120, 30)], ids=str
)
@pytest.mark.parametrize("x", ["td", "double-q", "menace", "tdlambda"])
def test_every_pane_keeps_to_its_room_and_to_ascii_where_it_must(x: str, size) -> None:
    for pane in (*panes_at(x), *panes_at(x, READ)):
        for pen in (PEN, BARE):
            lines = drawn(pane, *size, pen)
            assert len(lines) <= size[1] and max(map(len, lines)) <= size[0]
        assert all(line.isascii() for line in lines)


def test_a_term_in_a_later_row_is_clicked_where_it_stands() -> None:
    old = Quantity(Role.OLD, update_of("double-q").entry)
    assert list(meant(equation("double-q"), 40, 7, old)).count("Q₂(S,A)") == 2


def test_equal_values_have_one_mark_on_the_number_line_that_names_all() -> None:
    marks = (MARKS[0]._replace(value=1.0), Mark(0.5, "target", "target", "◆"),
             Mark(0.5, "old", "text", "●"))  # fmt: skip
    shown = NumberLine(marks, (0, 1))
    labels, line = ("".join(t for t, _ in row) for row in shown.draw(60, 2, PEN))
    assert labels.split() == ["target=old", "v*"]
    assert (line.count("●"), line.count("◆"), line.count("┃")) == (1, 0, 1)
    (short,) = shown.draw(60, 1, PEN)
    assert "".join(text for text, _ in short).endswith("┃ v* ● target=old")


def test_marks_keep_their_order_side_by_side_and_a_stretch_lies_between_two() -> None:
    labels, line = ("".join(t for t, _ in row) for row in NumberLine(MARKS).draw(60, 2, PEN))
    assert labels.split() == ["target", "new", "old", "v*"]
    assert "┃○●" in line and line.rindex("┃") > line.index("●")
    stretched = NumberLine(MARKS, stretch=(0.4, 0.6)).draw(98, 2, PEN)[1]
    assert "=" * 10 in "".join(text for text, _ in stretched)
    assert "=" not in line


def test_the_colours_of_a_box_show_their_share() -> None:
    rows = (Candidate((0, 2, 6, 8), 4.0, share=0.5, colour=0),
            Candidate((4,), 4.0, share=0.5, colour=4))  # fmt: skip
    lines = drawn(Choice(rows, "beads", places=0), 40, 7)
    assert lines[2].split()[1:7] == ["1", "3", "7", "9", "4", "50%"]
    assert "●" in lines[2] and "eee" in drawn(Choice(rows, "beads", places=0), 60, 7, BARE)[3]


def test_a_click_on_a_row_of_two_tables_finds_each() -> None:
    both = ((0.25, OLD), (0.75, READ))
    view = Choice((Candidate((1,), 0.5, both=both, means=NEW),), "mean")
    for number, means in ((".250", OLD), (".750", READ), ("2", NEW)):
        assert number in meant(view, 68, 5, means)


@pytest.mark.parametrize("pen", [PEN, BARE], ids=["unicode", "ascii"])
def test_what_is_selected_is_pointed_at_in_every_row(pen: Pen) -> None:
    chosen = equation("td", READ)
    rule, numbers, code, *_, labels, _, foot = drawn(chosen, 100, 8, pen)[1:]
    sign, symbol = pen.glyphs.text("›"), pen.glyphs.text("V(Sₜ₊₁)")
    target = decimals(update_of("td").backup.target, 6)
    assert f"{sign}{symbol}" in rule and f"{sign}{target}" in numbers
    assert f",{sign}v[s_next]" in code
    assert f"{sign}target" in labels
    assert f"{symbol} {target}: X's value of " in foot
    assert sign not in drawn(equation(), 100, 8, pen)[2]
    long = replace(chosen, selection=(*chosen.selection, "; nobody wrote it" * 5))
    assert "nobody" not in drawn(long, 100, 8, pen)[-1]


@pytest.mark.parametrize("columns", [60, 78, 120])
def test_a_click_lies_where_the_number_is_drawn(columns: int) -> None:
    u = update_of("td", TARGET)
    read = next(term.quantity for term in Equation(u).terms if term.symbol == "V(Sₜ₊₁)")
    texts = list(meant(Equation(u), columns - 2, 6, read))
    assert "v[s_next]" in meant(Equation(u), 98, 8, read)
    assert texts[:2] == ["V(Sₜ₊₁)", decimals(u.backup.target, 6)]
    assert ("δ" in meant(Equation(u), columns - 2, 6, ERROR)) == (columns > 60)


@pytest.mark.parametrize("chosen", [None, Role.OLD, Role.READ])
def test_rows_keep_what_is_lit_or_selected_in_sight(chosen: Role | None) -> None:
    for x in ("td", "chain", "tdlambda"):
        scope = Microscope(update_of(x), None if chosen is None else Quantity(chosen))
        for pane in (scope.choice(), scope.diagram(), scope.entries()):
            rows = 6 if isinstance(pane, Diagram) else 3
            whole = [t for line in pane.draw(50, 40, PEN) for t, role in line if "picked" in role]
            lit = [t for line in pane.draw(50, rows, PEN) for t, role in line
                   if role.endswith(("on selection", "now")) or "picked" in role]  # fmt: skip
            assert lit
            assert chosen is None or not whole or picked(pane, 50, rows)
