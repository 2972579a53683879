"""`afterstate play`: play against a learner; with --plain a line at a time, without a screen."""

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
"""Characters of a line that are shown again; an address may be longer than anyone reads."""


@click.command()
@parameters.players(x="human", o="td")
@parameters.seed
@parameters.run_name
@parameters.player_files
@parameters.record
@parameters.flag("--plain is_plain", "A line at a time: for screen readers and pipes.")
@parameters.number(
    "--train games", 0, parameters.LARGEST_COUNT, 20_000,
    "Games that a fresh learner trains first (with --plain).", kind="games",
)  # fmt: skip
@click.option(
    "--show", type=click.Choice(["values", "exact", "none"]), default="values", show_default=True,
    help="What is told before the other side moves (with --plain).",
)  # fmt: skip
@click.pass_context
def play(
    ctx: click.Context, x: PlayerSpec, o: PlayerSpec, seed: int, run_name: str | None,
    files: tuple[Path, ...], record: Path | None, is_plain: bool, games: int, show: str,
) -> None:  # fmt: skip
    """Play against a learner (--plain: as text).

    Opens the lab where there is a terminal. With --plain, or without a terminal, it prints short
    lines of plain ASCII, a line at a time; a learner first trains by self-play.

    In plain mode 1 to 9 play a cell, and words do everything else: train, stats, step (then
    next, back, go, break, why ...), watch, table, runs, players, tour. help lists them, help WORD
    explains one. Your games are saved automatically; --run NAME resumes them. See docs/plain.md.
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
            raise click.UsageError(f"{option} goes with --plain; the lab has its own way")
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
        say("Tic-tac-toe, learned from nothing: home tells what there is to do.")
    autosave = Autosave(name=run_name if opened is None else None)
    converse(Dialogue(run, show, autosave=autosave, tell=tell), found, recorder)


def seated(
    x: PlayerSpec, o: PlayerSpec, named: Collection[str], preferences: Preferences
) -> tuple[PlayerSpec, PlayerSpec]:
    """Who plays: a side that the command line does not name is that of the settings.

    A person sits at one side all the same: at X, or at O where that is so in the settings.
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
    """Let a fresh learner play against its like before the person sits down; who it is, in a line.

    A run without a learner, or one that learns nothing, is left as it is.
    """
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
    say(f"First {name} trains by {games_text(games)} of self-play; --train 0 skips that.")
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
    """Hold the dialogue on standard input and output, to its end or the input's, and save it.

    Args:
        dialogue: the dialogue.
        loaded: the run, the address or the lesson to go on with; None begins a game.
        recorder: writes down where the dialogue goes.
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
            click.echo(plain(f"afterstate: not saved: {autosave.trouble}"), err=True)


def tell(text: str) -> None:
    """Say a text, in lines that a terminal need not break."""
    for line in lines_of(text):
        click.echo(line)


def say(text: str) -> None:
    """Say a text in a line of its own, however long the names in it are."""
    click.echo(plain(text))


def lines(*, prompted: bool = True) -> Iterator[str]:
    """The lines of standard input, each echoed where no terminal has done so; long ones are cut.

    Args:
        prompted: end the line of the prompt after the last one.
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
