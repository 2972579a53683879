"""How long the way to the terminal and back is."""

from __future__ import annotations

import os
import select
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tui.terminal.pacing import QUESTION
from tui.terminal.status_replies import ANSWER

TIMES = 3
PATIENCE = 2.0
"""Seconds to wait for an answer."""


def round_trip() -> float | None:
    """Seconds until the terminal has answered that it is there, in the median of a few times.

    Returns:
        None where there is no terminal, or it does not answer.
    """
    try:
        source, target = sys.stdin.fileno(), sys.stdout.fileno()
        is_dumb = os.environ.get("TERM", "dumb") == "dumb"
        if is_dumb or not (os.isatty(source) and os.isatty(target)):
            return None
        with unheeded_keys(source):
            taken = [asked(source, target) for _ in range(TIMES)]
    except (AttributeError, ImportError, OSError, ValueError):
        return None
    return statistics.median(taken)


def asked(source: int, target: int) -> float:
    """Ask once.

    Raises:
        TimeoutError: there was no answer.
    """
    began = time.monotonic()
    os.write(target, QUESTION.encode())
    came = b""
    while ANSWER not in came:
        left = began + PATIENCE - time.monotonic()
        if left <= 0 or not select.select([source], [], [], left)[0]:
            raise TimeoutError
        came += os.read(source, 1024)
    return time.monotonic() - began


@contextmanager
def unheeded_keys(source: int) -> Iterator[None]:
    """Let a terminal show nothing of what comes, and forget afterwards what came too late."""
    import termios
    import tty

    before = termios.tcgetattr(source)
    try:
        tty.setcbreak(source, termios.TCSANOW)
        yield
    finally:
        termios.tcsetattr(source, termios.TCSAFLUSH, before)
