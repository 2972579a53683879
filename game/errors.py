"""What can be wrong with a board or a move, as exceptions of one clear sentence."""

from typing import Final

SHOWN: Final = 24
"""Characters of a wrong text that a message quotes at most."""
TOLD_DIGITS: Final = 12
"""Digits of a wrong number that a message tells at most, or one more."""
LARGEST_TOLD: Final = 10**TOLD_DIGITS
LOG10_OF_2: Final = 0.30103


class InvalidBoardError(ValueError):
    """A text, code or id that is no position reachable by legal play."""


class IllegalMoveError(ValueError):
    """A move that the rules do not allow: taken cell, off the board, or the game is over."""


def shorten(number: int) -> str:
    """`number` as it may be printed, cut short when it is long: Python prints no endless one."""
    if abs(number) < LARGEST_TOLD:
        return f"{number}"
    cut = int(number.bit_length() * LOG10_OF_2) - TOLD_DIGITS
    return f"{'-' if number < 0 else ''}{abs(number) // 10**cut}..."


def quoted(text: str) -> str:
    """`text` in quotes with its control characters escaped, cut short when it is long."""
    if len(text) <= SHOWN:
        return repr(text)
    return f"{text[:SHOWN]!r}..."
