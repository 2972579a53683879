"""`afterstate train`: let two players learn, at full speed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from tui.cli import parameters
from tui.cli.errors import ENDED_BY_SIGNAL, FAILED, fail
from tui.cli.report import evaluation_lines
from tui.cli.watch import ended_by_signals, load, watched

if TYPE_CHECKING:
    from learners.run import Run
    from learners.spec import PlayerSpec
    from learners.training import Snapshot


@click.command()
@parameters.players()
@parameters.games(20_000)
@parameters.seed
@parameters.recipe
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE.npz", help="Save what was learned."
)
@parameters.json_flag
@click.pass_context
def train(
    ctx: click.Context,
    x: PlayerSpec,
    o: PlayerSpec,
    games: int,
    seed: int,
    recipe: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Train two players against each other and judge them exactly.

    Ctrl-C ends the training early; what was learned by then is saved and told.
    """
    from learners.errors import PolicyFileError, UsageError
    from learners.policy_file import check_place, save_policy
    from learners.run import Run
    from learners.training import Goal, Training

    if recipe is not None:
        x, o, games = from_recipe(ctx, recipe)
    if x.rule.human or o.rule.human:
        raise UsageError("a human cannot be trained; afterstate play --plain plays with you")
    if out is not None:
        check_place(out)
    run = Run(x, o, seed)
    load_seconds = load(run, games)
    training = Training(run, Goal(games))
    unsaved = "there is no --out"
    with ended_by_signals(training) as signals:
        last = watched(training)
        if out is not None:
            try:
                save_policy(run, out)
                unsaved = ""
            except PolicyFileError as error:
                unsaved = str(error)
    report(run, last, load_seconds, as_json)
    if last.done < games:
        saved = f"not saved: {unsaved}" if unsaved else f"saved in {out}"
        fail(f"stopped after {last.done:,} games; {saved}", ENDED_BY_SIGNAL + signals[0])
    if out is not None and unsaved:
        fail(unsaved, FAILED)


def from_recipe(ctx: click.Context, name: str) -> tuple[PlayerSpec, PlayerSpec, int]:
    """Players and games of a recipe, but for those that were given as well."""
    from learners.recipes import find_recipe

    recipe = find_recipe(name)
    x, o = recipe.players
    wanted = {"x": x, "o": o, "games": recipe.games}
    for option in wanted:
        if ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE:
            wanted[option] = ctx.params[option]
    return wanted["x"], wanted["o"], wanted["games"]  # type: ignore[return-value]


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
