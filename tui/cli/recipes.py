"""`afterstate recipes`: the five documents' learners, ready to train."""

from __future__ import annotations

import json
import textwrap
from dataclasses import asdict

import click

from tui.cli import parameters

WIDTH = 88


@click.command()
@click.argument("name", required=False, shell_complete=parameters.completed("recipes"))
@parameters.json_flag
def recipes(name: str | None, as_json: bool) -> None:
    """List the recipes, or show one: what the document did, got wrong, and what is corrected."""
    from learners.players.recipes import find_recipe
    from learners.players.recipes import recipes as known

    chosen = [find_recipe(name)] if name else list(known().values())
    if as_json:
        click.echo(json.dumps([asdict(recipe) for recipe in chosen]))
        return
    for recipe in chosen:
        click.echo(f"{recipe.name}: {recipe.title} ({recipe.games:,} games)")
        if not name:
            continue
        click.echo(f"  X {recipe.x}\n  O {recipe.o}")
        for label, text in (
            ("from", recipe.document),
            ("did", recipe.did),
            ("wrong", recipe.wrong),
            ("here", recipe.corrected),
            ("figures", recipe.figures),
        ):
            click.echo(textwrap.fill(f"  {label}: {text}", WIDTH, subsequent_indent="    "))
