"""`afterstate bench`: games per second of every learner in self-play."""

from __future__ import annotations

import json
import time
from typing import Any

import click

from tui.cli import parameters

SECONDS = 1.0


@click.command()
@parameters.json_flag
def bench(as_json: bool) -> None:
    """Measure the training speed of every learner in self-play, and its ratio to td."""
    from learners.rules.registry import rules

    rows = [measured(rule.name) for rule in rules().values() if rule.learns]
    base = next(row["games_per_second"] for row in rows if row["learner"] == "td")
    for row in rows:
        row["ratio_to_td"] = row["games_per_second"] / base
    if as_json:
        click.echo(json.dumps(rows))
        return
    click.echo(f"{'learner':<16}{'games/s':>12}{'to td':>8}{'load s':>8}  compiled")
    for row in rows:
        click.echo(
            f"{row['learner']:<16}{row['games_per_second']:>12,.0f}{row['ratio_to_td']:>8.2f}"
            f"{row['load_seconds']:>8.2f}  {'yes' if row['compiled'] else 'no'}"
        )


def measured(name: str) -> dict[str, Any]:
    """Train a learner against itself for about a second."""
    from learners.rules.spec import PlayerSpec
    from learners.tape.run import Run

    spec = PlayerSpec.parse(name)
    run = Run(spec, spec)
    began = time.perf_counter()
    compiled = run.kernel().compile()
    load_seconds = time.perf_counter() - began
    games, best, spent = 2_000, 0.0, 0.0
    while spent < SECONDS:
        began = time.perf_counter()
        run.train(games)
        took = time.perf_counter() - began
        spent += took
        best = max(best, games / took)
        games = max(games, int(0.2 * games / took))
    return {
        "learner": name,
        "games_per_second": best,
        "load_seconds": load_seconds,
        "compiled": compiled,
    }
