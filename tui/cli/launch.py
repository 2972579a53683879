"""Open the lab on this terminal, with as few imports as possible before the first paint."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.tui.app import Afterstate


def is_terminal() -> bool:
    """Return whether both input and output are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def can_draw() -> bool:
    """Return whether the lab can be drawn here; otherwise plain mode is used."""
    return is_terminal() and os.environ.get("TERM") != "dumb"


def open_lab(
    given: Mapping[str, Any] | None = None,
    *,
    x: PlayerSpec | None = None,
    o: PlayerSpec | None = None,
    seed: int = 0,
    run_name: str | None = None,
    files: tuple[Path, ...] = (),
    no_mouse: bool = False,
    **more: Any,
) -> NoReturn:
    """Open the lab on this terminal, by default with two `td`.

    The garbage collector is off until the first paint, since imports leave nothing to free; and
    asyncio is imported without TLS, which is slow to load and can still be imported later.

    Args:
        given: x, o and seed as far as the user gave them; a saved run must have the same.
        more: arguments of `Afterstate`.
    """
    gc.disable()
    is_hidden = sys.modules.setdefault("ssl", None) is None  # type: ignore[arg-type]
    import asyncio  # noqa: F401

    if is_hidden:
        del sys.modules["ssl"]
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.tui.app import Afterstate
    from afterstate_lab.tui.lab.modes import Settings
    from afterstate_lab.tui.preferences import read_preferences

    td = PlayerSpec.parse("td")
    if run_name is not None:
        from afterstate_lab.tui.cli.saved import begun_with

        found, more["name"] = begun_with(run_name, files, given or {})
        more["opened"] = found and found.make_ready()
    settings = Settings(x or td, o or td, seed)
    app = Afterstate(settings, files=files, preferences=read_preferences(), **more)
    stay(app, mouse=not no_mouse)


def stay(app: Afterstate, *, mouse: bool = True) -> NoReturn:
    """Run the lab on this terminal, then exit with its status."""
    from afterstate_lab.tui.progress import interruptible
    from afterstate_lab.tui.terminal.detect import is_screen
    from afterstate_lab.tui.terminal.shutdown import die_of_quit

    with interruptible():
        status = app.run_here(mouse=mouse and not is_screen(os.environ))
    die_of_quit(status)
    sys.exit(status)
