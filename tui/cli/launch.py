"""Open the lab on this terminal. Light: the first painting waits for it."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping
from typing import Any


def is_terminal() -> bool:
    """Whether both input and output are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def can_draw() -> bool:
    """Whether the lab can be drawn here; else it is told in sentences."""
    return is_terminal() and os.environ.get("TERM") != "dumb"


def load_loop() -> None:
    """Load the event loop without TLS, which it does not need here and which is slow to load.

    It can still be imported afterwards.
    """
    is_hidden = sys.modules.setdefault("ssl", None) is None  # type: ignore[arg-type]
    import asyncio  # noqa: F401

    if is_hidden:
        del sys.modules["ssl"]


def open_lab(
    given: Mapping[str, Any] | None = None, recipe: str | None = None, **options: Any
) -> None:
    """Open the lab on this terminal, by default with the players of the settings, or two `td`.

    The garbage collector is off until the first paint, as it would find nothing to free among the
    imported modules. `Afterstate` turns it on again.
    """
    gc.disable()
    load_loop()
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.tui.app import run_lab
    from afterstate_lab.tui.preferences import read_preferences

    preferences, td = read_preferences(), PlayerSpec.parse("td")

    if recipe is not None:
        from afterstate_lab.learners.players.recipes import find_recipe

        options["x"], options["o"] = find_recipe(recipe).players
        given = {**(given or {}), "x": options["x"], "o": options["o"]}
    players = {"x": preferences.x or td, "o": preferences.o or td}
    run_lab(given=given, preferences=preferences, **players | options)
