"""`afterstate experiment`: a question about learning, tried with many seeds, judged exactly."""

from __future__ import annotations

import json
import sys
import textwrap
from contextlib import AbstractContextManager
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import click

from game import Side
from learners.errors import UsageError, shown
from tui.cli import parameters
from tui.cli.errors import INTERRUPTED
from tui.progress import BAR, in_thread
from tui.theme.numerals import seconds_text

if TYPE_CHECKING:
    from learners.experiments.plan import SidedMetric
    from learners.experiments.results import ArmResults, Results
    from learners.experiments.run import Experiment, ExperimentSnapshot, WorkerPool

WIDTH = 96


@click.command()
@click.argument(
    "plan", required=False, metavar="PLAN.toml|NAME", shell_complete=parameters.completed("plans")
)
@click.option("--list", "as_list", is_flag=True, help="Name the plans that come with Afterstate.")
@click.option(
    "--seeds", type=parameters.WholeNumber(1, 1_000), metavar="N", help="How many seeds instead."
)
@click.option(
    "--games", type=parameters.GamesType(1, 10**10), metavar="N", help="How many games instead."
)
@click.option(
    "--workers", type=parameters.WholeNumber(1, 256), metavar="N",
    help="How many trials at once; all cores by default.",
)  # fmt: skip
@click.option("--dask", metavar="ADDRESS", help="Run on the Dask cluster at this address.")
@click.option(
    "--executor", metavar="MODULE:FACTORY",
    help="Run in the concurrent.futures.Executor that this function returns.",
)  # fmt: skip
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
    help="Keep finished trials, metrics and charts here; resume from there.",
)  # fmt: skip
@click.option("--own-rules", is_flag=True, help="Let the plan run rules from Python files.")
@parameters.json_flag
def experiment(
    plan: str | None,
    as_list: bool,
    seeds: int | None,
    games: int | None,
    workers: int | None,
    dask: str | None,
    executor: str | None,
    out: Path | None,
    own_rules: bool,
    as_json: bool,
) -> None:
    """Compare learners over many seeds.

    It trains every arm of a plan with every seed, and measures each exactly.
    PLAN is a TOML file, or a plan that comes with Afterstate by its name or the number of the
    book's exercise, such as 1.4.
    """
    from learners.experiments import run
    from learners.experiments.plan import find_plan
    from learners.experiments.results import write_results
    from learners.files import check_lock, is_locked, make_folder

    if as_list:
        list_plans(as_json)
        return
    if plan is None:
        raise UsageError("which plan? a file.toml or a name (afterstate experiment --list)")
    if dask is not None and executor is not None:
        raise UsageError("--dask and --executor are two places to run: give one of them")
    asked = find_plan(plan, own_rules=own_rules)
    asked = asked if seeds is None else asked.with_seeds(seeds)
    asked = asked if games is None else asked.with_games(games)
    if is_locked() and (dask or executor):
        raise UsageError(
            "this lab is locked, so it runs no code of others: no --dask or --executor"
        )
    if out is not None:
        check_lock(out)
        make_folder(out)
    pool: AbstractContextManager[WorkerPool] | None = run.dask(dask) if dask else None
    if executor is not None:
        pool = run.executor(executor)
    if not as_json:
        introduce(asked.title, asked.source, asked.question, asked.prediction)
    last = watched(run.Experiment(asked, out, workers=workers, pool=pool))
    report(last, as_json)
    if out is not None:
        write_results(last.results, out)
    if last.trouble:
        click.echo(f"afterstate: the journal could not be written: {last.trouble}", err=True)
    if last.done < last.total:
        again = f"{shown(out)} has them; the same command goes on" if out else "not kept (no --out)"
        click.echo(
            f"afterstate: stopped after {last.done} of {last.total} trials; {again}", err=True
        )
        sys.exit(INTERRUPTED)


def list_plans(as_json: bool) -> None:
    from learners.experiments.plan import catalogue

    plans = catalogue()
    if as_json:
        told = [{"name": p.name, "title": p.title, "source": p.source} for p in plans]
        click.echo(json.dumps(told))
        return
    for plan in plans:
        click.echo(f"{plan.name:<14}{plan.title:<28}{plan.source}")


