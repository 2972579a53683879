"""The experiments of the lab: your edits, the results and their descriptions.

You type a sweep as `A.alpha=.1,.2,.4`, or as `alpha=…` for every variant.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_letters
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.errors import UsageError, printable
from afterstate_lab.learners.experiments.plan import Plan, SweepTable
from afterstate_lab.learners.experiments.results import curve_chart, reference, sweep_chart
from afterstate_lab.learners.files import data_folder
from afterstate_lab.learners.toml_reader import TomlError, TomlText
from afterstate_lab.tui.lab.labels import SHORT, short_number
from afterstate_lab.tui.theme.numerals import NONE, aligned

if TYPE_CHECKING:
    from afterstate_lab.learners.experiments.chart import SvgChart
    from afterstate_lab.learners.experiments.plan import SidedMetric
    from afterstate_lab.learners.experiments.results import (
        Estimate,
        Reference,
        Results,
        VerdictSummary,
    )
    from afterstate_lab.learners.experiments.run import Experiment, ExperimentSnapshot
    from afterstate_lab.learners.rules.spec import PlayerSpec

JOURNALS = "experiments"
"""The folder, in the user's data, with a journal folder for each experiment."""


@dataclass(eq=False)
class PlanEntry:
    plan: Plan
    argument: str
    """Its name or file on the command line."""
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
        words = ["afterstate", "experiment", self.argument]
        if self.seeds is not None:
            words += ["--seeds", str(self.seeds)]
        if self.games is not None:
            words += ["--games", str(self.games)]
        return shlex.join(words)

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


def export(results: Results, folder: str) -> str:
    """Write the results to a folder; return a sentence. Bootstraps take time."""
    from afterstate_lab.learners.experiments.results import write_results

    try:
        path = Path(folder).expanduser().absolute()
        files = write_results(results, path)
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        return f"{printable(folder)} cannot be written: {printable(why.lower())}"
    return f"{len(files)} files are in {printable(str(path))}"


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


@dataclass(frozen=True, eq=False)
class ArmFigures:
    """A variant's results by one metric."""

    figure: Estimate | None
    """The value at the end, or the mean over the run, as the plan judges."""
    better: Estimate | None
    """The chance of improving on the compared variant."""
    verdict: VerdictSummary | None
    reference: Reference | None


@dataclass(frozen=True, eq=False)
class Digest:
    """The results of an experiment by one metric."""

    snapshot: ExperimentSnapshot
    metric: SidedMetric
    arms: tuple[ArmFigures, ...]
    chart: SvgChart
    """Over the games."""
    sweep: SvgChart | None
    """Against the option swept last."""

    @classmethod
    def of(cls, snapshot: ExperimentSnapshot, metric: SidedMetric) -> Digest:
        results = snapshot.results
        arms = tuple(
            ArmFigures(
                figure=arm.figure(metric),
                better=results.improvement(metric, n),
                verdict=arm.verdict(metric.side),
                reference=reference(arm.arm, metric),
            )
            for n, arm in enumerate(results.arms)
        )
        sweep = results.sweep(metric)
        swept = sweep_chart(results, metric, sweep) if sweep else None
        return cls(snapshot, metric, arms, curve_chart(results, metric), swept)


ROLES: Final = ("strong", "bead 1", "bead 8", "bead 4", "bead 3")
"""Colours of variants: not a side's, and not green or red, which have a meaning."""
PLACES: Final = 4
"""Decimals, as in the book's .9948."""


def arm_names(plan: Plan) -> list[tuple[str, str]]:
    """Return a letter and a name for each variant: the plan's letters if it has them."""
    words = [arm.name.split(maxsplit=1) for arm in plan.arms]
    letters = [first for first, *_ in words]
    if all(len(letter) == 1 for letter in letters) and len(set(letters)) == len(letters):
        return [(first, " ".join(rest) or first) for first, *rest in words]
    return [
        (ascii_letters[26:][n] if n < 26 else str(n + 1), arm.name)
        for n, arm in enumerate(plan.arms)
    ]


def arm_roles(plan: Plan) -> list[str]:
    """Return a colour for each variant; a sweep's variants share one."""
    families = list(dict.fromkeys(arm.origin for arm in plan.arms))
    return [ROLES[families.index(arm.origin) % len(ROLES)] for arm in plan.arms]


def players_told(plan: Plan) -> list[str]:
    """Return the players of each variant, differences first."""
    differing = [differences([getattr(arm, side) for arm in plan.arms]) for side in ("x", "o")]
    told = [(player_told(a.x, differing[0]), player_told(a.o, differing[1])) for a in plan.arms]
    return [f"{x} v {'itself' if o == x else o}" for x, o in told]


def differences(specs: Sequence[PlayerSpec]) -> set[str]:
    """Return the options in which players of the same name differ."""
    found: set[str] = set()
    for name in {spec.rule.name for spec in specs}:
        alike = [spec for spec in specs if spec.rule.name == name]
        for option in alike[0].rule.options:
            if len({option.format(spec.settings[option.name]) for spec in alike}) > 1:
                found.add(option.name)
    return found


def player_told(spec: PlayerSpec, first: set[str]) -> str:
    """Return a player in a few words: `td exploration=skip α.5`."""
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
    """Return how large an experiment is: `2 arms` and `30 seeds`."""
    arms, seeds = len(plan.arms), len(plan.seeds)
    return f"{arms} variant{'s' * (arms != 1)}", f"{seeds:,} seed{'s' * (seeds != 1)}"
