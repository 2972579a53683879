"""The command as a process: signals, pipes that close, disks that are full, odd terminals."""

import json
import os
import pty
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from afterstate_lab.learners.players.policy_file import load_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.training import Goal, Training
from afterstate_lab.tui.progress import ended_by_signals

COMMAND = [sys.executable, "-m", "afterstate_lab"]
ENDLESS = ("train", "--games", "1000000000000", "--json")
PATIENCE = 60.0


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"AFTERSTATE_INTERPRETED": "1", "COLUMNS": "80"} | more


def started(*words: str, **streams: Any) -> "subprocess.Popen[str]":
    """The command, on its way, with its output in pipes where nothing else is said."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([*COMMAND, *words], text=True, env=environment(), **(pipes | streams))


def read_until(terminal: int, text: str) -> str:
    """What a terminal shows, up to a text."""
    shown = ""
    while text not in shown:
        shown += os.read(terminal, 4096).decode()
    return shown


def rest_of(terminal: int) -> str:
    """What a terminal shows until its last writer is gone."""
    shown = ""
    with suppress(OSError):
        while data := os.read(terminal, 4096):
            shown += data.decode()
    return shown


@pytest.mark.quick("15-True")
@pytest.mark.parametrize(
    ("number", "saves"),
    [
        (signal.SIGINT, False),
        (signal.SIGTERM, True),
        pytest.param(signal.SIGINT, True, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, True, marks=pytest.mark.slow),
    ],
)
def test_an_ended_training_saves_what_was_learned_and_says_so(
    tmp_path: Path, number: signal.Signals, saves: bool
):
    path = tmp_path / "policy.npz"
    terminal, stderr = pty.openpty()
    process = started(*ENDLESS, *(["--out", str(path)] if saves else []), stderr=stderr)
    os.close(stderr)
    bar = read_until(terminal, "/s")
    assert bar.lstrip("\r").startswith("[....")
    assert "\x1b" not in bar
    process.send_signal(number)
    out, _ = process.communicate(timeout=PATIENCE)
    told = json.loads(out)
    last = rest_of(terminal).replace("\r", "\n").strip().splitlines()[-1]
    os.close(terminal)
    assert process.returncode == 128 + number
    assert 0 < told["games"] < 10**12
    assert sum(told["results"].values()) == told["games"]
    assert last.startswith(f"afterstate: Stopped after {told['games']:,} games; ")
    if saves:
        assert last.endswith(f"; saved in {path}.")
        assert load_policy(path).games == told["games"]
    else:
        assert last.endswith("; not saved: give --run or --out to save.")
    assert list(tmp_path.iterdir()) == ([path] if saves else [])


def test_signals_are_given_back_and_an_ignored_one_stays_ignored():
    before = signal.getsignal(signal.SIGINT)
    ignored = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    run = Run(parse_player("td"), parse_player("td"))
    try:
        with ended_by_signals(Training(run, Goal(1))):
            assert signal.getsignal(signal.SIGINT) is not before
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, ignored)
    assert signal.getsignal(signal.SIGINT) is before


INTERRUPTED_IMPORT = """
import builtins, os, signal, sys
from afterstate_lab.tui.command import main
left, whole = int(sys.argv.pop()), builtins.__import__
def imported(*words, **more):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGINT)
    return whole(*words, **more)
builtins.__import__ = imported
main()
"""


@pytest.mark.quick("600")
@pytest.mark.parametrize("number", [1, 100, 600])
def test_an_interrupted_import_says_one_word(number: int):
    words = [sys.executable, "-c", INTERRUPTED_IMPORT, "compete", "--games=1000000000", str(number)]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "afterstate: Stopped.\n")


def test_work_with_nothing_to_save_is_left_at_once():
    """It does not wait for a compiler, as `film` did."""
    program = (
        "import os, signal, time; from afterstate_lab.tui.progress import abandonable\n"
        "def work(line): os.kill(os.getpid(), signal.SIGTERM); time.sleep(1000)\n"
        "abandonable(work)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (143, b"afterstate: Stopped.\n")


@pytest.mark.slow
def test_a_quiz_without_an_input_only_asks():
    with started("quiz", "--n=1", stdin=None, preexec_fn=lambda: os.close(0)) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert out.startswith("Question 1 of 1.\n")


@pytest.mark.slow
def test_an_interrupted_trace_says_one_word():
    process = started("trace", "--games", "1000000000")
    assert process.stdout is not None
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "afterstate: Stopped.\n")


@pytest.mark.slow
def test_a_reader_that_has_read_enough_is_no_error():
    with started("trace", "--games", "10000") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.stdout.close()
        assert json.loads(first)["kind"] == "move"
        assert process.stderr.read() == ""
        assert process.wait(PATIENCE) == 0


@pytest.mark.quick("words0")
@pytest.mark.parametrize("words", [["train", "--games=10"], ["play", "--train=0"], ["learners"]])
def test_nobody_listening_is_no_error(words: list[str]):
    ear, mouth = os.pipe()
    os.close(ear)
    process = started(*words, stdout=mouth)
    os.close(mouth)
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_said_in_one_line():
    with Path("/dev/full").open("w") as full:
        process = started("learners", stdout=full)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (1, "afterstate: No space left on device.\n")


@pytest.mark.slow
def test_without_streams_it_does_its_work_all_the_same(tmp_path: Path):
    path = tmp_path / "policy.npz"
    shell = f'exec "$0" -m "$1" train --games=30 --out {path} <&- >&- 2>&-'
    words = ["sh", "-c", shell, sys.executable, COMMAND[-1]]
    assert subprocess.run(words, env=environment(), timeout=PATIENCE).returncode == 0
    assert load_policy(path).games == 30


@pytest.mark.slow
def test_what_a_terminal_cannot_write_is_spelled_out():
    env = environment(PYTHONIOENCODING="iso8859-1")
    done = subprocess.run([*COMMAND, "learners"], env=env, capture_output=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii() and rb"constant-\u03b1 Monte Carlo" in done.stdout
