"""Every screen of the lab, one after the other, and what can be said of each in any terminal."""

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pyte
from pseudo_terminal import PseudoTerminal

SMALL = (40, 12)
"""Too small for the lab."""
SIZES = (SMALL, (80, 24), (120, 40), (200, 60))
QUIET = 0.05


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


VISITS: tuple[Visit, ...] = (
    Visit("opening", (), "no game yet"),
    Visit("watch", (".", "."), ".50000"),
    Visit("question", ("t",), "how many games", "Esc leaves", ("escape",)),
    Visit("train", ("t", "300", "enter"), " 301 "),
    Visit("step", ("s", "]", "right"), "you are here"),
    Visit("everything of a step", ("s",), "s less", left=("s",)),
    Visit("breakpoint", ("b",), "break at", "Esc leaves", ("escape",)),
    Visit("what if", ("W", "enter"), "Every event is the same"),
    Visit("provenance", ("r",), "why is it", "", ("q",)),
    Visit("table", ("v", "down"), "sort by", "back"),
    Visit("filter", ("/",), "visits>10", "Esc leaves", ("escape",)),
    Visit("table help", ("?",), "the card of this value", "", ("enter", "q")),
    Visit("map", ("M", "down", "e"), "all 765 positions", "back", ("q",)),
    Visit("help", ("?",), "back and on in time", "", ("enter",)),
    Visit("setup", ("o",), "alpha", "Enter begin", ("escape",)),
    Visit("runs", ("R", "down"), "saved 3", "back", ("q",)),
    Visit("experiments", ("E", "down"), "Symmetries", "back"),
    Visit("plan", ("enter",), "Enter run", "back", ("q", "q")),
    Visit("play", ("p", "5", "h"), "PLAY"),
    Visit("tour", ("T",), "1/14", left=("T",)),
    Visit("palette", (":",), "everything", "Enter do", ("escape",)),
)


def saved_runs(folder: Path) -> None:
    """Put two runs into a store, to be listed and compared: so old that no minute ages them."""
    for name in ("one", "two"):
        subprocess.run(
            [sys.executable, "-m", "afterstate_lab", "train", "--games", "60", "--run", name],
            env={**os.environ, "AFTERSTATE_DATA": str(folder), "AFTERSTATE_INTERPRETED": "1"},
            check=True,
            capture_output=True,
        )
    with closing(sqlite3.connect(folder / "runs.sqlite")) as store, store:
        store.execute("UPDATE runs SET updated = updated - 432000")


def press(terminal: PseudoTerminal, key: str, quiet: float = QUIET) -> None:
    before = len(terminal.written)
    terminal.press(key)
    terminal.read_until(lambda: len(terminal.written) > before)
    terminal.read_until_quiet(quiet)


def resize(terminal: PseudoTerminal, size: tuple[int, int]) -> None:
    if size != (terminal.screen.columns, terminal.screen.lines):
        before, is_smaller = len(terminal.written), size[0] < terminal.screen.columns
        terminal.resize(*size)
        terminal.read_until(lambda: len(terminal.written) > before)
        if is_smaller:  # a picture of the larger size may still be on its way
            terminal.read_until_asleep(3.0)
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


class Edged(pyte.Screen):
    """Counts the characters that run over the right edge."""

    over = 0

    def draw(self, data: str) -> None:
        for character in data:
            self.over += self.cursor.x == self.columns
            super().draw(character)


SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[^\[\]])")
STYLE = re.compile(rb"\x1b\[([0-9;]*)m")


def styles(written: bytes) -> tuple[set[str], set[int]]:
    """The kinds of colours in a stream (`16`, `256`, `true`), and the codes of its attributes."""
    kinds: set[str] = set()
    attributes: set[int] = set()
    for sequence in STYLE.findall(written):
        codes = iter([int(code or 0) for code in sequence.split(b";")])
        for code in codes:
            if code in (38, 48):
                kind = {5: "256", 2: "true"}[next(codes)]
                kinds.add(kind)
                for _ in range(1 if kind == "256" else 3):
                    next(codes)
            elif 30 <= code <= 37 or 40 <= code <= 47 or 90 <= code <= 107:
                kinds.add("16")
            elif code not in (39, 49):
                attributes.add(code)
    return kinds, attributes


def sequences(written: bytes) -> set[bytes]:
    return {re.sub(rb"[0-9;]+", b"", found) for found in SEQUENCE.findall(written)}
