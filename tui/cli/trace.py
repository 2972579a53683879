"""`afterstate trace`: every event of some games, one JSON object a line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from learners.errors import UsageError
from tui.cli import parameters

if TYPE_CHECKING:
    from learners.rules.spec import PlayerSpec


@click.command()
@parameters.players()
@parameters.games(1)
@parameters.seed
@parameters.address_or_run
@click.pass_context
def trace(
    ctx: click.Context,
    x: PlayerSpec,
    o: PlayerSpec,
    games: int,
    seed: int,
    address: str | None,
    files: tuple[Path, ...],
) -> None:
    """Print every event of the first games of a run, one JSON object a line.

    Of an ADDRESS: of all its games, or of the one game of its place.

    The field "game" counts from 0: game 0 is the one that an ADDRESS calls @1. A
    value is the mover's before it learned from the move.
    """
    from learners.tape.run import Run
    from learners.tape.trace import trace as events
    from learners.tape.trace import trace_games

    if address is not None:
        from tui.cli.saved import opened_address

        parameters.refuse_with_address(ctx, "x", "o", "games", "seed")
        opened = opened_address(address, files)
        first, last = 0, opened.run.games
        if opened.address.place is not None:
            first = opened.address.place.game - 1
            last = min(first + 1, last)
        for event in trace_games(opened.run, first, last):
            sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()
        return
    if x.rule.human or o.rule.human:
        raise UsageError("a human's moves cannot be traced here; trace needs two players that move")
    for event in events(Run(x, o, seed), games):
        sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()
