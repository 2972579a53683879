"""The update equation of a rule as data: its terms, their meanings, and the source of each number.

A rule declares its equation once, next to its code. Spaces separate the terms:

    equation = Equation("V(Sₜ) ← V(Sₜ) + α [ V(Sₜ₊₁) − V(Sₜ) ]")

The usual symbols need nothing else (`COMMON`). For each other symbol, the rule gives a meaning and
the variable of its code with the number:

    equation = Equation(
        "V(Sₜ) ← V(Sₜ) + α [ M − V(Sₜ) ]", (Term("M", "the mean that follows", variable="m"),)
    )

The display reads its numbers from the recorded event and from the recorded reads and variables of
the rule (`learners.tape.update`); it never computes a target.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from functools import cached_property
from typing import Final

from afterstate_lab.learners import lean_dataclass


class TermRole(Enum):
    """The role of a term in an equation."""

    NEW = "new"
    """The new value: the first term."""
    OLD = "old"
    """The old value."""
    READ = "read"
    """A number that the target uses."""
    TARGET = "target"
    """The whole target, without further detail."""
    STEP = "step"
    DISCOUNT = "discount"
    """The discount rate, or another option of the rule that is a factor."""
    REWARD = "reward"
    ERROR = "error"
    """The TD error of the time step, shared out by traces."""
    TRACE = "trace"
    BEADS = "beads"
    NUMBER = "number"
    """A constant."""
    ENTRY = "entry"
    """The value of an entry that no term of the equation shows."""
    SIGN = "sign"
    PLUS_MINUS = "plus or minus"
    """The sign of the reward."""


class TargetKind(Enum):
    """What the target of a backup reads."""

    NEXT = "next"
    """The player's next time step."""
    END = "end"
    """The result of the game."""
    HORIZON = "horizon"
    """A later time step, whose entry was read."""
    TRACE = "trace"
    """The newest time step, weighted by a trace."""
    BEST_REPLY = "best reply"
    """The best of the opponent's replies."""
    NEXT_PAIR = "next pair"
    """The move made at the player's next turn."""
    BEST_PAIR = "best pair"
    """The best move at the player's next turn; of two tables, valued by the other."""
    EXPECTED_PAIR = "expected pair"
    """All moves at the player's next turn, by their probabilities."""

    @property
    def is_pair(self) -> bool:
        """Whether it is a move at the player's next turn."""
        return self in (TargetKind.NEXT_PAIR, TargetKind.BEST_PAIR, TargetKind.EXPECTED_PAIR)


@lean_dataclass
class Term:
    """A symbol of an equation."""

    symbol: str
    meaning: str = ""
    """Its meaning, without a full stop."""
    looks_at: TargetKind | None = None
    variable: str = ""
    """The variable of the rule's code with the number; by default the recorded target, or what was
    read of the time step."""
    role: TermRole = TermRole.READ
    option: str = ""
    typed: str = ""
    """The typed form, if more than letters are spelled out."""
    form: str = "{}"
    """The format of the number: `1−{}`; `{option}` is the number of `option`."""
    if_one: Term | None = None
    """The term to show instead if the option is 1."""

    def __post_init__(self) -> None:
        if not self.symbol.isprintable():
            raise ValueError(f"the symbol of a term is printable, unlike {self.symbol!r}")
        try:
            self.form.format("0", option="1")
        except (AttributeError, LookupError, ValueError):
            raise ValueError(f"{self.form!r} may hold {{}} and {{option}} alone") from None

    @property
    def is_number(self) -> bool:
        """Whether a number appears below it."""
        return self.role not in (TermRole.SIGN, TermRole.PLUS_MINUS)


COMMON: Final = (
    Term("α", "how much of the gap is closed", role=TermRole.STEP),
    Term("γ", "how much the next value counts", role=TermRole.DISCOUNT, option="gamma"),
    Term("R", "what the result is worth; 0 before the end", variable="r", role=TermRole.REWARD),
    Term("V(Sₜ₊₁)", "the value of the next time step", TargetKind.NEXT),
    Term("Q(S′,A′)", "the value of the next move made", TargetKind.NEXT_PAIR),
    Term("G", "what the result of the game is worth", TargetKind.END),
    Term("δ", "V(Sₜ₊₁) − V(Sₜ), shared out by traces", TargetKind.TRACE, role=TermRole.ERROR),
    Term("z(s)", "how much of δ reaches s", role=TermRole.TRACE),
    Term("target", "what the value is moved towards", TargetKind.NEXT, role=TermRole.TARGET),
    Term("±", "plus after a win, minus after a loss", role=TermRole.PLUS_MINUS),
)
"""Symbols for every equation; a rule's own term of the same symbol comes first."""

