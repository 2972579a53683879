"""What to expect: where this run is among runs with the same players and as many games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from afterstate_lab.game import Side
from afterstate_lab.game.exact import Floats
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments import expect
from afterstate_lab.learners.experiments.plan import size
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.judge.figures import WORST_LOSS
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.blocks import Cell, Column, Room, Stack, Table, Text, Window, Words
from afterstate_lab.tui.lab.labels import player_label
from afterstate_lab.tui.lab.outcomes import Running
from afterstate_lab.tui.pages.page import BACK, LabController, Opened, Page, Work

LEVELS: Final = {"worst": 1, "5%": 3, "median": 2, "95%": 3, "best": 1}
"""The heads of the quantiles, and how soon each is hidden."""
STRIP: Final = 20
"""Columns of a distribution."""
SHADES: Final = " ░▒▓█"
"""Signs for more and more seeds."""


def sample_table(
    sample: expect.Sample, own: Mapping[Side, Sequence[float]] | None = None, **more: Any
) -> Table:
    """Return how the metrics of a sample are distributed.

    Args:
        sample: the seeds.
        own: the metrics of a run by side, to show where it is among them.
        more: other fields of the table.
    """
    rows: list[list[Cell | Words]] = []
    for side in sample.layout.learners if len(sample) else ():
        for metric, levels in sample.levels(side).items():
            row: list[Cell | Words] = [f"{side.mark} {metric.name}"]
            number = None
            if own is not None:
                number = own[side][expect.METRICS.index(metric)]
                above = expect.percentiles(own[side], sample.numbers[:, side])[metric.name]
                row += [((expect.number_text(metric, number), "now"),), f"{above:.0%}"]
            row += [expect.number_text(metric, one) for one in levels.values()]
            strip = strip_of(sample.of(side, metric), number)
            if metric.higher_is_better is False:
                strip.reverse()
            rows.append([*row, Cell(tuple(strip), "")])
    mine = Column("this run", 8, left=False), Column("above", 5, 0, False, "above {} of them")
    columns = (
        Column("", 14, role="strong"),
        *(mine if own is not None else ()),
        *(
            Column(head, 8, rank, False, f"{head} {{}}" if head.isalpha() else "", role="dim")
            for head, rank in LEVELS.items()
        ),
        Column("seeds", STRIP, say=""),
    )
    return Table(columns, rows, list, **more)


def strip_of(values: Floats, own: float | None) -> list[tuple[str, str]]:
    """Draw how many seeds have which number, from the least to the most, and a run's own."""
    middle = values[0]
    alike = (middle - 0.5, middle + 0.5) if np.ptp(values) < 1e-9 else None  # but for rounding
    counts, ends = np.histogram(values, STRIP, alike)
    many = np.ceil(counts * (len(SHADES) - 1) / counts.max()).astype(int).tolist()
    signs = [(SHADES[n], "dim") for n in many]
    if own is not None:
        at = int(np.searchsorted(ends, own, "right")) - 1
        signs[min(max(at, 0), STRIP - 1)] = ("●", "now")
    return signs


def unbeatable(sample: expect.Sample, side: Side) -> str:
    """Say with how many seeds a side is unbeatable, and after how many games."""
    told = []
    for share in expect.SHARES.values():
        after = sample.first_unbeatable(side, share)
        when = f"more than {sample.games:,}" if after is None else f"{after:,}"
        told.append(f"{share:.0%} of all after {when} games")
    share = sample.unbeatable(side)[-1]
    return f"{side.mark} is unbeatable with {share:.1%} of the seeds: {', '.join(told)}"


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
        self.own = {
            s: [one.number(state, s) for one in expect.METRICS] for s in run.layout.learners
        }

    def _train(self, running: Running) -> expect.Sample:
        asked = *self.sample.players, self.sample.points, self.seeds
        try:
            return expect.sampled(*asked, seconds=expect.SECONDS, stop=running, tell=running.tell)
        except UsageError as error:
            self.trouble = str(error)
            return self.sample

    def page(self) -> Page:
        sample, of_run = self.sample, self.run.layout
        work = None
        if not (len(sample) or self.trouble):
            take = partial(setattr, self, "sample")
            work = Work(self._train, says="training other seeds", then=take)
        table = sample_table(
            sample,
            self.own,
            title="this run among the others",
            right="● this run  █ many seeds",
            message="" if work is None else "Training…",
            at=self.at,
        )
        said = []
        for side in sample.layout.learners if len(sample) else ():
            worst = self.own[side][expect.METRICS.index(WORST_LOSS)]
            said.append(f"{unbeatable(sample, side)}; this one is{' not' if worst else ''}.")
        said.append("afterstate judge FILE --like td finds what is wrong with your own learner.")
        return Page(
            "EXPECT",
            Stack((Text(said, title="is it normal?", height=Room(3, 7)), table)),
            keys=(BACK,),
            note=self.trouble,
            work=work,
            title=(("X", player_label(of_run.x.spec)), ("O", player_label(of_run.o.spec))),
            right=size(len(sample) or self.seeds, sample.games),
            of_run=True,
        )


def open_on(lab: LabController, data: object, text: str) -> Opened:
    return Expectation(lab.session.run).page
