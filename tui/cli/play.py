"""`afterstate play`: play against a learner, in the lab or as plain text."""

from __future__ import annotations

import io
import sys
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

import click

from afterstate_lab.tui.blocks.speech import lines_of, plain
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import ENDED_BY_SIGNAL, fail
from afterstate_lab.tui.lab.resume_hint import games_text
from afterstate_lab.tui.progress import ended_by_signals, interruptible, load, watched

if TYPE_CHECKING:
    from pathlib import Path

    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.runs.listing import LoadedRun
    from afterstate_lab.learners.runs.replay import OpenedAddress
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.learners.training import Training
    from afterstate_lab.tui.lab.scripts.recording import Recorder
    from afterstate_lab.tui.lab.scripts.script import Script
    from afterstate_lab.tui.plain.dialogue import Dialogue
    from afterstate_lab.tui.preferences import Preferences

LONGEST_LINE = 10_000
LONGEST_ECHO = 1_000
"""Maximum number of characters of a line to echo."""


@click.command()
@parameters.players(x="human", o="td")
@parameters.seed
@parameters.run_name
@parameters.player_files
@parameters.record
@parameters.flag("--plain is_plain", "Text only, for screen readers and pipes.")
@parameters.number(
    "--train games", 0, parameters.LARGEST_COUNT, 20_000,
    "Games that a new learner trains first (with --plain).", kind="games",
)  # fmt: skip
@click.option(
    "--show", type=click.Choice(["values", "exact", "none"]), default="values", show_default=True,
    help="What to print before the other side moves (with --plain).",
)  # fmt: skip
@click.pass_context
def play(
    ctx: click.Context, x: PlayerSpec, o: PlayerSpec, seed: int, run_name: str | None,
    files: tuple[Path, ...], record: Path | None, is_plain: bool, games: int, show: str,
) -> None:  # fmt: skip
    """Play against a learner (--plain: as text).

    Opens the lab. With --plain, or without a terminal, it reads and prints short lines of plain
    ASCII instead, and the learner first trains by self-play.

    In plain mode, type 1 to 9 to play a cell, and words for everything else: train, stats, step
    (then next, back, go, break, why), watch, table, runs, players, tour. Type help for a list, or
    help WORD. Your games are saved automatically; --run NAME resumes them.
    """
    from afterstate_lab.tui.cli.launch import can_draw, open_lab
    from afterstate_lab.tui.preferences import read_preferences

    preferences = read_preferences()
    named = parameters.given(ctx, "x", "o")
    given = {name: spec for name, spec in named.items() if not spec.rule.human}
    given |= parameters.given(ctx, "seed")
    x, o = seated(x, o, named, preferences)
    if not is_plain and can_draw():
        for name in parameters.given(ctx, "games", "show"):
            option = "--train" if name == "games" else "--show"
            raise click.UsageError(f"{option} works only with --plain")
        more: dict[str, Any] = {"run_name": run_name, "files": files, "record": record}
        open_lab(given if run_name else None, x=x, o=o, seed=seed, **more)
    from afterstate_lab.tui.cli.saved import begun_with
    from afterstate_lab.tui.lab.autosave import Autosave
    from afterstate_lab.tui.lab.scripts.recording import Recorder
    from afterstate_lab.tui.plain.dialogue import Dialogue, seated_run

    recorder = None if record is None else Recorder(record)
    for mistake in preferences.mistakes:
        click.echo(plain(f"afterstate: {mistake}"), err=True)

    loaded, opened = begun_with(run_name, files, given)
    found = loaded or opened
    run = seated_run(x, o, seed) if found is None else found.run
    if found is None:
        say(train_first(run, games))
        say("Tic-tac-toe, learned from scratch. Type home to see what you can do.")
    autosave = Autosave(name=run_name if opened is None else None)
    converse(Dialogue(run, show, autosave=autosave, tell=tell), found, recorder)


def seated(
    x: PlayerSpec, o: PlayerSpec, named: Collection[str], preferences: Preferences
) -> tuple[PlayerSpec, PlayerSpec]:
    """Return the players; the settings fill in a side missing on the command line.

    A person always plays one side: X, or O by the settings.
    """
    own = preferences.o
    if own is None or "o" in named:
        return x, o
    if not own.rule.human:
        return x, own
    if "x" not in named:
        return preferences.x or o, own
    return (x, o) if x.rule.human else (x, own)


def train_first(run: Run, games: int) -> str:
    """Train a new learner by self-play before the game, and describe the opponent in a line."""
    from afterstate_lab.learners.tape.run import Seat, Seating
    from afterstate_lab.learners.training import Goal, Training
    from afterstate_lab.tui.plain.long_work import ProgressReporter, progress

    seating = run.seating
    if seating == Seating(Seat.HUMAN, Seat.HUMAN):
        return "You play both sides."
    name, spec = ("O", run.o) if seating.x is Seat.HUMAN else ("X", run.x)
    if not spec.learns:
        return f"{name} is {spec}."
    if not games:
        return f"{name} is {spec}, and knows nothing yet."
    say(f"Training {name} with {games_text(games)} of self-play first (--train 0 skips this).")
    run.seat(Seating())
    load(run, games)
    training, reporter = Training(run, Goal(games)), ProgressReporter(say)

    def look(training: Training) -> None:
        reporter.say(lambda: progress(training.snapshot))

    with ended_by_signals(training) as signals:
        last = watched(training, look, bar=False)
    if signals:
        fail("stopped", ENDED_BY_SIGNAL + signals[0])
    run.seat(seating)
    return f"{name} is {spec}, trained by {games_text(last.done)} of self-play."


def converse(
    dialogue: Dialogue, loaded: LoadedRun | OpenedAddress | Script | None, recorder: Recorder | None
) -> None:
    """Run the dialogue on standard input and output until either ends, and save it.

    Args:
        dialogue: the dialogue.
        loaded: the run, address or lesson to continue; None starts a game.
        recorder: records the moments that the dialogue visits.
    """
    dialogue.controller.current.recorder = recorder
    try:
        with interruptible():
            told = dialogue.begin(loaded)
            answers = lines()
            while True:
                for line in told:
                    tell(line)
                if dialogue.is_over:
                    return
                click.echo(dialogue.prompt, nl=False)
                told = dialogue.answer(next(answers, "q"))
    finally:
        dialogue.close()
        autosave = dialogue.controller.current.autosave
        if autosave is not None and autosave.trouble:
            click.echo(plain(f"afterstate: Could not save: {autosave.trouble}"), err=True)


def tell(text: str) -> None:
    """Print a text in lines that fit a terminal."""
    for line in lines_of(text):
        click.echo(line)


def say(text: str) -> None:
    """Print a text on one line."""
    click.echo(plain(text))


def lines(*, prompted: bool = True) -> Iterator[str]:
    """Return the lines of standard input, cut if long, echoed unless a terminal echoes them.

    Args:
        prompted: end the line of the prompt after the last line.
    """
    stream = sys.stdin
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    while stream is not None and (line := stream.readline(LONGEST_LINE)):
        rest = line
        while rest and not rest.endswith("\n"):
            rest = stream.readline(LONGEST_LINE)
        if not stream.isatty():
            click.echo(plain(line.strip())[:LONGEST_ECHO])
        yield line
    if prompted:
        click.echo()
