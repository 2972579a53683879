"""Terminals of all kinds: what they cannot show is not sent to them, on any screen at any size.

The matrix is size × TERM × colour × locale: each lab here is one TERM, colour and locale, and goes
through all screens while its window is resized from one size to the next; the labs begin with
another size each, so that every screen is seen at every size.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from sent import only_ascii, sequences, styles
from visits import SIZES, SMALL, VISITS, Watcher, press, resize, saved_runs, visited

TERMS = ("xterm-256color", "xterm", "screen", "screen-256color", "tmux-256color", "linux", "vt100")
LOCALES = {
    "UTF-8": {"LC_ALL": "C.UTF-8"},
    "C": {"LC_ALL": "C"},
}
COLOURS = {
    "default": {},
    "NO_COLOR": {"NO_COLOR": "1"},
    "truecolor": {"COLORTERM": "truecolor"},
}
CONSOLE = "→←↑↓▲▼"
"""What the console's font has beside the characters of its code page."""
KNOWN = {
    b"\x1b[H", b"\x1b[m", b"\x1b[J", b"\x1b[K", b"\x1b[?h", b"\x1b[?l", b"\x1b[n",
    b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D",
}  # fmt: skip
"""What every terminal obeys or passes over: moves, styles, erasing, modes, "are you there?"."""
XTERM = {b"\x1b[>u", b"\x1b[<u", b"\x1b[?$p", b"\x1b]default\x07"}
"""Of what others print a part: keyboard protocols, a question for a mode, the pointer's shape."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs."""
    folder = tmp_path_factory.mktemp("runs")
    saved_runs(folder)
    return folder


def kinds_of(term: str, colour: str) -> set[str]:
    """The kinds of colours that may be sent."""
    if colour == "NO_COLOR" or term == "vt100":
        return set()
    if colour == "truecolor":
        return {"true"}
    return {"256"} if "256" in term else {"16"}


CAPABILITIES = """
import curses, sys
curses.setupterm(sys.argv[1], 1)
print(*((curses.tigetstr(name) or b"").hex() or "-" for name in sys.argv[2:]))
"""


@cache
def attributes_of(term: str) -> set[int]:
    """The attributes that a terminal has, with the codes that clear them, by its terminfo.

    A process can ask for one terminal only: `setupterm` does nothing when it is called again.
    """
    command = [sys.executable, "-c", CAPABILITIES, term, "bold", "dim", "smul", "rev", "rmul"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    known = {0}
    for capability, codes in zip(found, ({1, 22}, {2, 22}, {4, 24}, {7, 27}), strict=False):
        if capability != "-":
            known |= codes
    if b"24" in bytes.fromhex(found[-1].replace("-", "")):
        return known
    return {code for code in known if code < 20}  # all are cleared at once


def is_whole(terminal, visit, size: tuple[int, int]) -> bool:
    """Whether a screen shows what it is known by, with its last row in the terminal's."""
    return visit.shown in terminal.text and visit.foot in terminal.lines[size[1] - 1]


def go_round(terminal, first: int = 0) -> None:
    """Visit every screen, each at another size than the one before."""
    watcher = Watcher()
    fitting = SIZES[1:]
    for number, visit in enumerate(visited(terminal), first):
        over = watcher.look(terminal)
        assert not over, f"{visit.name}: {over} characters over the right edge"
        if number % len(SIZES) == 0:
            resize(terminal, SMALL)
            watcher.resize(terminal)
            assert max(map(len, terminal.lines)) <= SMALL[0]
        size = fitting[number % len(fitting)]
        resize(terminal, size)
        terminal.read_until(lambda: is_whole(terminal, visit, size))  # noqa: B023
        watcher.resize(terminal)
    assert visit is VISITS[-1]
    assert not terminal.is_over()


def check_stream(written: bytes, term: str, kinds: set[str], ascii: bool) -> None:
    """What holds for everything that was sent."""
    found, attributes = styles(written)
    assert found == kinds
    assert attributes <= attributes_of(term)
    assert sequences(written) <= (KNOWN if term in ("linux", "vt100") else KNOWN | XTERM)
    assert only_ascii(written) == ascii
    if term == "linux" and not ascii:
        drawn = {c for c in written.decode() if c > "\x7f"}
        assert not {c for c in drawn if c not in CONSOLE and not has(c)}


def has(character: str) -> bool:
    """Whether the code page of the console's font has a character."""
    return bool(character.encode("cp437", "ignore"))


@pytest.mark.slow
@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("term", TERMS)
def test_every_terminal_shows_every_screen(lab, runs, tmp_path, term, colour, locale):
    shutil.copytree(runs, tmp_path, dirs_exist_ok=True)
    env = {"TERM": term, **COLOURS[colour], **LOCALES[locale]}
    first = TERMS.index(term) + 2 * list(COLOURS).index(colour) + list(LOCALES).index(locale)
    terminal = lab(env=env, shows=("home",))
    if first % 2:
        terminal.press("d")  # light, where backgrounds are painted
    go_round(terminal, first)
    ascii = locale == "C" or term == "vt100"
    check_stream(bytes(terminal.written), term, kinds_of(term, colour), ascii)


@pytest.mark.slow
def test_only_ascii_and_no_colour_where_that_is_wanted(lab, runs, tmp_path):
    shutil.copytree(runs, tmp_path, dirs_exist_ok=True)
    terminal = lab("--ascii", env={"NO_COLOR": "1"}, shows=("home",))
    go_round(terminal)
    check_stream(bytes(terminal.written), "xterm-256color", set(), ascii=True)


@pytest.mark.parametrize(
    "env",
    [
        pytest.param({"LC_ALL": "C"}, id="LC_ALL", marks=pytest.mark.slow),
        pytest.param({"LC_ALL": None, "LANG": "C"}, id="LANG"),
    ],
)
def test_a_locale_without_utf8_gets_ascii(lab, env):
    assert only_ascii(lab(env=env).written)


@pytest.mark.slow
def test_the_size_may_change_in_the_middle_of_a_training_and_of_a_search(lab):
    terminal = lab()
    for key in ("t", "1m", "enter"):
        press(terminal, key)
    for size in (*SIZES, *reversed(SIZES), (80, 24)):
        resize(terminal, size)
    terminal.read_until_shown("stop")
    assert "left" in terminal.lines[0]
    press(terminal, "escape")
    terminal.read_until_shown("t trains at full speed")
    for key in ("s", "b", "error > 2", "enter", "C"):
        press(terminal, key)
    for size in (*SIZES, (80, 24)):
        resize(terminal, size)
    terminal.read_until_shown("nowhere before this place")
    terminal.read_until_quiet(0.1)
    assert "home" in terminal.lines[23]


@pytest.mark.parametrize(
    ("columns", "rows"),
    [(40, 12), *(pytest.param(*size, marks=pytest.mark.slow) for size in ((79, 24), (10, 3)))],
)
def test_a_small_terminal_is_told_what_is_missing(lab, columns, rows):
    terminal = lab(columns=columns, rows=rows, shows=("80",))
    terminal.press("q")
    assert terminal.wait(5) == 0
