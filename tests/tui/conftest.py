"""The command, run in this process as a user runs it, and apps that start and answer at once."""

import io
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from afterstate_lab.tui.command import main

sys.path.append(str(Path(__file__).parent))


@dataclass(frozen=True)
class Outcome:
    """What a command printed, and its exit status."""

    out: str
    err: str
    status: int


Command = Callable[..., Outcome]


@pytest.fixture
def afterstate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs `afterstate` with these words, and this text on its standard input."""

    def run(*words: str, stdin: str | bytes = "") -> Outcome:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        monkeypatch.setattr(sys, "argv", ["afterstate", *words])
        status, interrupt = 0, signal.getsignal(signal.SIGINT)
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        finally:
            signal.signal(signal.SIGINT, interrupt)
        captured = capsys.readouterr()
        return Outcome(captured.out, captured.err, status)

    return run


@pytest.fixture(autouse=True)
def textual_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pilot goes on as soon as the app is idle, and no app parses styles that another has."""
    if "textual.pilot" in sys.modules:
        from quick_textual import Stylesheet, idle, parse_rules_once

        monkeypatch.setattr("textual.app.wait_for_idle", idle)
        monkeypatch.setattr("textual.pilot.wait_for_idle", idle)
        monkeypatch.setattr(Stylesheet, "_parse_rules", parse_rules_once)
