"""`afterstate lesson`: start, list or check lessons."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from afterstate_lab.learners.errors import printable
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.launch import can_draw, open_lab

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.autosave import Autosave
    from afterstate_lab.tui.lab.scripts.script import Script
    from afterstate_lab.tui.plain.dialogue import Dialogue

WIDTH = 88


@click.command()
@parameters.argument("name", "[FILE|NAME]", "lessons")
@parameters.flag("--check", "Test a lesson without opening the lab.")
@parameters.plain_flag
@parameters.ascii_flag
@parameters.no_mouse
@parameters.record
def lesson(
    name: str | None, check: bool, is_plain: bool, record: Path | None, **options: Any
) -> None:
    """Start a lesson, or check one that you wrote.

    Without a name, it lists the built-in lessons. --check plays a lesson with its own keys and
    words, and reports the first line that fails. docs/lessons.md explains how to write one.
    """
    from afterstate_lab.tui.lab.scripts.script import NAMES, find_script

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
        from afterstate_lab.tui.cli.play import converse
        from afterstate_lab.tui.lab.autosave import Autosave
        from afterstate_lab.tui.lab.scripts.recording import Recorder

        recorder = None if record is None else Recorder(record)
        converse(plain_lab(autosave=Autosave()), lessons[0], recorder)
    else:
        from afterstate_lab.learners.rules.spec import PlayerSpec

        td = PlayerSpec.parse("td")
        open_lab(x=td, o=td, lesson=lessons[0], record=record, **options)


def plain_lab(autosave: Autosave | None = None) -> Dialogue:
    """Return a lab in plain mode, ready for a lesson."""
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.tui.plain.dialogue import Dialogue, seated_run

    run = seated_run(PlayerSpec.parse("human"), PlayerSpec.parse("td"), 0)
    return Dialogue(run, "none", autosave=autosave)


def rehearse(lesson: Script) -> list[str]:
    """Go through a lesson in plain mode, and return its output."""
    from afterstate_lab.tui.lab.scripts.check import walk

    dialogue = plain_lab()
    told = dialogue.begin(lesson)
    for line in walk(dialogue.controller):
        told += dialogue.answer(line)
    return told
