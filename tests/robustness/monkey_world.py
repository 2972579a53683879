"""The folder in which a monkey lives, and what must be true of its runs afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from unittest import mock

from fuzz import PLAN
from monkey_cage import Cage
from monkey_census import Census, take_census
from monkey_strokes import Monkey

from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.runs.verify import verify

RESTS = 5
"""So often the lab comes to rest before it is said to hold more than one screen."""
BETWEEN = 500
"""Strokes after which the way home is tried."""


@contextmanager
def world(folder: Path) -> Iterator[None]:
    """A folder for all that a monkey makes, with a plan of its own and a broken one.

    Args:
        folder: an empty folder.
    """
    (folder / "tiny.toml").write_text(PLAN)
    (folder / "wrong.toml").write_text("games = [")
    settings = {
        "HOME": str(folder),
        "AFTERSTATE_DATA": str(folder / "data"),
        "TERM": "xterm-256color",
    }
    before = Path.cwd()
    os.chdir(folder)
    try:
        with mock.patch.dict(os.environ, settings):
            for name in ("NO_COLOR", "COLORTERM", "SSH_CONNECTION"):
                os.environ.pop(name, None)
            yield
    finally:
        os.chdir(before)


async def let_loose(cage: Cage, seed: int, strokes: int, first: int = 0) -> None:
    """Let a monkey do so many things.

    Args:
        cage: where.
        seed: which monkey.
        strokes: how many.
        first: pass over those before; with it a failure can be cut down to what leads to it.

    Raises:
        AssertionError: the lab took harm; a note says what was done last, and how to do it again.
    """
    number = first
    try:
        for number, stroke in enumerate(islice(Monkey(seed).strokes(), first, strokes), first):
            await cage.do(stroke)
            if number % BETWEEN == BETWEEN - 1:
                await cage.go_home()
    except BaseException as error:
        screens = [type(screen).__name__ for screen in cage.lab.screen_stack]
        error.add_note(f"monkey {seed}, stroke {number}, screens {screens}; the last ones:")
        for stroke in cage.last:
            error.add_note(f"    {stroke}"[:200])
        raise


async def counted(cage: Cage) -> Census:
    """What the lab holds at rest.

    A timer that was cancelled keeps the screen that set it until it would have been due, and a task
    until it has ended: what is kept longer than a few rests is kept for good.
    """
    for _ in range(RESTS):
        await cage.rest()
        census = take_census()
        if census.screens <= 1:
            break
    return census


def check_store(most: int) -> int:
    """Play the runs of the store again that have at most so many games; how many came out the same.

    Raises:
        AssertionError: one did not.
    """
    checked = 0
    with Store.open() as store:
        for info in store.list():
            if info.games <= most:
                result = verify(store.load(info.id))
                assert result.is_same, f"{info.name}: {'; '.join(result.differs)}"
                checked += 1
    return checked
