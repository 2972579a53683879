"""What a number stands for, and text that knows it: one selection marks it wherever it is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from afterstate_lab.tui.blocks.block import Block
from afterstate_lab.tui.blocks.span import Line, Meant, Pen, Piece, fit, meaning_of, on


class Role(Enum):
    """What a number is in the update that is looked at."""

    OLD = "old"
    """What the entry that is backed up held before."""
    NEW = "new"
    """What is written there."""
    READ = "read"
    """What the backup looks at."""
    ENTRY = "entry"
    """What any other entry of the memory holds."""
    MEAN = "mean"
    """The mean of a learner's two tables, by which moves are ranked."""
    REWARD = "reward"
    """What the result is worth."""
    TARGET = "target"
    """What the entry is moved towards, where more is in it than what was read."""
    ERROR = "error"
    """The TD error."""
    CHANGE = "change"
    """New minus old."""
    STEP = "step"
    """The step size."""
    DISCOUNT = "discount"
    """The discount rate."""
    TRACE = "trace"
    """How much of the error reaches the entry."""
    BEADS = "beads"
    """How many beads a result moves."""


HELD: Final = (Role.NEW, Role.OLD, Role.REWARD, Role.READ, Role.ENTRY)
"""What an entry can be; the value that it holds now comes first."""


class Quantity(NamedTuple):
    """One number; equal quantities are the same number, wherever they are shown."""

    role: Role
    entry: int = -1
    """Index into memory; -1 for what is worked out and stored nowhere."""


class Value(NamedTuple):
    """A number with its name."""

    label: str
    value: float | None
    role: str
    quantity: Quantity | None = None
    places: int = 9
    """Most decimals."""


POINTER: Final = "›"
"""Stands before what is selected: it is read where colours and underlines are not."""


@dataclass(frozen=True, kw_only=True)
class Selectable(Block):
    """A block whose numbers can be selected."""

    chosen: Quantity | None = None

    def quantities(self) -> Iterator[Quantity | None]:
        """Yield what its numbers stand for, in the order in which they are read."""
        yield from ()

    def say(self) -> Iterator[str]:
        yield from ()

    def has(self, *means: Quantity | None) -> bool:
        """Return whether one of these is selected."""
        return self.chosen is not None and self.chosen in means

    def role(self, role: str, *means: Quantity | None) -> str:
        """Return a role of text that means something; what is selected is underlined."""
        return Meant(f"picked {role}" if self.has(*means) else role, means)

    def pointer(self, pen: Pen, pointed: bool) -> Piece:
        """Return the column before a row or a number."""
        return (pen.glyphs.text(POINTER) if pointed else " ", "key")

    def points_at(self, about: tuple[int, ...]) -> bool:
        """Return whether a row with these entries tells of what is selected."""
        return self.chosen is not None and self.chosen.entry >= 0 and self.chosen.entry in about

    def number(self, pen: Pen, text: str, columns: int, role: str, means: Quantity | None) -> Line:
        """Return a number in its column; only the number itself is underlined."""
        text = pen.glyphs.text(text)
        return (text, self.role(role, means)), (" " * (columns - len(text)), Meant(role, (means,)))

    def row(self, line: Line, columns: int, means: Quantity | None, *, lit: bool) -> Line:
        """Return a row that stands for something besides what its pieces mean themselves."""
        whole = about(fit(line, columns), means)
        return on(whole, "selection") if lit else whole


def about(line: Line, means: Quantity | None) -> Line:
    return tuple((text, role if meaning_of(role) else Meant(role, (means,))) for text, role in line)


def means_at(line: Line, x: int) -> Quantity | None:
    """Return what the text in a column of a line stands for."""
    for text, role in line:
        if x < len(text):
            return next((one for one in meaning_of(role) if isinstance(one, Quantity)), None)
        x -= len(text)
    return None


def resolved(chosen: Quantity | None, quantities: Sequence[Quantity]) -> Quantity | None:
    """Return the quantity that is selected at a place, of those that are shown there.

    What has a name in the formula is selected again as soon as there is such a quantity, None until
    then. An entry that is not shown here stays selected.
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
    """Return the quantity so many places on; past the last and before the first lies none."""
    stops = (None, *quantities)
    at = stops.index(selected) if selected in stops else 0
    return stops[(at + by) % len(stops)]
