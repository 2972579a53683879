"""`afterstate drill`: prove that you cannot be beaten."""

from __future__ import annotations

import json
import sys

import click

from afterstate_lab.learners.errors import shown
from afterstate_lab.tui.cli import parameters


@click.command()
@click.argument("side", type=click.Choice(["X", "O"], case_sensitive=False), default="X")
@parameters.json_flag
def drill(side: str, as_json: bool) -> None:
    """Prove that you cannot be beaten.

    You answer with a cell, 1 to 9, wherever your own answers leave the game open: at most 22 times
    as X or O. A wrong answer shows the game that beats you, and is asked first next time. With
    --json, the questions go to standard error.
    """
    from afterstate_lab.game import Side
    from afterstate_lab.tui.pages.drill import DrillPage
    from afterstate_lab.tui.plain.pages import Reader

    page = DrillPage(Side.parse(side.upper()))
    reader = Reader(page.page, lambda line: click.echo(line, err=as_json))
    told: list[str] | None = reader.begin()
    while True:
        for line in told or ():
            click.echo(line, err=as_json)
        if page.game is not None:
            told = reader.do("next")
            continue
        text = (sys.stdin.readline() if sys.stdin and not page.is_over else "").strip()[:200]
        if text in ("", "q", "quit") or reader.left is not None:
            break
        told = reader.do(text) or [f"{shown(text)} is not a free cell, 1 to 9 (q quits)."]
    if as_json:
        click.echo(json.dumps(page.as_json()))
