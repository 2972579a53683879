"""How numbers are written: without the leading zero, as in the book's tables, and aligned."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite

NONE = "—"
"""Stands for a number that is not known."""


def bare(text: str) -> str:
    """Return a number without the zero before its point: `.5`, `0`, `10`."""
    return text[text.startswith("0.") :]


def _fixed(number: float, places: int) -> str:
    """Return the digits of a number, without its sign and the leading zero."""
    return bare(f"{abs(number):.{places}f}")


def _with_sign(number: float, digits: str, plus: str = "") -> str:
    return f"−{digits}" if number < 0 and digits.strip(".0") else f"{plus}{digits}"


def decimals(value: float | None, places: int = 3) -> str:
    """`value` with `places` decimals and no leading zero: `.924`, `−.017`, `1.00`.

    Values of 1 and above give up a decimal for the digit, so that columns keep their width.
    """
    if value is None:
        return NONE
    text = _fixed(value, places)
    if not text.startswith(".") and places > 1:
        text = _fixed(value, places - 1)
    return _with_sign(value, text)


def aligned(value: float | None, places: int, *, signed: bool = False) -> str:
    """`value` with a fixed number of decimals, so that a column of them is aligned on the point."""
    if value is None or not isfinite(value):
        return NONE
    return _with_sign(value, _fixed(value, places), "+" if signed else "")


def compact(number: float, places: int = 4) -> str:
    """Return a number without zeros that say nothing: `.1`, `1`, `−3`, `.0333`."""
    return _with_sign(number, _fixed(number, places).rstrip("0").rstrip(".") or "0")


def signed(value: float | None, places: int) -> str:
    """`value` with its sign always written: `+.050`, `−.017`."""
    return NONE if value is None else _with_sign(value, decimals(abs(value), places), "+")


def subscript(number: int) -> str:
    return "".join(chr(0x2080 + int(digit)) for digit in str(number))


def games_text(games: int) -> str:
    return "1 game" if games == 1 else f"{games:,} games"


def short(value: float) -> str:
    """Return a large number in at most five characters: `940`, `20.0k`, `9.41M`."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def count_in(value: int, columns: int) -> str:
    """Return a whole number in so many columns, at least 5: with commas, or shortened."""
    text = f"{value:,}"
    return text if len(text) <= columns else short(value)


def duration(seconds: float) -> str:
    """Return a time left: `0:42`, `12:05`, `1:02:03`."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def seconds_text(seconds: float) -> str:
    """Return how long something takes, as text: `0.4 s`, `12 s`, `3:05`, `2:15:00`."""
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return duration(seconds)


def percents(parts: Sequence[float], places: int = 0) -> list[float]:
    """Parts of a whole in per cent, rounded so that they sum to what the whole is rounded to."""
    unit = 10**places
    exact = [100 * unit * part for part in parts]
    rounded = [floor(part) for part in exact]
    missing = round(sum(exact)) - sum(rounded)
    by_rest = sorted(range(len(parts)), key=lambda n: rounded[n] - exact[n])
    return [(part + (n in by_rest[:missing])) / unit for n, part in enumerate(rounded)]
