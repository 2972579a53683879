"""`afterstate compete`: games between frozen, greedy players."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tui.cli import parameters
from tui.cli.errors import ENDED_BY_SIGNAL, fail
from tui.progress import ended_by_signals, load, watched

if TYPE_CHECKING:
    from learners.rules.spec import PlayerSpec


@click.command()
@parameters.players()
@parameters.games(500)
@parameters.seed
@parameters.json_flag
def compete(x: PlayerSpec, o: PlayerSpec, games: int, seed: int, as_json: bool) -> None:
    """Let two players compete, both frozen and greedy, and say what is exactly to be expected."""
    from learners.errors import UsageError
    from learners.judge.evaluation import expected_result
    from learners.tape.run import Run
    from learners.tape.state import Seat, Seating
    from learners.training import Goal, Training

    if x.rule.human or o.rule.human:
        raise UsageError("a human cannot compete here; afterstate play --plain plays with you")
    run = Run(x, o, seed)
    run.seat(Seating(Seat.FROZEN, Seat.FROZEN))
    load_seconds = load(run, games)
    training = Training(run, Goal(games))
    with ended_by_signals(training) as signals:
        last = watched(training)
    won_x, drawn, won_o = last.results
    exact = expected_result(run.layout, run.memory)
    if as_json:
        told = {
            "x": str(x),
            "o": str(o),
            "games": last.done,
            "seed": seed,
            "results": {"x": won_x, "draw": drawn, "o": won_o},
            "seconds": last.seconds,
            "load_seconds": load_seconds,
            "games_per_second": last.rate,
            "exact": None if exact is None else asdict(exact),
        }
        click.echo(json.dumps(told))
    else:
        click.echo(f"X {x}  O {o}  seed {seed}, both frozen and greedy")
        click.echo(f"{last.done:,} games: X won {won_x:,}, {drawn:,} drawn, O won {won_o:,}")
        if exact is not None:
            click.echo(
                f"exactly to be expected: X wins {exact.win:.4f}, draw {exact.draw:.4f}, "
                f"O wins {exact.loss:.4f}"
            )
    if last.done < games:
        fail(f"stopped after {last.done:,} games", ENDED_BY_SIGNAL + signals[0])
