"""A lab without a terminal, for Pilot."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.lab.session import Settings

sys.path.append(str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Screens are tested without the compiler: it has tests of its own."""
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


@pytest.fixture(autouse=True)
def one_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Screens look the same wherever the tests run."""
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "COLORTERM", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def lab() -> Callable[..., Afterstate]:
    """Makes an app for two specs and a seed, in the lab at once or at home."""

    def make(x: str = "td", o: str = "td", seed: int = 7, *, at_home: bool = False) -> Afterstate:
        return Afterstate(Settings(parse_player(x), parse_player(o), seed), at_home=at_home)

    return make
