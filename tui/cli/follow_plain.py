"""A lecture followed in plain mode: what it says, and what the user types in between."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from pathlib import Path
from queue import Empty, Queue
from typing import Final

import click

from learners.rules.spec import PlayerSpec
from learners.tape.run import Run
from tui.cli.play import lines, tell
from tui.lab.autosave import Autosave
from tui.lab.lectures import Follower
from tui.plain.dialogue import Dialogue

LOOK_SECONDS: Final = 0.1
"""Between two looks at the lecture."""


def follow_plain(follower: Follower, files: Iterable[Path]) -> None:
    """Follow a lecture until it, or the user, ends."""
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
                tell("The lecture is over.")
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
