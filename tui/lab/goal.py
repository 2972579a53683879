"""How long to train, as a user says it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from learners.training import Goal

LARGEST_TRAINING: Final = 10**9
"""Games."""


def goal_of(text: str) -> Goal | None:
    """The goal that a user typed: `20000`, `100k`, `1m` or `unbeatable`."""
    from learners.training import Goal

    word = text.strip().lower().replace(",", "").replace("_", "")
    if word and "unbeatable".startswith(word):
        return Goal(LARGEST_TRAINING, until_unbeatable=True)
    factor = {"k": 1_000, "m": 1_000_000}.get(word[-1:], 1)
    digits = word[:-1] if factor > 1 else word
    if not digits.isascii() or not digits.isdigit() or len(digits) > 10:
        return None
    games = int(digits) * factor
    return Goal(games) if 1 <= games <= LARGEST_TRAINING else None
