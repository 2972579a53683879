"""The command, run in this process as a user runs it."""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tui.command import main


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
        status = 0
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        captured = capsys.readouterr()
        return Outcome(captured.out, captured.err, status)

    return run
