"""What can be wrong with a board or a move, as exceptions of one clear sentence."""

from typing import Final

SHOWN: Final = 24
"""Characters of a wrong text that a message quotes at most."""


class InvalidBoardError(ValueError):
    """A text, code or id that is no position reachable by legal play."""


class IllegalMoveError(ValueError):
    """A move that the rules do not allow: taken cell, off the board, or the game is over."""


def quoted(text: str) -> str:
    """`text` in quotes with its control characters escaped, cut short when it is long."""
    if len(text) <= SHOWN:
        return repr(text)
    return f"{text[:SHOWN]!r}..."
