"""`afterstate lesson`: lessons to begin, list or check."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import click

from learners.errors import printable
from tui.cli import parameters
from tui.cli.launch import can_draw

WIDTH = 88


@click.command()
@click.argument(
    "name", metavar="[FILE.toml|NAME]", required=False,
    shell_complete=parameters.completed("lessons"),
)  # fmt: skip
@parameters.flag("--check", "Test a lesson without opening the lab.")
@parameters.plain_flag
@parameters.ascii_flag
@parameters.no_mouse
@parameters.record
def lesson(
    name: str | None, check: bool, is_plain: bool, record: Path | None, **options: Any
) -> None:
    """Start a lesson, or check one that you wrote.

    Without a name, it lists the lessons that come with the program. --check goes through a lesson
    by its own keys and words, and names the first thing that fails, with file, line and key.
    docs/lessons.md explains how to write one.
    """
    from tui.lab.lessons.lesson_file import NAMES, find_lesson

    lessons = [find_lesson(known) for known in ([name] if name else NAMES)]
    if check:
        for found in lessons:
            check_lesson(found)
    elif name is None:
        for found in lessons:
            about = f"{found.name}: {found.title}. {found.about} ({found.minutes} minutes)"
            click.echo(textwrap.fill(about, WIDTH, subsequent_indent="  "))
    elif is_plain or not can_draw():
        begin_plain(lessons[0], record)
    else:
        from learners.rules.spec import PlayerSpec
        from tui.app import run_lab

        td = PlayerSpec.parse("td")
        run_lab(td, td, lesson=lessons[0], record=record, **options)


def check_lesson(found: Any) -> None:
    """Go through a lesson by its keys, and by its words in plain mode."""
    from tui.plain.rehearsal import rehearse, rehearse_plain

    rehearse(found)
    rehearse_plain(found)
    steps = len(found.steps)
    click.echo(f"{printable(found.name)}: all {steps} steps hold, by keys and by words")


def begin_plain(found: Any, record: Path | None) -> None:
    """Hold a dialogue about a lesson, and record it if that is wanted."""
    from learners.rules.spec import PlayerSpec
    from tui.cli.play import converse
    from tui.lab.autosave import Autosave
    from tui.lab.lectures import Recorder
    from tui.plain.dialogue import Dialogue, seated_run

    recorder = None if record is None else Recorder(record)
    human, td = PlayerSpec.parse("human"), PlayerSpec.parse("td")
    converse(Dialogue(seated_run(human, td, 0), "none", autosave=Autosave()), found, recorder)
