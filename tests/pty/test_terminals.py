"""Terminals of all kinds: what they cannot show is not sent to them, and all of it can be read.

Each lab here is one TERM, colour, locale and theme, and goes through all screens while its window
is resized from one size to the next. The labs begin with another size each, so that every screen is
seen at every size.
"""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import NamedTuple

import pyte
import pytest

SIZES = ((40, 12), (80, 24), (120, 40), (200, 60))
"""The first is too small for the lab."""
QUIET = 0.05
LABS = (
    ("xterm-256color", {}, {"indexed"}),
    ("xterm", {"COLORTERM": "truecolor", "LC_ALL": "C"}, {"true"}),
    ("screen", {"NO_COLOR": "1"}, set()),
    ("linux", {}, {"named"}),
    ("vt100", {"LC_ALL": "C"}, set()),
)
"""Every kind of colours and characters; every second lab is light, so both are seen painted."""
CONSOLE = "→←↑↓▲▼"
"""What the console's font has beside the characters of its code page."""
KNOWN = {
    b"\x1b[H", b"\x1b[m", b"\x1b[J", b"\x1b[K", b"\x1b[?h", b"\x1b[?l", b"\x1b[n",
    b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D",
}  # fmt: skip
"""What every terminal obeys or passes over: moves, styles, erasing, modes, "are you there?"."""
XTERM = {b"\x1b[>u", b"\x1b[<u", b"\x1b[?$p", b"\x1b]default\x07"}
"""Of what others print a part: keyboard protocols, a question for a mode, the pointer's shape."""


class Visit(NamedTuple):
    """A screen: how one comes to it from the one before, and what it shows."""

    name: str
    keys: tuple[str, ...]
    shown: str
    """Text that is seen at every size that the lab fits in."""
    foot: str = "home"
    """Text in the last row."""
    left: tuple[str, ...] = ()
    """Keys that lead back to the lab."""


VISITS = (
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


class Edged(pyte.Screen):
    """Counts the characters that run over the right edge."""

    over = 0

    def draw(self, data: str) -> None:
        for character in data:
            self.over += self.cursor.x == self.columns
            super().draw(character)


SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[^\[\]])")
STYLE = re.compile(rb"\x1b\[([0-9;]*)m")
CODE = re.compile(
    rb"(?P<indexed>[34]8;5;\d+)|(?P<true>[34]8;2(?:;\d+){3})|(?P<named>(?:[34]|9|10)[0-7])"
    rb"|(?P<usual>[34]9)|(?P<attribute>\d+)"
)


