"""Plain mode as a process: a line in and lines out, Ctrl-C, signals, a dumb terminal."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from afterstate_lab.learners.files import store_file
from afterstate_lab.learners.runs.store import Store

COMMAND = [
    sys.executable,
    "-c",
    "from afterstate_lab.tui.command import main; main()",
    "play",
    "--train=20",
]
PATIENCE = 60.0
TURN = "your move (h for help): "


@contextmanager
def plain(*options: str) -> Iterator[subprocess.Popen[str]]:
    """The command with its input and output in pipes."""
    with subprocess.Popen(
        [*COMMAND, "--plain", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=0,
        env=os.environ | {"AFTERSTATE_INTERPRETED": "1"},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def heard(process: subprocess.Popen[str], text: str) -> str:
    """What is told, up to a text."""
    assert process.stdout is not None
    told = ""
    while not told.endswith(text):
        character = process.stdout.read(1)
        assert character, told
        told += character
    return told


def say(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def test_each_line_is_answered_before_the_next_is_written():
    with plain() as process:
        heard(process, TURN)
        say(process, "5")
        assert "X takes 5." in heard(process, TURN)
        say(process, "step")
        assert "Choice: You mark 5.\n" in heard(process, "stepping (h for help): ")
        say(process, "")
        assert "Reply: You marked 5; now it is O's turn." in heard(process, "help): ")
        assert process.stdin is not None
        process.stdin.close()
        heard(process, "Bye.\n")
        assert process.wait(PATIENCE) == 0


@pytest.mark.slow
def test_textual_is_never_imported():
    script = (
        "import sys\nsys.argv = ['afterstate', 'play', '--plain', '--train', '20']\n"
        "from afterstate_lab.tui.command import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'textual', 'rich'}))\n"
    )
    words = (
        "5", "stats", "table", "step", "n", "equation", "values", "why", "writer", "break flip",
        "c", "watch game", "train 30", "runs", "save", "players", "tour", "help td", "experiments",
    )  # fmt: skip
    outcome = subprocess.run(
        [sys.executable, "-c", script],
        input="\n".join(words),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=os.environ | {"AFTERSTATE_INTERPRETED": "1"},
        check=True,
    )
    assert outcome.stdout.endswith("Bye.\n[]\n")


@pytest.mark.slow
def test_ctrl_c_at_the_prompt_loses_no_work():
    with plain("--run", "kept") as process:
        heard(process, TURN)
        say(process, "5")
        heard(process, TURN)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stderr is not None
        assert process.stderr.read() == "afterstate: Stopped.\n"
    loaded = Store.open().load("kept")
    assert loaded.pending is not None
    assert dict(loaded.pending.script) == {1: 4}


def test_ctrl_c_stops_a_training_and_keeps_what_was_learned():
    with plain("--run", "kept", "--o", "menace") as process:
        heard(process, TURN)
        say(process, "train until unbeatable")
        heard(process, "keeps what was\nlearned.\n")
        process.send_signal(signal.SIGINT)
        told = heard(process, "n for a new game, h for help: ")
        assert told.startswith("Stopped after ")
        say(process, "q")
        heard(process, "Bye.\n")
        assert process.wait(PATIENCE) == 0
    assert f"Stopped after {Store.open().load('kept').run.games - 20:,} game" in told


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)]
)
def test_a_training_that_is_terminated_is_saved(number: signal.Signals):
    with plain("--run", "kept", "--o", "menace") as process:
        heard(process, TURN)
        say(process, "t 1000000000")
        heard(process, "learned.\n")
        process.send_signal(number)
        assert process.wait(PATIENCE) == -number
    assert Store.open().load("kept").run.games >= 20


@pytest.mark.slow
def test_a_dumb_terminal_needs_no_option_and_gets_no_control_characters():
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        COMMAND, stdin=theirs, stdout=theirs, stderr=theirs,
        env=os.environ | {"AFTERSTATE_INTERPRETED": "1", "TERM": "dumb"},
    )  # fmt: skip
    os.close(theirs)
    shown = ""
    for line in ("5\n", "train 5000\n", "q\n"):
        while not shown.endswith("help): ") and not shown.endswith("h for help: "):
            shown += os.read(ours, 4096).decode()
        os.write(ours, line.encode())
        shown += " "
    while "Bye." not in shown:
        shown += os.read(ours, 4096).decode()
    assert process.wait(PATIENCE) == 0
    os.close(ours)
    text = shown.replace("\r\n", "\n")
    assert all(character == "\n" or " " <= character <= "~" for character in text)
    assert "Trained 5,000 games" in text
    assert store_file().exists()
