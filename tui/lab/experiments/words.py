"""How arms, numbers and whole experiments are said in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters
from typing import TYPE_CHECKING, Final

from afterstate_lab.tui.lab.labels import SHORT, short_number
from afterstate_lab.tui.theme.numerals import NONE, aligned

if TYPE_CHECKING:
    from afterstate_lab.learners.experiments.plan import Plan
    from afterstate_lab.learners.experiments.results import Estimate
    from afterstate_lab.learners.rules.spec import PlayerSpec

ROLES: Final = ("strong", "bead 1", "bead 8", "bead 4", "bead 3")
"""Colours of arms: none of a side, and green and red mean something else."""
PLACES: Final = 4
"""Decimals, as the book's .9948 has."""


def arm_names(plan: Plan) -> list[tuple[str, str]]:
    """For each arm a letter and a name: the plan's own letters where it has them."""
    words = [arm.name.split(maxsplit=1) for arm in plan.arms]
    letters = [first for first, *_ in words]
    if all(len(letter) == 1 for letter in letters) and len(set(letters)) == len(letters):
        return [(first, " ".join(rest) or first) for first, *rest in words]
    return [
        (ascii_letters[26:][n] if n < 26 else str(n + 1), arm.name)
        for n, arm in enumerate(plan.arms)
    ]


def arm_roles(plan: Plan) -> list[str]:
    """For each arm its colour; those that a sweep has made of one share it."""
    families = list(dict.fromkeys(arm.origin for arm in plan.arms))
    return [ROLES[families.index(arm.origin) % len(ROLES)] for arm in plan.arms]


def players_told(plan: Plan) -> list[str]:
    """For each arm who plays whom, what differs between arms first."""
    differing = [differences([getattr(arm, side) for arm in plan.arms]) for side in ("x", "o")]
    told = [(player_told(a.x, differing[0]), player_told(a.o, differing[1])) for a in plan.arms]
    return [f"{x} v {'itself' if o == x else o}" for x, o in told]


def differences(specs: Sequence[PlayerSpec]) -> set[str]:
    """The options that players of the same name do not share."""
    found: set[str] = set()
    for name in {spec.rule.name for spec in specs}:
        alike = [spec for spec in specs if spec.rule.name == name]
        for option in alike[0].rule.options:
            if len({option.format(spec.settings[option.name]) for spec in alike}) > 1:
                found.add(option.name)
    return found


def player_told(spec: PlayerSpec, first: set[str]) -> str:
    """A player in a few words: `td exploration=skip α.5`."""
    given = dict(spec.given)
    options = [
        option for option in spec.rule.options if option.name in given | dict.fromkeys(first)
    ]
    parts = [spec.rule.name]
    for option in sorted(options, key=lambda option: option.name not in first):
        text = option.format(spec.settings[option.name])
        symbol = SHORT.get(option.name)
        parts.append(f"{symbol}{short_number(text)}" if symbol else f"{option.name}={text}")
    return " ".join(parts)


def number_told(value: float | None) -> str:
    """A metric: four decimals, or one where it is a count of many."""
    if value is not None and abs(value) >= 10:
        return f"{value:,.1f}"
    return aligned(value, PLACES)


def band_told(estimate: Estimate | None) -> str:
    """The 95% band of a figure: `[.9947,.9949]`."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return NONE
    return f"[{number_told(estimate.low)},{number_told(estimate.high)}]"


def size_told(plan: Plan) -> tuple[str, str]:
    """How large an experiment is: `2 arms` and `30 seeds`."""
    arms, seeds = len(plan.arms), len(plan.seeds)
    return f"{arms} arm{'s' * (arms != 1)}", f"{seeds:,} seed{'s' * (seeds != 1)}"