def styles(written: bytes) -> tuple[set[str], set[int]]:
    """The kinds of colours in a stream, and the codes of its attributes."""
    codes = [code for sequence in STYLE.findall(written) for code in CODE.finditer(sequence)]
    attributes = {int(code[0]) for code in codes if code["attribute"]}
    return {str(code.lastgroup) for code in codes} - {"usual", "attribute"}, attributes


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with two runs, to be listed and compared: so old that no minute ages them."""
    folder = tmp_path_factory.mktemp("runs")
    env = os.environ | {"AFTERSTATE_DATA": str(folder), "AFTERSTATE_INTERPRETED": "1"}
    train = [sys.executable, "-m", "afterstate_lab", "train", "--games", "60", "--run"]
    for name in ("one", "two"):
        subprocess.run([*train, name], env=env, check=True, capture_output=True)
    with closing(sqlite3.connect(folder / "runs.sqlite")) as store, store:
        store.execute("UPDATE runs SET updated = updated - 432000")
    return folder


def attributes_of(term: str) -> set[int]:
    """The attributes that a terminal has, with the codes that clear them, by its terminfo."""
    asked = ["infocmp", "-1", term]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    clears = "rmul=\\E[24m" in told  # else all are cleared at once
    known = {0}
    for capability, on, off in (("bold", 1, 22), ("dim", 2, 22), ("smul", 4, 24), ("rev", 7, 27)):
        if f"\t{capability}=" in told:
            known |= {on, off} if clears else {on}
    return known


def press(terminal, *keys: str) -> None:
    for key in keys:
        before = len(terminal.written)
        terminal.press(key)
        terminal.read_until(lambda: len(terminal.written) > before)  # noqa: B023
        terminal.read_until_quiet(QUIET)


def resize(terminal, size: tuple[int, int]) -> None:
    if size != (terminal.screen.columns, terminal.screen.lines):
        before, is_smaller = len(terminal.written), size[0] < terminal.screen.columns
        terminal.resize(*size)
        terminal.read_until(lambda: len(terminal.written) > before)
        if is_smaller:  # a picture of the larger size may still be on its way
            terminal.read_until_asleep(3.0)
        terminal.read_until_quiet(QUIET)


def go_round(terminal, first: int) -> None:
    """Visit every screen, each at another size than the one before."""
    edged, seen = Edged(80, 24), 0
    stream = pyte.ByteStream(edged)

    def look() -> None:
        nonlocal seen
        stream.feed(bytes(terminal.written[seen:]))
        seen = len(terminal.written)

    def is_shown(visit: Visit) -> bool:
        last = terminal.lines[terminal.screen.lines - 1]
        return visit.shown in terminal.text and visit.foot in last

    for number, visit in enumerate(VISITS, first):
        press(terminal, *visit.keys)
        terminal.read_until_shown(visit.shown)
        terminal.read_until_quiet(QUIET)
        edged.over = 0
        look()
        assert not edged.over, f"{visit.name}: {edged.over} characters over the right edge"
        size = SIZES[1 + number % 3]
        resize(terminal, size)
        terminal.read_until(lambda: is_shown(visit))  # noqa: B023
        look()  # what was sent before the lab knew of the new size may run over the edge
        edged.resize(size[1], size[0])
        press(terminal, *visit.left)
        if visit.left:  # a key right after Esc would be taken for one with Alt
            terminal.read_until(lambda: visit.shown not in terminal.text)  # noqa: B023
            terminal.read_until_quiet(QUIET)
    assert not terminal.is_over()


@pytest.mark.parametrize("number", range(len(LABS)), ids=lambda n: LABS[n][0])
def test_every_terminal_shows_every_screen(lab, runs, tmp_path, number):
    term, env, kinds = LABS[number]
    shutil.copytree(runs, tmp_path, dirs_exist_ok=True)
    terminal = lab(env={"TERM": term, **env}, shows=("home",))
    if number % 2:
        terminal.press("d")  # light, where backgrounds are painted
        assert terminal.read_until_asleep()
    go_round(terminal, number)
    written, is_ascii = bytes(terminal.written), "LC_ALL" in env
    found, attributes = styles(written)
    assert found == kinds
    assert attributes <= attributes_of(term)
    sequences = {re.sub(rb"[0-9;]+", b"", found) for found in SEQUENCE.findall(written)}
    assert sequences <= (KNOWN if term in ("linux", "vt100") else KNOWN | XTERM)
    assert written.isascii() == is_ascii
    if term == "linux":
        drawn = {c for c in written.decode() if c > "\x7f" and c not in CONSOLE}
        assert not {c for c in drawn if not c.encode("cp437", "ignore")}


def test_the_size_may_change_in_the_middle_of_a_training_and_of_a_search(lab):
    terminal = lab()
    press(terminal, "t", "20m", "enter")  # more than any machine trains while the size changes
    for size in (*SIZES, *reversed(SIZES), (80, 24)):
        resize(terminal, size)
    terminal.read_until_shown("stop", "left")  # of the training, in the stats
    press(terminal, "escape")
    terminal.read_until_shown("space train")
    press(terminal, "s", "b", "error > 2", "enter", "C")
    for size in (*SIZES, (80, 24)):
        resize(terminal, size)
    terminal.read_until_shown("Nowhere before this moment")
    terminal.read_until(lambda: "home" in terminal.lines[23])
