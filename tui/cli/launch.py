"""Opening the lab on this terminal. Light: the first painting waits for it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping
from typing import Any


def is_terminal() -> bool:
    """Whether both input and output are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def open_lab(
    given: Mapping[str, Any] | None = None, recipe: str | None = None, **options: Any
) -> None:
    """Open the lab on this terminal, two `td` learners where nothing else is said.

    The garbage collector rests until the first painting: it would look in vain through all that
    is imported. `Afterstate` wakes it.
    """
    gc.disable()
    from learners.rules.spec import PlayerSpec
    from tui.app import run_lab

    if recipe is not None:
        from learners.players.recipes import find_recipe

        options["x"], options["o"] = find_recipe(recipe).players
        given = {**(given or {}), "x": options["x"], "o": options["o"]}
    run_lab(given=given, **{"x": PlayerSpec.parse("td"), "o": PlayerSpec.parse("td")} | options)
