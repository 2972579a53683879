"""`afterstate doctor`: check the terminal and the machine."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

import click

from afterstate_lab.learners.errors import printable, reason
from afterstate_lab.learners.files import is_private, user_folder
from afterstate_lab.learners.kernel import compiler
from afterstate_lab.tui.cli.launch import is_terminal
from afterstate_lab.tui.preferences import read_preferences
from afterstate_lab.tui.terminal.detect import (
    is_screen,
    limit_colours,
    terminal_encoding,
    terminal_size,
)
from afterstate_lab.tui.theme.glyphs import detect_glyphs
from afterstate_lab.tui.theme.palette import PLAIN, choose_palette

INTERPRETED = "none: interpreted, with the same results"


class Finding(NamedTuple):
    name: str
    value: str
    why: str = ""
    change: str = ""


@click.command
def doctor() -> None:
    """Check the terminal, and show how to fix problems."""
    findings = [*terminal_findings(os.environ), *machine_findings(os.environ)]
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        click.echo(f"{finding.name:<{width}}  {printable(finding.value)}")
        for word, text in (("why", finding.why), ("to change", finding.change)):
            if text:
                click.echo(f"{'':<{width}}    {word}: {printable(text)}")


def variables_text(env: Mapping[str, str], *names: str) -> str:
    """Return environment variables as `TERM=xterm`, or `TERM unset`."""
    return ", ".join(f"{name}={env[name]}" if name in env else f"{name} unset" for name in names)


def terminal_findings(env: Mapping[str, str]) -> Iterator[Finding]:
    from rich.console import Console

    if is_terminal():
        yield Finding("terminal", "yes")
    else:
        why = "input or output is not a terminal"
        yield Finding("terminal", "no", why, "use play --plain, or another command")
    columns, rows = terminal_size()
    small = "" if columns >= 80 and rows >= 24 else "; the lab needs 80×24"
    yield Finding("size", f"{columns}×{rows}{small}")
    limit_colours(heeded := {**env})
    system = Console(force_terminal=True, _environ=heeded).color_system
    palette, encoding = choose_palette(env, system), terminal_encoding(env)
    is_plain = palette is PLAIN
    why = variables_text(env, "NO_COLOR" if is_plain else "COLORTERM", "TERM")
    more = "COLORTERM=truecolor or a TERM such as xterm-256color"
    if is_screen(env):
        why, more = f"{why}; GNU screen shows at most 256", "screen -T screen-256color"
        remedy = "a TERM other than screen's"
        yield Finding("mouse", "not used", "screen would delay Esc", remedy)
    yield Finding(
        "colours",
        "none" if is_plain else f"{system} ({palette.name.removesuffix('256')})",
        why,
        f"NO_COLOR=1 for none; {more} for more; d in the lab for dark or light",
    )
    why = f"encoding {encoding}, {variables_text(env, 'LC_ALL', 'LC_CTYPE', 'LANG', 'TERM')}"
    remedy = "--ascii for ASCII only; LC_ALL=C.UTF-8 for everything"
    yield Finding("characters", detect_glyphs(env, encoding).name, why, remedy)


def machine_findings(env: Mapping[str, str]) -> Iterator[Finding]:
    switch = "AFTERSTATE_INTERPRETED"
    if compiler.is_available():
        with suppress(compiler.Broken), warnings.catch_warnings(action="ignore"):
            compiler.numba()
    if compiler.is_available():
        yield Finding("compiler", "numba", "loaded when you first train")
    elif env.get(switch):
        yield Finding("compiler", INTERPRETED, f"{switch} is set", f"unset {switch}")
    elif compiler.why_broken:
        yield Finding("compiler", INTERPRETED, compiler.why_broken, "pip install --upgrade numba")
    else:
        remedy = "pip install numba, if there is a wheel for this Python and machine"
        yield Finding("compiler", INTERPRETED, "numba is not installed", remedy)
    yield folder(env, "cache")
    yield folder(env, "data")
    found = read_preferences()
    there = "no home folder" if found.path is None else str(found.path)
    if found.path is not None and not (found.mistakes or found.path.exists()):
        there += " (does not exist)"
    given = (f"{name} {value}".removesuffix(".0") for name, value in found.given.items())
    state = ", ".join(given) or "nothing"
    why = "; ".join((f"in force: {state}", *(f"ignored: {text}" for text in found.mistakes)))
    yield Finding("settings", there, why, "AFTERSTATE_CONFIG, or the file (docs/settings.md)")


def folder(env: Mapping[str, str], name: str) -> Finding:
    """Check a folder that the lab writes to."""
    own, usual = f"AFTERSTATE_{name.upper()}", f"XDG_{name.upper()}_HOME"
    try:
        path = user_folder(name)
        nearest = next(one for one in (path, *path.parents) if one.exists())
        state = "exists" if nearest == path else "created when needed"
        if not (nearest.is_dir() and os.access(nearest, os.W_OK)):
            state = "not writable"
        elif name == "cache" and nearest == path and not is_private(path):
            state = "not used: other users own it or can write to it"
    except RuntimeError:
        return Finding(name, "none", "no home folder", own)
    except OSError as error:
        state = f"not usable: {reason(error)}"
    return Finding(name, f"{path} ({state})", variables_text(env, own, usual), own)
