"""Learners and agents of installed packages, by the names that their entry points give them.

A course ships its players as a package. `afterstate.rules` names classes (`course.rules:Mine`),
`afterstate.players` functions, called with a board as those of a file are. A name stands for the
file of the package: what is true of a rule or an agent in a file is true of it, and nothing of the
package is imported to find it.
"""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

from learners.errors import SpecError, printable, shown
from learners.rules.spec import BUILT_IN

GROUPS: Final = ("afterstate.rules", "afterstate.players")
NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")


def plugins() -> dict[str, list[EntryPoint]]:
    """The players of installed packages by name; one name may stand for several, to be refused."""
    found: dict[str, list[EntryPoint]] = {}
    for group in GROUPS:
        for point in entry_points(group=group):
            if NAME.fullmatch(point.name) and point.name not in (*BUILT_IN, "museum"):
                found.setdefault(point.name, []).append(point)
    return dict(sorted(found.items()))


def package_of(point: EntryPoint) -> str:
    """The distribution of a player."""
    return printable(point.dist.name) if point.dist is not None else "a package"


def as_file(text: str) -> str | None:
    """A spec that begins with the name of an installed player, with its file instead.

    Raises:
        SpecError: two packages have a player of this name, or the file is not there.
    """
    name, colon, options = text.partition(":")
    points = plugins().get(name, []) if NAME.fullmatch(name) and name not in BUILT_IN else []
    if not points:
        return None
    if len(points) > 1:
        packages = " and ".join(map(package_of, points))
        raise SpecError(f"{packages} each have a player {shown(name)}: uninstall one of them")
    (point,) = points
    inside = point.module.replace(".", "/")
    for candidate in (f"{inside}.py", f"{inside}/__init__.py"):
        place = point.dist.locate_file(candidate) if point.dist is not None else candidate
        if (point.attr or "").isidentifier() and Path(str(place)).is_file():
            return f"{place}:{point.attr}{colon}{options}"
    raise SpecError(
        f"the player {shown(name)} of {package_of(point)} cannot be found: its entry point "
        f"{shown(point.value)} must be MODULE:NAME of a file that is installed with it"
    )
