"""No pane cuts a number, however long the numbers and however narrow the pane."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tui.views.experiment import (
    ArmRow,
    ArmsView,
    ChartReference,
    ChartSeries,
    ChartView,
)
from tui.views.lab import (
    BoardView,
    CellView,
    CurveView,
    FilmView,
    LogView,
    ModeView,
    SeriesView,
    SideStats,
    StatsView,
    TourView,
)
from tui.views.quiz import ChoiceLine, QuizView
from tui.views.table import BarView, ColumnView, EntryView, TableView
from tui.views.update import (
    AfterstateView,
    ArcView,
    ChoiceRow,
    ChoiceView,
    DiagramRow,
    DiagramView,
    EntriesView,
    EntryRow,
    MarkView,
    TermView,
    UpdateView,
    ValueView,
)
from tui.views.words import TextView
from tui.widgets.afterstate_pane import AfterstatePane
from tui.widgets.board_pane import BoardPane
from tui.widgets.cards import TextPane, TourPane
from tui.widgets.choice_pane import ChoicePane
from tui.widgets.curve_pane import CurvePane
from tui.widgets.diagram_pane import DiagramPane
from tui.widgets.entries_pane import EntriesPane
from tui.widgets.experiment_panes import ArmsPane, ChartPane
from tui.widgets.film_pane import FilmPane
from tui.widgets.log_pane import LogPane
from tui.widgets.mode_line import ModeLine
from tui.widgets.pane import Pane
from tui.widgets.quiz_pane import QuizPane
from tui.widgets.stats_pane import StatsPane
from tui.widgets.table_pane import EntryPane, TablePane
from tui.widgets.update_pane import UpdatePane

V = -0.98768867
"""Every digit is 6 or more: where one is cut, the rest is no rounding of it."""
BIG = 9_876_867
WORDS = f"of game {BIG:,} after {BIG:,} plies"
TOKEN = re.compile(r"[\d.,]*\d[\d.,]*")
MORE = re.compile(r"\d+ more")
"""Tells how many rows are left out."""
WHOLE = (400, 100)
"""A size at which all has room."""

SAMPLES: list[tuple[type[Pane[Any]], Any, int]] = [
    (
        BoardPane,
        BoardView(
            tuple(
                CellView(
                    label=str(n), value=V, note=(("v* ", "dim"), ("−.98768", "truth")), best=True
                )
                for n in range(1, 10)
            ),
            right=WORDS,
            messages=(WORDS,),
        ),
        28,
    ),
    (
        BoardPane,
        BoardView(
            tuple(
                CellView(label=str(n), beads=BIG, colour=n - 1, note=(("98.68%", "dim"),))
                for n in range(1, 10)
            ),
            right=WORDS,
        ),
        28,
    ),
    (
        LogPane,
        LogView(
            (WORDS, ((f"{BIG:,}", "text"), ("  backup ", "dim"), ("−.98769→−.98768", "text"))),
            heads=WORDS,
            right=WORDS,
        ),
        32,
    ),
    (
        StatsPane,
        StatsView(
            tuple(
                SideStats(
                    mark, True, -V, -V, -V, -V, 2417, 2423, 9.87688, (("missed wins", f"{BIG:,}"),)
                )
                for mark in "XO"
            ),
            (66, 67, 67),
            BIG,
            BIG,
            9.876e7,
            0.98,
            359_999.0,
            "rms V−minimax",
        ),
        32,
    ),
    (
        CurvePane,
        CurveView(
            (
                SeriesView(((0, 0.2), (BIG, 0.86)), "x", "98.68", "X 98.68"),
                SeriesView(((0, 0.2), (BIG, 0.87)), "o", "87.86"),
            ),
            cursor=BIG // 2,
            right=WORDS,
        ),
        28,
    ),
    (
        UpdatePane,
        UpdateView(
            tuple(
                TermView(s, t)
                for s, t in (
                    ("V(Sₜ)", "−98.768867"),
                    ("←", "←"),
                    ("V(Sₜ)", "−98.768867"),
                    ("+ α [", "+ .87686 × ["),
                    ("Rₜ₊₁ + γ V(Sₜ₊₁)", "87.86 + .98 × −98.768867"),
                    ("− V(Sₜ) ]", "− −98.768867 ]"),
                )
            ),
            delta=-98.768867,
            step=-86.768867,
            code="v[s] += alpha * (v[s_next] - v[s])",
            place="rules/td.py:876",
            words=WORDS,
            marks=(MarkView(V, "v*", "truth", "┃"), MarkView(-V, "new", "x", "●")),
            scale=(-98.7688, 98.7688),
            selection=(WORDS, WORDS),
            notice=WORDS,
            right=WORDS,
        ),
        60,
    ),
    (
        AfterstatePane,
        AfterstateView(
            ".XO.X....",
            "Sₜ₊₁ of X",
            f"n {BIG:,}",
            values=(ValueView("V", -98.768867, "strong"), ValueView("v*", V, "truth")),
            note=(("stored ", "dim"), ("98.768", "text")),
        ),
        20,
    ),
    (
        ChoicePane,
        ChoiceView(
            tuple(ChoiceRow("1379", V, BIG, V, best=True, taken=True) for _ in range(6)),
            right=f"u .{BIG} ≥ ε .98",
        ),
        18,
    ),
    (
        ChoicePane,
        ChoiceView(
            tuple(ChoiceRow("1379", float(BIG), share=0.9868, colour=0) for _ in range(6)),
            value_label="beads",
            places=0,
        ),
        18,
    ),
    (
        ChoicePane,
        ChoiceView(
            tuple(
                ChoiceRow(
                    "9", V, BIG, V, details=(ValueView("Q₁", V, "dim"), ValueView("Q₂", V, "dim"))
                )
                for _ in range(6)
            )
        ),
        18,
    ),
    (
        DiagramPane,
        DiagramView(
            tuple(DiagramRow("S₀", V, ".........@6", words="+98.7686 done") for _ in range(5)),
            (ArcView(0, 1), ArcView(1, 2), ArcView(2, 4)),
        ),
        41,
    ),
    (
        EntriesPane,
        EntriesView(
            tuple(EntryRow(".........@6", V, V, V, extra=".876") for _ in range(4)),
            (WORDS,),
            extra_label="z",
        ),
        19,
    ),
    (
        EntriesPane,
        EntriesView(
            tuple(
                EntryRow(".........@6", float(BIG), float(BIG), extra="+876", places=0)
                for _ in range(4)
            ),
            (WORDS,),
            truth_label="",
            extra_label="by",
        ),
        19,
    ),
    (
        ModeLine,
        ModeView(
            "WATCH",
            "td α.98768 ε.86",
            "td α.98768 ε.86",
            (("game", f"{BIG:,}/{BIG:,}"), ("ply", "9"), ("seed", f"{BIG}{BIG}")),
            "▶ 98.7M/s",
        ),
        60,
    ),
    (
        TablePane,
        TableView(
            (
                ColumnView("board", 9, 0, left=True),
                ColumnView("V", 6, 1),
                ColumnView("n", 7, 2),
                ColumnView("[95% band]", 13, 3),
            ),
            tuple((".........", "−.98768", f"{BIG:,}", "[9,876.8,9,878.8]") for _ in range(3)),
            right=WORDS,
            footer=WORDS,
        ),
        32,
    ),
    (
        EntryPane,
        EntryView(
            facts=((("n ", "dim"), (f"{BIG:,}", "text")),),
            bars=(BarView("V", "−.98768", 0.9, "x"),),
            moves=f"X prefers {BIG}",
            head=WORDS,
            images=(WORDS,),
            footer=WORDS,
            right=WORDS,
        ),
        28,
    ),
    (
        ArmsPane,
        ArmsView(
            tuple(
                ArmRow(
                    "A", "td alpha=0.876867", (("td α.876867 λ.98", "dim"),), "x", 0.5, "987/987"
                )
                for _ in range(3)
            ),
            right=WORDS,
            footer=WORDS,
        ),
        60,
    ),
    (
        ChartPane,
        ChartView(
            (
                ChartSeries(((1, 0.868), (BIG, 0.987)), role="x", label="A"),
                ChartSeries(((1, 0.8), (BIG, 0.9)), role="o", label="B"),
            ),
            (ChartReference(0.98768, "exact .9877"),),
            (1.0, float(BIG)),
            log_x=True,
            title=WORDS,
            right=WORDS,
        ),
        60,
    ),
    (TextPane, TextView((WORDS, WORDS), title=WORDS, right=WORDS, footer=WORDS), 60),
    (TourPane, TourView(WORDS, WORDS, WORDS, WORDS), 60),
    (FilmPane, FilmView(0.5, ((0.2, "●"),), f"game {BIG:,} of {BIG:,}", BIG), 60),
    (
        QuizPane,
        QuizView(
            WORDS,
            (("X.O.X.OX. holds", "−.98768"), ("", WORDS)),
            (ChoiceLine("1", "−.98768"), ChoiceLine("2", WORDS)),
            marks=(MarkView(V, "v*", "truth", "┃"),),
            scale=(-98.7688, 98.7688),
            guess="−.98768",
            verdict=WORDS,
            why=WORDS,
            right=WORDS,
        ),
        34,
    ),
]
NAMES = [f"{pane.__name__}-{index}" for index, (pane, *_) in enumerate(SAMPLES)]
HEIGHTS = (6, 7, 9, 11, 24, 58)


def numbers(pane: Pane[Any], view: Any, columns: int, rows: int) -> set[str]:
    lines = pane.lines(view, columns, rows)
    text = "\n".join("".join(piece for piece, _ in line) for line in lines)
    return set(TOKEN.findall(MORE.sub("", text)))


def is_cut(found: str, whole: set[str]) -> bool:
    """Whether a number is a part of another one and nothing by itself."""
    return found not in whole and any(found in other for other in whole)


@pytest.mark.parametrize(("kind", "view", "least"), SAMPLES, ids=NAMES)
def test_a_pane_without_room_leaves_numbers_out_and_cuts_none(
    kind: type[Pane[Any]], view: Any, least: int
) -> None:
    pane = kind()
    whole = numbers(pane, view, *WHOLE)
    for columns in (*range(least, 64, 1 if least < 40 else 3), 76, 80, 100, 120, 160, 200):
        for rows in HEIGHTS:
            cut = {n for n in numbers(pane, view, columns, rows) if is_cut(n, whole)}
            assert not cut, f"{columns}×{rows}"
