"""Two runs beside each other as they are shown: settings, curves, entries that differ most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from game import Side
from learners.judge.figures import JUDGED, Figure
from learners.store import compared
from tui.lab.labels import side_role
from tui.lab.list_controller import ListController, RowWindow
from tui.lab.panes import LOGARITHMIC
from tui.lab.table.view import VISITS, board_words
from tui.theme.numerals import aligned, count_in
from tui.views.lab import CurveView, SeriesView
from tui.views.table import ColumnView, TableView
from tui.views.words import Words

if TYPE_CHECKING:
    from learners.judge.curve import Point
    from learners.store import Difference, LoadedRun, RunComparison

ROLES: Final = {"A": "strong", "B": "bead 1"}
"""The colours of the two runs: those of no player."""
RESULTS: Final = ("X won", "drawn", "O won")
SETTING: Final = 11
"""Columns of a setting's name."""


@dataclass(frozen=True)
class ComparedCurve:
    """A number of the points of the learning curve, by which two runs are compared."""

    title: str
    figure: Figure[Any] | None
    """Of the exact verdict on a side; None: a share of the results."""
    which: int
    """The side; of the results 0 X won, 1 drawn, 2 O won."""

    def value_at(self, point: Point) -> float | None:
        """The number, 0…1; None where it is not known."""
        if self.figure is None:
            return point.share(self.which) if sum(point.results) else None
        found = None if point.evaluation is None else point.evaluation[self.which]
        if found is None or self.figure.name not in found.values:
            return None
        value = self.figure.kind.number(found[self.figure])
        return value if np.isfinite(value) else None


CURVES: Final = (
    *(
        ComparedCurve(figure.curve.format(side.mark), figure, side)
        for figure in JUDGED
        if figure.curve
        for side in Side
    ),
    *(ComparedCurve(name, None, which) for which, name in enumerate(RESULTS)),
)


def compared_curves(a: LoadedRun, b: LoadedRun) -> tuple[ComparedCurve, ...]:
    """What both runs know of themselves over the games; at least the results."""
    return tuple(
        curve
        for curve in CURVES
        if curve.figure is None
        or all(any(curve.value_at(p) is not None for p in run.history) for run in (a, b))
    )


def curves_view(a: LoadedRun, b: LoadedRun, curve: ComparedCurve) -> CurveView:
    """The learning curves laid over each other."""
    series = tuple(
        SeriesView(
            points=tuple(
                (point.games, value)
                for point in run.history
                if (value := curve.value_at(point)) is not None
            ),
            role=ROLES[letter],
            label=letter,
        )
        for letter, run in (("B", b), ("A", a))
    )
    games = max([1, *(point.games for run in (a, b) for point in run.history)])
    return CurveView(
        series=series,
        x_range=(0, games) if games < LOGARITHMIC else (LOGARITHMIC / 100, games),
        log_x=games >= LOGARITHMIC,
        title=curve.title,
        right="→ next curve",
    )


SAME_SETTINGS: Final = "Both have the same settings."
NOT_COMPARABLE: Final = "Their entries mean different things: no value can be compared."


def settings_view(comparison: RunComparison, columns: int) -> TableView:
    """The settings that differ."""
    room = max(4, (columns - 3 - SETTING - 1) // 2 - 1)
    rows: list[tuple[Words, ...]] = [
        (((name, "dim"),), ((a, ROLES["A"]),), ((b, ROLES["B"]),))
        for name, a, b in comparison.settings
    ]
    message = "" if rows else SAME_SETTINGS
    bits = "learned the same, bit by bit" if comparison.is_same_memory else ""
    return TableView(
        columns=(
            ColumnView("setting", SETTING, 0, left=True),
            ColumnView("A", room, 1, left=True),
            ColumnView("B", room, 2, left=True),
        ),
        rows=tuple(rows),
        message=message,
        title="what differs",
        footer=bits,
    )


ENTRIES: Final = (
    ColumnView("player", 6, 6, left=True),
    ColumnView("board", 9, 0, left=True),
    ColumnView("cell", 4, 1),
    ColumnView("A", 8, 2),
    ColumnView("B", 8, 3),
    ColumnView("B−A", 8, 4, sorted="▼"),
    ColumnView("n A", 7, 5),
    ColumnView("n B", 7, 7),
)


def entries_view(comparison: RunComparison, window: RowWindow) -> TableView:
    """The entries that differ most."""
    shown = comparison.entries[window.seen]
    message = ""
    if not comparison.entries:
        message = "No value differs."
        if not comparison.is_same_memory:
            message = NOT_COMPARABLE
    return TableView(
        columns=ENTRIES,
        rows=tuple(entry_cells(entry) for entry in shown),
        cursor=window.cursor - window.top if shown else None,
        message=message,
        title="entries that differ most",
        right=f"{window.cursor + 1} of {len(comparison.entries)}" if shown else "",
    )


def entry_cells(entry: Difference) -> tuple[Words, ...]:
    """An entry in both runs."""
    return (
        ((entry.player, side_role(entry.player, strong=True)),),
        board_words(entry.board),
        (("" if entry.cell is None else str(entry.cell), "text"),),
        ((aligned(entry.a, 4), ROLES["A"]),),
        ((aligned(entry.b, 4), ROLES["B"]),),
        ((aligned(entry.b - entry.a, 4, signed=True), "strong"),),
        ((count_in(entry.visits_a, VISITS), "dim"),),
        ((count_in(entry.visits_b, VISITS), "dim"),),
    )


class CompareController(ListController):
    """Run A and run B: the entries that differ, and one curve over the games.

    Args:
        a: a run.
        b: the other one.
    """

    def __init__(self, a: LoadedRun, b: LoadedRun) -> None:
        super().__init__(
            {
                "measure": lambda: self.turn_curve(1),
                "measure_back": lambda: self.turn_curve(-1),
            }
        )
        self.a, self.b = a, b
        self.comparison = compared(a.run.state(), b.run.state())
        self.window.hold(len(self.comparison.entries))
        self._curves = compared_curves(a, b)
        self._number = 0

    @property
    def curve(self) -> ComparedCurve:
        """What the curves show."""
        return self._curves[self._number]

    def turn_curve(self, by: int) -> None:
        """Show the next curve, or the one before."""
        self._number = (self._number + by) % len(self._curves)

    def choose(self, row: int) -> None:
        """Nothing: of the two tables only one has a cursor."""
