"""The `afterstate` command: the lab, or the same core without a screen."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

from tui.cli.launch import is_terminal, open_lab


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
