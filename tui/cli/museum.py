"""`afterstate museum`: the mistakes of real learners, their stories, and what each costs."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING

import click

from tui.cli import parameters
from tui.lab.resume_hint import games_text

if TYPE_CHECKING:
    from learners.grading.price import Price

WIDTH = 88
HEAD = "  {:<30} {:>10} {:>10} {:>13} {:>13}"


@click.command()
@click.argument("name", required=False, shell_complete=parameters.completed("mistakes"))
@parameters.games(100_000)
@parameters.seeds(5)
@parameters.json_flag
def museum(name: str | None, games: int, seeds: int, as_json: bool) -> None:
    """List the bug museum, or tell the story of a piece, and what its mistake costs.

    A piece is a player: museum:draw-as-loss. The figures of each seed are exact.
    """
    from learners.grading.price import price_of
    from learners.judge.figures import RMS_MINIMAX
    from learners.players.resolve import parse_player
    from learners.rules.museum import MEANT, PIECES, PREFIX, piece, story

    if name is None:
        if as_json:
            pieces = [{"name": f"{PREFIX}{n}", "summary": piece(n).summary} for n in PIECES]
            click.echo(json.dumps(pieces))
            return
        for known in PIECES:
            click.echo(f"{PREFIX}{known}: {piece(known).summary} ({piece(known).source})")
        return
    name = name.removeprefix(PREFIX)
    told = story(name)
    if not as_json:
        click.echo(f"{PREFIX}{name}: {piece(name).summary}")
        for part in told:
            click.echo()
            click.echo(textwrap.fill(part, WIDTH))
        click.echo()
    specs = parse_player(f"{PREFIX}{name}"), parse_player(MEANT)
    prices = [price_of(spec, games, seeds) for spec in specs]
    if as_json:
        about = {"name": f"{PREFIX}{name}", "story": told}
        click.echo(json.dumps(about | {"prices": [price.as_json() for price in prices]}))
        return
    figures = "exact means" if seeds > 1 else "exact"
    click.echo(
        f"After {games_text(games)} of self-play, {seeds} seed{'s' * (seeds > 1)}, {figures}:"
    )
    click.echo(HEAD.format("", "beatable", "worst loss", "decides right", RMS_MINIMAX.error_label))
    for price in prices:
        for line in price_lines(price):
            click.echo(line)
    click.echo(f"Where it bites: afterstate grade {PREFIX}{name} --against {MEANT}")


def price_lines(price: Price) -> list[str]:
    """A line for each side."""
    return [
        HEAD.format(
            f"{side.side.mark} {price.spec}",
            f"{side.beatable} of {price.seeds}",
            f"{side.worst_loss:.3f}",
            f"{side.right:.1%}",
            "" if side.error is None else f"{side.error:.3f}",
        ).rstrip()
        for side in price.sides
    ]
