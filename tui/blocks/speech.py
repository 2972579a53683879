"""Text for speech: signs become words, and every line is ASCII."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from typing import Final

from afterstate_lab.game import Board
from afterstate_lab.learners.errors import printable
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.theme.glyphs import ASCII
from afterstate_lab.tui.theme.numerals import decimals

WIDTH: Final = 79
"""Number of columns of a line."""
_DIGITS: Final = {0x2080 + digit: str(digit) for digit in range(10)}
_SIGNS: Final = str.maketrans(
    {
        "α": "alpha", "γ": "gamma", "δ": "delta", "ε": "epsilon", "λ": "lambda", "π": " pi",
        "ₜ": "t", "ₙ": "n", "₊": "+", "′": " prime", "*": " star",
        "→": " to ", "−": "minus ", "–": " to ", "½": "a half", "≥": "not below", "<": "below",
        "…": "...", "←": " becomes ", "±": "plus or minus", "Σ": "sum of", "—": "unknown",
        "≠": "differs from",
    }
) | dict.fromkeys(map(ord, "█▒░─▁»"))  # fmt: skip
"""The words for a sign; nothing for bars and pointers."""
_VALUE: Final = re.compile(r"\b([VQ])([₀-₉]*)\(([^()]+)\)")
_MARKED: Final = re.compile(r"\b([XO])→([1-9])")
_LETTER: Final = re.compile(r"([αγδελ])(?=[.\d])")
_DIFFERENCE: Final = re.compile(r"(?<=[\w)])−")
"""A minus between two quantities."""
_BOARD: Final = re.compile(r"([XO·1-9]{3})│([XO·1-9]{3})│([XO·1-9]{3})")
"""A board drawn in a row."""
_NUMBERED: Final = re.compile(r"\b([SQ])([₀-₉ₜₙ₊]+)")


def spoken(text: str) -> str:
    """Return a text in words: `V(S₁) → .5` is `V of S 1 to .5`."""
    text = text.replace(" <- ", " ← ")  # as it is typed
    text = text.replace("v*", "the exact value").replace("vπ", "the value under current play")
    text = _MARKED.sub(r"\1 marking \2", text)
    text = _VALUE.sub(lambda m: f"{m[1]} {m[2]} of {m[3].replace(',', ' and ')}", text)
    text = _BOARD.sub(lambda m: row_words(m[1] + m[2] + m[3]), text)
    text = _NUMBERED.sub(r"\1 \2", text)
    text = _LETTER.sub(r"\1 ", _DIFFERENCE.sub(" −", text))
    return " ".join(text.translate(_SIGNS).translate(_DIGITS).split())


def joined(words: Words) -> str:
    """Return words without their roles."""
    return words if isinstance(words, str) else "".join(text for text, _ in words)


def figure(value: float | None, places: int = 4) -> str:
    """Return a number without insignificant zeros: `.94`, `1`, `minus .017`."""
    return trimmed(decimals(value, places))


def trimmed(number: str) -> str:
    """Return a formatted number in words, without trailing zeros."""
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    return spoken(number) if number.strip("−") else "0"


def plain(text: str) -> str:
    """Return any text in printable ASCII."""
    return ASCII.text(printable(text)).encode("ascii", "backslashreplace").decode()


def lines_of(text: str) -> list[str]:
    """Return a text in lines that fit a terminal."""
    line = plain(text)
    if len(line) <= WIDTH:
        return [line]
    return textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False)


def listed(cells: Iterable[int], joint: str = "and") -> str:
    """Return cells (0-8) as numbers from 1: `5`, `1 and 3`, `1, 3 and 7`."""
    names = [str(cell + 1) for cell in cells]
    return f" {joint} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def board_words(board: Board | str) -> str:
    """Return the cells of each side (also of nine characters): `X has 1 and 5, O has 3.`"""
    told = marks_of(str(board), "has")
    return f"{', '.join(told)}." if told else "The board is empty."


def row_words(board: str) -> str:
    """Return a board drawn in a row: `X on 1 and 5, O on 3, move 2`."""
    told = marks_of(board, "on") or ["the empty board"]
    return ", ".join([*told, *(f"move {cell}" for cell in board if cell.isdecimal())])


def marks_of(board: str, verb: str) -> list[str]:
    cells = {mark: [cell for cell in range(9) if board[cell] == mark] for mark in "XO"}
    return [f"{mark} {verb} {listed(own)}" for mark, own in cells.items() if own]
