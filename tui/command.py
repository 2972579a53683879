"""The entry point of the `afterstate` command: `main` minds Ctrl-C and a broken installation, and
`start` makes the streams and the terminal's size usable, then opens the lab or reads the arguments.

It imports little at first: until `main` is called, Ctrl-C ends in a traceback.
"""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from pathlib import Path

STOPPED = "afterstate: Stopped.\n"
LONGEST_SIDE = 9_999
"""Maximum accepted value of `COLUMNS` and `LINES`."""


def stop_at_once(number: int, frame: object) -> None:
    """End the process, since an exception within an import would be lost or leave it half done."""
    try:
        os.write(2, STOPPED.encode())
    finally:
        os._exit(128 + number)


def main() -> None:
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, stop_at_once)
    try:
        start()
    except KeyboardInterrupt:
        sys.stderr.write(STOPPED)
        sys.exit(128 + signal.SIGINT)
    except ImportError as error:
        sys.exit(
            f"afterstate: the package {ascii(error.name)[1:-1]} is missing, or does not fit: "
            "pip install --force-reinstall afterstate-lab"
        )


def start() -> None:
    """Run the command line.

    Without arguments the lab opens at once; click is loaded only to parse arguments. Closed
    standard streams are replaced, and escape what the terminal cannot encode. An impossible size
    of the terminal, for which one line would take all memory, is ignored.
    """
    gc.disable()  # imports leave nothing to free
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
        if isinstance(stream := getattr(sys, name), io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    for name in ("COLUMNS", "LINES"):
        side = os.environ.get(name, "")
        if not (side.isascii() and side.isdigit() and 0 < int(side[:9]) <= LONGEST_SIDE):
            os.environ.pop(name, None)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's other threads only cost time here
    from afterstate_lab.tui.cli.launch import can_draw, open_lab

    if len(sys.argv) == 1 and "_AFTERSTATE_COMPLETE" not in os.environ and can_draw():
        open_lab(at_home=True)
        return
    from afterstate_lab.tui.cli.group import run

    run()
