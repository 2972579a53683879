"""`afterstate trace`: every event of some games, one JSON object a line."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from tui.cli import parameters

if TYPE_CHECKING:
    from learners.rules.spec import PlayerSpec


@click.command()
@parameters.players()
@parameters.games(1)
@parameters.seed
def trace(x: PlayerSpec, o: PlayerSpec, games: int, seed: int) -> None:
    """Print every event of the first games of a run, one JSON object a line."""
    from learners.errors import UsageError
    from learners.tape.run import Run
    from learners.tape.trace import trace as events

    if x.rule.human or o.rule.human:
        raise UsageError("a human's moves cannot be traced here; trace needs two players that move")
    for event in events(Run(x, o, seed), games):
        sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()
