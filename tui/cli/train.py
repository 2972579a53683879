"""`afterstate train`: let two players learn, at full speed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from learners.addresses import is_address
from learners.errors import PolicyFileError, StoreError, UsageError, shown
from tui.cli import parameters
from tui.cli.compete import Match, play_match
from tui.cli.errors import ENDED_BY_SIGNAL, FAILED, fail
from tui.cli.evaluate import evaluation_lines
from tui.lab.resume_hint import games_text
from tui.progress import ended_by_signals, load, watched

if TYPE_CHECKING:
    from learners.rules.spec import PlayerSpec
    from learners.tape.run import Run
    from learners.training import Goal, Snapshot, Training
    from tui.cli.stored_run import TrainedRun


@click.command()
@parameters.players()
@parameters.training_goal(20_000)
@parameters.seed
@parameters.recipe
@parameters.run_name
@parameters.player_files
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE.npz", help="Save what was learned."
)
@parameters.json_flag
@click.pass_context
def train(
    ctx: click.Context,
    x: PlayerSpec,
    o: PlayerSpec,
    goal: Goal,
    seed: int,
    recipe: str | None,
    run_name: str | None,
    files: tuple[Path, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Train two players against each other and judge them exactly.

    With --run ADDRESS they go on from the end of its run, which is not saved by itself.

    Ctrl-C ends the training early; what was learned by then is saved and reported.
    """
    from learners.judge.curve import VERDICT_SECONDS
    from learners.players.policy_file import check_place
    from learners.tape.run import Run
    from learners.training import Training

    given = parameters.given(ctx, "x", "o", "seed")
    match_games = 0
    if recipe is not None:
        x, o, goal, match_games = from_recipe(ctx, recipe)
        given |= {"x": x, "o": o}
    if x.rule.human or o.rule.human:
        raise UsageError("a human cannot be trained; afterstate play --plain plays with you")
    if out is not None:
        check_place(out)
    stored, run = None, Run(x, o, seed)
    if run_name is not None and is_address(run_name):
        parameters.refuse_with_address(ctx, "x", "o", "seed", "recipe")
        run = run_of_address(run_name, files)
    elif run_name is not None:
        from tui.cli.stored_run import TrainedRun

        stored = TrainedRun.open(run_name, x, o, seed, given)
        run = stored.run
    load_seconds = load(run, goal.games)
    verdict_seconds = 0.0 if stored is None else VERDICT_SECONDS
    training = Training(run, goal, verdict_seconds=verdict_seconds)
    with ended_by_signals(training) as signals:
        last = watched(training, None if stored is None else stored.autosave)
        saved, unsaved = save(training, run, stored, out)
    ended_early = last.done < goal.games and bool(signals)
    match = None if ended_early or not match_games else play_match(run, match_games)
    report(run, last, load_seconds, as_json, stored, match)
    if ended_early:
        where = f"not saved: {unsaved}" if unsaved else f"saved {saved}"
        fail(f"stopped after {last.done:,} games; {where}", ENDED_BY_SIGNAL + signals[0])
    if unsaved and (out or stored):
        fail(unsaved, FAILED)


def run_of_address(text: str, files: tuple[Path, ...]) -> Run:
    """The run of an address, to go on with.

    Raises:
        UsageError: it names a place within the run, or a game of a person that is not over.
    """
    from learners.tape.state import Seating
    from tui.cli.saved import opened_address

    opened = opened_address(text, files)
    if opened.address.place is not None or opened.script:
        raise UsageError("a training goes on from the end of a run: an address without @ is needed")
    if opened.run.seating.has_human:
        opened.run.seat(Seating())
    return opened.run


def save(
    training: Training, run: Run, stored: TrainedRun | None, out: Path | None
) -> tuple[str, str]:
    """Save to the store and to a file, as requested; returns where it was saved, and errors."""
    from learners.players.policy_file import save_policy

    saved, unsaved = [], []
    try:
        if stored is not None:
            saved.append(stored.finish(training))
    except StoreError as error:
        unsaved.append(str(error))
    try:
        if out is not None:
            save_policy(run, out)
            saved.append(f"in {out}")
    except PolicyFileError as error:
        unsaved.append(str(error))
    if not (stored or out):
        unsaved.append("there is no --out and no --run")
    return " and ".join(saved), "; ".join(unsaved)


def from_recipe(ctx: click.Context, name: str) -> tuple[PlayerSpec, PlayerSpec, Goal, int]:
    """Players, goal and games of the match of a recipe; given options take precedence."""
    from learners.players.recipes import find_recipe
    from learners.training import Goal

    recipe = find_recipe(name)
    x, o = recipe.players
    wanted: dict[str, Any] = {"x": x, "o": o, "goal": Goal(recipe.games)}
    wanted |= parameters.given(ctx, *wanted)
    return wanted["x"], wanted["o"], wanted["goal"], recipe.compete


def report(
    run: Run,
    last: Snapshot,
    load_seconds: float,
    as_json: bool,
    stored: TrainedRun | None,
    match: Match | None,
) -> None:
    won_x, drawn, won_o = last.results
    if as_json:
        from learners.judge.evaluation import evaluations_json

        result: dict[str, Any] = {
            "x": str(run.x),
            "o": str(run.o),
            "games": last.done,
            "seed": run.seed,
            "results": {"x": won_x, "draw": drawn, "o": won_o},
            "seconds": last.seconds,
            "load_seconds": load_seconds,
            "games_per_second": last.rate,
            "evaluation": evaluations_json(last.evaluation),
        }
        if stored is not None:
            result |= {"run": stored.stored.name, "run_games": run.games}
        if match is not None:
            result["compete"] = match.as_json()
        click.echo(json.dumps(result))
        return
    click.echo(f"X {run.x}  O {run.o}  seed {run.seed}")
    click.echo(
        f"{games_text(last.done)} in {last.seconds:.2f} s ({last.rate:,.0f} a second): "
        f"X won {won_x:,}, {drawn:,} drawn, O won {won_o:,}"
    )
    if stored is not None:
        click.echo(f"the run {shown(stored.stored.name)} has {games_text(run.games)} now")
    for line in evaluation_lines(last.evaluation, counted_once=run.layout.is_counted_once):
        click.echo(line)
    if match is not None:
        click.echo("then both compete, frozen and greedy:")
        for line in match.lines():
            click.echo(line)
