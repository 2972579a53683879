"""`afterstate lesson`: lessons to begin, list or check."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import click

from afterstate_lab.learners.errors import printable
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.launch import can_draw, open_lab

WIDTH = 88


@click.command()
@parameters.argument("name", "[FILE.toml|NAME]", "lessons")
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
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.tui.lab.lessons.lesson_file import NAMES, find_lesson

    td = PlayerSpec.parse("td")
    lessons = [find_lesson(known) for known in ([name] if name else NAMES)]
    if check:
        from afterstate_lab.tui.plain.rehearsal import rehearse, rehearse_plain

        for found in lessons:
            rehearse(found)
            rehearse_plain(found)
            steps = f"all {len(found.steps)} steps hold, by keys and by words"
            click.echo(f"{printable(found.name)}: {steps}")
    elif name is None:
        for found in lessons:
            about = f"{found.name}: {found.title}. {found.about} ({found.minutes} minutes)"
            click.echo(textwrap.fill(about, WIDTH, subsequent_indent="  "))
    elif is_plain or not can_draw():
        from afterstate_lab.tui.cli.play import converse
        from afterstate_lab.tui.lab.autosave import Autosave
        from afterstate_lab.tui.lab.lectures import Recorder
        from afterstate_lab.tui.plain.dialogue import Dialogue, seated_run

        recorder = None if record is None else Recorder(record)
        run = seated_run(PlayerSpec.parse("human"), td, 0)
        converse(Dialogue(run, "none", autosave=Autosave()), lessons[0], recorder)
    else:
        open_lab(x=td, o=td, lesson=lessons[0], record=record, **options)
