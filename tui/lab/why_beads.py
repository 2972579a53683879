"""Why a colour has as many beads as it has: what it began with, and what each result moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tui.theme.numerals import signed
from tui.views.words import Words

if TYPE_CHECKING:
    from learners.queries.beads import BeadSum

BAR: Final = 40
"""Columns of the longest bar."""


def bead_parts(found: BeadSum, player: str) -> list[tuple[str, str, float]]:
    """The terms of the sum: what it is, its role, the beads."""
    other = "O" if player == "X" else "X"
    refill = found.refill
    began = "a new box" if refill is None else f"the refill in game {refill.game + 1:,}"
    told = [(began, "dim", found.start)]
    for word, role, result in (
        ("won", "better", player),
        ("drawn", "text", "draw"),
        ("lost", "worse", other),
    ):
        many = found.games[result]
        if many:
            games = f"{many:,} game{'s' * (many != 1)}"
            told.append((f"{games} {word}", role, found.moved[result]))
    return told


def bead_lines(found: BeadSum, player: str) -> tuple[Words, ...]:
    """A bar for each term, and how often the box was filled anew."""
    told = bead_parts(found, player)
    most = max(1.0, *(abs(beads) for _, _, beads in told))
    lines: list[Words] = [
        (
            (f"{name:<24}", "text"),
            (f"{signed(beads, 0) if at else f'{beads:,.0f}':>9} ", "strong"),
            ("▇" * round(BAR * abs(beads) / most), role),
        )
        for at, (name, role, beads) in enumerate(told)
    ]
    return (*lines, ((bead_note(found), "dim"), ("", "dim")))


def bead_note(found: BeadSum) -> str:
    """What is to be said of what is no longer in the sum."""
    if not found.refills:
        return "beads are a sum, no mean: what came first counts like what came last"
    times = "once" if found.refills == 1 else f"{found.refills:,} times"
    return f"filled anew {times}: what was in the box before is gone"


def bead_sentences(found: BeadSum, player: str) -> list[str]:
    """The same in sentences."""
    told = [
        f"{signed(beads, 0) if at else f'{beads:,.0f}'} from {name}"
        for at, (name, _, beads) in enumerate(bead_parts(found, player))
    ]
    note = bead_note(found)
    beads = f"{found.beads:,.0f} bead{'s' * (found.beads != 1)}"
    return [f"{beads}: {', '.join(told)}.", f"{note[:1].upper()}{note[1:]}."]
