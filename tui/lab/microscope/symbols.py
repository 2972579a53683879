"""The symbols of the update rules: how a rule's equation falls into terms, and where each looks."""

from __future__ import annotations

from enum import Enum
from typing import Final

from learners.rules.base import Rule

PREFIXES: Final = frozenset({"max", "Σ"})
"""Words that belong to the term after them."""
SIGNS: Final = frozenset({"←", "+", "−", "[", "]", ")", "max(0,", "max(1,"})
"""Terms that stand for no number."""


class Look(Enum):
    """What a backup looks at."""

    NEXT = "next"
    """The player's next afterstate."""
    END = "end"
    """The result of the game."""
    HORIZON = "horizon"
    """The n-th afterstate from there, or the last before that which counts."""
    TRACE = "trace"
    """The newest afterstate, weighted by a trace."""
    REPLY = "reply"
    """The opponent's best reply."""
    TURN = "turn"
    """The moves at the player's next turn."""


LOOKS: Final = {
    "V(Sₜ₊₁)": Look.NEXT,
    "target": Look.NEXT,
    "G": Look.END,
    "V(Sₜ₊ₙ)": Look.HORIZON,
    "z(s)": Look.TRACE,
    "½+γ(½−max V(s′))": Look.REPLY,
    "1−max V(s′)": Look.REPLY,
    "max Q(S′,a)": Look.TURN,
    "Q(S′,A′)": Look.TURN,
    "Σ π(a)Q(S′,a)": Look.TURN,
    "Q₂(S′,a*)": Look.TURN,
}
"""By the term that looks there."""


def terms_of(rule: type[Rule]) -> tuple[str, ...]:
    """The terms of a rule's equation, left to right."""
    terms: list[str] = []
    start = ""
    for word in rule.symbols.split(" "):
        if word in PREFIXES or word.endswith("−max"):
            start += word + " "
        else:
            terms.append(start + word)
            start = ""
    return tuple(terms)


def look_of(terms: tuple[str, ...]) -> Look:
    """What an equation looks at; beads look at the end of the game."""
    return next((LOOKS[term] for term in terms if term in LOOKS), Look.END)


def is_target(term: str) -> bool:
    """Whether a term is read from what the backup looks at."""
    return term in LOOKS and term != "z(s)"


def subscript(number: int) -> str:
    """A number as subscript digits."""
    return "".join(chr(0x2080 + int(digit)) for digit in str(number))
