"""The knob: turn one option of the players and see what they learn at each setting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import UsageError, did_you_mean, shown
from afterstate_lab.learners.experiments.plan import (
    METRICS,
    Arm,
    Plan,
    SidedMetric,
    checked_player,
    spaced,
    variants,
)
from afterstate_lab.learners.judge.figures import RMS_MINIMAX, WIN
from afterstate_lab.learners.rules.options import IntegerOption, Option, RateOption
from afterstate_lab.learners.toml_reader import TomlText

if TYPE_CHECKING:
    from afterstate_lab.learners.rules.spec import PlayerSpec

MOST_SETTINGS: Final = 100


def knobs(*players: PlayerSpec) -> dict[str, Option]:
    """Return the options of the learners whose values are numbers, by name."""
    return {
        option.name: option
        for spec in players
        if spec.rule.learns
        for option in spec.rule.options
        if type(option) in (Option, IntegerOption, RateOption)
    }


def knob(x: PlayerSpec, o: PlayerSpec, name: str) -> Option:
    """Return the option of a name."""
    known = knobs(x, o)
    if name not in known:
        names = " or ".join(dict.fromkeys(spec.rule.name for spec in (x, o)))
        near = did_you_mean(name, known) or (f". Turn {', '.join(known)}" if known else "")
        raise UsageError(f"{shown(name)} is not a numeric option of {names}{near}")
    return known[name]


def read_range(x: PlayerSpec, o: PlayerSpec, text: str) -> tuple[str, list[str]]:
    """Return the option and the values of a text such as `alpha=.05:.5:10`."""
    name, _, rest = text.partition("=")
    option = knob(x, o, name)
    *ends, many = rest.split(":")
    try:
        low, high = map(float, ends)
        count = int(many) if math.isfinite(low + high) else 0
    except ValueError:
        count = 0
    if not 1 <= count <= MOST_SETTINGS:
        raise UsageError(
            f"{shown(text)} is not a range of 1 to {MOST_SETTINGS} settings. "
            "Try alpha=.05:.5:10, from .05 to .5 in 10 settings"
        )
    for end in ends:
        option.parse(end.strip())
    form = "{:.0f}" if isinstance(option, IntegerOption) else "{:.12g}"
    return name, list(dict.fromkeys(form.format(one) for one in np.linspace(low, high, count)))


def followed(x: PlayerSpec, o: PlayerSpec) -> tuple[SidedMetric, ...]:
    """Return what shows how well each learner learns: its error; if it has no values, its wins."""
    return tuple(
        SidedMetric(RMS_MINIMAX if spec.rule.estimates else WIN, side)
        for side, spec in zip(Side, (x, o), strict=True)
        if spec.rule.learns
    )


def turning(
    x: PlayerSpec, o: PlayerSpec, name: str, values: Sequence[str], seeds: int, games: int
) -> Plan:
    """Return the experiment with a variant for each value."""
    shown = followed(x, o)
    values_of = (one.side for one in shown if one.metric is RMS_MINIMAX)
    arm = Arm(f"{x} v {o}", checked_player(x, Side.X), checked_player(o, Side.O))
    return Plan(
        name="turn",
        title=f"turn {name}",
        question=f"How does {name} change what is learned?",
        arms=tuple(variants(TomlText("turn", ""), arm, name, values)),
        seeds=seeds,
        games=games,
        log=True,
        metrics=(*shown, *(SidedMetric(METRICS["value"], side) for side in values_of)),
        points=spaced(games, 16, log=True),
    )
