"""`afterstate source`: the learner as one short program."""

from __future__ import annotations

from importlib.resources import files

import click


@click.command()
def source() -> None:
    """Print the learner as one short program.

    Save it as learner.py. `python learner.py ADDRESS` needs Python only, and prints the same values
    as `afterstate export ADDRESS`, for td against td.
    """
    text = files("afterstate_lab.tui.cli").joinpath("learner.txt").read_text("utf-8")
    click.echo(text, nl=False)
