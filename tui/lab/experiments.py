"""The experiments of the lab: your edits, and the names of variants and numbers.

You type a sweep as `A.alpha=.1,.2,.4`, or as `alpha=…` for every variant.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments.plan import Plan, SweepTable
from afterstate_lab.learners.files import data_folder
from afterstate_lab.learners.toml_reader import TomlError, TomlText
from afterstate_lab.tui.lab.labels import SHORT, short_number
from afterstate_lab.tui.theme.numerals import NONE, aligned

if TYPE_CHECKING:
    from collections.abc import Iterable

    from afterstate_lab.learners.experiments.results import Estimate
    from afterstate_lab.learners.experiments.run import Experiment
    from afterstate_lab.learners.rules.spec import PlayerSpec

JOURNALS = "experiments"
"""The folder, in the user's data, with a journal folder for each experiment."""


@dataclass(eq=False)
class PlanEntry:
    plan: Plan
    words: tuple[str, ...]
    """The command that does the same, before its seeds and games."""
    seeds: int | None = None
    """The user's number of seeds, if changed."""
    games: int | None = None
    sweeps: tuple[str, ...] = ()
    """Sweeps that the user added, as typed."""
    prediction: str | None = None
    """The user's prediction; None until asked, empty if skipped."""
    run: Experiment | None = None

    @property
    def is_running(self) -> bool:
        return self.run is not None and not self.run.is_over

    @property
    def command(self) -> str:
        """The shell command that does the same."""
        changed = {"--seeds": self.seeds, "--games": self.games}
        options = [text for name, n in changed.items() if n is not None for text in (name, str(n))]
        return shlex.join(["afterstate", *self.words, *options])

    @property
    def folder(self) -> Path | None:
        """The folder of its journal; None without a folder for the user's data."""
        try:
            base = data_folder()
        except RuntimeError:
            return None
        name = re.sub(r"[^\w-]+", "-", self.plan.name).strip("-") or "plan"
        return base / JOURNALS / name[:80]

    @property
    def has_journal(self) -> bool:
        """Whether an experiment of this name has a journal."""
        try:
            return self.folder is not None and (self.folder / "journal.jsonl").is_file()
        except OSError:
            return False


SHAPE = "an option with its values, such as alpha=.1,.2,.4; {}.alpha for one variant"


def swept(plan: Plan, text: str) -> Plan:
    """Return the plan with a variant, or every variant, for each value of an option.

    Args:
        text: `arm.option=values`, `arm.x.option=values` or `option=values`.

    Raises:
        TomlError: the text, the variant, the option or a value is wrong.
    """
    head, equals, tail = text.strip().partition("=")
    values = [value.strip() for value in tail.split(",") if value.strip()]
    if not equals or not values or not head.strip():
        raise TomlError(SHAPE.format(arm_names(plan)[0][0]))
    arm, option = split(plan, head.strip())
    table = {"arm": arm, "option": option, "values": values}
    try:
        return plan.swept(SweepTable.read(TomlText("sweep", ""), table)).checked()
    except UsageError as error:
        raise TomlError(str(error).removeprefix("sweep: ")) from None


def split(plan: Plan, head: str) -> tuple[str, str]:
    """Return the variant (empty for all) and the option of `arm.option`."""
    *before, option = head.split(".")
    side = before.pop() if before and before[-1].lower() in ("x", "o") and len(before) > 1 else ""
    name = ".".join(before)
    labels = {label: arm.origin for (label, _), arm in zip(arm_names(plan), plan.arms, strict=True)}
    if not name or (name in ("x", "o") and name not in labels):
        return "", f"{name}.{option}" if name else option
    return labels.get(name, name), f"{side.lower()}.{option}" if side else option


ROLES: Final = ("strong", "bead 1", "bead 8", "bead 4", "bead 3")
"""Colours of variants: not a side's, and not green or red, which have a meaning."""
PLACES: Final = 4
"""Decimals, as in the book's .9948."""


def arm_names(plan: Plan) -> list[tuple[str, str]]:
    """Return a letter and a name for each variant: the plan's letters if it has them."""
    names = [arm.name for arm in plan.arms]
    letters = [name.partition(" ")[0] for name in names]
    if all(len(letter) == 1 for letter in letters) and len(set(letters)) == len(letters):
        return [(name[0], name[1:].strip() or name) for name in names]
    numbers = map(str, range(27, 1_000))
    return list(zip([*ascii_uppercase, *numbers], names, strict=False))


def arm_roles(plan: Plan) -> list[str]:
    """Return a colour for each variant; a sweep's variants share one."""
    families = list(dict.fromkeys(arm.origin for arm in plan.arms))
    return [ROLES[families.index(arm.origin) % len(ROLES)] for arm in plan.arms]


def players_told(plan: Plan) -> list[str]:
    """Return the players of each variant, differences first: `td exploration=skip α.5 v random`."""
    sides = [players_in_words([getattr(arm, side) for arm in plan.arms]) for side in ("x", "o")]
    return [f"{x} v {'itself' if o == x else o}" for x, o in zip(*sides, strict=True)]


def players_in_words(specs: list[PlayerSpec]) -> Iterable[str]:
    """Yield players in a few words, first the options in which those of the same name differ."""
    for spec in specs:
        alike = [one.settings for one in specs if one.rule.name == spec.rule.name]
        first, last = [spec.rule.name], []
        for option in spec.rule.options:
            name, text = option.name, option.format(spec.settings[option.name])
            said = f"{SHORT[name]}{short_number(text)}" if name in SHORT else f"{name}={text}"
            if any(option.format(one[name]) != text for one in alike):
                first.append(said)
            elif name in dict(spec.given):
                last.append(said)
        yield " ".join((*first, *last))


def number_told(value: float | None) -> str:
    """Return a metric as text: four decimals, or one for large counts."""
    if value is not None and abs(value) >= 10:
        return f"{value:,.1f}"
    return aligned(value, PLACES)


def band_told(estimate: Estimate | None) -> str:
    """Return a 95% interval as text: `[.9947,.9949]`."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return NONE
    return f"[{number_told(estimate.low)},{number_told(estimate.high)}]"


def size_told(plan: Plan) -> tuple[str, str]:
    """Return how large an experiment is: `2 variants` and `30 seeds`."""
    arms, seeds = len(plan.arms), len(plan.seeds)
    return f"{arms} variant{'s' * (arms != 1)}", f"{seeds:,} seed{'s' * (seeds != 1)}"
