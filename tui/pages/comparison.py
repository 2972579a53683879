"""Two saved runs beside each other: what differs, their curves, and where they disagree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from afterstate_lab.game import Side
from afterstate_lab.learners.judge.figures import JUDGED, Figure
from afterstate_lab.learners.runs.verify import compared
from afterstate_lab.tui.blocks.block import Beside, Stack, Window
from afterstate_lab.tui.blocks.board import board_cell
from afterstate_lab.tui.blocks.curve import Curve, Series
from afterstate_lab.tui.blocks.table import Cell, Column, Table, plain_cell
from afterstate_lab.tui.lab.labels import side_role
from afterstate_lab.tui.lab.panes import LOGARITHMIC
from afterstate_lab.tui.pages.page import Key, Leave, Page
from afterstate_lab.tui.theme.numerals import aligned, count_in

if TYPE_CHECKING:
    from afterstate_lab.learners.judge.curve import Point
    from afterstate_lab.learners.runs.store import LoadedRun
    from afterstate_lab.learners.runs.verify import Difference
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.lab.controller import LabController

SETTINGS = Column("setting", 11), Column("A", 14, 1), Column("B", 14, 2, grows=True)
ENTRIES = (
    Column("player", 6, 6),
    Column("board", 9),
    Column("cell", 4, 1, left=False, say="move {}"),
    Column("A", 8, 2, left=False, say="A {}"),
    Column("B", 8, 3, left=False, say="B {}"),
    Column("B−A", 8, 4, left=False, say="", sign="▼"),
    Column("n A", 7, 5, left=False, say=""),
    Column("n B", 7, 7, left=False, say=""),
)


ROLES = {"A": "strong", "B": "bead 1"}
"""The colours of the two runs: those of no player."""
RESULTS = ("X won", "drawn", "O won")
SAME_SETTINGS = "Both have the same settings."
NOT_COMPARABLE = "Their entries mean different things: no value can be compared."


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


CURVES = (
    *(
        ComparedCurve(figure.curve.format(side.mark), figure, side)
        for figure in JUDGED
        if figure.curve
        for side in Side
    ),
    *(ComparedCurve(name, None, which) for which, name in enumerate(RESULTS)),
)


def compared_curves(a: Compared, b: Compared) -> tuple[ComparedCurve, ...]:
    """What both runs know of themselves over the games; at least the results."""
    return tuple(
        curve
        for curve in CURVES
        if curve.figure is None
        or all(any(curve.value_at(p) is not None for p in run.history) for run in (a, b))
    )


class Compared(NamedTuple):
    """A run of the two."""

    name: str
    run: Run
    history: Sequence[Point]


class Comparison:
    """Run A and run B: the entries that differ, and one curve over the games."""

    def __init__(self, a: Compared, b: Compared) -> None:
        self.a, self.b = a, b
        self.found = compared(a.run.state(), b.run.state())
        self.at = Window()
        self._curves = compared_curves(a, b)
        self._number = 0

    def turn_curve(self, by: int) -> None:
        self._number = (self._number + by) % len(self._curves)

    def page(self) -> Page:
        return Page(
            "RUNS",
            Stack((Beside((self.settings(), self.curve())), self.entries())),
            title=(("A", self.a.name), ("B", self.b.name)),
            keys=(
                Key("right", "curve", lambda: self.turn_curve(1), "exact, or of results"),
                Key(
                    "left",
                    "curve back",
                    lambda: self.turn_curve(-1),
                    "by the previous metric",
                    hidden=True,
                ),
                Key("escape q", "back", Leave, "back to the list"),
            ),
        )

    def settings(self) -> Table:
        rows = self.found.settings
        return Table(
            SETTINGS,
            len(rows),
            lambda n: tuple(map(plain_cell, rows[n], ("dim", ROLES["A"], ROLES["B"]))),
            None,
            message="" if rows else SAME_SETTINGS,
            title="what differs",
            footer="learned the same, bit by bit" if self.found.is_same_memory else "",
        )

    def curve(self) -> Curve:
        """The learning curves laid over each other."""
        shown = self._curves[self._number]
        series = []
        for letter, run in (("B", self.b), ("A", self.a)):
            found = [(float(p.games), shown.value_at(p)) for p in run.history]
            known = tuple((x, y) for x, y in found if y is not None)
            series.append(Series(known, role=ROLES[letter], label=letter, name=run.name))
        games = max([1, *(point.games for run in (self.a, self.b) for point in run.history)])
        log = games >= LOGARITHMIC
        return Curve(
            series=series,
            x_range=(LOGARITHMIC / 100 if log else 0, games),
            log_x=log,
            title=shown.title,
            right="→ next curve",
            least_columns=36,
        )

    def entries(self) -> Table:
        rows = self.found.entries
        message = "No value differs." if self.found.is_same_memory else NOT_COMPARABLE
        return Table(
            ENTRIES,
            len(rows),
            lambda n: entry_cells(rows[n]),
            self.at,
            folds=True,
            message="" if rows else message,
            title="entries that differ most",
            right=f"{self.at.cursor + 1} of {len(rows)}" if rows else "",
            rank=1,
        )


def entry_cells(entry: Difference) -> tuple[Cell, ...]:
    """An entry in both runs."""
    return (
        plain_cell(entry.player, side_role(entry.player, strong=True)),
        board_cell(entry.board, never=False),
        plain_cell("" if entry.cell is None else entry.cell),
        plain_cell(aligned(entry.a, 4), ROLES["A"]),
        plain_cell(aligned(entry.b, 4), ROLES["B"]),
        plain_cell(aligned(entry.b - entry.a, 4, signed=True), "strong"),
        plain_cell(count_in(entry.visits_a, 7), "dim"),
        plain_cell(count_in(entry.visits_b, 7), "dim"),
    )


def open_on(lab: LabController, data: LoadedRun, text: str) -> tuple[Callable[[], Page], None]:
    session = lab.session
    name = "this run" if lab.saved.stored is None else lab.saved.stored.name
    ours = Compared(name, session.run, session.history.points)
    return Comparison(ours, Compared(data.stored.name, data.run, data.history)).page, None
