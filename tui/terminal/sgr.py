"""Style sequences (SGR): parsed, and written in as few bytes as possible."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

_ATTRIBUTES: Final = {
    1: 22,
    2: 22,
    3: 23,
    4: 24,
    21: 24,
    5: 25,
    6: 25,
    7: 27,
    8: 28,
    9: 29,
    51: 54,
    52: 54,
    53: 55,
}
"""Codes that set an attribute, with the code that clears it."""
_CLEARING: Final = frozenset(_ATTRIBUTES.values())
_EXCLUDING: Final = {4: 21, 21: 4, 5: 6, 6: 5, 51: 52, 52: 51}
"""Pairs of attributes that replace each other."""

DIM: Final = 2

Colour = tuple[int, ...]
DEFAULT: Final[Colour] = ()


class TextStyle(NamedTuple):
    fore: Colour = DEFAULT
    back: Colour = DEFAULT
    on: frozenset[int] = frozenset()


PLAIN: Final = TextStyle()


@lru_cache(maxsize=4096)
def styled(style: TextStyle, codes: tuple[int, ...]) -> TextStyle | None:
    """Return a style after a style sequence; None for an unknown code."""
    fore, back, on = style.fore, style.back, style.on
    at = 0
    while at < len(codes):
        code = codes[at]
        width = 1
        if code in (38, 48):
            width = {5: 3, 2: 5}.get(codes[at + 1] if at + 1 < len(codes) else 0, 0)
            if not width or at + width > len(codes):
                return None
        colour = codes[at : at + width]
        if code == 0:
            fore, back, on = DEFAULT, DEFAULT, frozenset()
        elif code in _ATTRIBUTES:
            on = (on - {_EXCLUDING.get(code, 0)}) | {code}
        elif code in _CLEARING:
            on = frozenset(kept for kept in on if _ATTRIBUTES[kept] != code)
        elif code == 39 or 30 <= code <= 38 or 90 <= code <= 97:
            fore = DEFAULT if code == 39 else colour
        elif code == 49 or 40 <= code <= 48 or 100 <= code <= 107:
            back = DEFAULT if code == 49 else colour
        else:
            return None
        at += width
    return TextStyle(fore, back, on)


@lru_cache(maxsize=8192)
def shortest_change(sent: TextStyle | None, wanted: TextStyle, *, clears: bool = True) -> str:
    """Return the shortest sequence from one style to another; from None, with a reset.

    Args:
        clears: the terminal clears single attributes; a VT100 clears all or none, and has no dim.
    """
    if not clears:
        wanted = wanted._replace(on=wanted.on - {DIM})
        sent = None if sent is None else sent._replace(on=sent.on - {DIM})
    if wanted == sent:
        return ""
    if wanted == PLAIN:
        return "\x1b[m"
    anew = sequence_of([0, *sorted(wanted.on), *wanted.fore, *wanted.back])
    if sent is None or (not clears and sent.on - wanted.on):
        return anew
    cleared = sorted({_ATTRIBUTES[code] for code in sent.on - wanted.on})
    codes: list[int] = [*cleared]
    codes += sorted(c for c in wanted.on if c not in sent.on or _ATTRIBUTES[c] in cleared)
    if wanted.fore != sent.fore:
        codes += wanted.fore or (39,)
    if wanted.back != sent.back:
        codes += wanted.back or (49,)
    return min(sequence_of(codes), anew, key=len)


def sequence_of(codes: list[int]) -> str:
    return f"\x1b[{';'.join(map(str, codes))}m"
