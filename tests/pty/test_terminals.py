"""Terminals of all kinds: what they cannot show is not sent to them, and all of it can be read."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from typing import NamedTuple

import pyte
import pytest
from labs import MAIN, PANES, interpreted
from pseudo_terminal import PseudoTerminal
from terminal import QUICK, stepping

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
    """Each begins with another size, so that every screen is seen at every size."""
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
    assert b"\x1b[n" in sequences, "it was never asked whether it is there"
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


@pytest.mark.parametrize("size", [(40, 10), (500, 300)], ids="{0[0]}x{0[1]}".format)
def test_the_window_has_the_size_that_the_terminal_reports(lab, size):
    columns, rows = map(str, size)
    terminal = lab(env={"COLUMNS": columns, "LINES": rows})
    assert terminal.lines[23].rstrip().endswith("home")
    if size[0] < 80:
        return
    terminal.resize(120, 40)
    terminal.read_until(lambda: terminal.lines[39].rstrip().endswith("home"))


def test_where_the_terminal_reports_no_size_the_variables_count(lab):
    small = {"COLUMNS": "40", "LINES": "10"}
    terminal = lab(columns=0, rows=0, env=small, shows=())
    terminal.read_until(lambda: "40×10".encode() in terminal.written)


def test_a_stream_of_another_encoding_gets_ascii(lab):
    terminal = lab(env={"PYTHONIOENCODING": "latin-1"})
    assert terminal.written.isascii()
    assert b"\\u" not in terminal.written


@pytest.mark.parametrize("arguments", [(), ("--o", "perfect")])
def test_a_dumb_terminal_gets_plain_mode(lab, arguments):
    terminal = lab(*arguments, env={"TERM": "dumb"}, shows=("your move",))
    assert b"\x1b" not in terminal.written
    terminal.press("q", "enter")
    assert terminal.wait(5) == 0


@pytest.mark.skipif(shutil.which("screen") is None, reason="GNU screen is not installed")
@pytest.mark.parametrize("term", ["xterm", "xterm-256color"])
def test_gnu_screen_shows_the_colours_that_its_terminal_has(lab, tmp_path, term):
    outside = lab(env={"TERM": term})
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        env = interpreted(tmp_path, SCREENDIR=folder, COLORTERM="truecolor", TERM=term)
        command = ["screen", "-U", "-c", "/dev/null", sys.executable, "-c", MAIN]
        with PseudoTerminal([*command, "--seed", "0"], env=env) as inside:
            inside.read_until_shown(*PANES)
            for terminal in (inside, outside):
                terminal.press("s")
                terminal.read_until_shown("STEP", "target")
                terminal.read_until_quiet(0.5)
            assert inside.text == outside.text
            assert inside.cells == outside.cells
            inside.press("q", "q")
            assert inside.wait(5) == 0


@pytest.mark.quick
def test_a_game_is_played_to_its_end(lab):
    terminal = lab("--x", "human", "--o", "perfect", shows=("PLAY", "board", "X to move"))
    for cell in "519736428":
        press(terminal, cell)
        if re.search("draw|wins", terminal.lines[1]):
            break
    assert re.search("draw|O wins", terminal.lines[1])


@pytest.mark.parametrize("shows", [("play it", "quit"), ()], ids=["seen", "typed ahead"])
def test_one_key_leads_to_a_backup_that_changes_something(lab, shows):
    terminal = lab(at_home=True, shows=shows)
    terminal.press("s")
    terminal.read_until_shown("STEP", "was just played", "4 target")
    terminal.press("q", "q")
    assert terminal.wait(5) == 0


PAIRS = (
    ("td", "tdlambda"), ("negamax", "q"), ("double-q", "menace"), ("expected-sarsa", "menace-code"),
)  # fmt: skip
"""Every kind of panes, in pairs that share nothing: more changes from one to the other."""


@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_a_step_forward_or_back_keeps_the_bar_of_its_bytes(lab, x: str, o: str):
    terminal = lab(f"--x={x}", f"--o={o}", "--seed=2")
    figures = stepping(terminal, QUICK, games=150)
    assert not [figure.row for figure in figures if figure.is_missed]
