"""`afterstate experiment`: compare learners over many seeds, exactly."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.experiments.cluster import Cluster
from afterstate_lab.learners.experiments.plan import Plan, catalogue, find_plan, read_range, turning
from afterstate_lab.learners.experiments.results import Results, check_results, write_results
from afterstate_lab.learners.experiments.run import Experiment
from afterstate_lab.learners.files import check_lock, is_locked, make_folder
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import ENDED_BY_SIGNAL, columns, fail, show
from afterstate_lab.tui.pages.experiments import results_table
from afterstate_lab.tui.progress import ProgressLine, bar_of, ended_by_signals, in_thread
from afterstate_lab.tui.theme.numerals import seconds_text

WIDTH = 96


@click.command
@click.argument("plan", metavar="PLAN.toml|NAME", required=False)
@parameters.flag("--list as_list", "List the built-in experiments.")
@parameters.number("--seeds", 1, 1_000, None, "Number of seeds, instead of the file's.")
@parameters.number(
    "--games", 1, 10**10, None, "Number of games, instead of the file's.", kind="games"
)
@parameters.option("--dask", "Run on the Dask cluster at this address.", "ADDRESS")
@parameters.option(
    "--out",
    "Save trials and metrics here, and resume from here.",
    "DIR",
    type=click.Path(path_type=Path, file_okay=False),
)
@parameters.force
@parameters.trust_rules
@parameters.json_flag
def experiment(
    plan: str | None,
    as_list: bool,
    seeds: int | None,
    games: int | None,
    dask: str | None,
    out: Path | None,
    own_rules: bool,
    as_json: bool,
) -> None:
    """Compare learners over many seeds.

    Trains every variant of an experiment with every seed, and measures each exactly. Give a TOML
    file, the name of a built-in experiment, or the number of an exercise in the book, such as 1.4.

    A file has these keys, and one [[arms]] for each variant:

    \b
      title = "Draws and losses"
      games = 2_000
      seeds = 5
      metrics = ["value X", "beatable X"]
      [[arms]]
      name = "A"
      x = "td:draw=0"
      o = "random"

    Optional are question, [measure] (points, spacing, judge), [[sweep]] (arm, option, values) and
    an arm's baseline.
    """
    if as_list:
        plans = catalogue()
        told = [{"name": one.name, "title": one.title, "source": one.source} for one in plans]
        show(as_json, told, (f"{one.name:<14}{one.title:<28}{one.source}" for one in plans))
        return
    if plan is None:
        raise UsageError("no experiment given. Name a file or one of afterstate experiment --list")
    asked = find_plan(plan, own_rules=own_rules).resized(seeds, games)
    if is_locked() and dask:
        raise UsageError("this lab is locked and does not run other programs. Omit --dask")
    if out is not None:
        check_lock(out)
        make_folder(out)
        if not parameters.is_forced():
            check_results(out, asked)
    run_plan(asked, as_json, out, Cluster(dask) if dask else None)


@click.command
@click.argument("setting", metavar="OPTION=FROM:TO:COUNT")
@parameters.players()
@parameters.games(20_000)
@parameters.seeds(20)
@parameters.json_flag
def turn(setting: str, x: PlayerSpec, o: PlayerSpec, games: int, seeds: int, as_json: bool) -> None:
    """Turn an option and see what is learned.

    Runs the experiment with a variant for every setting, such as alpha=.05:.5:10. In the lab,
    `:turn alpha` shows it while you hold a key.
    """
    run_plan(turning(x, o, *read_range(x, o, setting), seeds, games), as_json)


def run_plan(
    asked: Plan,
    as_json: bool,
    out: Path | None = None,
    pool: Executor | None = None,
    told: dict[str, Any] | None = None,
) -> None:
    """Run an experiment and print its report; as JSON together with `told`."""
    if not as_json:
        click.echo(f"{asked.title} ({asked.source})" if asked.source else asked.title)
        for text in filter(None, (asked.question, asked.prediction)):
            click.echo(textwrap.fill(text, WIDTH))
    work = Experiment(asked, out, pool=pool)
    with closing(ProgressLine()) as line, ended_by_signals(work.stop) as signals:
        in_thread(work.work, lambda: line.show(lambda: progress(work.snapshot)))
    last = work.snapshot
    show(as_json, (told or {}) | last.as_json() | {"seconds": last.seconds}, report(last))
    if out is not None:
        write_results(last, out)
    if last.trouble:
        click.echo(f"afterstate: Could not write the journal: {last.trouble}", err=True)
    if last.done < asked.trials:
        said = f"stopped after {last.done} of {asked.trials} trials"
        if out is not None:
            said += f"; run the same command to continue in {shown(out)}"
        elif "out" in click.get_current_context().params:
            said += "; give --out to keep them"
        fail(said, ENDED_BY_SIGNAL + signals[0])


def progress(shot: Results) -> str:
    told = f"{shot.done:,} of {shot.plan.trials:,} trials"
    return bar_of(shot.share, told, shot.seconds_left)


def report(results: Results) -> Iterator[str]:
    plan = results.plan
    before = f", {results.resumed} of them before" if results.resumed else ""
    took = seconds_text(results.seconds)
    yield f"\n{results.done:,} trials of {plan.games:,} games in {took}{before}"
    judged_by = "mean over the run" if plan.over_run else "at the end"
    for metric in plan.metrics:
        yield f"\n{metric}: {metric.metric.meaning}"
        yield f"{judged_by}; 95% interval: {metric.band_kind}"
        yield from columns([*results_table(results, metric).texts()])
    if any(map(results.baseline, results.arms)):
        yield "\nP(better): chance that a run beats a run of the variant that it is compared with"
    if plan.answer:
        yield "\n" + textwrap.fill(f"{plan.answer_heading}: {plan.answer}", WIDTH)
