"""What is selected is pointed at in every pane, and a click lies where the number is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tui.theme.look import BARE, DEFAULT, Look
from tui.views.update import (
    AfterstateView,
    ChoiceRow,
    ChoiceView,
    CodePart,
    DiagramRow,
    DiagramView,
    EntriesView,
    EntryRow,
    MarkView,
    Quantity,
    Role,
    SpanView,
    TermView,
    UpdateView,
    ValueView,
)
from tui.widgets.afterstate_pane import AfterstatePane
from tui.widgets.choice_pane import ChoicePane
from tui.widgets.diagram_pane import DiagramPane
from tui.widgets.entries_pane import EntriesPane
from tui.widgets.pane import Pane
from tui.widgets.update_pane import UpdatePane

UPDATE = UpdateView(
    terms=(
        TermView("V(Sₜ)", ".939269", "written", lit=True),
        TermView("←", "←"),
        TermView("V(Sₜ)", ".940940", "x"),
        TermView("+ α [", "+ .1 ["),
        TermView("V(Sₜ₊₁)", ".924235", "target"),
        TermView("− V(Sₜ) ]", "− .940940 ]"),
    ),
    delta=-0.016705,
    step=-0.001671,
    code="backup(v, s, v[s_next])",
    place="learners/td.py:41",
    words="Lower V(Sₜ) by a tenth of the gap.",
    marks=(
        MarkView(0.924235, "target", "target", "◆"),
        MarkView(0.94094, "old", "x", "●"),
        MarkView(0.939269, "new", "written", "○"),
    ),
)


def drawn(
    pane: type[Pane[Any]], view: Any, columns: int, rows: int, look: Look = DEFAULT
) -> list[str]:
    lines = pane(look=look).lines(view, columns, rows)
    return ["".join(piece for piece, _ in line) for line in lines]


OLD, NEW, READ, ERROR = (Quantity(role) for role in (Role.OLD, Role.NEW, Role.READ, Role.ERROR))
THINGS = replace(
    UPDATE,
    terms=tuple(
        replace(term, quantity=quantity, selected=quantity is READ)
        for term, quantity in zip(UPDATE.terms, (NEW, None, OLD, None, READ, None), strict=True)
    ),
    marks=tuple(replace(mark, selected=mark.label == "target") for mark in UPDATE.marks),
    parts=(CodePart(13, 22, READ, selected=True),),
    delta_quantity=ERROR,
    step_quantity=Quantity(Role.CHANGE),
    selection=("V(Sₜ₊₁) .924235: X's value of .XO.X....", "; v* .979", "; never written" * 5),
)


@pytest.mark.parametrize("look", [DEFAULT, BARE], ids=["unicode", "ascii"])
def test_what_is_selected_is_pointed_at_in_every_row(look: Look) -> None:
    rule, numbers, code, *_, labels, _, foot = drawn(UpdatePane, THINGS, 100, 8, look)[1:]
    sign = look.glyphs.text("›")
    symbol = look.glyphs.text("V(Sₜ₊₁)")
    assert f"{sign}{symbol}" in rule
    assert f"{sign}.924235" in numbers
    assert f",{sign}v[s_next]" in code
    assert f"{sign}target" in labels
    assert f"{symbol} .924235: X's value of .XO.X....; v* .979 " in foot
    assert "never written" not in foot
    assert sign not in drawn(UpdatePane, UPDATE, 100, 8, look)[2]


def test_a_selected_number_keeps_its_place() -> None:
    picked, bare = (drawn(UpdatePane, view, 100, 8)[1:3] for view in (THINGS, UPDATE))
    assert [line.replace("›", " ") for line in picked] == bare


def test_a_selected_stretch_is_drawn_on_the_number_line() -> None:
    span = SpanView(0.4, 0.6, ERROR, selected=True)
    line = drawn(UpdatePane, replace(UPDATE, spans=(span,)), 100, 8)[-2]
    assert "=" * 10 in line
    assert "=" not in drawn(UpdatePane, UPDATE, 100, 8)[-2]


def test_the_error_stands_in_the_title_where_its_row_is_full() -> None:
    long = replace(UPDATE, terms=(*UPDATE.terms, TermView("+ more terms", "1.000000")))
    title, _, numbers = drawn(UpdatePane, long, 70, 8)[:3]
    assert "δ" not in numbers
    assert "the update, four ways  δ −.016705" in title
    assert "›δ −.016705" in drawn(UpdatePane, replace(long, delta_selected=True), 70, 8)[0]
    assert "δ" not in drawn(UpdatePane, long, 120, 8)[0]


def test_bars_have_the_scale_of_the_learner() -> None:
    rows = (ChoiceRow("1", 1.0), ChoiceRow("2", 0.0), ChoiceRow("3", -1.0))
    lines = drawn(ChoicePane, ChoiceView(rows, scale=(-1.0, 1.0)), 60, 8)
    full, half, none = (line.count("█") for line in lines[2:5])
    assert none == 0
    assert abs(full - 2 * half) <= 1


def test_rows_point_at_the_selected_entry_and_keep_it_in_sight() -> None:
    candidates = tuple(ChoiceRow(str(n), 0.5, pointed=n == 8) for n in range(1, 10))
    assert any("›8" in line for line in drawn(ChoicePane, ChoiceView(candidates), 40, 7))
    states = tuple(DiagramRow(f"S{n}", 0.5, "." * 9, pointed=n == 8) for n in range(9))
    assert any("›S8" in line for line in drawn(DiagramPane, DiagramView(states), 40, 7))
    lit = tuple(DiagramRow(f"S{n}", 0.5, "." * 9, lit=n == 3) for n in range(9))
    assert any(" S3" in line for line in drawn(DiagramPane, DiagramView(lit), 40, 4))
    entries = tuple(EntryRow(f"{n:09}", 0.5, 0.6, pointed=n == 3) for n in range(20))
    assert any("›000000003" in line for line in drawn(EntriesPane, EntriesView(entries), 40, 7))


def test_a_selected_candidate_is_marked_on_the_board() -> None:
    view = AfterstateView("." * 9, "S′", quantities=(OLD, *(None,) * 8), selected=(0,))
    assert "›1" in drawn(AfterstatePane, view, 21, 7)[1]


@pytest.mark.parametrize("columns", [50, 78, 120])
def test_a_click_lies_where_the_number_is_drawn(columns: int) -> None:
    lines = drawn(UpdatePane, THINGS, columns, 8)
    zones = UpdatePane().zones(THINGS, columns, 8)
    read = [zone for zone in zones if zone.quantity is READ]
    assert [lines[z.row][z.start : z.stop].strip() for z in read] == ["V(Sₜ₊₁)", ".924235"]
    errors = [zone for zone in zones if zone.quantity is ERROR]
    assert [lines[z.row][z.start : z.stop] for z in errors] == ["δ −.016705"] * (columns > 60)


def test_a_click_on_a_row_of_details_finds_each() -> None:
    details = (ValueView("Q₁", 0.25, "dim", OLD), ValueView("Q₂", 0.75, "dim", READ))
    view = ChoiceView((ChoiceRow("2", 0.5, details=details, quantity=NEW),), value_label="mean")
    for columns in (38, 70):
        lines = drawn(ChoicePane, view, columns, 7)
        first, second, row = ChoicePane().zones(view, columns, 7)
        assert lines[first.row][first.start : first.stop] == ".250"
        assert lines[second.row][second.start : second.stop] == ".750"
        assert row.quantity is NEW
