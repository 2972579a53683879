"""`afterstate turn`: the knob without a screen."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import INTERRUPTED, fail, show
from afterstate_lab.tui.progress import ProgressLine, bar_of, in_thread

if TYPE_CHECKING:
    from afterstate_lab.learners.experiments.plan import Plan
    from afterstate_lab.learners.experiments.turn import Turned
    from afterstate_lab.learners.rules.spec import PlayerSpec


@click.command()
@click.argument("setting", metavar="OPTION=FROM:TO:COUNT")
@parameters.players()
@parameters.number("--games", 1, 10**10, 20_000, "Number of games.", kind="games")
@parameters.seeds(20)
@parameters.json_flag
def turn(setting: str, x: PlayerSpec, o: PlayerSpec, games: int, seeds: int, as_json: bool) -> None:
    """Turn an option and see what is learned.

    Trains the players at every setting, such as alpha=.05:.5:10, with the same seeds each time, and
    measures them as an experiment does. x.alpha turns it for X only. In the lab, `:turn alpha` does
    it while you hold a key.
    """
    from afterstate_lab.learners.experiments import turn as turned
    from afterstate_lab.learners.experiments.run import Stopped

    name, equals, given = setting.partition("=")
    if not equals:
        raise UsageError(f"{shown(setting)} has no range. {turned.RANGE}")
    values = turned.settings_of(turned.knob(x, o, name), given)
    plan = turned.turning(x, o, name, values, seeds, games)
    done: list[Turned] = []
    stop = threading.Event()

    def work() -> None:
        done.extend(turned.turn(plan, arm, stop.is_set) for arm in plan.arms)

    with ProgressLine() as line:
        try:
            in_thread(work, lambda: line.show(lambda: progress(plan, done)), stop.set)
        except Stopped:
            fail(f"stopped after {len(done)} of {len(plan.arms)} settings", INTERRUPTED)
    show(as_json, turned.as_json(plan, done), report(plan, done, name))


def progress(plan: Plan, done: Sequence[Turned]) -> str:
    return f"{bar_of(len(done) / len(plan.arms))} {len(done)} of {len(plan.arms)} settings"


def report(plan: Plan, done: Sequence[Turned], name: str) -> Iterator[str]:
    """Yield a line for each setting: the metrics at the end, and how many cannot be beaten."""
    from afterstate_lab.learners.experiments.plan import size

    metrics = [metric for metric in plan.metrics if metric.metric.name != "value"]
    sides = [metric.side for metric in metrics]
    yield f"{plan.arms[0].origin}: {size(len(plan.seeds), plan.games)} for each setting"
    yield "mean [95% interval] at the end; unbeatable: in how many runs nobody can beat it, exact\n"
    heads = "".join(f"{metric.symbol:<25}" for metric in metrics)
    yield f"{name:<10}{heads}unbeatable {' '.join(f'{side.mark:>4}' for side in sides)}"
    for one in done:
        line = f"{one.results.arm.swept[-1][1]:<10}"
        for final in map(one.results.final, metrics):
            told = "-" if final is None else f"{final.mean:.4f}"
            if final is not None and final.low is not None:
                told += f" [{final.low:.4f}, {final.high:.4f}]"
            line += f"{told:<25}"
        found = (one.beatable[side] for side in sides)
        counts = (0 if beat is None else len(beat) - int(beat.sum()) for beat in found)
        yield f"{line}{' ' * 11}{' '.join(f'{many:>4}' for many in counts)}"
