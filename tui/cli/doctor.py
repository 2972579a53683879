"""`afterstate doctor`: what the lab detects about this terminal and this machine, and why."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from learners.errors import printable, reason
from learners.files import is_private
from tui.cli import parameters


@dataclass(frozen=True)
class Finding:
    name: str
    value: str
    why: str
    change: str
    """What changes it."""


@click.command()
@parameters.json_flag
def doctor(as_json: bool) -> None:
    """Show what the lab detects about the terminal, why, and what changes it."""
    findings = examine(os.environ)
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings]))
        return
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        click.echo(f"{finding.name:<{width}}  {printable(finding.value)}")
        for word, text in (("why", finding.why), ("to change", finding.change)):
            if text:
                click.echo(f"{'':<{width}}    {word}: {printable(text)}")


def examine(env: Mapping[str, str]) -> list[Finding]:
    """All findings, those about the terminal first."""
    return [
        *terminal_findings(env),
        *look_findings(env),
        *link_findings(env),
        *machine_findings(env),
    ]


def variables_text(env: Mapping[str, str], *names: str) -> str:
    """Environment variables as `TERM=xterm`, or `TERM unset`."""
    return ", ".join(f"{name}={env[name]}" if name in env else f"{name} unset" for name in names)


def terminal_findings(env: Mapping[str, str]) -> list[Finding]:
    """Whether there is a terminal, which, and how large."""
    streams = {"input": sys.stdin, "output": sys.stdout}
    missing = [name for name, stream in streams.items() if stream is None or not stream.isatty()]
    columns, rows = shutil.get_terminal_size((0, 0))
    sized = "COLUMNS and LINES" if "COLUMNS" in env else "the terminal says so"
    small = "" if columns >= 60 and rows >= 20 else "; the lab needs 60×20"
    return [
        Finding(
            "terminal",
            "yes" if not missing else "no",
            f"{' and '.join(missing)} is not a terminal" if missing else "",
            "the lab needs one; play --plain and the other commands do not" if missing else "",
        ),
        Finding("TERM", env.get("TERM", "unset"), "", "TERM"),
        Finding(
            "size",
            f"{columns}×{rows}{small}" if columns else "unknown",
            sized if columns else "there is no terminal to ask",
            "the window",
        ),
    ]


def look_findings(env: Mapping[str, str]) -> list[Finding]:
    from rich.console import Console

    from tui.terminal.detect import is_coerced, terminal_encoding
    from tui.theme.glyphs import detect_glyphs
    from tui.theme.palette import PLAIN, choose_palette

    system = Console(force_terminal=True, _environ=env).color_system
    palette = choose_palette(env, system)
    is_plain = palette is PLAIN
    reason = variables_text(env, "NO_COLOR" if is_plain else "COLORTERM", "TERM")
    encoding = terminal_encoding(env)
    locale = variables_text(env, "LC_ALL", "LC_CTYPE", "LANG")
    if is_coerced(env):
        locale += "; Python took the C locale for C.UTF-8"
    return [
        Finding(
            "colours",
            "none" if is_plain else f"{system} ({palette.name})",
            reason,
            "NO_COLOR=1 for none; COLORTERM=truecolor or a TERM such as xterm-256color for more; "
            "d in the lab for dark or light",
        ),
        Finding("encoding", encoding, locale, "LC_ALL, e.g. LC_ALL=C.UTF-8"),
        Finding(
            "characters",
            detect_glyphs(env, encoding).name,
            f"encoding {encoding}, {variables_text(env, 'TERM')}",
            "--ascii for ASCII only; a locale of UTF-8 for everything",
        ),
    ]


def link_findings(env: Mapping[str, str]) -> list[Finding]:
    """The connection between the lab and the terminal."""
    is_remote = bool(env.get("SSH_CONNECTION"))
    inside = "tmux" if env.get("TMUX") else "screen" if env.get("STY") else ""
    return [
        Finding(
            "SSH",
            "yes" if is_remote else "no",
            "SSH_CONNECTION is set: no animations" if is_remote else "SSH_CONNECTION unset",
            "",
        ),
        Finding("inside", inside or "nothing", variables_text(env, "TMUX", "STY"), ""),
        line_finding(),
        mouse_finding(env),
    ]


def line_finding() -> Finding:
    """The round trip to the terminal."""
    from tui.terminal.detect import round_trip

    seconds = round_trip()
    if seconds is None:
        why = "the terminal does not say whether it is there, so the lab cannot see a slow line"
        return Finding("round trip", "no answer", why, "")
    why = "the terminal was asked whether it is there; while it has not answered, the lab waits"
    return Finding("round trip", f"{seconds * 1000:.1f} ms", why, "ssh -C on a slow line")


def mouse_finding(env: Mapping[str, str]) -> Finding:
    from tui.terminal.detect import is_screen

    if is_screen(env):
        return Finding(
            "mouse", "not used", "screen would hold Esc back", "a TERM that is not screen's"
        )
    return Finding("mouse", "used where the terminal has one", "", "--no-mouse")


def machine_findings(env: Mapping[str, str]) -> list[Finding]:
    """Python, the compiler, and the folders."""
    from learners.files import cache_root, data_folder
    from learners.kernel.compiler import is_available

    if is_available():
        compiler, why = "numba", "loaded when the first training is asked for"
        remedy = "AFTERSTATE_INTERPRETED=1 does without"
    elif env.get("AFTERSTATE_INTERPRETED"):
        compiler, why = "none: interpreted", variables_text(env, "AFTERSTATE_INTERPRETED")
        remedy = "unset AFTERSTATE_INTERPRETED"
    else:
        compiler, why = "none: interpreted", "numba is not installed; results are the same"
        remedy = "pip install numba, where there is a wheel for this Python and machine"
    return [
        Finding("Python", platform.python_version(), sys.executable or "", ""),
        Finding("compiler", compiler, why, remedy),
        folder(env, "cache", cache_root),
        folder(env, "data", data_folder),
        settings(),
    ]


def settings() -> Finding:
    """The file of the user's own settings, what of it is in force, and what is wrong with it."""
    from tui.preferences import read_preferences

    found = read_preferences()
    there = "there is no home folder" if found.path is None else str(found.path)
    if found.path is not None and not (found.is_unreadable or found.path.exists()):
        there += " (not there)"
    state = ", ".join(found.in_force) or "nothing is set"
    return Finding(
        "settings",
        there,
        "; ".join((f"in force: {state}", *(f"left out: {text}" for text in found.mistakes))),
        "AFTERSTATE_CONFIG, or the file (docs/settings.md)",
    )


def folder(env: Mapping[str, str], name: str, find: Callable[[], Path]) -> Finding:
    """A folder that the lab writes to, and whether it can."""
    own, usual = f"AFTERSTATE_{name.upper()}", f"XDG_{name.upper()}_HOME"
    try:
        path = find()
    except RuntimeError:
        return Finding(name, "none", "there is no home folder", own)
    try:
        state = state_of(path)
        if name == "cache" and state == "there" and not is_private(path):
            state = "not used: others own it or can write to it"
    except OSError as error:
        state = f"cannot be used: {reason(error)}"
    return Finding(name, f"{path} ({state})", variables_text(env, own, usual), own)


def state_of(path: Path) -> str:
    """Whether a folder is there and can be written to."""
    if path.exists():
        return "there" if path.is_dir() and os.access(path, os.W_OK) else "cannot be written"
    above = next((parent for parent in path.parents if parent.exists()), None)
    can_be_made = above is not None and os.access(above, os.W_OK)
    return "made when needed" if can_be_made else "cannot be made"
