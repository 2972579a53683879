"""What to expect: where this run is among runs with the same players and as many games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments import expect
from afterstate_lab.learners.experiments.plan import size
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.judge.figures import WORST_LOSS
from afterstate_lab.tui.blocks.block import Room, Stack, Window
from afterstate_lab.tui.blocks.lists import Cell, Column, Table
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.text import Text
from afterstate_lab.tui.lab.labels import player_label, side_role
from afterstate_lab.tui.lab.outcomes import Running, Work
from afterstate_lab.tui.pages.page import BACK, Opened, Page

if TYPE_CHECKING:
    from afterstate_lab.learners.judge.figures import Figure
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.lab.controller import LabController

Row = tuple[Side, "Figure[Any]"]
LOST: Final = expect.METRICS.index(WORST_LOSS)
STRIP: Final = 30
"""Columns of a distribution."""
COLUMNS: Final = (
    Column("", 1, role="strong"), Column("", 12, say="{}"), Column("this run", 8, left=False),
    Column("worst", 7, 3, left=False, say="worst {}", role="dim"), Column("", STRIP, say=""),
    Column("best", 7, 3, left=False, say="best {}", role="dim"),
    Column("above", 5, left=False, say="above {} of them"),
)  # fmt: skip


class Expectation:
    """The state of the page.

    Args:
        run: whose numbers are marked.
        seeds: how many runs it is compared with.
    """

    def __init__(self, run: Run, seeds: int = expect.SEEDS) -> None:
        if not run.games:
            raise UsageError("this run has no games yet. Train it first: :train 20000")
        self.run, self.seeds, self.at = run, seeds, Window()
        self.trouble = ""
        """Why the others cannot be trained."""
        self.sample = expect.sampled(run.x, run.o, expect.looks(run.games), 0)
        """The others: nobody at first."""
        state = EvaluatedState(run.layout, run.memory.copy())
        self.own = {s: [one.number(state, s) for one in expect.METRICS] for s in self.sample.sides}

    def _train(self, running: Running) -> expect.Sample:
        x, o, points, tell = self.run.x, self.run.o, self.sample.points, running.tell
        try:
            return expect.sampled(
                x, o, points, self.seeds, seconds=expect.SECONDS, stop=running, tell=tell
            )
        except UsageError as error:
            self.trouble = str(error)
            return self.sample

    def page(self) -> Page:
        sample, of_run = self.sample, self.run.layout
        known = {side: sample.levels(side) for side in sample.sides} if len(sample) else {}
        rows = [(side, metric) for side, levels in known.items() for metric in levels]
        work = None
        if not (rows or self.trouble):
            take = partial(setattr, self, "sample")
            work = Work(self._train, says="training other seeds", then=take)
        table = Table(
            COLUMNS,
            rows,
            self._cells,
            title="this run among the others",
            right="● this run  ┼ median  ─ 90% of them",
            message="" if work is None else "Training…",
            at=self.at,
        )
        said = Text([*self._sentences()], title="is it normal?", height=Room(3, 7))
        return Page(
            "EXPECT",
            Stack((said, table)),
            keys=(BACK,),
            note=self.trouble,
            work=work,
            title=(("X", player_label(of_run.x.spec)), ("O", player_label(of_run.o.spec))),
            right=size(len(sample) or self.seeds, sample.games),
            of_run=True,
        )

    def _sentences(self) -> Iterator[str]:
        sample = self.sample
        for side in sample.sides if len(sample) else ():
            half, worst = sample.first_unbeatable(side, 0.5), self.own[side][LOST]
            when = f"half after {half:,} games" if half else "fewer than half"
            yield (
                f"{side.mark}: {sample.unbeatable(side)[-1]:.1%} of seeds are unbeatable ({when}); "
                f"this one is{' not' if worst else ''}."
            )
        yield "afterstate judge FILE --like td finds what is wrong with your own learner."

    def _cells(self, row: Row) -> tuple[Cell | Words, ...]:
        side, metric = row
        numbers, levels = self.own[side], self.sample.levels(side)[metric]
        own = numbers[expect.METRICS.index(metric)]
        above = expect.percentiles(numbers, self.sample.numbers[:, side])[metric.name]
        return (
            ((side.mark, side_role(side.mark, strong=True)),),
            metric.name,
            ((expect.number_text(metric, own), "now"),),
            expect.number_text(metric, levels["worst"]),
            Cell(strip_of([*levels.values()], own), ""),
            expect.number_text(metric, levels["best"]),
            f"{above:.0%}",
        )


def strip_of(levels: list[float], own: float) -> Words:
    """Draw a distribution from its worst value to its best, and a run's own number in it.

    Args:
        levels: worst, 5%, median, 95%, best.
        own: the run's.
    """
    low, high = levels[0], levels[-1]

    def column(value: float) -> int:
        share = (value - low) / (high - low) if high != low else 0.5
        return round(min(1.0, max(0.0, share)) * (STRIP - 1))

    first, last = column(levels[1]), column(levels[3])
    signs = [("─", "dim") if first <= n <= last else ("·", "faint") for n in range(STRIP)]
    signs[column(levels[2])] = ("┼", "text")
    signs[column(own)] = ("●", "now")
    return tuple(signs)


def open_on(lab: LabController, data: object, text: str) -> Opened:
    return Expectation(lab.session.run).page, None
