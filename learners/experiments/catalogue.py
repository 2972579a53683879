"""The plans that come with the package: the book's exercises, an example and a figure of it."""

from __future__ import annotations

import difflib
from functools import cache
from importlib.resources import files
from pathlib import Path

from learners.errors import shown
from learners.experiments.plan import Plan
from learners.experiments.toml_reader import PlanError

NAMES = (
    "self-play", "symmetries", "greedy-play", "exploration", "improvements", "td-or-mc",
    "step-sizes",
)  # fmt: skip
"""In the book's order, the sweep last."""
NUMBERS = {
    "1.1": "self-play",
    "1.2": "symmetries",
    "1.3": "greedy-play",
    "1.4": "exploration",
    "1.5": "improvements",
    "6.2": "td-or-mc",
    "2.6": "step-sizes",
}
"""Exercise, example or figure."""


@cache
def built_in(name: str) -> Plan:
    """A plan of the package."""
    file = files("learners.experiments") / "plans" / f"{name}.toml"
    return Plan.parse(file.read_text(encoding="utf-8"), f"{name}.toml")


def catalogue() -> list[Plan]:
    """All plans of the package."""
    return [built_in(name) for name in NAMES]


def find_plan(text: str, *, own_rules: bool = False) -> Plan:
    """The plan that a user names: a file, a name, or the number of an exercise.

    Args:
        text: what the user wrote.
        own_rules: see `Plan.parse`.

    Raises:
        PlanError: there is none, or it cannot be run as it stands.
    """
    name = NUMBERS.get(text, text)
    if name in NAMES:
        return built_in(name)
    if text.endswith(".toml") or is_file(text):
        return Plan.load(Path(text), own_rules=own_rules)
    near = difflib.get_close_matches(text, NAMES, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(NAMES)}, or a file.toml"
    raise PlanError(f"there is no plan {shown(text)}: {hint}")


def is_file(text: str) -> bool:
    """Whether a text is the path of a file."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False
