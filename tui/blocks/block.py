"""Blocks, what their numbers mean, and how a page lays them out.

Everything on screen is a function of the state: the page is made again after every key, and after
work in a thread. Only a block knows how to draw itself and how to read itself out. The meaning of a
number is kept in its text: one selection marks it everywhere.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.rules.equation import TermRole
from afterstate_lab.tui.blocks.span import Line, Pen, Words, fit, frame

NO_END = 10_000
SMALLEST = 4
"""Minimum number of rows of a block, frame included; otherwise it is hidden."""


class Room(NamedTuple):
    """The rows that a block can use, without its frame."""

    least: int = 1
    most: int = NO_END
    share: float = 0.0
    """A minimum as a share of its stack, if it can use that much."""

    def of(self, whole: int) -> int:
        """Return what it takes of a number of rows or columns."""
        return max(self.least, min(self.most, int(whole * self.share)))


@lean_dataclass(kw_only=True)
class Block(ABC):
    """A framed part of a page."""

    title: Words = ""
    right: Words = ""
    footer: Words = ""
    rank: int = 0
    """The lowest rank in a stack gets its rows first; the highest gives way first."""
    least_columns: int = 20
    """Minimum number of columns, frame included."""
    height: Room | None = None
    """A fixed number of rows, frame included."""
    width: Room | None = None
    """A fixed number of columns next to other parts."""
    spot: bool = False
    """Whether its frame is lit by a lesson."""
    is_asked: bool = False
    """Whether it is read out only when asked for."""
    clicked: Callable[[Any], Any] | None = None
    """What a click on a row does, as a key, besides selecting it."""
    framed: ClassVar[bool] = True
    needs: ClassVar[Room] = Room()
    """Its room, unless that depends on what it shows."""

    @abstractmethod
    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        """Return at most `rows` lines of `columns`, without the frame."""

    @abstractmethod
    def say(self) -> Iterator[str]:
        """Yield it as sentences."""

    def foot(self, columns: int, rows: int, pen: Pen) -> Words:
        return self.footer

    def room(self, columns: int, pen: Pen) -> Room:
        return self.needs

    def wide(self, columns: int) -> int:
        """Return the columns that it takes, frame included."""
        return columns

    @property
    def window(self) -> Window | None:
        """The window that the arrow keys move."""
        return None

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        """Return the row at a point within the frame."""
        return None

    def choose(self, row: int) -> Any:
        """Select a row that is clicked, and do what a click does, as a key."""
        if self.window is not None:
            self.window.cursor = row
        return None if self.clicked is None else self.clicked(row)


@lean_dataclass(frozen=False)
class Window:
    """The selected row of a list, and the first visible row. It outlives pages."""

    cursor: int = 0
    top: int = 0
    count: int = 0
    height: int = 1

    def hold(self, count: int) -> None:
        """Set the number of rows; the maker of a page calls it, since a page need not be drawn."""
        self.count = count
        self.move(0)

    def fit(self, count: int, height: int) -> range:
        """Return the visible rows; a cursor that leaves them comes to their middle."""
        self.hold(count)
        self.height = max(1, height)
        if not self.top <= self.cursor < self.top + self.height:
            self.top = self.cursor - self.height // 2
        self.top = min(max(self.top, 0), max(0, count - self.height))
        return range(self.top, min(self.top + self.height, count))

    def move(self, by: int) -> None:
        self.cursor = min(max(self.cursor + by, 0), max(0, self.count - 1))

    def turn(self, pages: int) -> None:
        by = pages * max(1, self.height - 1)
        self.top = min(max(self.top + by, 0), max(0, self.count - self.height))
        self.move(by)


@lean_dataclass
class Stack:
    """Parts from top to bottom."""

    parts: Sequence[Part]


@lean_dataclass
class Beside:
    """Parts from left to right: each as wide as it can use, the last with the rest.

    The last parts are hidden if there is no room for everyone's minimum.
    """

    parts: Sequence[Part]


Part = Block | Stack | Beside


def leaves(part: Part) -> Iterator[Block]:
    if isinstance(part, Block):
        yield part
    else:
        for one in part.parts:
            yield from leaves(one)


class Place(NamedTuple):
    """A block's rectangle, frame included."""

    block: Block
    x: int
    y: int
    columns: int
    rows: int

    def row_at(self, x: int, y: int) -> int | None:
        """Return the block's row at a point of the page; a frame has none."""
        x, y, columns, rows = x - self.x - 1, y - self.y - 1, self.columns - 2, self.rows - 2
        is_inside = 0 <= x < columns and (not self.block.framed or 0 <= y < rows)
        return self.block.row_at(x, y, columns, rows) if is_inside else None


