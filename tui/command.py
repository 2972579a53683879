"""The entry point of the `afterstate` command."""

from __future__ import annotations

import io
import os
import signal
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

HOME = Path(__file__).parents[1]
"""Where the packages of the program are."""
OTHERS = ("game", "learners")
AGAIN = "pip install --force-reinstall afterstate-lab"
STOPPED = "afterstate: stopped\n"
LONGEST_SIDE = 9_999
"""Maximum columns or rows that are believed of `COLUMNS` and `LINES`."""


def check_size_variables() -> None:
    """Forget a size of the terminal that no terminal has: a line of it would take all memory."""
    for name in ("COLUMNS", "LINES"):
        side = os.environ.get(name, "")
        if not (side.isascii() and side.isdigit() and 0 < int(side[:9]) <= LONGEST_SIDE):
            os.environ.pop(name, None)


def ready_streams() -> None:
    """Replace closed standard streams, and escape characters that the terminal cannot encode."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def shadowing() -> str:
    """What is found in place of the program's own packages, in a sentence; empty if nothing is.

    Nothing is imported: a stranger's `game.py` might begin to play.
    """
    for name in OTHERS:
        spec = find_spec(name)
        found = None if spec is None else spec.origin
        if found is None or not (HOME / name / "__init__.py").is_file():
            return f"its package {name} has lost files: {AGAIN}"
        if HOME not in Path(found).resolve().parents:
            return (
                f"its package {name} is found {ascii(found)[1:-1]}, not in "
                f"{ascii(str(HOME))[1:-1]}: start it from another folder, or take that file off "
                "PYTHONPATH"
            )
    return ""


def overwritten(error: ImportError) -> str:
    """Why the program's own packages do not fit together, in a sentence."""
    what = error.name or "a module"
    if what.partition(".")[0] not in (*OTHERS, "tui"):
        return f"the package {ascii(what)[1:-1]} is missing, or does not fit: {AGAIN}"
    return (
        f"{ascii(what)[1:-1]} is not the one of this program: another distribution was installed "
        f"over it; remove that, then {AGAIN}"
    )


def stop_at_once(number: int, frame: object) -> None:
    """End the process: an exception within an import would leave it half done, or be lost."""
    with suppress(OSError):
        os.write(2, STOPPED.encode())
    os._exit(128 + number)


def main() -> None:
    """Entry point of the `afterstate` script."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, stop_at_once)
    try:
        start()
    except KeyboardInterrupt:
        sys.stderr.write(STOPPED)
        sys.exit(128 + signal.SIGINT)
    except ImportError as error:
        sys.exit(f"afterstate: {overwritten(error)}")


def start() -> None:
    """Do what the words of the command line say.

    Without arguments the lab opens at once; click is loaded only to parse arguments.
    """
    ready_streams()
    check_size_variables()
    if strangers := shadowing():
        sys.exit(f"afterstate: {strangers}")
    from tui.cli.launch import is_terminal, open_lab

    if len(sys.argv) == 1 and "_AFTERSTATE_COMPLETE" not in os.environ and is_terminal():
        open_lab(at_home=True)
        return
    from tui.cli.group import run

    run()
