"""`afterstate play` and `lesson`: in the lab, or as plain text."""

from __future__ import annotations

import io
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from afterstate_lab.learners.errors import UsageError, printable
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.tui.blocks.speech import lines_of, plain
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.launch import can_draw, open_lab
from afterstate_lab.tui.lab.autosave import Autosave
from afterstate_lab.tui.lab.scripts import NAMES
from afterstate_lab.tui.progress import ProgressLine, abandonable, interruptible, load
from afterstate_lab.tui.theme.numerals import games_text

if TYPE_CHECKING:
    from afterstate_lab.learners.runs.replay import OpenedRun
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.lab.scripts.script import Script
    from afterstate_lab.tui.plain import Dialogue

WIDTH = 88
LONGEST_LINE = 10_000
LONGEST_ECHO = 1_000
"""Maximum number of characters of a line to echo."""


@click.command
@parameters.players(x="human", o="td")
@parameters.seed
@parameters.run_name
@parameters.player_files
@parameters.flag("--plain is_plain", "Text only, for screen readers and pipes.")
@parameters.number(
    "--train games",
    0,
    parameters.LARGEST_COUNT,
    20_000,
    "Games that a new learner trains first (with --plain).",
    kind="games",
)
@click.pass_context
def play(
    ctx: click.Context,
    x: PlayerSpec,
    o: PlayerSpec,
    seed: int,
    run_name: str | None,
    files: tuple[Path, ...],
    is_plain: bool,
    games: int,
) -> None:
    """Play against a learner (--plain: as text).

    Opens the lab. With --plain, or without a terminal, it reads and prints short lines of plain
    ASCII instead, and the learner first trains by self-play.

    In plain mode, type 1 to 9 to play a cell, and words for everything else: train, stats, step
    (then next, back, go, break, why), watch, table, runs, players, tour. Type help for a list, or
    help WORD. Your games are saved automatically; --run NAME resumes them.
    """

    if x.rule.human and o.rule.human:
        raise UsageError("two people need no learner. Name a player for X or O")
    named = parameters.given(ctx, "x", "o")
    given = {name: spec for name, spec in named.items() if not spec.rule.human}
    given |= parameters.given(ctx, "seed")
    if not is_plain and can_draw():
        if parameters.given(ctx, "games"):
            raise click.UsageError("--train works only with --plain")
        open_lab(given, x=x, o=o, seed=seed, run_name=run_name, files=files)
    from afterstate_lab.tui.cli.saved import begun_with

    found, name = begun_with(run_name, files, given)
    run = trained_first(x, o, seed, games) if found is None else found.make_ready().run
    converse(plain_lab(run, autosave=Autosave(name=name), print_now=tell), found)


def trained_first(x: PlayerSpec, o: PlayerSpec, seed: int, games: int) -> Run:
    """Return a new run in which a learner was trained by self-play, and introduce the opponent."""
    from afterstate_lab.learners.tape.run import Run, Seating
    from afterstate_lab.learners.training import Goal, Snapshot, Training

    if not (x.rule.human or o.rule.human):
        raise UsageError("play needs a person on one side: --x human or --o human")

    def train(line: ProgressLine) -> Snapshot:
        load(run, games)
        return Training(run, Goal(games), progress=line.told("games", games)).work()

    run = Run.of(x, o, seed)
    seating, more = run.seating, ""
    name, spec = ("O", run.o) if x.rule.human else ("X", run.x)
    if spec.learns and games:
        more = f", trained by {games_text(games)} of self-play"
        tell(f"Training {name} with {games_text(games)} of self-play first (--train 0 skips this).")
        run.seat(Seating())
        abandonable(train)
        run.seat(seating)
    elif spec.learns:
        more = ", and knows nothing yet"
    tell(f"{name} is {spec}{more}.")
    tell("Tic-tac-toe, learned from scratch. Type home to see what you can do.")
    return run


@click.command
@click.argument("name", metavar="[FILE|NAME]", required=False)
@parameters.flag("--check", "Test a lesson without opening the lab.")
@parameters.flag("--plain is_plain", "Text only: see afterstate play --plain.")
@parameters.ascii_flag
@parameters.no_mouse
def lesson(name: str | None, check: bool, is_plain: bool, **options: Any) -> None:
    """Start a lesson, or check one that you wrote.

    Without a name, it lists the built-in lessons. --check plays a lesson with its own keys and
    words, and reports the first line that fails. docs/lessons.md explains how to write one.
    """
    import afterstate_lab.tui.verbs  # noqa: F401  (a script names commands)
    from afterstate_lab.tui.lab.scripts.script import find_script

    lessons = [find_script(known) for known in ([name] if name else NAMES)]
    if check:
        for found in lessons:
            rehearse(found)
            click.echo(f"{printable(found.name)}: all {len(found.steps)} steps pass")
    elif name is None:
        for found in lessons:
            about = f"{found.name}: {found.title}. {found.about} ({found.minutes} minutes)"
            click.echo(textwrap.fill(about, WIDTH, subsequent_indent="  "))
    elif is_plain or not can_draw():
        converse(plain_lab(autosave=Autosave()), lessons[0])
    else:
        open_lab(lesson=lessons[0], **options)


def plain_lab(run: Run | None = None, **how: Any) -> Dialogue:
    """Return a lab in plain mode.

    Args:
        run: its run; by default a new run of a person and `td`.
        how: arguments of `Dialogue`.
    """
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.plain import Dialogue

    players = PlayerSpec.parse("human"), PlayerSpec.parse("td")
    return Dialogue(Run.of(*players, 0) if run is None else run, **how)


def rehearse(lesson: Script) -> list[str]:
    """Go through a lesson in plain mode, and return its output."""
    dialogue = plain_lab()
    told = dialogue.begin(lesson)
    guide = dialogue.controller.guide
    assert guide is not None
    for line in guide.walk():
        told += dialogue.answer(line)
    return told


def converse(dialogue: Dialogue, opened: OpenedRun | Script | None) -> None:
    """Run the dialogue on standard input and output until either ends, and save it.

    Args:
        dialogue: the dialogue.
        opened: the run or lesson to continue; None starts a game.
    """
    try:
        with interruptible():
            told = dialogue.begin(opened)
            answers = lines()
            while True:
                for line in told:
                    tell(line)
                if dialogue.controller.is_over:
                    return
                click.echo(dialogue.prompt, nl=False)
                told = dialogue.answer(next(answers, "q"))
    finally:
        autosave = dialogue.controller.autosave
        if autosave is not None and not autosave.finish(dialogue.session):
            click.echo(plain(f"afterstate: Could not save: {autosave.trouble}"), err=True)


def tell(text: str) -> None:
    """Print a text in lines that fit a terminal."""
    for line in lines_of(text):
        click.echo(line)


def lines() -> Iterator[str]:
    """Return the lines of standard input, cut if long, echoed unless a terminal echoes them."""
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
    click.echo()
