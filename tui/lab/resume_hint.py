"""The state of a saved run in a sentence. Light: a fresh lab shows it at home."""

from __future__ import annotations

import re
import shlex
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from afterstate_lab.learners.runs.listing import RunInfo

STEPS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"))
FILE: Final = re.compile(r".+\.(?:py:[^:]*|(?:npz|csv|json)(?=:|$))")
"""A player in a file, in a stored spec."""
SOME_DAYS: Final = 14
"""After this many days, the hint shows the date."""


def ago(moment: datetime, now: datetime | None = None) -> str:
    """Return how long ago something was: `just now`, `5 minutes ago`, `2026-03-01`."""
    seconds = int(((now or datetime.now(UTC)) - moment).total_seconds())
    if seconds >= SOME_DAYS * 86_400:
        return moment.astimezone().strftime("%Y-%m-%d")
    for size, name in STEPS:
        many = seconds // size
        if many >= 1:
            return f"{many} {name}{'s' if many > 1 else ''} ago"
    return "just now"


def player_name(spec: str) -> str:
    """Return the player of a stored spec, without options and folders: `td`, `mine.py:Mine`,
    `best.npz`.
    """
    if match := FILE.match(spec):
        return PurePath(match[0]).name
    name, _, rest = spec.partition(":")
    if name == "museum":
        return f"{name}:{rest.partition(':')[0]}"
    return f"cmd:{PurePath(rest.split(' ')[0]).name}" if name == "cmd" else name


def players_of(info: RunInfo) -> str:
    """Return the players: `td v q`."""
    return f"{player_name(info.x)} v {player_name(info.o)}"


def games_text(games: int) -> str:
    return "1 game" if games == 1 else f"{games:,} games"


def resume_hint(info: RunInfo) -> tuple[str, str]:
    """Return the players and the moment of a saved run, and how long ago that was."""
    place = f"game {info.games + 1:,}, your move" if info.in_game else games_text(info.games)
    return f"{players_of(info)}, {place}.", ago(info.updated)


def own_rule_sentence(info: RunInfo) -> str:
    """Return how to open a run that needs your own rule."""
    specs = {"x": info.x, "o": info.o}
    given = " ".join(
        f"--{side} {shlex.quote(spec)}" for side, spec in specs.items() if ".py:" in spec
    )
    return (
        f"{info.name} needs code from a file. To allow that, "
        f"start with afterstate --run {shlex.quote(info.name)} {given}"
    )
