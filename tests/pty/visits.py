"""Every screen of the lab, one after the other, and what can be said of each in any terminal."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyte
from pyte.screens import Char

if TYPE_CHECKING:
    from pseudo_terminal import PseudoTerminal

MAIN = "from afterstate_lab.tui.command import main; main()"
SMALL = (40, 12)
"""Too small for the lab."""
SIZES = (SMALL, (80, 24), (120, 40), (200, 60))
QUIET = 0.05
DAY = 86_400


@dataclass(frozen=True)
class Visit:
    """A screen: how one comes to it from the one before, and what it shows."""

    name: str
    keys: tuple[str, ...]
    shown: str
    """Text that is seen at every size that the lab fits in."""
    foot: str = "home"
    """Text in the last row."""
    left: tuple[str, ...] = ()
    """Keys that lead back to the lab."""
    stands_still: bool = True
    """Nothing moves in it but what the lab draws itself."""


VISITS: tuple[Visit, ...] = (
    Visit("opening", (), "no game yet"),
    Visit("watch", (".", "."), ".50000"),
    Visit("question", ("t",), "how many games", "Esc leaves", ("escape",)),
    Visit("train", ("t", "300", "enter"), " 301 "),
    Visit("step", ("s", "]", "right"), "the update"),
    Visit("breakpoint", ("b",), "break at", "Esc leaves", ("escape",)),
    Visit("what if", ("W", "enter"), "WHAT IF", "", ("q",)),
    Visit("provenance", ("r",), "where this value comes from", "", ("q",)),
    Visit("table", ("v", "down"), "last: game", "back"),
    Visit("filter", ("/",), "visits>10", "Esc leaves", ("escape",)),
    Visit("table help", ("?",), "step from its last write", "", ("q", "q")),
    Visit("help", ("?",), "to the next phase", "", ("q",)),
    Visit("setup", ("o",), "alpha", "Enter begin", ("escape",)),
    Visit("runs", ("R", "down"), "saved 3", "back"),
    Visit("compare", ("A", "down", "A"), "what differs", "back", ("q", "q")),
    Visit("experiments", ("E", "down"), "plans", "back"),
    Visit("plan", ("enter",), "space run", "back", ("q", "q")),
    Visit("play", ("p", "5", "h"), "PLAY"),
    Visit("tour", ("T",), "1/20", left=("T",)),
    Visit("palette", (":",), "Search for commands", "", ("escape",), stands_still=False),
)


def saved_runs(folder: Path) -> None:
    """Put two runs into a store, to be listed and compared: so old that no minute ages them."""
    for name in ("one", "two"):
        subprocess.run(
            [sys.executable, "-c", MAIN, "train", "--games", "60", "--run", name],
            env={**os.environ, "AFTERSTATE_DATA": str(folder), "AFTERSTATE_INTERPRETED": "1"},
            check=True,
            capture_output=True,
        )
    with closing(sqlite3.connect(folder / "runs.sqlite")) as store, store:
        store.execute("UPDATE runs SET updated = updated - ?", (5 * DAY,))


def press(terminal: PseudoTerminal, key: str) -> None:
    """Type a key, and wait for what comes of it."""
    before = len(terminal.written)
    terminal.press(key)
    terminal.read_until(lambda: len(terminal.written) > before)
    terminal.read_until_quiet(QUIET)


def resize(terminal: PseudoTerminal, size: tuple[int, int]) -> None:
    """Change the size, and wait for the new picture."""
    if size == (terminal.screen.columns, terminal.screen.lines):
        return
    before = len(terminal.written)
    terminal.resize(*size)
    terminal.read_until(lambda: len(terminal.written) > before)
    terminal.read_until_quiet(QUIET)


def visited(terminal: PseudoTerminal) -> Iterator[Visit]:
    """Go from screen to screen; the terminal may be resized while one is looked at."""
    for visit in VISITS:
        for key in visit.keys:
            press(terminal, key)
        terminal.read_until_shown(visit.shown)
        terminal.read_until_quiet(QUIET)
        yield visit
        for key in visit.left:
            press(terminal, key)
        if visit.left:  # a key right after Esc would be taken for one with Alt
            terminal.read_until(lambda left=visit: left.shown not in terminal.text)
            terminal.read_until_quiet(QUIET)


class Watcher:
    """A second pair of eyes on what a terminal is sent: nothing may run over the right edge."""

    def __init__(self) -> None:
        self._screen = _Edged(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self._seen = 0

    def look(self, terminal: PseudoTerminal) -> int:
        """Take in what was sent; characters that ran over the edge."""
        self._screen.over = 0
        self._stream.feed(bytes(terminal.written[self._seen :]))
        self._seen = len(terminal.written)
        return self._screen.over

    def resize(self, terminal: PseudoTerminal) -> None:
        """Take in a new size, and pass over what was sent before the lab knew of it."""
        self.look(terminal)
        self._screen.resize(terminal.screen.lines, terminal.screen.columns)


class _Edged(pyte.Screen):
    over = 0

    def draw(self, data: str) -> None:
        for character in data:
            if self.cursor.x == self.columns:
                self.over += 1
            super().draw(character)


def picture(screen: pyte.Screen) -> list[tuple[object, ...]]:
    """What is seen of each cell; of a blank only what shows on one."""
    cells = [screen.buffer[y][x] for y in range(screen.lines) for x in range(screen.columns)]
    return [_seen(cell) for cell in cells]


def _seen(cell: Char) -> tuple[object, ...]:
    if cell.data == " " and not cell.reverse:
        return (" ", cell.bg, cell.underscore)
    return (cell.data, cell.fg, cell.bg, cell.bold, cell.reverse, cell.underscore)
