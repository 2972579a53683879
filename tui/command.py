"""The `afterstate` command: the lab, or the same core without a screen."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

COMMANDS: Mapping[str, str] = {
    "train": "tui.cli.train",
    "compete": "tui.cli.compete",
    "evaluate": "tui.cli.evaluate",
    "trace": "tui.cli.trace",
    "export": "tui.cli.export",
    "learners": "tui.cli.learners",
    "recipes": "tui.cli.recipes",
    "play": "tui.cli.play",
    "bench": "tui.cli.bench",
    "experiment": "tui.cli.experiment",
    "runs": "tui.cli.runs",
    "doctor": "tui.cli.doctor",
}
"""Each command's module; it holds a click command of the same name. Loaded when asked for."""


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
    from learners.spec import PlayerSpec
    from tui.app import run_lab

    if recipe is not None:
        from learners.recipes import find_recipe

        options["x"], options["o"] = find_recipe(recipe).players
        given = {**(given or {}), "x": options["x"], "o": options["o"]}
    run_lab(given=given, **{"x": PlayerSpec.parse("td"), "o": PlayerSpec.parse("td")} | options)


def ready_streams() -> None:
    """Let no character that the terminal cannot write, and no closed stream, end in a failure."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def main() -> None:
    """Entry point of the `afterstate` script.

    The lab with nothing to say about it opens at once; click is loaded to read anything else.
    """
    ready_streams()
    if len(sys.argv) == 1 and "_AFTERSTATE_COMPLETE" not in os.environ and is_terminal():
        open_lab()
        return
    from tui.cli.group import run

    run()
