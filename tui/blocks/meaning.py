"""The meaning of numbers, kept in their text: one selection marks a number everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from afterstate_lab.tui.blocks.block import Block
from afterstate_lab.tui.blocks.span import Line, Meant, Pen, Piece, fit, meaning_of, on


class Role(Enum):
    """The role of a number in the current update."""

    OLD = "old"
    NEW = "new"
    READ = "read"
    """What the backup reads."""
    ENTRY = "entry"
    """The value of any other entry."""
    MEAN = "mean"
    """The mean of a learner's two tables, which ranks moves."""
    REWARD = "reward"
    TARGET = "target"
    """The whole target, of a rule that declares no parts."""
    ERROR = "error"
    STEP = "step"
    DISCOUNT = "discount"
    TRACE = "trace"
    BEADS = "beads"


HELD: Final = (Role.NEW, Role.OLD, Role.REWARD, Role.READ, Role.ENTRY)
"""The roles of an entry, with its current value first."""


class Quantity(NamedTuple):
    """The identity of a number, equal wherever it is shown."""

    role: Role
    entry: int = -1
    """Index into memory; -1 for a computed number."""


POINTER: Final = "›"
"""Marks the selection if colours and underlines are missing."""


@dataclass(frozen=True, kw_only=True)
class Selectable(Block):
    chosen: Quantity | None = None

    def quantities(self) -> Iterator[Quantity | None]:
        """Yield the meanings of its numbers, in reading order."""
        yield from ()

    def say(self) -> Iterator[str]:
        yield from ()

    def has(self, *means: Quantity | None) -> bool:
        return self.chosen is not None and self.chosen in means

    def role(self, role: str, *means: Quantity | None) -> str:
        """Return a role of text with a meaning; the selection is underlined."""
        return Meant(f"picked {role}" if self.has(*means) else role, means)

    def pointer(self, pen: Pen, pointed: bool) -> Piece:
        """Return the pointer's column before a row or a number."""
        return (pen.glyphs.text(POINTER) if pointed else " ", "key")

    def points_at(self, about: tuple[int, ...]) -> bool:
        """Return whether a row with these entries contains the selection."""
        return self.chosen is not None and self.chosen.entry >= 0 and self.chosen.entry in about

    def number(self, pen: Pen, text: str, columns: int, role: str, means: Quantity | None) -> Line:
        """Return a number in its column; only the number itself is underlined."""
        text = pen.glyphs.text(text)
        return (text, self.role(role, means)), (" " * (columns - len(text)), Meant(role, (means,)))

    def row(self, line: Line, columns: int, means: Quantity | None, *, lit: bool) -> Line:
        """Return a row with its own meaning; its pieces keep theirs."""
        whole = about(fit(line, columns), means)
        return on(whole, "selection") if lit else whole


def about(line: Line, means: Quantity | None) -> Line:
    return tuple((text, role if meaning_of(role) else Meant(role, (means,))) for text, role in line)


def means_at(line: Line, x: int) -> Quantity | None:
    """Return the meaning of the text in a column of a line."""
    for text, role in line:
        if x < len(text):
            return next((one for one in meaning_of(role) if isinstance(one, Quantity)), None)
        x -= len(text)
    return None


def resolved(chosen: Quantity | None, quantities: Sequence[Quantity]) -> Quantity | None:
    """Return the selected quantity among those on screen.

    A quantity of the formula is selected again as soon as it appears, None until then. An entry
    that is not on screen stays selected.
    """
    if chosen is None or chosen in quantities or chosen.role is Role.MEAN:
        return chosen
    if chosen.role is Role.ENTRY:
        same = [one for one in quantities if one.entry == chosen.entry and one.role in HELD]
        return min(same, key=lambda one: HELD.index(one.role), default=chosen)
    return next((one for one in quantities if one.role is chosen.role), None)


def following(
    selected: Quantity | None, quantities: Sequence[Quantity], by: int
) -> Quantity | None:
    """Return the quantity `by` positions further; beyond the ends is none."""
    stops = (None, *quantities)
    at = stops.index(selected) if selected in stops else 0
    return stops[(at + by) % len(stops)]