def placed(
    part: Part, columns: int, rows: int, pen: Pen, x: int = 0, y: int = 0
) -> Iterator[Place]:
    """Yield every block with its rectangle; a block without room is hidden."""
    if isinstance(part, Block):
        if columns > 4 and rows > (2 if part.framed else 0):
            yield Place(part, x, y, columns, rows)
    elif isinstance(part, Beside):
        parts = list(part.parts)
        while len(parts) > 1 and sum(map(least_columns, parts)) > columns:
            parts.pop()
        whole, left = columns, sum(map(least_columns, parts))
        for n, one in enumerate(parts):
            left -= least_columns(one)
            is_last = n == len(parts) - 1
            own = columns if is_last else min(columns - left, wide(one, whole, columns - left))
            yield from placed(one, own, rows, pen, x, y)
            x, columns = x + own, columns - own
    else:
        rooms = [room(one, columns, pen) for one in part.parts]
        ranks = [min((block.rank for block in leaves(one)), default=0) for one in part.parts]
        for one, own in zip(part.parts, shared(rooms, ranks, rows), strict=True):
            yield from placed(one, columns, own, pen, x, y)
            y += own


def least_columns(part: Part) -> int:
    return max(block.least_columns for block in leaves(part))


def wide(part: Part, whole: int, free: int) -> int:
    """Return the columns that a part takes of a row."""
    first = next(leaves(part))
    if first.width is not None:
        return first.width.of(whole)
    return part.wide(free) if isinstance(part, Block) else free


def room(part: Part, columns: int, pen: Pen) -> Room:
    if isinstance(part, Block):
        if part.height is not None:
            return part.height
        least, most, share = part.room(columns - 2, pen)
        return Room(least + 2, most + 2, share) if part.framed else part.room(columns, pen)
    rooms = [room(one, columns, pen) for one in part.parts]
    together = max if isinstance(part, Beside) else sum
    share = max(one.share for one in rooms) if isinstance(part, Beside) else 0.0
    most = min(NO_END, together(one.most for one in rooms))
    return Room(together(one.least for one in rooms), most, share)


def shared(rooms: Sequence[Room], ranks: Sequence[int], rows: int) -> list[int]:
    """Divide rows: the minimum and share of each, then what it can use, by rank.

    A part without room for a frame and a row gets none; the rest goes to the last.
    """
    order = sorted(range(len(rooms)), key=ranks.__getitem__)
    given = [0] * len(rooms)
    left = rows
    for n in order:
        given[n] = min(left, rooms[n].of(rows))
        if given[n] < min(rooms[n].least, SMALLEST):
            given[n] = 0
        left -= given[n]
    shown = [n for n in order if given[n]]
    for n in shown:
        more = min(left, max(0, rooms[n].most - given[n]))
        given[n] += more
        left -= more
    if shown:
        given[shown[-1]] += left
    return given


def pasted(places: Iterator[Place] | Sequence[Place], rows: int, pen: Pen) -> list[Line]:
    """Return blocks in their frames; adjacent blocks come from left to right."""
    lines: list[Line] = [()] * rows
    for block, _, y, columns, high in places:
        if block.framed:
            body = block.draw(columns - 2, high - 2, pen)
            foot = block.foot(columns - 2, high - 2, pen)
            framed = frame(
                pen, columns, high, block.title, block.right, body, footer=foot, focused=block.spot
            )
        else:
            framed = [fit(line, columns) for line in block.draw(columns, high, pen)]
        for row, line in enumerate(framed, y):
            lines[row] = (*lines[row], *line)
    return lines


class Quantity(NamedTuple):
    """The identity of a number, equal wherever it is shown."""

    role: TermRole
    entry: int = -1
    """Index into memory; -1 for a computed number."""


POINTER: Final = "›"
"""Marks the selection if colours and underlines are missing."""


def following(
    selected: Quantity | None, quantities: Sequence[Quantity], by: int
) -> Quantity | None:
    """Return the quantity `by` positions further; beyond the ends is none."""
    stops = (None, *quantities)
    at = stops.index(selected) if selected in stops else 0
    return stops[(at + by) % len(stops)]
