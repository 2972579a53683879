"""Terminals of all kinds: what they cannot show is not sent to them, and all of it can be read.

Each lab here is one TERM, colour, locale and theme, and goes through all screens while its window
is resized from one size to the next. The labs begin with another size each, so that every screen is
seen at every size.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pyte
import pytest
import visits

LABS = (
    ("xterm-256color", {}),
    ("xterm", {"COLORTERM": "truecolor", "LC_ALL": "C"}),
    ("screen", {"NO_COLOR": "1"}),
    ("linux", {}),
    ("vt100", {"LC_ALL": "C"}),
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
CAPABILITIES = """
import curses, sys
curses.setupterm(sys.argv[1], 1)
print(*((curses.tigetstr(name) or b"").hex() or "-" for name in sys.argv[2:]))
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    visits.saved_runs(folder)
    return folder


def kinds_of(term: str, env: dict[str, str]) -> set[str]:
    if "NO_COLOR" in env or term == "vt100":
        return set()
    if "COLORTERM" in env:
        return {"true"}
    return {"256"} if "256" in term else {"16"}


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


def go_round(terminal, first: int) -> None:
    """Visit every screen, each at another size than the one before."""
    edged, seen = visits.Edged(80, 24), 0
    stream = pyte.ByteStream(edged)

    def look() -> None:
        nonlocal seen
        stream.feed(bytes(terminal.written[seen:]))
        seen = len(terminal.written)

    for number, visit in enumerate(visits.visited(terminal), first):
        edged.over = 0
        look()
        assert not edged.over, f"{visit.name}: {edged.over} characters over the right edge"
        size = visits.SIZES[1 + number % 3]
        visits.resize(terminal, size)
        terminal.read_until(
            lambda: (
                visit.shown in terminal.text  # noqa: B023
                and visit.foot in terminal.lines[size[1] - 1]  # noqa: B023
            )
        )
        look()  # what was sent before the lab knew of the new size may run over the edge
        edged.resize(size[1], size[0])
    assert visit is visits.VISITS[-1]
    assert not terminal.is_over()


def check_stream(written: bytes, term: str, kinds: set[str], ascii: bool) -> None:
    found, attributes = visits.styles(written)
    assert found == kinds
    assert attributes <= attributes_of(term)
    assert visits.sequences(written) <= (KNOWN if term in ("linux", "vt100") else KNOWN | XTERM)
    assert written.isascii() == ascii
    if term == "linux" and not ascii:
        drawn = {c for c in written.decode() if c > "\x7f" and c not in CONSOLE}
        assert not {c for c in drawn if not c.encode("cp437", "ignore")}


@pytest.mark.parametrize("number", range(len(LABS)), ids=lambda n: " ".join(map(str, LABS[n])))
def test_every_terminal_shows_every_screen(lab, runs, tmp_path, number):
    term, env = LABS[number]
    shutil.copytree(runs, tmp_path, dirs_exist_ok=True)
    terminal = lab(env={"TERM": term, **env}, shows=("home",))
    if number % 2:
        terminal.press("d")  # light, where backgrounds are painted
        assert terminal.read_until_asleep()
    kinds = kinds_of(term, env)
    go_round(terminal, number)
    check_stream(bytes(terminal.written), term, kinds, "LC_ALL" in env or term == "vt100")


def test_the_size_may_change_in_the_middle_of_a_training_and_of_a_search(lab):
    terminal = lab()
    for key in ("t", "20m", "enter"):  # more than any machine trains while the size changes
        visits.press(terminal, key)
    for size in (*visits.SIZES, *reversed(visits.SIZES), (80, 24)):
        visits.resize(terminal, size)
    terminal.read_until_shown("stop", "left")  # of the training, in the stats
    visits.press(terminal, "escape")
    terminal.read_until_shown("space train")
    for key in ("s", "b", "error > 2", "enter", "C"):
        visits.press(terminal, key)
    for size in (*visits.SIZES, (80, 24)):
        visits.resize(terminal, size)
    terminal.read_until_shown("Nowhere before this moment")
    terminal.read_until(lambda: "home" in terminal.lines[23])
