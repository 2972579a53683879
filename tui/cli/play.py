"""`afterstate play`: play against a learner; with --plain a line at a time, without a screen."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from learners.errors import printable
from tui.cli import parameters
from tui.cli.errors import ENDED_BY_SIGNAL, fail
from tui.cli.watch import ended_by_signals, load, watched

if TYPE_CHECKING:
    from learners.run import Run
    from learners.spec import PlayerSpec
    from tui.cli.dialogue import Dialogue

LONGEST_LINE = 1000


@click.command()
@parameters.players(x="human", o="td")
@parameters.seed
@click.option("--plain", is_flag=True, help="A line at a time: for screen readers and pipes.")
@click.option(
    "--train", "games", type=parameters.WholeNumber(0, parameters.LARGEST_COUNT), default=20_000,
    show_default=True, metavar="N", help="Games that a fresh learner trains first (with --plain).",
)  # fmt: skip
@click.option(
    "--show", type=click.Choice(["values", "exact", "none"]), default="values", show_default=True,
    help="What is told before the other side moves (with --plain).",
)  # fmt: skip
@click.pass_context
def play(
    ctx: click.Context, x: PlayerSpec, o: PlayerSpec, seed: int, plain: bool, games: int, show: str
) -> None:
    """Play against a learner, or any other player.

    Opens the lab where there is a terminal. With --plain, or without a terminal, the game is told
    in short lines; a learner first trains by self-play.
    """
    from tui.cli.dialogue import Dialogue, sit_down
    from tui.command import is_terminal, open_lab

    if not plain and is_terminal() and os.environ.get("TERM") != "dumb":
        for name, option in (("games", "--train"), ("show", "--show")):
            if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                raise click.UsageError(f"{option} goes with --plain; the lab has its own way")
        open_lab(x=x, o=o, seed=seed, ascii_only=False, no_mouse=False)
        return
    run = sit_down(x, o, seed)
    click.echo(train_first(run, games))
    converse(Dialogue(run, show))


def train_first(run: Run, games: int) -> str:
    """Let a fresh learner play against its like before the person sits down; who it is, in a line.

    A run without a learner, or one that learns nothing, is left as it is.
    """
    from learners.run import Seat, Seating
    from learners.training import Goal, Training

    seating = run.seating
    if seating == Seating(Seat.HUMAN, Seat.HUMAN):
        return "You play both sides."
    name, spec = ("O", run.o) if seating.x is Seat.HUMAN else ("X", run.x)
    if not spec.learns:
        return f"{name} is {spec}."
    if not games:
        return f"{name} is {spec}, and knows nothing yet."
    run.seat(Seating())
    load(run, games)
    training = Training(run, Goal(games))
    with ended_by_signals(training) as signals:
        last = watched(training)
    if signals:
        fail("stopped", ENDED_BY_SIGNAL + signals[0])
    run.seat(seating)
    return f"{name} is {spec}, trained by {last.done:,} games of self-play."


def converse(dialogue: Dialogue) -> None:
    """Hold the dialogue on standard input and output, to its end or the input's."""
    told = dialogue.new_game()
    answers = lines()
    while True:
        click.echo("\n".join(told))
        if dialogue.is_over:
            return
        click.echo(dialogue.prompt, nl=False)
        told = dialogue.answer(next(answers, "q"))


def lines() -> Iterator[str]:
    """The lines of standard input, each echoed where no terminal has done so; long ones are cut."""
    stream = sys.stdin
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    while stream is not None and (line := stream.readline(LONGEST_LINE)):
        rest = line
        while rest and not rest.endswith("\n"):
            rest = stream.readline(LONGEST_LINE)
        if not stream.isatty():
            click.echo(printable(line.strip()))
        yield line
    click.echo()