def introduce(title: str, source: str, question: str, prediction: str) -> None:
    """Print the question and the prediction before the experiment runs."""
    click.echo(f"{title} ({source})" if source else title)
    for text in (question, prediction):
        click.echo("\n".join(textwrap.wrap(text, WIDTH)))


def watched(experiment: Experiment) -> ExperimentSnapshot:
    """Run an experiment to its end or to Ctrl-C, with a bar if stderr is a terminal."""
    show = sys.stderr.isatty()

    def tell() -> None:
        if show:
            click.echo("\r\x1b[K" + progress_line(experiment.snapshot), err=True, nl=False)

    try:
        in_thread(experiment.work, tell, experiment.stop)
    finally:
        if show:
            click.echo("\r\x1b[K", err=True, nl=False)
    return experiment.snapshot


def progress_line(snapshot: ExperimentSnapshot) -> str:
    """Bar, trials and time left, in ASCII."""
    left = "" if snapshot.seconds_left is None else f"  {seconds_text(snapshot.seconds_left)} left"
    bar = "#" * round(BAR * snapshot.share)
    return f"[{bar:.<{BAR}}] {snapshot.done:,} of {snapshot.total:,} trials{left}"


def report(last: ExperimentSnapshot, as_json: bool) -> None:
    results = last.results
    if as_json:
        click.echo(json.dumps(results.as_json() | {"seconds": last.seconds}, allow_nan=False))
        return
    plan = results.plan
    before = f", {last.resumed} of them before" if last.resumed else ""
    click.echo(
        f"\n{last.done:,} trials of {plan.games:,} games in {seconds_text(last.seconds)}{before}; "
        "mean [95% interval], P: chance that a run is better than one of the baseline"
    )
    for metric in plan.metrics:
        metric_table(results, metric)
    verdict_table(results)
    if plan.answer:
        click.echo("\n" + "\n".join(textwrap.wrap(f"{plan.answer_heading}: {plan.answer}", WIDTH)))


def metric_table(results: Results, metric: SidedMetric) -> None:
    """Print what the plan judges every arm by, for a metric."""
    from learners.experiments.results import reference

    click.echo(f"\n{metric}: {metric.metric.meaning}")
    click.echo(f"  {results.plan.judged_by}; 95% interval: {metric.band_kind}")
    for n, arm in enumerate(results.arms):
        final, exact, better = (
            arm.figure(metric), reference(arm.arm, metric), results.improvement(metric, n)
        )  # fmt: skip
        line = f"  {arm.arm.name:<28}"
        if final is None:
            click.echo(line + "-")
            continue
        band = "" if final.low is None else f"[{final.low:.4f}, {final.high:.4f}]"
        line += f"{final.mean:9.4f} {band:<18}"
        line += f" IQM {final.iqm:.4f}" if final.iqm is not None else ""
        line += f"  exact {exact.value:.4f}" if exact is not None else ""
        line += f"  P {better.mean:.2f}" if better is not None else ""
        click.echo(line.rstrip())


def verdict_table(results: Results) -> None:
    """Print the final exact verdicts on every learner."""
    click.echo("\nexact, greedy play: the worst loss of any seed, means of the other figures")
    click.echo(
        f"  {'':<28}{'beatable':>9}{'worst':>7}{'v random: win':>15}{'loss':>7}"
        f"{'optimal':>14}{'rms v*':>8}{'rms v_pi':>9}"
    )
    for arm in results.arms:
        for side in Side:
            verdict_line(arm, side)


def verdict_line(arm: ArmResults, side: Side) -> None:
    """Print the verdict on one side of an arm if it is a learner."""
    from learners.judge import figures as f

    told = arm.verdict(side)
    if told is None:
        return
    errors = [
        "-" if isnan(error) else f"{error:.3f}"
        for error in (told[f.RMS_OPTIMAL], told[f.RMS_BEHAVIOUR])
    ]
    click.echo(
        f"  {f'{arm.arm.name}  {side.mark}':<28}{f'{told[f.BEATABLE]:.0f}/{told.seeds}':>9}"
        f"{told[f.WORST_LOSS]:7.3f}{told[f.WIN]:15.4f}{told[f.LOSS]:7.4f}"
        f"{f'{told[f.OPTIMAL]:,.0f}/{told.decisions:,}':>14}{errors[0]:>8}{errors[1]:>9}"
    )
