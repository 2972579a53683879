"""When the lab fails all the same: a report in a file, and one sentence about it."""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from learners.errors import printable
from learners.files import data_folder, make_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tui.lab.lazy_session import LazySession
    from tui.lab.session import Session

PACKAGES = ("afterstate-lab", "textual", "rich", "numpy", "numba")
VARIABLES = ("TERM", "COLORTERM", "NO_COLOR", "LANG", "LC_ALL", "SSH_CONNECTION", "TMUX", "STY")


def failure_sentence(
    error: BaseException, lazy: LazySession, commands: Iterable[str], *, is_saved: bool
) -> str:
    """Write a report of an error; what to say of it.

    Args:
        error: what was raised and not caught.
        lazy: the session, where it was.
        commands: the latest commands, oldest first.
        is_saved: whether the work is saved.
    """
    saved = "The work is saved" if is_saved else "The latest work is not saved"
    try:
        place = printable(str(write_report(report(error, lazy, commands))))
    except (OSError, RuntimeError):
        return f"afterstate failed ({type(error).__name__}). {saved}; no report could be written."
    return f"afterstate failed ({type(error).__name__}). {saved}; a report is in {place}"


def write_report(text: str) -> Path:
    """Write a report into a new, private file of the data folder."""
    folder = data_folder() / "reports"
    make_folder(folder)
    day = datetime.now(UTC).strftime("%Y-%m-%d-")
    with tempfile.NamedTemporaryFile(
        "w", dir=folder, prefix=day, suffix=".txt", encoding="utf-8", delete=False
    ) as file:
        file.write(text)
    return Path(file.name)


def report(error: BaseException, lazy: LazySession, commands: Iterable[str]) -> str:
    """Versions, terminal, place, the latest commands, and the traceback without values."""
    lines = [f"{name} {installed(name)}" for name in PACKAGES]
    lines.append(f"Python {platform.python_version()} on {platform.platform()}")
    lines += [f"{name}={printable(os.environ[name])}" for name in VARIABLES if name in os.environ]
    lines += ["", *place(lazy), "", f"Commands: {', '.join(commands) or 'none'}", ""]
    lines += "".join(traceback.format_exception(error)).splitlines()
    return "\n".join(map(printable, lines)) + "\n"


def installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "is not installed"


def place(lazy: LazySession) -> list[str]:
    """The run and the place in it, as far as they can still be told."""
    if not lazy.is_started:
        return ["No run was begun."]
    try:
        session = lazy.session
        run, timeline = session.run, session.timeline
        return [
            *address_lines(session),
            f"Run: --x {run.x} --o {run.o} --seed {run.seed}, {run.games} games",
            f"Place: game {timeline.game + 1}, event {timeline.row + 1}, {session.mode.name}",
        ]
    except Exception as error:
        return [f"The place cannot be told ({type(error).__name__})."]


def address_lines(session: Session) -> list[str]:
    """The command that goes to the place, where it has an address."""
    try:
        from tui.lab.addresses import session_address

        return [f"afterstate '{session_address(session, with_engine=True)}'"]
    except Exception as error:
        return [f"The address cannot be told ({type(error).__name__})."]