FLOOR: Final = re.compile(r"max\((\d+),")
"""A lower bound of what follows."""
SIGNS: Final = frozenset("←+−[]()×")
NUMBERS: Final = {"½": 0.5, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 0.25, "¾": 0.75}
KEYBOARD: Final = {
    "←": "<-", "−": "-", "±": "+-", "α": "alpha", "γ": "gamma", "δ": "delta", "λ": "lambda",
    "π": "pi", "Σ": "sum", "ₜ₊₁": "_t+1", "ₜ": "_t", "′": "'", "×": "*", "₁": "1", "₂": "2",
    "½": "1/2", "[ ": "[", " ]": "]", " )": ")",
}  # fmt: skip
"""The typed form of each sign."""


@lean_dataclass
class Equation:
    """An update equation.

    Raises:
        ValueError: the text is no such equation.
    """

    symbols: str
    """A blank between each two terms; an arrow follows the first."""
    own: tuple[Term, ...] = ()
    """The terms that are not in `COMMON`."""
    spelled: str | None = None
    """The typed form, if not derived from the symbols."""
    is_backward: bool = False
    """Whether a game is backed up from last to first, each step towards the value just written."""

    def __post_init__(self) -> None:
        if len(self.terms) < 3 or self.terms[1].symbol != "←":
            text = repr(self.symbols)
            raise ValueError(f"an equation begins with a value and an arrow, unlike {text}")

    def __str__(self) -> str:
        if self.spelled is not None:
            return self.spelled
        text = " ".join(term.typed or term.symbol for term in self.terms)
        for sign, keys in KEYBOARD.items():
            text = text.replace(sign, keys)
        return text

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The terms, left to right."""
        known = {term.symbol: term for term in (*COMMON, *self.own)}
        words: list[str] = []
        rest = self.symbols.strip()
        while rest:
            fits = (symbol for symbol in known if f"{rest} ".startswith(f"{symbol} "))
            words.append(max(fits, key=len, default=rest.split(" ", 1)[0]))
            rest = rest[len(words[-1]) :].lstrip()
        return tuple(self._term(place, words, known) for place in range(len(words)))

    @staticmethod
    def _term(place: int, words: list[str], known: Mapping[str, Term]) -> Term:
        word = words[place]
        held = known.get(word, Term(word))
        if word == words[0]:
            return replace(held, role=TermRole.OLD if place else TermRole.NEW)
        if held.option and not held.variable and held.looks_at is None:
            return replace(held, role=TermRole.DISCOUNT)
        if word in known:
            return held
        if word in SIGNS or FLOOR.fullmatch(word):
            return replace(held, role=TermRole.SIGN)
        if word in NUMBERS or re.fullmatch(r"\d*\.?\d+", word):
            return replace(held, role=TermRole.NUMBER)
        return replace(held, variable=word if word.isidentifier() else "")

    @cached_property
    def kind(self) -> TargetKind:
        """What the target reads; by default, the end of the game."""
        kinds = (term.looks_at for term in self.terms if term.looks_at is not None)
        return next(kinds, TargetKind.END)

    @cached_property
    def read(self) -> tuple[Term, ...]:
        """The terms that the target reads, without rewards and factors; with traces δ."""
        return tuple(term for term in self.terms if term.role in (TermRole.READ, TermRole.ERROR))

    @cached_property
    def is_composed(self) -> bool:
        """Whether the target is computed from several numbers, or from one by its form."""
        given = TermRole.NEW, TermRole.OLD, TermRole.STEP
        parts = [term for term in self.terms if term.is_number and term.role not in given]
        return "[" in self.symbols and (len(parts) > 1 or any(one.form != "{}" for one in parts))

    @cached_property
    def floor(self) -> int | None:
        """The number below which the new value never falls."""
        found = (FLOOR.fullmatch(term.symbol) for term in self.terms)
        return next((int(match[1]) for match in found if match), None)

    @cached_property
    def variables(self) -> frozenset[str]:
        """The variables of the rule's code with its numbers."""
        return frozenset(term.variable for term in self.terms if term.variable)


UNDECLARED: Final = Equation("V(Sₜ) ← V(Sₜ) + α [ target − V(Sₜ) ]", spelled="")
"""The equation of a rule that declares none."""
