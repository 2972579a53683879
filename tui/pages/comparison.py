"""Compare two saved runs: settings, curves and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from afterstate_lab.game import Side
from afterstate_lab.learners.judge.figures import OPTIMAL
from afterstate_lab.learners.runs.replay import compared
from afterstate_lab.tui.blocks.block import Beside, Stack, Window
from afterstate_lab.tui.blocks.curve import Curve, Series
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.table import Cell, Column, Table, board_cell
from afterstate_lab.tui.lab.labels import side_role
from afterstate_lab.tui.lab.panes import LOGARITHMIC
from afterstate_lab.tui.pages.page import BACK, Key, Opened, Page
from afterstate_lab.tui.theme.numerals import aligned, count_in

if TYPE_CHECKING:
    from afterstate_lab.learners.export import Row
    from afterstate_lab.learners.judge.curve import Point
    from afterstate_lab.learners.runs.replay import OpenedRun
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.lab.controller import LabController

ROLES = {"A": "strong", "B": "bead 1"}
"""The colours of the two runs, different from the players'."""
SETTINGS = (
    Column("setting", 11, role="dim"),
    Column("A", 14, 1, role=ROLES["A"]),
    Column("B", 14, 2, grows=True, role=ROLES["B"]),
)
ENTRIES = (
    Column("player", 6, 6),
    Column("board", 11),
    Column("cell", 4, 1, left=False, say="move {}"),
    Column("A", 8, 2, left=False, say="A {}", role=ROLES["A"]),
    Column("B", 8, 3, left=False, say="B {}", role=ROLES["B"]),
    Column("B−A", 8, 4, left=False, say="", sign="▼", role="strong"),
    Column("n A", 7, 5, left=False, say="", role="dim"),
    Column("n B", 7, 7, left=False, say="", role="dim"),
)
RESULTS = ("X won", "drawn", "O won")
SAME_SETTINGS = "Both have the same settings."
NOT_COMPARABLE = "Their tables hold different things, so no value can be compared."

CURVES: Mapping[str, Side] = {f"{side.mark} optimal moves": side for side in Side}


class Compared(NamedTuple):
    name: str
    run: Run
    history: Sequence[Point]

    @classmethod
    def of(cls, loaded: OpenedRun) -> Compared:
        return cls(loaded.name, loaded.run, loaded.history)

    def points(self, curve: str) -> list[tuple[float, float]]:
        """Return the points of a curve of `CURVES` or `RESULTS`, each 0…1."""
        if curve in RESULTS:
            which = RESULTS.index(curve)
            return [(float(p.games), p.share(which)) for p in self.history if sum(p.results)]
        side = CURVES[curve]
        judged = ((p.games, p.evaluation[side]) for p in self.history if p.evaluation is not None)
        return [
            (float(games), OPTIMAL.kind.number(told[OPTIMAL]))
            for games, told in judged
            if told is not None
        ]


class Comparison:
    """Runs A and B: the values that differ, and a curve over the games."""

    def __init__(self, a: Compared, b: Compared) -> None:
        self.a, self.b = a, b
        self.differing, self.pairs = compared(a.run.state(), b.run.state())
        self.is_same = a.run.sha256 == b.run.sha256
        self.at = Window()
        self._curves = [
            *(name for name in CURVES if a.points(name) and b.points(name)), *RESULTS,
        ]  # fmt: skip
        """The curves that both runs have, at least of results."""
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
                Key("left", "curve back", lambda: self.turn_curve(-1),
                    "show the previous curve", hidden=True),
                replace(BACK, help="back to the previous page"),
            ),
        )  # fmt: skip

    def settings(self) -> Table:
        rows = self.differing
        return Table(
            SETTINGS, rows, tuple, None, message="" if rows else SAME_SETTINGS,
            title="what differs",
            footer="learned the same, bit by bit" if self.is_same else "",
        )  # fmt: skip

    def curve(self) -> Curve:
        curve = self._curves[self._number]
        games = max([1, *(point.games for run in (self.a, self.b) for point in run.history)])
        log = games >= LOGARITHMIC
        return Curve(
            series=[
                Series(run.points(curve), role=ROLES[letter], label=letter, name=run.name)
                for letter, run in (("B", self.b), ("A", self.a))
            ],
            x_range=(LOGARITHMIC / 100 if log else 0, games), log_x=log,
            title=curve, right="→ next curve", least_columns=36,
        )  # fmt: skip

    def entries(self) -> Table:
        rows = self.pairs
        message = "No value differs." if self.is_same else NOT_COMPARABLE
        return Table(
            ENTRIES, rows, entry_cells, self.at, folds=True, rank=1,
            message="" if rows else message, title="values that differ most",
            right=f"{self.at.cursor + 1} of {len(rows)}" if rows else "",
        )  # fmt: skip


def entry_cells(pair: tuple[Row, Row]) -> tuple[Cell | Words, ...]:
    a, b = pair
    return (
        ((a.player, side_role(a.player, strong=True)),),
        board_cell(a.board, never=False),
        "" if a.cell is None else str(a.cell),
        aligned(a.value, 4),
        aligned(b.value, 4),
        aligned(b.value - a.value, 4, signed=True),
        count_in(a.visits, 7),
        count_in(b.visits, 7),
    )


def open_on(lab: LabController, data: OpenedRun, text: str) -> Opened:
    session = lab.session
    stored = lab.stored
    name = "this run" if stored is None else stored.name
    ours = Compared(name, session.run, session.history.points)
    return Comparison(ours, Compared.of(data)).page, None
