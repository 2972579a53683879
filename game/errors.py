"""Errors in a board or a move; each message is one clear sentence."""

from typing import Final

SHOWN: Final = 24
"""Maximum number of characters of a wrong text in a message."""
SHOWN_DIGITS: Final = 12
"""Maximum number of digits of a wrong number in a message, or one more."""
LARGEST_SHOWN: Final = 10**SHOWN_DIGITS
LOG10_OF_2: Final = 0.30103


class InvalidBoardError(ValueError):
    """A text, code or id that is no position reachable by legal play."""


class IllegalMoveError(ValueError):
    """A move that the rules do not allow: taken cell, off the board, or the game is over."""


def shorten(number: int) -> str:
    """`number` as text, cut if it is long: Python refuses to print thousands of digits."""
    if abs(number) < LARGEST_SHOWN:
        return f"{number}"
    cut = int(number.bit_length() * LOG10_OF_2) - SHOWN_DIGITS
    return f"{'-' if number < 0 else ''}{abs(number) // 10**cut}..."


def quoted(text: str) -> str:
    """`text` in quotes, with control characters escaped, cut if it is long."""
    if len(text) <= SHOWN:
        return repr(text)
    return f"{text[:SHOWN]!r}..."
