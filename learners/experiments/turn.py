"""The knob: turn one option of the players and see what they learn at each setting.

Turning is an experiment with a variant for each setting, and has its numbers. Only the verdicts are
found in another way: whether anyone can beat the players of all seeds, in one pass.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import START, which_are_beatable
from afterstate_lab.learners.errors import UsageError, did_you_mean, shown
from afterstate_lab.learners.experiments.plan import (
    METRICS,
    Arm,
    Plan,
    SidedMetric,
    SweepTable,
    checked_player,
    spaced,
)
from afterstate_lab.learners.experiments.results import ArmResults, Results, Trial
from afterstate_lab.learners.experiments.run import Stopped, trained
from afterstate_lab.learners.kernel.cores import cores
from afterstate_lab.learners.kernel.kernel import WORTH_COMPILING, Kernel
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.rules.options import IntegerOption, Option, RateOption
from afterstate_lab.learners.toml_reader import TomlText
from afterstate_lab.learners.training import POLITE, RELAXED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.rules.spec import PlayerSpec

POINTS: Final = 16
MOST_SETTINGS: Final = 100
GREEK: Final = {"α": "alpha", "ε": "epsilon", "λ": "lambda", "γ": "gamma"}
RANGE: Final = "Try alpha=.05:.5:10, from .05 to .5 in 10 settings"


@dataclass(frozen=True, eq=False)
class Turned:
    """What the players learn at one setting, with every seed."""

    results: ArmResults
    opening: tuple[float, ...]
    """The value of each first move, a mean over the seeds; empty if X is not a learner."""
    beatable: tuple[NDArray[np.bool_] | None, NDArray[np.bool_] | None]
    """For X and O, with which seeds someone can beat it; None if it is not a learner."""


def knobs(*players: PlayerSpec) -> dict[str, Option]:
    """Return the options of the learners whose values are numbers, by name."""
    options = [option for spec in players if spec.rule.learns for option in spec.rule.options]
    return {o.name: o for o in options if type(o) in (Option, IntegerOption, RateOption)}


def knob(x: PlayerSpec, o: PlayerSpec, name: str) -> Option:
    """Return the option of a name such as `alpha`, or `x.alpha` for one side."""
    side, _, plain = name.rpartition(".")
    if side not in ("", "x", "o"):
        raise UsageError(f"{shown(name)} is not an option. Try alpha or x.alpha")
    asked = [spec for one, spec in (("x", x), ("o", o)) if one in (side or "xo")]
    learners = [spec for spec in asked if spec.rule.learns]
    names = " and ".join(dict.fromkeys(spec.rule.name for spec in learners or asked))
    if not learners:
        raise UsageError(f"nothing to turn: {names} cannot learn")
    known = knobs(*learners)
    if plain not in known:
        near = did_you_mean(plain, known) or f". Turn {', '.join(known)}"
        raise UsageError(f"{shown(plain)} is not a numeric option of {names}{near}")
    return known[plain]


def settings_of(option: Option, text: str) -> list[str]:
    """Return the values of a range such as `.05:.5:10`."""
    *ends, many = text.split(":")
    try:
        low, high = map(float, ends)
        count = int(many)
    except ValueError:
        raise UsageError(f"{shown(text)} is not a range. {RANGE}") from None
    if not (math.isfinite(low + high) and 1 <= count <= MOST_SETTINGS):
        raise UsageError(f"{shown(text)} is not a range of 1 to {MOST_SETTINGS} settings. {RANGE}")
    for end in ends:
        option.parse(end.strip())
    form = "{:.0f}" if isinstance(option, IntegerOption) else "{:.12g}"
    return list(dict.fromkeys(form.format(value) for value in np.linspace(low, high, count)))


def turning(
    x: PlayerSpec, o: PlayerSpec, name: str, values: Sequence[str], seeds: int, games: int
) -> Plan:
    """Return the experiment with a variant for each value; without any, the players as given."""
    knob(x, o, name)
    players = checked_player(x, Side.X), checked_player(o, Side.O)
    learners = [(side, spec) for side, spec in zip(Side, players, strict=True) if spec.rule.learns]
    metrics = [
        SidedMetric(METRICS["rms-minimax" if spec.rule.estimates else "won"], side)
        for side, spec in learners
    ]
    metrics += [SidedMetric(METRICS["value"], one) for one, spec in learners if spec.rule.estimates]
    plan = Plan(
        name="turn", title=f"turn {name}", question=f"How does {name} change what is learned?",
        arms=(Arm(f"{x} v {o}", *players),), seeds=tuple(range(seeds)), games=games,
        metrics=tuple(metrics), points=spaced(games, POINTS, log=True), log=True,
    )  # fmt: skip
    if not values:
        return plan
    sweep = {"option": name, "values": list(values)}
    return plan.swept(SweepTable.read(TomlText("turn", ""), sweep)).checked()


def turn(
    plan: Plan, arm: Arm, stop: Callable[[], bool] = lambda: False, *, is_quick: bool = False
) -> Turned:
    """Train one variant with every seed.

    Args:
        stop: whether to stop.
        is_quick: train with one seed only where the players cannot be compiled.

    Raises:
        Stopped: it stopped.
    """
    layout = Layout.of(arm.x, arm.o)
    kernel = Kernel(layout, 0)
    is_worth = plan.games * len(plan.seeds) >= WORTH_COMPILING
    if is_worth and not kernel.compile() and is_quick:
        plan = plan.with_seeds(1)

    def watch(games: int, values: NDArray[np.float64]) -> None:
        if stop():
            raise Stopped

    def trial(seed: int) -> tuple[Trial, NDArray[np.float64]]:
        watch(0, np.empty(0))
        state, values, results = trained(
            layout, kernel.with_seed(seed), plan.points, plan.metrics, watch
        )
        return Trial(seed, values, results, (None, None), 0.0), state.memory

    sys.setswitchinterval(POLITE)
    try:
        with ThreadPoolExecutor(cores()) as pool:
            trials, memories = zip(*pool.map(trial, plan.seeds), strict=True)
    finally:
        sys.setswitchinterval(RELAXED)
    found: list[NDArray[np.bool_] | None] = [None, None]
    opening: tuple[float, ...] = ()
    for side in Side:
        table = layout.table(side)
        if table.spec.rule.learns:
            preferences = np.array([table.preferences(memory) for memory in memories])
            found[side] = which_are_beatable(preferences, side)
            if side is Side.X:
                opening = tuple(preferences[:, space().edges_of(START)].mean(axis=0).tolist())
    return Turned(ArmResults(arm, plan, trials), opening, (found[0], found[1]))


def as_json(plan: Plan, settings: Sequence[Turned]) -> dict[str, Any]:
    """Return the object that `turn --json` prints: as `experiment --json`, with fewer verdicts."""
    told = Results(plan, tuple(one.results for one in settings)).as_json()
    for arm, one in zip(told["arms"], settings, strict=True):
        arm["opening"] = list(one.opening)
        arm["verdicts"] = {
            side.mark: found
            if found is None
            else {"seeds": len(found), "beatable": int(sum(found))}
            for side, found in zip(Side, one.beatable, strict=True)
        }
    return told
