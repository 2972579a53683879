"""`afterstate follow`: a lab that goes where a lecture goes, live or later."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tui.cli import parameters
from tui.cli.errors import fail
from tui.cli.launch import can_draw

if TYPE_CHECKING:
    from tui.lab.lectures import LectureReader


@click.command()
@click.argument("file", metavar="FILE|-", shell_complete=parameters.completed("lectures"))
@click.option("--fast", is_flag=True, help="Keep no pauses: go to the newest place, and on live.")
@click.option(
    "--plain", "is_plain", is_flag=True, help="As sentences: see afterstate play --plain."
)
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@parameters.player_files
def follow(file: str, fast: bool, is_plain: bool, files: tuple[Path, ...], **options: Any) -> None:
    """Follow a lecture that afterstate --record FILE records; - reads it from a pipe.

    The lab goes where the lecture goes, with its pauses, and goes on as the file grows. Any key of
    your own steps aside; * comes back, or goes on to the next place without waiting. One lecture
    comes with the program: afterstate follow temporal-differences.
    """
    from tui.lab.lectures import Follower

    reader = pipe_reader() if file == "-" else file_reader(file)
    is_plain = is_plain or not can_draw()
    follower = Follower(reader, fast=fast, each=is_plain)
    try:
        if is_plain:
            from tui.cli.follow_plain import follow_plain

            follow_plain(follower, files)
            return
        from learners.rules.spec import PlayerSpec
        from tui.app import run_lab

        td = PlayerSpec.parse("td")
        run_lab(td, td, follower=follower, files=files, **options)
    finally:
        follower.close()


def file_reader(name: str) -> LectureReader:
    """The lines of a file that may grow, or of the lecture that comes with the program."""
    from tui.lab.lectures import OURS, lecture_file, own_lecture

    return own_lecture() if name == OURS else lecture_file(Path(name))


def pipe_reader() -> LectureReader:
    """The lines of standard input, which then is the terminal again, where there is one."""
    from tui.lab.lectures import LectureReader

    if sys.stdin is None or sys.stdin.isatty():
        fail("follow - needs a lecture on its standard input, such as ssh HOST tail -f FILE |", 2)
    if not hasattr(os, "ctermid"):
        fail("follow - needs a terminal beside its pipe, which this system has not: name a file", 1)
    try:
        pipe = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    except io.UnsupportedOperation:
        text, sys.stdin = sys.stdin, io.StringIO()
        assert isinstance(text, io.TextIOWrapper)
        return LectureReader(text.detach(), grows=False)
    try:
        terminal = os.open(os.ctermid(), os.O_RDWR)
    except OSError:
        terminal = os.open(os.devnull, os.O_RDONLY)
    os.dup2(terminal, sys.stdin.fileno())
    os.close(terminal)
    return LectureReader(pipe, grows=False)
