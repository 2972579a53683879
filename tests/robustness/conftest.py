"""What is thrown at the lab, and at all that reads files."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.extend([str(HERE), str(HERE.parent / "benchmarks")])
Told = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Run the command on some input: its status, and what it says on stdout and stderr."""
    from afterstate_lab.tui.command import main

    def run(*words: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["afterstate", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        status = 0
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run
