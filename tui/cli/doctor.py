"""`afterstate doctor`: check the terminal and the machine."""

from __future__ import annotations

import os
import platform
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from afterstate_lab.learners.errors import printable, reason
from afterstate_lab.learners.files import cache_root, data_folder, is_private
from afterstate_lab.learners.kernel import compiler
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import show
from afterstate_lab.tui.preferences import read_preferences
from afterstate_lab.tui.terminal.detect import (
    is_coerced,
    is_screen,
    limit_colours,
    terminal_encoding,
    terminal_size,
)
from afterstate_lab.tui.theme.glyphs import detect_glyphs
from afterstate_lab.tui.theme.palette import PLAIN, choose_palette


@dataclass(frozen=True)
class Finding:
    name: str
    value: str
    why: str = ""
    change: str = ""


@click.command()
@parameters.json_flag
def doctor(as_json: bool) -> None:
    """Check the terminal, and show how to fix problems.

    It does not load the players that your settings name.
    """
    findings = list(examine(os.environ))
    show(as_json, [asdict(finding) for finding in findings], lines(findings))


def lines(findings: list[Finding]) -> Iterator[str]:
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        yield f"{finding.name:<{width}}  {printable(finding.value)}"
        for word, text in (("why", finding.why), ("to change", finding.change)):
            if text:
                yield f"{'':<{width}}    {word}: {printable(text)}"


def examine(env: Mapping[str, str]) -> Iterator[Finding]:
    yield from terminal_findings(env)
    yield from look_findings(env)
    yield from link_findings(env)
    yield from machine_findings(env)


def variables_text(env: Mapping[str, str], *names: str) -> str:
    """Return environment variables as `TERM=xterm`, or `TERM unset`."""
    return ", ".join(f"{name}={env[name]}" if name in env else f"{name} unset" for name in names)


def terminal_findings(env: Mapping[str, str]) -> Iterator[Finding]:
    streams = {"input": sys.stdin, "output": sys.stdout}
    missing = [name for name, stream in streams.items() if stream is None or not stream.isatty()]
    if missing:
        why = f"{' and '.join(missing)} is not a terminal"
        yield Finding("terminal", "no", why, "use play --plain, or another command")
    else:
        yield Finding("terminal", "yes")
    yield Finding("TERM", env.get("TERM", "unset"), "", "TERM")
    columns, rows = terminal_size()
    small = "" if columns >= 80 and rows >= 24 else "; the lab needs 80×24"
    change = "the window; COLUMNS and LINES if the terminal reports no size"
    why = variables_text(env, "COLUMNS", "LINES") if missing else "the terminal reports it"
    yield Finding("size", f"{columns}×{rows}{small}", why, change)


def look_findings(env: Mapping[str, str]) -> Iterator[Finding]:
    from rich.console import Console

    limit_colours(heeded := {**env})
    system = Console(force_terminal=True, _environ=heeded).color_system
    palette, encoding = choose_palette(env, system), terminal_encoding(env)
    is_plain = palette is PLAIN
    why = variables_text(env, "NO_COLOR" if is_plain else "COLORTERM", "TERM")
    more = "COLORTERM=truecolor or a TERM such as xterm-256color"
    if is_screen(env):
        why, more = f"{why}; GNU screen shows at most 256", "screen -T screen-256color"
    yield Finding(
        "colours",
        "none" if is_plain else f"{system} ({palette.name})",
        why,
        f"NO_COLOR=1 for none; {more} for more; d in the lab for dark or light",
    )
    stream = ("PYTHONIOENCODING",) if "PYTHONIOENCODING" in env else ()
    why = variables_text(env, *stream, "LC_ALL", "LC_CTYPE", "LANG")
    why += "; Python treats the C locale as C.UTF-8" if is_coerced(env) else ""
    yield Finding("encoding", encoding, why, "LC_ALL, e.g. LC_ALL=C.UTF-8")
    why = f"encoding {encoding}, {variables_text(env, 'TERM')}"
    remedy = "--ascii for ASCII only; a UTF-8 locale for everything"
    yield Finding("characters", detect_glyphs(env, encoding).name, why, remedy)


def link_findings(env: Mapping[str, str]) -> Iterator[Finding]:

    is_far = bool(env.get("SSH_CONNECTION"))
    why = "SSH_CONNECTION is set: no animations" if is_far else "SSH_CONNECTION unset"
    yield Finding("SSH", "yes" if is_far else "no", why)
    inside = "tmux" if env.get("TMUX") else "screen" if env.get("STY") else "nothing"
    yield Finding("inside", inside, variables_text(env, "TMUX", "STY"))
    if is_screen(env):
        yield Finding("mouse", "not used", "screen would delay Esc", "a TERM other than screen's")
    else:
        yield Finding("mouse", "used if the terminal supports it", "", "--no-mouse")


def machine_findings(env: Mapping[str, str]) -> Iterator[Finding]:

    yield Finding("Python", platform.python_version(), sys.executable or "")
    switch = "AFTERSTATE_INTERPRETED"
    if compiler.is_available():
        with suppress(compiler.Broken), warnings.catch_warnings(action="ignore"):
            compiler.numba()
    if compiler.is_available():
        why, remedy = "loaded when you first train", f"{switch}=1 turns it off"
    elif env.get(switch):
        why, remedy = variables_text(env, switch), f"unset {switch}"
    elif compiler.why_broken:
        why, remedy = f"{compiler.why_broken}; results are the same", "pip install --upgrade numba"
    else:
        why = "numba is not installed; results are the same"
        remedy = "pip install numba, if there is a wheel for this Python and machine"
    yield Finding(
        "compiler", "numba" if compiler.is_available() else "none: interpreted", why, remedy
    )
    yield folder(env, "cache", cache_root)
    yield folder(env, "data", data_folder)
    found = read_preferences()
    there = "no home folder" if found.path is None else str(found.path)
    if found.path is not None and not (found.mistakes or found.path.exists()):
        there += " (does not exist)"
    state = ", ".join(found.in_force) or "nothing"
    why = "; ".join((f"in force: {state}", *(f"ignored: {text}" for text in found.mistakes)))
    yield Finding("settings", there, why, "AFTERSTATE_CONFIG, or the file (docs/settings.md)")


def folder(env: Mapping[str, str], name: str, find: Callable[[], Path]) -> Finding:
    """Check a folder that the lab writes to."""
    own, usual = f"AFTERSTATE_{name.upper()}", f"XDG_{name.upper()}_HOME"
    try:
        path = find()
        nearest = next((one for one in (path, *path.parents) if one.exists()), path)
        is_ours = os.access(nearest, os.W_OK)
        if nearest != path:
            state = "created when needed" if is_ours else "cannot be created"
        elif not (path.is_dir() and is_ours):
            state = "not writable"
        elif name == "cache" and not is_private(path):
            state = "not used: other users own it or can write to it"
        else:
            state = "exists"
    except RuntimeError:
        return Finding(name, "none", "no home folder", own)
    except OSError as error:
        state = f"not usable: {reason(error)}"
    return Finding(name, f"{path} ({state})", variables_text(env, own, usual), own)
