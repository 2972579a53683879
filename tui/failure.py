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
    from collections.abc import Iterator

    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.session import Session

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
    lines = [f"{name} {installed(name)}" for name in PACKAGES]
    lines.append(f"Python {platform.python_version()} on {platform.platform()}")
    lines += [f"{name}={os.environ[name]}" for name in VARIABLES if name in os.environ]
    lines += ["", *(place_lines(lab.session) if lab.is_started else ["No run was begun."])]
    lines += ["", f"Commands: {', '.join(lab.recent) or 'none'}", ""]
    lines += "".join(traceback.format_exception(error)).splitlines()
    return "\n".join(map(printable, lines)) + "\n"


def installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "is not installed"


def place_lines(session: Session) -> Iterator[str]:
    """Yield the players, then the address, which a failure can have made unreadable."""
    run = session.run
    yield f"{session.mode.name}: --x {run.x} --o {run.o} --seed {run.seed}, {run.games} games"
    try:
        yield f"afterstate '{session.address(with_engine=True)}'"
    except Exception as error:
        yield f"The address could not be read ({type(error).__name__})."
