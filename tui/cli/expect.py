"""`afterstate expect`: what learners become with many seeds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

import click

from afterstate_lab.game import Side
from afterstate_lab.learners.experiments import expect as ex
from afterstate_lab.learners.experiments.like import LEAVES_NO_MARK, Comparison, Likeness
from afterstate_lab.learners.judge.evaluation import Evaluation
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.runs.replay import address_of
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import ENDED_BY_SIGNAL, columns, fail, show
from afterstate_lab.tui.pages.expect import sample_table, unbeatable
from afterstate_lab.tui.progress import told_to_stop

PATIENCE: Final = 60.0
"""Seconds without a trained learner after which a rule is given up."""


@click.command
@click.argument("x", metavar="[SPEC]", type=parameters.PLAYER, default="td")
@parameters.option("--o", "Player of O; the same as X by default.", "SPEC", type=parameters.PLAYER)
@parameters.games(20_000)
@parameters.number(
    "--seeds",
    1,
    10_000,
    None,
    f"Number of seeds; {ex.SEEDS:,} by default, or as many as {ex.SECONDS:.0f} seconds allow.",
)
@parameters.trust
@parameters.json_flag
def expect(
    x: PlayerSpec, o: PlayerSpec | None, games: int, seeds: int | None, as_json: bool
) -> None:
    """Show what a learner becomes with many seeds.

    Trains two players with every seed, measures each exactly, and prints how the metrics are
    distributed. Press Ctrl-C to print what is known so far.
    """

    work = partial(ex.sampled, seconds=math.inf if seeds else ex.SECONDS)
    asked = x, o or x, ex.looks(games), seeds or ex.SEEDS
    sample, signals = told_to_stop(lambda stop, tell: work(*asked, stop=stop, tell=tell))
    if not len(sample):
        fail("stopped before the first seed was trained", ENDED_BY_SIGNAL + signals[0])
    show(as_json, sample.as_json(), lines(sample, may_be_short=seeds is None))
    if signals:
        fail(f"stopped after {len(sample):,} seeds", ENDED_BY_SIGNAL + signals[0])


def lines(sample: ex.Sample, *, may_be_short: bool) -> Iterator[str]:
    """Describe a sample, which has fewer seeds if those took too long."""
    x, o, told = sample.layout.x.spec, sample.layout.o.spec, sample.as_json()
    is_short = may_be_short and len(sample) < ex.SEEDS
    more = f", as many as {ex.SECONDS:.0f} s allow (--seeds N for more)" if is_short else ""
    yield f"X {x}  O {o}, {sample.games:,} games, {len(sample):,} seeds{more}; exact, greedy play"
    for side in sample.layout.learners:
        yield unbeatable(sample, side)
    yield from columns([*sample_table(sample).texts()])
    if len(sample.layout.learners) == 2:
        of_those = told["unbeatable_of_those"]
        rest = "" if of_those is None else f"; {of_those:.1%} of those are unbeatable"
        yield f"{told['draw_each_other']:.1%} of the pairs draw every game{rest}"
    run = replace(address_of(Run(x, o, sample.typical)), games=sample.games)
    yield f"To see the seed in the middle: afterstate {run}"


def compared(
    like: str, against: str | None, games: int, sides: list[Side]
) -> tuple[Comparison, list[int]]:
    """Train learners to compare with, with a progress bar; return them, and the signals that came.

    The players are read here, too, since a user's own rule is tried then, and can loop forever.
    """
    return told_to_stop(
        lambda stop, tell: Comparison.train(
            parse_player(like),
            None if against is None else parse_player(against),
            games,
            sides,
            stop=stop,
            tell=tell,
        ),
        patience=PATIENCE,
    )


def like_lines(told: Likeness, found: Evaluation) -> Iterator[str]:
    """Say where an agent lies among learners, and which mistake it looks like."""
    more = f" (as many as {ex.SECONDS:.0f} s allow)" if told.seeds < ex.SEEDS else ""
    yield f"  among {told.seeds:,} {told.spec} learners after {told.games:,} games{more}:"
    for metric in ex.METRICS:
        if metric.name in told.percentiles:
            text = ex.number_text(metric, metric.kind.number(found[metric]))
            above = f"above {told.percentiles[metric.name]:.0%} of them"
            yield f"    {metric.name:<15}{text:>9}   {above}"
    if told.is_normal is None:
        return
    names, _ = told.looks_like[0] if told.looks_like else ((), 0.0)
    if told.is_normal:
        yield "  normal: its moves are those of such a learner"
    elif names:
        yield f"  not normal; it looks like {told.verdict}:"
    else:
        yield "  not normal, and like no mistake of the museum:"
    yield from (f"    {name}: {PlayerSpec.parse(name).rule.summary}" for name in names)
    yield from (f"    {one}" for one in told.why)
    if names:
        yield f"  to see what it does: afterstate players {names[0]}"
    yield f"  its moves cannot show {', '.join(LEAVES_NO_MARK)}: afterstate grade can"
