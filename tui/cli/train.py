"""`afterstate train`, `compete` and `trace`: games of two players."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click

from afterstate_lab.game.exact import Floats
from afterstate_lab.learners.errors import PolicyFileError, StoreError, UsageError, shown
from afterstate_lab.learners.judge.evaluation import (
    evaluation_lines,
    evaluations_json,
    expected_result,
)
from afterstate_lab.learners.players.policy_file import check_place, save_policy
from afterstate_lab.learners.players.resolve import Recipe
from afterstate_lab.learners.runs import is_address
from afterstate_lab.learners.tape.recording import trace_recording
from afterstate_lab.learners.tape.run import TRACED_GAMES, Run, Seat, Seating, trace_games
from afterstate_lab.learners.training import Goal, Snapshot, Training
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import ENDED_BY_SIGNAL, FAILED, fail, show
from afterstate_lab.tui.cli.saved import TrainedRun, begun_with, opened_address, played_instead
from afterstate_lab.tui.progress import abandonable, ended_by_signals, load, watched
from afterstate_lab.tui.theme.numerals import games_text


@click.command
@parameters.players()
@parameters.games(20_000, names="--games goal", kind="goal")
@parameters.seed
@parameters.recipe
@parameters.run_name
@parameters.player_files
@parameters.option(
    "--out", "Save what was learned to FILE.npz.", "FILE.npz", type=parameters.OUT_FILE
)
@parameters.force
@parameters.json_flag
@click.pass_context
def train(
    ctx: click.Context,
    /,
    goal: Goal,
    recipe: Recipe | None,
    run_name: str | None,
    files: tuple[Path, ...],
    out: Path | None,
    as_json: bool,
    **players: Any,
) -> None:
    """Train two players, then measure exactly how good they are.

    Give --run NAME to save the run, or --out FILE.npz to save only what was learned. With --run
    ADDRESS, training continues that run and saves nothing without --out.

    Press Ctrl-C to stop early: the result so far is saved and printed.
    """

    run = Run(**players)
    refuse_humans(run, "a human cannot be trained. Use afterstate play to play yourself")
    if out is not None:
        check_place(out)
    if is_address(run_name):
        parameters.refuse_with_address(ctx, "recipe", "x", "o", "seed")
    found, name = begun_with(run_name, files, parameters.given(ctx, "x", "o", "seed"))
    if found is not None:
        run = found.run
        if found.script or found.place is not None:
            raise UsageError(
                "training continues from the end of a run: finish its game in the lab, or use an "
                "address without @"
            )
        if run.seating.has_human:
            run.seat(Seating())
    stored = None if name is None else TrainedRun(name, run, found)
    load_seconds = abandonable(lambda line: load(run, goal.games))
    training = Training(run, goal, is_judged=stored is not None)
    saved, unsaved, saves = list[str](), list[str](), list[Callable[[], str]]()
    if stored is not None:
        saves.append(partial(stored.save, training))
    if out is not None:
        saves.append(partial(saved_to, out, run))
    with ended_by_signals(training.stop) as signals:
        last = watched(training, None if stored is None else stored.autosave)
        for save in saves:
            try:
                saved.append(save())
            except (PolicyFileError, StoreError) as error:
                unsaved.append(str(error))
    ended_early = last.done < goal.games and bool(signals)
    result, lines = reported(run, last, load_seconds, stored)
    if recipe is not None and recipe.compete and not ended_early:
        rivals = frozen(run, run.memory)
        rivals.train(recipe.compete)
        result["compete"], played = match(rivals)
        lines += ["then both play, frozen and greedy:", *played]
    show(as_json, result, lines)
    if ended_early:
        where = f"saved {' and '.join(saved)}"
        if unsaved or not saved:
            where = f"not saved: {'; '.join(unsaved) or 'give --run or --out to save'}"
        fail(f"stopped after {last.done:,} games; {where}", ENDED_BY_SIGNAL + signals[0])
    if unsaved:
        fail("; ".join(unsaved), FAILED)


def saved_to(path: Path, run: Run) -> str:
    """Save what was learned, and return where."""
    save_policy(run, path)
    return f"in {path}"


def refuse_humans(run: Run, why: str) -> None:
    """Raise UsageError if a player is a person."""
    if run.x.rule.human or run.o.rule.human:
        raise UsageError(why)


def reported(
    run: Run, last: Snapshot, load_seconds: float, stored: TrainedRun | None
) -> tuple[dict[str, Any], list[str]]:
    """Return the results of training as plain data and as lines."""

    result: dict[str, Any] = {
        "x": str(run.x),
        "o": str(run.o),
        "games": last.done,
        "seed": run.seed,
        "results": dict(zip(("x", "draw", "o"), last.results, strict=True)),
        **timing(last, load_seconds),
        "evaluation": evaluations_json(last.evaluation),
    }
    lines = [
        f"X {run.x}  O {run.o}  seed {run.seed}",
        f"{games_text(last.done)} in {last.seconds:.2f} s ({last.rate:,.0f} per second): "
        f"{results_text(last.results)}",
    ]
    if stored is not None:
        result |= {"run": stored.stored.name, "run_games": run.games}
        lines.append(f"run {shown(stored.stored.name)} now has {games_text(run.games)}")
    lines += evaluation_lines(last.evaluation)
    return result, lines


def timing(last: Snapshot, load_seconds: float) -> dict[str, float]:
    times = {"seconds": last.seconds, "load_seconds": load_seconds}
    return times | {"games_per_second": last.rate}


def results_text(results: tuple[int, int, int]) -> str:
    won_x, drawn, won_o = results
    return f"X won {won_x:,}, {drawn:,} drawn, O won {won_o:,}"


def frozen(run: Run, memory: Floats) -> Run:
    """Return a new run of the same players with this memory, frozen and greedy."""
    rivals = Run(run.x, run.o, run.seed)
    rivals.memory = memory.copy()
    rivals.seat(Seating(Seat.FROZEN, Seat.FROZEN))
    return rivals


def match(rivals: Run) -> tuple[dict[str, Any], list[str]]:
    """Return the results and the exact odds of frozen players as plain data and as lines."""
    won_x, won_o, drawn = rivals.tally[1:4].tolist()
    told: dict[str, Any] = {
        "games": rivals.games,
        "results": {"x": won_x, "draw": drawn, "o": won_o},
        "exact": None,
    }
    lines = [f"{games_text(rivals.games)}: {results_text((won_x, drawn, won_o))}"]
    if (exact := expected_result(rivals.layout, rivals.memory)) is not None:
        win, draw, loss = exact
        told["exact"] = {"x": win, "draw": draw, "o": loss, "win": win, "loss": loss}
        lines.append(f"exact odds: X wins {win:.4f}, draw {draw:.4f}, O wins {loss:.4f}")
    return told, lines


@click.command
@parameters.players()
@parameters.games(500)
@parameters.seed
@parameters.json_flag
@parameters.address
@click.pass_context
def compete(
    ctx: click.Context,
    /,
    text: str | None,
    files: tuple[Path, ...],
    games: int,
    as_json: bool,
    **players: Any,
) -> None:
    """Play two frozen, greedy players against each other.

    It also prints the exact odds. Give an ADDRESS to use its players as they are at that moment.
    """
    run = Run(**players)
    memory = run.memory
    if text is not None:
        parameters.refuse_with_address(ctx, "x", "o", "seed")
        opened = opened_address(text, files)
        run, memory = opened.run, opened.memory()
    refuse_humans(run, "a human cannot compete. Use afterstate play to play yourself")
    rivals = frozen(run, memory)
    load_seconds = abandonable(lambda line: load(rivals, games))
    training = Training(rivals, Goal(games))
    with ended_by_signals(training.stop) as signals:
        last = watched(training)
    told, lines = match(rivals)
    told |= {"x": str(run.x), "o": str(run.o), "seed": run.seed} | timing(last, load_seconds)
    head = f"X {run.x}  O {run.o}  seed {run.seed}, both frozen and greedy"
    show(as_json, told, [head, *lines])
    if rivals.games < games:
        fail(f"stopped after {rivals.games:,} games", ENDED_BY_SIGNAL + signals[0])


@click.command
@parameters.players()
@parameters.games(1)
@parameters.seed
@parameters.address
@click.pass_context
def trace(
    ctx: click.Context, /, text: str | None, files: tuple[Path, ...], games: int, **players: Any
) -> None:
    """Print every event of a run as JSON lines.

    Give an ADDRESS to trace all of its games, or only the game of its moment (or of its what-if).

    The field "game" counts from 0, an ADDRESS from @1. Values are those before the mover learned
    from the move.
    """

    if text is None:
        run = Run(**players)
        refuse_humans(
            run, "a human's moves cannot be traced. Give two players that move on their own"
        )
        events = traced(run, games)
    else:
        parameters.refuse_with_address(ctx, "x", "o", "games", "seed")
        opened = opened_address(text, files)
        place, recording, last = opened.place, played_instead(opened), opened.run.games
        if recording is not None:
            events = trace_recording(recording)
        else:
            first = 0 if place is None else place.game - 1
            events = trace_games(opened.run, first, last if place is None else min(first + 1, last))
            if opened.script and (place is None or place.game > last):
                events = chain(events, trace_recording(opened.run.play(opened.script)))
    for event in events:
        sys.stdout.write(json.dumps(event) + "\n")


def traced(run: Run, games: int) -> Iterator[dict[str, Any]]:
    """Play the games of a new run, a few at a time, and yield every event as plain data."""
    while (first := run.games) < games:
        run.train(min(TRACED_GAMES, games - first))
        yield from trace_games(run, first, run.games)
