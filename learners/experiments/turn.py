"""The knob: turn one option of the players and see what they learn at each setting.

Turning is an experiment with a variant for each setting, and has its numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import START, Floats
from afterstate_lab.learners.errors import UsageError, did_you_mean, shown
from afterstate_lab.learners.experiments.plan import (
    Arm,
    Plan,
    SidedMetric,
    SweepTable,
    checked_player,
    spaced,
)
from afterstate_lab.learners.experiments.results import ArmResults, Trial
from afterstate_lab.learners.experiments.run import Stopped, trained
from afterstate_lab.learners.judge.figures import BEATABLE, asked_by
from afterstate_lab.learners.kernel.kernel import WORTH_COMPILING, Kernel, cores
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.rules.options import IntegerOption, Option, RateOption
from afterstate_lab.learners.toml_reader import TomlText

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.rules.spec import PlayerSpec

MOST_SETTINGS: Final = 100
GREEK: Final = {"α": "alpha", "ε": "epsilon", "λ": "lambda", "γ": "gamma"}


class Turned(NamedTuple):
    """What the players learn at one setting, with every seed."""

    results: ArmResults
    opening: list[float]
    """The value of each first move, a mean over the seeds; empty if X is not a learner."""
    beatable: dict[Side, NDArray[np.bool_]]
    """With which seeds someone can beat a learner."""


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


def turning(
    x: PlayerSpec,
    o: PlayerSpec,
    name: str,
    values: Sequence[str],
    seeds: int,
    games: int,
    points: int = 16,
) -> Plan:
    """Return the experiment with a variant for each value; without any, the players as given.

    Args:
        points: how many numbers of games the curves have at most.
    """
    knob(x, o, name)
    learners = [(rule, mark) for rule, mark in ((x.rule, "X"), (o.rule, "O")) if rule.learns]
    wanted = [f"{'rms-minimax' if rule.estimates else 'win'} {mark}" for rule, mark in learners]
    wanted += [f"value {mark}" for rule, mark in learners if rule.estimates]
    arm = Arm(f"{x} v {o}", checked_player(x, Side.X), checked_player(o, Side.O))
    sweep = SweepTable(option=name, values=tuple(values), place=(TomlText("turn", ""), ()))
    return Plan(
        name="turn",
        title=f"turn {name}",
        question=f"How does {name} change what is learned?",
        arms=tuple(sweep.variants(arm)) or (arm,),
        seeds=tuple(range(seeds)),
        games=games,
        log=True,
        metrics=tuple(map(SidedMetric.parse, wanted)),
        points=spaced(games, points, log=True),
    )


def turn(plan: Plan, arm: Arm, stop: Callable[[], bool]) -> Turned:
    """Train one variant with every seed; with one, where the players cannot be compiled.

    Raises:
        Stopped: `stop` returned True.
    """
    layout = Layout.of(arm.x, arm.o)
    kernel = Kernel(layout, 0)
    if plan.games * len(plan.seeds) >= WORTH_COMPILING and not kernel.compile():
        plan = plan.with_seeds(1)

    def watch(games: int) -> None:
        if stop():
            raise Stopped

    learners = [side for side in Side if layout.table(side).spec.rule.learns]
    worst = asked_by((BEATABLE,))

    def trial(seed: int) -> tuple[Trial, Floats, list[bool]]:
        watch(0)
        own = kernel.with_seed(seed)
        state, values, results = trained(layout, own, plan.points, plan.metrics, watch)
        state.ask(worst, worst)
        first = layout.x.preferences(state.memory, space().edges_of(START))
        beaten = [BEATABLE.measure(state, side) for side in learners]
        return Trial(seed, values, results, (None, None), 0.0), first, beaten

    with ThreadPoolExecutor(cores()) as pool:
        trials, first, beaten = zip(*pool.map(trial, plan.seeds), strict=True)
    beatable = dict(zip(learners, np.array(beaten).T, strict=True))
    opening = np.mean(first, axis=0).tolist() if Side.X in learners else []
    return Turned(ArmResults(arm, plan, trials), opening, beatable)
