"""Options of learners and opponents: names, ranges, defaults and help."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from afterstate_lab.learners.errors import SpecError, shown

WHOLE = re.compile(r"-?[0-9]{1,18}(_[0-9]{1,18})*")
"""A whole number: 20000 or 20_000."""

DIGEST = re.compile(r"[0-9a-f]{8,64}")


def shortest(value: float) -> str:
    """Return the shortest text that reads back as exactly this number: .1 as 0.1, 1.0 as 1."""
    return repr(float(value)).removesuffix(".0")


@dataclass(frozen=True)
class Option:
    """A number, in a closed range."""

    name: str
    default: Any
    help: str
    low: float = 0.0
    high: float = 1.0
    source: str = ""
    is_told: ClassVar[bool] = True
    """Whether printed specs show it, not only stored ones."""
    allowed: ClassVar[str] = "{low:g} to {high:g}"
    """The format of `range`."""

    @property
    def range(self) -> str:
        """The allowed values, in words."""
        return self.allowed.format(low=self.low, high=self.high)

    def parse(self, text: str) -> Any:
        """Return the value of a user's text."""
        try:
            value = self.read(text)
        except ValueError:
            value = None
        if value is None:
            raise SpecError(f"{self.name}={shown(text)[1:-1]} is not valid: use {self.range}")
        return value

    def read(self, text: str) -> Any:
        """Return the value of a text; None, or a ValueError, if it is not valid."""
        value = float(text)
        return value if math.isfinite(value) and self.low <= value <= self.high else None

    def format(self, value: Any) -> str:
        """Return the text that `parse` reads back as `value`, bit by bit."""
        return str(value) if isinstance(value, str | int) else shortest(value)

    def number(self, value: Any) -> Any:
        """Return the value for the engine: a number, or an array of numbers."""
        return float(value)


class IntegerOption(Option):
    """A whole number, in a closed range."""

    allowed = "a whole number from {low:,} to {high:,}"

    def read(self, text: str) -> int | None:
        is_whole = WHOLE.fullmatch(text) and len(text) <= 40
        return int(text) if is_whole and self.low <= int(text) <= self.high else None

    def number(self, value: Any) -> int:
        return int(value)


@dataclass(frozen=True)
class ChoiceOption(Option):
    """One of a few words; the engine gets its index."""

    choices: tuple[str, ...] = ()

    @property
    def range(self) -> str:
        return " or ".join(self.choices)

    def read(self, text: str) -> str | None:
        return text if text in self.choices else None

    def number(self, value: Any) -> int:
        return self.choices.index(value)


SIGNS = {"constant": " ", "linear": "..", "phases": "/"}
"""What is between the numbers of a rate, by its kind."""


class RateOption(Option):
    """Epsilon: constant `.1`, linear `.3..0`, or by equal phases `1/1/0/.3`, over `over` games."""

    allowed = "{low:g} to {high:g} (or .3..0 falling, or 1/1/.3 by phases)"

    def read(self, text: str) -> tuple[str, tuple[float, ...]] | None:
        kind = "linear" if ".." in text else "phases" if "/" in text else "constant"
        values = tuple(map(float, text.split(SIGNS[kind])))
        is_valid = len(values) == 2 if kind == "linear" else len(values) <= 32
        is_valid &= all(self.low <= value <= self.high for value in values)
        return (kind, values) if is_valid else None

    def format(self, value: Any) -> str:
        kind, values = value
        return SIGNS[kind].join(map(shortest, values))


class BeadsOption(Option):
    """Beads of a colour in a new box, by the player's move: `4/3/2/1`, or `10` for all alike."""

    allowed = "whole numbers from {low:.0f} to {high:.0f}, as 4/3/2/1 or 10"

    def read(self, text: str) -> tuple[int, ...] | None:
        parts = text.split("/")
        if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
            return None
        stages = len(self.default)
        beads = tuple(map(int, parts)) * (stages if len(parts) == 1 else 1)
        is_valid = len(beads) == stages and all(self.low <= n <= self.high for n in beads)
        return beads if is_valid else None

    def format(self, value: Any) -> str:
        return "/".join(str(n) for n in (value[:1] if len(set(value)) == 1 else value))

    def number(self, value: Any) -> Any:
        import numpy as np

        return np.array(value + value[-1:] * 5, dtype=np.float64)


class DigestOption(Option):
    """The first digits of a SHA-256; not for the engine."""

    is_told = False
    allowed = "8 to 64 hexadecimal digits"

    def read(self, text: str) -> str | None:
        return text if DIGEST.fullmatch(text) else None

    def number(self, value: Any) -> float:
        return 0.0


ALPHA = Option("alpha", 0.1, "step size α: how far a value moves towards its target", source="2.4")
EPSILON = RateOption(
    "epsilon", ("constant", (0.1,)), "exploration rate ε: how often a move is random", source="2.2"
)
DRAW = Option("draw", 0.5, "value of a draw", -10.0, 10.0, source="1.5")
WIN = Option("win", 1.0, "value of a win", -10.0, 10.0, source="1.5")
LOSS = Option("loss", 0.0, "value of a loss", -10.0, 10.0, source="1.5")
REWARDS = (WIN, DRAW, LOSS)
INITIAL = Option("initial", 0.5, "initial value of everything it learns", -10.0, 10.0, source="2.6")
GAMMA = Option("gamma", 1.0, "discount rate γ", source="3.3")
EXPLORATION = ChoiceOption(
    "exploration",
    "skip",
    "what an exploratory move does to the previous backup",
    choices=("skip", "learn"),
    source="1.5, exercise 1.4",
)
STEP = ChoiceOption(
    "step",
    "constant",
    "step size: α, or 1/n at the n-th backup of a value",
    choices=("constant", "1/n"),
    source="2.5",
)
DECAY = Option(
    "decay", 1.0, "α times this every so many greedy moves", source="Sutton-Barto notebook"
)
EVERY = IntegerOption("every", 10_000, "greedy moves between two decays of α", 1, 10**9)
OVER = IntegerOption("over", 10_000, "games over which a falling or phased ε runs", 1, 10**12)
SYMMETRY = ChoiceOption(
    "symmetry",
    "off",
    "share one value among symmetric boards",
    choices=("off", "on"),
    source="exercise 1.2",
)
LEARN = ChoiceOption(
    "learn", "on", "off: choose greedily and change nothing", choices=("on", "off")
)

COMMON = (EPSILON, OVER, LEARN)
"""Options of every learner."""
STEPPED = (ALPHA, STEP, DECAY, EVERY)
"""Options of every learner with a step size."""
SHARING = (SYMMETRY, *COMMON)
"""The last options of every learner that can share entries among symmetric boards."""
STATE_VALUES = (*STEPPED, DRAW, INITIAL, EXPLORATION, *SHARING)
"""Options of a learner of afterstates that backs up after each move."""
ACTION_VALUES = (*STEPPED, GAMMA, DRAW, INITIAL, *SHARING)
"""Options of a learner of action values."""


def with_defaults(known: tuple[Option, ...], **defaults: Any) -> tuple[Any, ...]:
    """Return options with other defaults, given by name."""
    return tuple(replace(o, default=defaults.get(o.name, o.default)) for o in known)
