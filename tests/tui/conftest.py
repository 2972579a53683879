"""The lab, run in this process, and apps that answer at once."""

import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

import afterstate_lab.tui.verbs  # noqa: F401  (scripts name commands)
from afterstate_lab.learners.players.resolve import parse_player

INTERPRETED = ("screens", "pages", "lab", "microscope", "plain")
"""Folders of tests that need no compiler: it has tests of its own."""


@pytest.fixture(autouse=True)
def same_everywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Screens look the same wherever the tests run, and nothing is compiled for them."""
    if request.path.parent.name in INTERPRETED:
        monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
        for name in ("NO_COLOR", "COLORTERM", "SSH_CONNECTION"):
            monkeypatch.delenv(name, raising=False)


@pytest.fixture
def lab() -> Callable[..., Any]:
    """Makes an app for two specs and a seed, in the lab at once or at home."""
    from afterstate_lab.tui.app import Afterstate
    from afterstate_lab.tui.lab.session import Settings

    def make(x: str = "td", o: str = "td", seed: int = 7, *, at_home: bool = False) -> Afterstate:
        return Afterstate(Settings(parse_player(x), parse_player(o), seed), at_home=at_home)

    return make


@pytest.fixture
async def desk(request: pytest.FixtureRequest, lab: Callable[..., Any]) -> AsyncIterator[Any]:
    """A lab that is sat at: made with a parameter, of a `size`, after `games`."""
    from piloting import WINDOW, at

    made = {"size": WINDOW, "games": 0, **getattr(request, "param", {})}
    size, games = made.pop("size"), made.pop("games")
    async with at(lab(**made), size) as sitting:
        if games:
            sitting.session.run.train(games)
        yield sitting


@pytest.fixture(autouse=True)
def textual_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pilot goes on as soon as the app is idle, and no app parses styles that another has."""
    if "textual.app" in sys.modules:
        from quick_textual import Stylesheet, idle, parse_rules_once

        monkeypatch.setattr("textual.app.wait_for_idle", idle)
        monkeypatch.setattr("textual.pilot.wait_for_idle", idle)
        monkeypatch.setattr(Stylesheet, "_parse_rules", parse_rules_once)
