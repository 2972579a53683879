"""Arms, and sweeps: an arm for each value of an option, as in the book's Figure 2.6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from learners.errors import UsageError, shown
from learners.rules.options import shortest
from learners.rules.spec import PlayerSpec
from learners.toml_reader import TomlTable

MOST_ARMS: Final = 500
MOST_VALUES: Final = 100
MOST_SWEEPS: Final = 8


@dataclass(frozen=True)
class Arm:
    """Two players whose training is compared with other arms."""

    name: str
    x: PlayerSpec
    o: PlayerSpec
    baseline: str = ""
    """The name of the arm to compare with; empty for the plan's first."""
    family: str = ""
    """The name of the plan's arm from which a sweep made this one; else empty."""
    swept: tuple[tuple[str, str], ...] = ()
    """The options that sweeps have set, with their values as text."""

    @property
    def origin(self) -> str:
        """The name of the arm in the plan."""
        return self.family or self.name


@dataclass(frozen=True)
class Sweep:
    """An option over a list of values."""

    reader: TomlTable
    arm: str
    """The name of the arm, or empty for all."""
    option: str
    sides: str
    """The sides whose option it is: x, o, or xo for every learner that has it."""
    values: tuple[str, ...]

    def over(self, arm: Arm) -> list[Arm]:
        """The arm with each of the values.

        Raises:
            TomlError: no player has the option, or a value is out of range.
        """
        sides = [side for side in self.sides if self._applies(arm, side)]
        if not sides:
            raise self.reader.error(
                "option", f"no player of arm {shown(arm.name)} has an option {shown(self.option)}"
            )
        return [self._with(arm, sides, value) for value in self.values]

    def _applies(self, arm: Arm, side: str) -> bool:
        rule = getattr(arm, side).rule
        if len(self.sides) > 1 and not rule.learns:
            return False
        return any(option.name == self.option for option in rule.options)

    def _with(self, arm: Arm, sides: Sequence[str], value: str) -> Arm:
        x = self._set(arm.x, value) if "x" in sides else arm.x
        o = self._set(arm.o, value) if "o" in sides else arm.o
        if self.option in dict(arm.swept):
            raise self.reader.error("option", f"{self.option} is swept twice")
        swept = (*arm.swept, (self.option, value))
        name = f"{arm.origin} " + " ".join(f"{option}={text}" for option, text in swept)
        return replace(arm, name=name, family=arm.origin, swept=swept, x=x, o=o)

    def _set(self, spec: PlayerSpec, value: str) -> PlayerSpec:
        option = next(option for option in spec.rule.options if option.name == self.option)
        try:
            return spec.with_setting(option.name, option.parse(value))
        except UsageError as error:
            raise self.reader.error("values", str(error)) from None


def read_sweeps(top: TomlTable) -> list[Sweep]:
    sweeps = []
    for reader in top.tables("sweep", ("arm", "option", "values"), MOST_SWEEPS):
        side, dot, option = reader.text("option").rpartition(".")
        if dot and side not in ("x", "o"):
            raise reader.error("option", "must be an option's name, or one such as x.alpha")
        values = tuple(written(reader, value) for value in reader.items("values", MOST_VALUES))
        if len(set(values)) < len(values):
            raise reader.error("values", "one is given twice")
        sweeps.append(Sweep(reader, reader.text("arm", ""), option, side or "xo", values))
    return sweeps


def written(reader: TomlTable, value: Any) -> str:
    """A value of a sweep as text of a spec."""
    if isinstance(value, str):
        text = value.strip()
        if not text.isprintable():
            raise reader.error("values", f"{shown(text)} has characters that cannot be printed")
        return text
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise reader.error("values", f"must be numbers or texts, not {shown(value)}")
    return shortest(value) if isinstance(value, float) else str(value)


def expanded(arms: Sequence[Arm], sweeps: Sequence[Sweep]) -> tuple[Arm, ...]:
    """The arms with all sweeps applied; several sweeps of one arm make every combination.

    Raises:
        TomlError: a sweep names an unknown arm or option, or makes too many arms.
    """
    for sweep in sweeps:
        names = list(dict.fromkeys(arm.origin for arm in arms))
        if sweep.arm and sweep.arm not in names:
            raise sweep.reader.error(
                "arm", f"there is no arm {shown(sweep.arm)}; there is {', '.join(names)}"
            )
        arms = [
            new
            for arm in arms
            for new in (sweep.over(arm) if sweep.arm in ("", arm.origin) else [arm])
        ]
        if len(arms) > MOST_ARMS:
            raise sweep.reader.error("values", f"they make more than {MOST_ARMS} arms")
    return tuple(arms)
