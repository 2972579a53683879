"""Report an unexpected error: a file, and one sentence about it."""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from afterstate_lab.learners.errors import printable
from afterstate_lab.learners.files import data_folder, make_folder

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController

PACKAGES = ("afterstate-lab", "textual", "rich", "numpy", "numba")
VARIABLES = ("TERM", "COLORTERM", "NO_COLOR", "LANG", "LC_ALL", "SSH_CONNECTION", "TMUX", "STY")


def failure_sentence(error: BaseException, lab: LabController, *, is_saved: bool) -> str:
    """Write a report of an error to a new private file, and return a sentence about it.

    Args:
        error: the uncaught error.
        lab: where it failed.
        is_saved: whether the work is saved.
    """
    saved = "The work is saved" if is_saved else "The latest work is not saved"
    folder, day = data_folder() / "reports", datetime.now(UTC).strftime("%Y-%m-%d-")
    try:
        make_folder(folder)
        with tempfile.NamedTemporaryFile(
            "w", dir=folder, prefix=day, suffix=".txt", encoding="utf-8", delete=False
        ) as file:
            file.write(report(error, lab))
        where = f"a report is in {printable(file.name)}"
    except (OSError, RuntimeError):
        where = "no report could be written."
    return f"afterstate failed ({type(error).__name__}). {saved}; {where}"


def report(error: BaseException, lab: LabController) -> str:
    """Return versions, terminal, moment, the latest commands, and the traceback without values."""
    lines = []
    for name in PACKAGES:
        try:
            lines.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            lines.append(f"{name} is not installed")
    lines.append(f"Python {platform.python_version()} on {platform.platform()}")
    lines += [f"{name}={os.environ[name]}" for name in VARIABLES if name in os.environ]
    lines.append("")
    if lab.is_started:
        session, run = lab.session, lab.session.run
        players = f"--x {run.x} --o {run.o} --seed {run.seed}"
        lines.append(f"{session.mode.name}: {players}, {run.games} games")
        try:
            lines.append(f"afterstate '{session.address(with_engine=True)}'")
        except Exception as unreadable:
            lines.append(f"The address could not be read ({type(unreadable).__name__}).")
    else:
        lines.append("No run was begun.")
    lines += ["", f"Commands: {', '.join(lab.recent) or 'none'}", ""]
    lines += "".join(traceback.format_exception(error)).splitlines()
    return "\n".join(map(printable, lines)) + "\n"
