"""Reading a breakpoint's condition from text; see `learners.queries.conditions`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Final

from game import Board, InvalidBoardError
from learners.errors import ConditionError, shown
from learners.queries.condition_atoms import (
    Change,
    Ended,
    Error,
    Exploratory,
    FirstVisit,
    Flip,
    Games,
    Wrote,
)
from learners.queries.conditions import Condition

LONGEST: Final = 400
"""Maximum number of characters."""
DEEPEST: Final = 20
"""Maximum depth of parentheses."""
TOKEN: Final = re.compile(r"[()]|[^\s()]+")
WHAT: Final = (
    "a condition is error > .3, change, wrote X ....X...., flip, flip X....O..., exploratory,"
    " first visit, X loses, O loses, draw or game 424, joined by and, or"
)


def parse(text: str) -> Condition:
    """Read a condition; see `learners.queries.conditions`.

    Raises:
        ConditionError: the text is no condition.
    """
    if len(text) > LONGEST:
        raise ConditionError(f"a condition is at most {LONGEST} characters long")
    if not text.isprintable():
        raise ConditionError(f"a condition has printable characters only, unlike {shown(text)}")
    reader = ConditionReader(TOKEN.findall(text))
    condition = reader.alternatives()
    if reader.next:
        raise ConditionError(f"{shown(reader.next)} is one parenthesis too many")
    condition.ways()
    return condition


class ConditionReader:
    """Reads the words of a condition from left to right; `and` binds more tightly than `or`."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    @property
    def next(self) -> str:
        """The next word; empty at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def take(self) -> str:
        """Read the next word."""
        self._at += 1
        return self._tokens[self._at - 1]

    def alternatives(self) -> Condition:
        """Conditions joined by `or`."""
        found = self.conjunction()
        while self.next.lower() == "or":
            self.take()
            found = found | self.conjunction()
        return found

    def conjunction(self) -> Condition:
        """Conditions joined by `and`."""
        found = self.part()
        while self.next.lower() == "and":
            self.take()
            found = found & self.part()
        return found

    def part(self) -> Condition:
        """A single condition, or one in parentheses."""
        if self.next == "(":
            self.take()
            self._depth += 1
            if self._depth > DEEPEST:
                raise ConditionError(f"a condition has at most {DEEPEST} parentheses in each other")
            found = self.alternatives()
            self._depth -= 1
            if self.next != ")":
                raise ConditionError("a parenthesis is opened and not closed")
            self.take()
            return found
        words = []
        while self.next and self.next not in "()" and self.next.lower() not in ("and", "or"):
            words.append(self.take())
        return atom(" ".join(words))


def atom(text: str) -> Condition:
    """A condition without `and` and `or`.

    Raises:
        ConditionError: the text is no condition.
    """
    for pattern, read in ATOMS:
        match = pattern.fullmatch(text)
        if match is not None:
            return read(*match.groups())
    raise ConditionError(f"{shown(text)} is no condition: {WHAT}" if text else WHAT)


def error_above(number: str) -> Condition:
    """`error > x`."""
    try:
        above = float(number)
    except ValueError:
        above = -1.0
    if not (math.isfinite(above) and above >= 0.0):
        raise ConditionError(f"error > {shown(number)} will not do: a number from 0 is needed")
    return Error(above)


def position(text: str) -> Board:
    try:
        return Board.parse(text)
    except InvalidBoardError as error:
        raise ConditionError(str(error).removesuffix(".")) from None


def wrote(player: str, board: str, cell: str | None) -> Condition:
    """`wrote X board` or `wrote X board@cell`."""
    found = position(board)
    if cell is None:
        return Wrote(player.upper(), found.id)
    if not cell.isascii() or not cell.isdigit() or int(cell) - 1 not in found.legal_cells:
        raise ConditionError(f"cell {shown(cell)} cannot be marked on {found}: it must be free")
    return Wrote(player.upper(), found.id, int(cell) - 1)


def ended(player: str, how: str) -> Condition:
    """`X loses`, also written `O wins`."""
    x_loses = (player.upper() == "X") == (how.lower() == "loses")
    return Ended("X loses" if x_loses else "O loses")


def games(first: str, last: str | None) -> Condition:
    """`game n` or `game n..m`, counted from 1."""
    low, high = (int(n.replace(",", "").replace("_", "")) for n in (first, last or first))
    if low < 1:
        raise ConditionError("there is no game 0: games are counted from 1")
    if high < low:
        raise ConditionError(f"game {low}..{high} are none: the first number must be the smaller")
    return Games(low - 1, high - 1)


Read = Callable[..., Condition]
NUMBER: Final = r"([0-9][0-9_,]{0,20})"


def written(pattern: str) -> re.Pattern[str]:
    """A notation in ASCII letters of either case (in Unicode, ſ would match s)."""
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


ATOMS: Final[tuple[tuple[re.Pattern[str], Read], ...]] = (
    (written(r"(?:error|\|?(?:δ|Δ|delta)\|?) ?> ?(\S+)"), error_above),
    (written(r"wrote ([XO]) ([^@ ]+)(?:@(\S+))?"), wrote),
    (written(r"change"), Change),
    (written(r"flip"), Flip),
    (written(r"flip (\S+)"), lambda board: Flip(position(board).id)),
    (written(r"exploratory"), Exploratory),
    (written(r"first visit"), FirstVisit),
    (written(r"([XO]) (loses|wins)"), ended),
    (written(r"draw"), lambda: Ended("draw")),
    (written(rf"game {NUMBER}(?:\.\.{NUMBER})?"), games),
)
