"""A sweep as a user types it: `A.alpha=.1,.2,.4`, or `alpha=…` for every arm."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from learners.experiments.plan import MOST_NUMBERS
from learners.experiments.sweep import expanded, read_sweeps
from learners.experiments.toml_reader import PlanError, PlanText, TomlTable
from tui.lab.experiments.words import arm_names

if TYPE_CHECKING:
    from learners.experiments.plan import Plan

SHAPE = "an arm and an option with its values, such as {}.alpha=.1,.2,.4; without an arm: every arm"


def swept(plan: Plan, text: str) -> Plan:
    """The plan with an arm, or every arm, for each value of an option.

    Args:
        plan: the plan.
        text: `arm.option=values`, `arm.x.option=values` or `option=values`.

    Raises:
        PlanError: it is none, there is no such arm or option, or a value is out of range.
    """
    head, equals, tail = text.strip().partition("=")
    values = [value.strip() for value in tail.split(",") if value.strip()]
    if not equals or not values or not head.strip():
        raise PlanError(SHAPE.format(arm_names(plan)[0][0]))
    arm, option = split(plan, head.strip())
    table = {"arm": arm, "option": option, "values": values}
    top = TomlTable(PlanText("sweep", ""), {"sweep": table}, (), ("sweep",))
    try:
        arms = expanded(plan.arms, read_sweeps(top))
    except PlanError as error:
        raise PlanError(str(error).removeprefix("sweep: sweep.")) from None
    numbers = len(arms) * len(plan.seeds) * len(plan.points) * len(plan.metrics)
    if numbers > MOST_NUMBERS:
        raise PlanError(f"that makes {numbers:,} numbers; at most {MOST_NUMBERS:,} will do")
    return replace(plan, arms=arms)


def split(plan: Plan, head: str) -> tuple[str, str]:
    """The arm, or nothing for all, and the option of `arm.option`."""
    *before, option = head.split(".")
    side = before.pop() if before and before[-1].lower() in ("x", "o") and len(before) > 1 else ""
    name = ".".join(before)
    labels = {label: arm.origin for (label, _), arm in zip(arm_names(plan), plan.arms, strict=True)}
    if not name or (name in ("x", "o") and name not in labels):
        return "", f"{name}.{option}" if name else option
    return labels.get(name, name), f"{side.lower()}.{option}" if side else option
