"""The command and plain mode as processes: signals, pipes that close, full disks, odd terminals."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterstate_lab.learners.players.policy_file import load_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.training import Goal, Training
from afterstate_lab.tui import progress
from afterstate_lab.tui.progress import ended_by_signals

COMMAND = [sys.executable, "-m", "afterstate_lab"]
ENDLESS = ("train", "--games", "1000000000000", "--json")
PATIENCE = 60.0


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"AFTERSTATE_INTERPRETED": "1", "COLUMNS": "80"} | more


def started(*words: str, **streams: Any) -> "subprocess.Popen[str]":
    """The command, on its way, with its output in pipes where nothing else is said."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    env = environment(**streams.pop("env", {}))
    return subprocess.Popen([*COMMAND, *words], text=True, env=env, **(pipes | streams))


def heard(end: Any, text: str, *typed: str) -> str:
    """What is written to a terminal or a pipe, up to a text; lines are typed at it before."""
    for line in typed:
        os.write(end if isinstance(end, int) else end.stdin.fileno(), f"{line}\n".encode())
    shown, number = "", end if isinstance(end, int) else end.stdout.fileno()
    while text not in shown:
        data = os.read(number, 4096).decode()
        assert data, shown
        shown += data
    return shown


def saved_games(path: Path) -> Any:
    load_policy(path)
    return json.loads(np.load(path)["header"].tobytes())["games"]


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
    bar = heard(terminal, "/s")
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
        assert saved_games(path) == told["games"]
    else:
        assert last.endswith("; not saved: give --run or --out to save.")
    assert list(tmp_path.iterdir()) == ([path] if saves else [])


def test_signals_are_given_back_and_an_ignored_one_stays_ignored():
    before = signal.getsignal(signal.SIGINT)
    ignored = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    run = Run(parse_player("td"), parse_player("td"))
    try:
        with ended_by_signals(Training(run, Goal(1)).stop):
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


def test_long_work_tells_how_far_it_is_where_no_bar_can_be_drawn(capsys, monkeypatch):
    monkeypatch.setattr(progress, "FIRST_LINE_SECONDS", 0.0)
    assert progress.abandonable(lambda line: line.told("games", 4_000)(0.25)) is None
    assert (
        capsys.readouterr().err == "afterstate: [######..................] 1,000 of 4,000 games\n"
    )


@pytest.mark.slow
def test_being_a_learner_without_an_input_only_asks():
    process = started("be", stdin=None, preexec_fn=lambda: os.close(0))
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert out.startswith("Be, question 1 of ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("games", "status", "said"), [(10**9, 130, "afterstate: Stopped.\n"), (10_000, 0, "")]
)
def test_an_interrupted_trace_says_one_word_and_a_reader_that_has_read_enough_none(
    games: int, status: int, said: str
):
    with started("trace", "--games", str(games)) as process:
        assert json.loads(process.stdout.readline())["kind"] == "move"
        process.stdout.close() if status == 0 else process.send_signal(signal.SIGINT)
        assert process.stderr.read() == said
        assert process.wait(PATIENCE) == status


@pytest.mark.quick("train --games=10")
@pytest.mark.parametrize(
    ("words", "status"),
    [
        pytest.param(words, status, id=words)
        for words, status in {
            "train --games=10": 0, "play --train=0": 0, "players": 0,
            "grade museum:draw-as-loss --games=50": 1, "judge random": 3, "judge random --json": 3,
        }.items()
    ],
)  # fmt: skip
def test_nobody_listening_changes_no_verdict(words: str, status: int):
    ear, mouth = os.pipe()
    os.close(ear)
    process = started(*words.split(), stdout=mouth)
    os.close(mouth)
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (status, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_said_in_one_line():
    with Path("/dev/full").open("w") as full:
        process = started("players", stdout=full)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (1, "afterstate: No space left on device.\n")


@pytest.mark.slow
def test_without_streams_it_does_its_work_all_the_same(tmp_path: Path):
    path = tmp_path / "policy.npz"
    shell = f'exec "$0" -m "$1" train --games=30 --out {path} <&- >&- 2>&-'
    words = ["sh", "-c", shell, sys.executable, COMMAND[-1]]
    assert subprocess.run(words, env=environment(), timeout=PATIENCE).returncode == 0
    assert saved_games(path) == 30


@pytest.mark.slow
def test_what_a_terminal_cannot_write_is_spelled_out():
    env = environment(PYTHONIOENCODING="iso8859-1")
    done = subprocess.run([*COMMAND, "players"], env=env, capture_output=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii() and rb"constant-\u03b1 Monte Carlo" in done.stdout


PLAIN = ("play", "--train=20", "--plain", "--run=kept")
TURN, STEPPING = "your move (h for help): ", "stepping (h for help): "


@pytest.fixture
def plain() -> Iterator["subprocess.Popen[str]"]:
    with started(*PLAIN, stdin=subprocess.PIPE) as process:
        heard(process, TURN)
        yield process
        process.kill()


def test_each_line_is_answered_before_the_next_is_written(plain):
    assert "X marking 5 played" in heard(plain, TURN, "5")
    assert "After X marking 5, S 1 is worth " in heard(plain, STEPPING, "step")
    assert " write.\n" in heard(plain, STEPPING, "")
    plain.stdin.close()
    heard(plain, "Bye.\n")
    assert plain.wait(PATIENCE) == 0


@pytest.mark.slow
def test_ctrl_c_stops_a_training_and_keeps_what_was_learned(plain):
    heard(plain, "keeps what was\nlearned.\n", "train until unbeatable")
    plain.send_signal(signal.SIGINT)
    told = heard(plain, "n for a new game, h for help: ")
    heard(plain, "Bye.\n", "q")
    assert plain.wait(PATIENCE) == 0
    assert told.startswith(f"Stopped after {Store.open().load('kept').run.games - 20:,} game")


@pytest.mark.slow
def test_an_interrupt_at_the_prompt_keeps_the_unfinished_game(plain):
    heard(plain, TURN, "5")
    plain.send_signal(signal.SIGINT)
    assert plain.wait(PATIENCE) == 130
    assert plain.stderr.read() == "afterstate: Stopped.\n"
    assert Store.open().load("kept").script == {1: 4}


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_a_training_loses_no_work(plain, number: signal.Signals):
    heard(plain, "learned.\n", "t 1000000000")
    plain.send_signal(number)
    assert plain.wait(PATIENCE) == -number
    assert Store.open().load("kept").run.games >= 20
