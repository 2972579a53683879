"""What the environment says of a terminal, and what the terminal is."""

import shutil
import signal
import sys
import tempfile

import pytest
from labs import GONE, MAIN, PANES, interpreted
from pseudo_terminal import PseudoTerminal


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


def test_a_dumb_terminal_gets_plain_mode(lab):
    terminal = lab("--o", "perfect", env={"TERM": "dumb"}, shows=("O is perfect", "your move"))
    assert b"\x1b" not in terminal.written
    terminal.press("q", "enter")
    assert terminal.wait(5) == 0


@pytest.mark.skipif(shutil.which("screen") is None, reason="GNU screen is not installed")
@pytest.mark.parametrize("term", ["xterm", "xterm-256color"])
def test_gnu_screen_shows_the_colours_that_its_terminal_has(lab, tmp_path, term):
    outside = lab("--seed", "0", env={"TERM": term})
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


CRASH = """import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
import ctypes, threading
from afterstate_lab.tui.verbs import BY_NAME
BY_NAME["step"].do = lambda *_: {how}
"""


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL"])
def test_a_crash_from_below_leaves_the_terminal_as_it_was(lab, name):
    number = signal.Signals[name]
    how = f"ctypes.CDLL(None)['raise']({number:d})"
    if name == "SIGSEGV":
        how = "threading.Thread(target=ctypes.memset, args=(0, 0, 1)).start()"
    terminal = lab(before=CRASH.format(how=how))
    terminal.press("s")
    assert terminal.wait(GONE) == -number
    assert terminal.is_given_back
