"""Labs in pseudo-terminals: how they are started, what they show, and the keys pressed there."""

import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import psutil
from pseudo_terminal import QUESTION, PseudoTerminal

from afterstate_lab.tui.pages.home import WAYS

MAIN = "from afterstate_lab.tui.command import main; main()"
GONE = 2.0
"""Seconds in which what ends must be gone: one, and one more for a busy machine."""
HOME = (sys.executable, "-P", "-m", "afterstate_lab")
LAB = (*HOME, "--seed", "0")
"""The lab itself: who names a seed is not asked at home what to do."""
BYTE_CODE = tempfile.TemporaryDirectory()
"""Where Python keeps the byte code of all programs started here."""
DOORS = tuple(name for name, _ in WAYS.values())
"""Words of the whole picture of home: its menu."""
PANES = ("log", "stats", "learning", "home")
"""Words of the whole picture of the lab."""
GAMES = re.compile(r"games ([\d,]+)|([\d,]+) games in")


def interpreted(folder: Path, **more: str | None) -> dict[str, str | None]:
    """Variables of a lab that compiles nothing and keeps all its files in a folder."""
    own = {"AFTERSTATE_DATA": str(folder), "AFTERSTATE_CACHE": str(folder)}
    return {**own, "AFTERSTATE_INTERPRETED": "1", **more}


def program(
    command: Sequence[str], folder: str, columns: int = 80, rows: int = 24, **more: str | None
) -> PseudoTerminal:
    """A program that keeps its files in a folder, and its byte code, as if it were installed."""
    own = {"AFTERSTATE_DATA": folder, "AFTERSTATE_CACHE": folder}
    code = {"PYTHONPYCACHEPREFIX": BYTE_CODE.name, "PYTHONDONTWRITEBYTECODE": None}
    return PseudoTerminal(command, columns, rows, {**own, **code, **more})


def pressed(terminal: PseudoTerminal, *keys: str, quiet: float = 0.15) -> int:
    before = len(terminal.written)
    terminal.press(*keys)
    terminal.read_until_quiet(quiet)
    return len(terminal.written) - before


def stepped(terminal: PseudoTerminal, key: str) -> int:
    """The bytes of a step, once its picture is complete."""
    before = len(terminal.written)
    terminal.press(key)
    with suppress(TimeoutError):
        terminal.read_until(lambda: QUESTION in terminal.written[before:], 2)
    terminal.read_until_quiet(0.1)
    return len(terminal.written) - before


def train(terminal: PseudoTerminal, games: str = "1000m") -> None:
    terminal.press("t")
    terminal.read_until_shown("how many games")
    terminal.read_until_quiet(0.1)
    terminal.press(games, "enter")
    terminal.read_until(lambda: games_shown(terminal) > 0)


def games_shown(terminal: PseudoTerminal) -> int:
    """How many games the mode line of a training tells; 0 where there is none."""
    found = GAMES.search(terminal.lines[0])
    return int((found[1] or found[2]).replace(",", "")) if found else 0


WAYS: dict[str, Callable[[PseudoTerminal], None]] = {
    f"SIG{name}": lambda terminal, name=name: terminal.signal(signal.Signals[f"SIG{name}"])
    for name in ("KILL", "HUP", "TERM", "QUIT", "INT")
} | {"closed": PseudoTerminal.close}
"""Ways in which a lab is ended."""


def left_of(terminal: PseudoTerminal, name: str, value: str, seconds: float):
    """The processes that have a variable of this value and are not over after so many seconds."""
    until = time.perf_counter() + seconds
    while True:
        there = psutil.process_iter(["environ"])
        left = [one for one in there if (one.info["environ"] or {}).get(name) == value]
        if not left or time.perf_counter() > until:
            return left
        terminal.wait(0.01)
