"""The entry point of the `afterstate` command."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

from tui.cli.launch import is_terminal, open_lab


def ready_streams() -> None:
    """Replace closed standard streams, and escape characters that the terminal cannot encode."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def main() -> None:
    """Entry point of the `afterstate` script.

    Without arguments the lab opens at once; click is loaded only to parse arguments.
    """
    ready_streams()
    if len(sys.argv) == 1 and "_AFTERSTATE_COMPLETE" not in os.environ and is_terminal():
        open_lab()
        return
    from tui.cli.group import run

    run()
