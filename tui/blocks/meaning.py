"""What a number stands for, and text that knows it: one selection marks it wherever it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from afterstate_lab.tui.blocks.block import Block
from afterstate_lab.tui.blocks.span import Line, Meant, Pen, Piece, meaning_of


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
        """What its numbers stand for, in the order in which they are read."""
        yield from ()

    def say(self) -> Iterator[str]:
        yield from ()

    def role(self, role: str, *means: Quantity | None) -> str:
        """A role of text that means something; what is selected is underlined."""
        is_chosen = self.chosen is not None and self.chosen in means
        return Meant(f"picked {role}" if is_chosen else role, means)

    def pointer(self, pen: Pen, pointed: bool) -> Piece:
        """The column before a row or a number."""
        return (pen.glyphs.text(POINTER) if pointed else " ", "key")

    def points_at(self, about: tuple[int, ...]) -> bool:
        """Whether a row with these entries tells of what is selected."""
        return self.chosen is not None and self.chosen.entry >= 0 and self.chosen.entry in about

    def number(self, pen: Pen, text: str, columns: int, role: str, means: Quantity | None) -> Line:
        """A number in its column; only the number itself is underlined."""
        text = pen.glyphs.text(text)
        return (text, self.role(role, means)), (" " * (columns - len(text)), Meant(role, (means,)))


def about(line: Line, means: Quantity | None) -> Line:
    """A line that stands for something as a whole, besides what its pieces mean themselves."""
    return tuple((text, role if meaning_of(role) else Meant(role, (means,))) for text, role in line)


def means_at(line: Line, x: int) -> Quantity | None:
    """What the text in a column of a line stands for."""
    for text, role in line:
        if x < len(text):
            return next((one for one in meaning_of(role) if isinstance(one, Quantity)), None)
        x -= len(text)
    return None
