"""`afterstate follow`: play a walkthrough, live or later."""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

import click

from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import fail
from afterstate_lab.tui.cli.launch import can_draw, open_lab
from afterstate_lab.tui.progress import interruptible

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.scripts.recording import Follower

LOOK_SECONDS: Final = 0.1
"""Seconds between two checks of the walkthrough, in plain mode."""


@click.command()
@parameters.argument("file", "FILE|-", "walkthroughs", required=True)
@parameters.flag("--fast", "Skip to the newest moment, then follow live.")
@parameters.plain_flag
@parameters.ascii_flag
@parameters.no_mouse
@parameters.player_files
def follow(file: str, fast: bool, is_plain: bool, files: tuple[Path, ...], **options: Any) -> None:
    """Play a recorded walkthrough, or follow one live.

    Record one with afterstate --record FILE; - reads it from a pipe. The lab plays it with its
    pauses, and keeps up as the file grows. Press any key to explore on your own; press * to return,
    or to skip to the next stop. Try afterstate follow temporal-differences.
    """
    from afterstate_lab.tui.lab.scripts.recording import OURS, Follower, open_walkthrough

    is_plain = is_plain or not can_draw()
    source, grows = pipe() if file == "-" else open_walkthrough(file), file not in ("-", OURS)
    follower = Follower(source, grows=grows, fast=fast, each=is_plain)
    try:
        if is_plain:
            with interruptible():
                follow_plain(follower, files)
            return
        from afterstate_lab.learners.rules.spec import PlayerSpec

        td = PlayerSpec.parse("td")
        open_lab(x=td, o=td, follower=follower, files=files, **options)
    finally:
        follower.close()


def pipe() -> BinaryIO:
    """Return standard input as a pipe, and make the terminal the new standard input."""
    if sys.stdin is None or sys.stdin.isatty():
        fail(
            "follow - reads a walkthrough from a pipe: ssh HOST tail -f FILE | afterstate follow -",
            2,
        )
    if not hasattr(os, "ctermid"):
        fail("reading a pipe is not available on this system. Name a file", 1)
    try:
        found = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    except io.UnsupportedOperation:
        text, sys.stdin = sys.stdin, io.StringIO()
        assert isinstance(text, io.TextIOWrapper)
        return cast("BinaryIO", text.detach())
    try:
        terminal = os.open(os.ctermid(), os.O_RDWR)
    except OSError:
        terminal = os.open(os.devnull, os.O_RDONLY)
    os.dup2(terminal, sys.stdin.fileno())
    os.close(terminal)
    return found


def follow_plain(follower: Follower, files: Iterable[Path]) -> None:
    """Follow a walkthrough in plain mode until it ends or the user quits."""
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.cli.play import lines, tell
    from afterstate_lab.tui.lab.autosave import Autosave
    from afterstate_lab.tui.plain.dialogue import Dialogue

    td = PlayerSpec.parse("td")
    dialogue = Dialogue(Run(td, td), autosave=Autosave(), tell=tell)
    dialogue.controller.current.named = tuple(map(str, files))
    dialogue.controller.lectures.follower = follower
    typed: Queue[str | None] = Queue()

    def read() -> None:
        for line in lines(prompted=False):
            typed.put(line)
        typed.put(None)

    threading.Thread(target=read, daemon=True).start()
    has_user, has_begun = True, False
    try:
        while not dialogue.is_over and (has_user or not follower.is_drained):
            while (typed.empty() or not has_begun) and (told := dialogue.follow()):
                has_begun = True
                for line in told:
                    tell(line)
            if not (has_begun or follower.is_drained):
                time.sleep(LOOK_SECONDS)
                continue
            if follower.is_over and not follower.is_aside:
                tell("The walkthrough is over.")
                break
            try:
                answer = typed.get(timeout=LOOK_SECONDS)
            except Empty:
                continue
            has_user = has_user and answer is not None
            for line in () if answer is None else dialogue.answer(answer):
                tell(line)
    except KeyboardInterrupt:
        click.echo()
    finally:
        dialogue.close()
