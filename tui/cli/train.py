"""`afterstate train`: let two players learn, at full speed."""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tui.cli import parameters
from tui.cli.errors import INTERRUPTED
from tui.cli.report import evaluation_lines
from tui.progress import progress_line

if TYPE_CHECKING:
    from learners.run import Run
    from learners.spec import PlayerSpec
    from learners.training import Snapshot, Training

WORTH_COMPILING = 50_000
"""Fewer games are over before the compiler is loaded."""
REDRAW_SECONDS = 0.25


@click.command()
@parameters.players
@parameters.games(20_000)
@parameters.seed
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.npz",
    help="Save what was learned.",
)  # fmt: skip
@parameters.json_flag
def train(
    x: PlayerSpec, o: PlayerSpec, games: int, seed: int, out: Path | None, as_json: bool
) -> None:
    """Train two players against each other and judge them exactly."""
    from learners.errors import UsageError
    from learners.policy_file import save_policy
    from learners.run import Run
    from learners.training import Goal, Training

    if x.rule.human or o.rule.human:
        raise UsageError("a human cannot be trained; afterstate play --plain plays with you")
    if out is not None and not out.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {str(out.absolute().parent)!r} to save into")
    run = Run(x, o, seed)
    load_seconds = load(run, games)
    last = watched(Training(run, Goal(games)))
    if out is not None:
        save_policy(run, out)
    report(run, last, load_seconds, as_json)
    if last.done < games:
        saved = f"saved to {out}" if out is not None else "not saved (no --out)"
        click.echo(f"afterstate: stopped after {last.done:,} games; {saved}", err=True)
        sys.exit(INTERRUPTED)


def load(run: Run, games: int) -> float:
    """Load or compile the kernel where that pays; the seconds it took."""
    began = time.perf_counter()
    if games >= WORTH_COMPILING:
        run.kernel().compile()
    return time.perf_counter() - began


def watched(training: Training) -> Snapshot:
    """Run a training to its end, or to Ctrl-C, with a bar on stderr where that is a terminal."""
    failures: list[BaseException] = []

    def work() -> None:
        try:
            training.work()
        except BaseException as error:
            failures.append(error)

    worker = threading.Thread(target=work)
    worker.start()
    show = sys.stderr.isatty()
    try:
        while worker.is_alive():
            worker.join(REDRAW_SECONDS)
            if show:
                click.echo("\r\x1b[K" + progress_line(training.snapshot), err=True, nl=False)
    except KeyboardInterrupt:
        training.stop()
        worker.join()
    if show:
        click.echo("\r\x1b[K", err=True, nl=False)
    if failures:
        raise failures[0]
    return training.snapshot


def report(run: Run, last: Snapshot, load_seconds: float, as_json: bool) -> None:
    """Print what came of a training."""
    won_x, drawn, won_o = last.results
    sides = {
        name: None if side is None else side.as_json()
        for name, side in zip("XO", last.evaluation, strict=True)
    }
    if as_json:
        told: dict[str, Any] = {
            "x": str(run.x),
            "o": str(run.o),
            "games": last.done,
            "seed": run.seed,
            "results": {"x": won_x, "draw": drawn, "o": won_o},
            "seconds": last.seconds,
            "load_seconds": load_seconds,
            "games_per_second": last.rate,
            "evaluation": sides,
        }
        click.echo(json.dumps(told))
        return
    click.echo(f"X {run.x}  O {run.o}  seed {run.seed}")
    click.echo(
        f"{last.done:,} games in {last.seconds:.2f} s ({last.rate:,.0f} a second): "
        f"X won {won_x:,}, {drawn:,} drawn, O won {won_o:,}"
    )
    for line in evaluation_lines(*last.evaluation):
        click.echo(line)
