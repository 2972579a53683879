"""`afterstate compete`: games between frozen, greedy players."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import click

from tui.cli import parameters

if TYPE_CHECKING:
    from learners.spec import PlayerSpec


@click.command()
@parameters.players
@parameters.games(500)
@parameters.seed
@parameters.json_flag
def compete(x: PlayerSpec, o: PlayerSpec, games: int, seed: int, as_json: bool) -> None:
    """Let two players compete, both frozen and greedy, and say what is exactly to be expected."""
    from learners.errors import UsageError
    from learners.evaluation import expected_result, outcome_json
    from learners.run import Run, Seat, Seating
    from tui.cli.train import load

    if x.rule.human or o.rule.human:
        raise UsageError("a human cannot compete here; afterstate play --plain plays with you")
    run = Run(x, o, seed)
    run.seat(Seating(Seat.FROZEN, Seat.FROZEN))
    load_seconds = load(run, games)
    began = time.perf_counter()
    run.train(games)
    seconds = time.perf_counter() - began
    won_x, won_o, drawn = run.tally[1:4].tolist()
    exact = expected_result(run.layout, run.memory)
    if as_json:
        told = {
            "x": str(x),
            "o": str(o),
            "games": games,
            "seed": seed,
            "results": {"x": won_x, "draw": drawn, "o": won_o},
            "seconds": seconds,
            "load_seconds": load_seconds,
            "games_per_second": games / seconds,
            "exact": outcome_json(exact),
        }
        click.echo(json.dumps(told))
        return
    click.echo(f"X {x}  O {o}  seed {seed}, both frozen and greedy")
    click.echo(f"{games:,} games: X won {won_x:,}, {drawn:,} drawn, O won {won_o:,}")
    click.echo(
        f"exactly to be expected: X wins {exact.win:.4f}, draw {exact.draw:.4f}, "
        f"O wins {exact.loss:.4f}"
    )
