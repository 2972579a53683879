"""Lines, blocks and dots as polygons in a cell, so that they join in any font.

A cell is `WIDTH` by `HEIGHT` units, from its upper left corner.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

WIDTH: Final = 8
HEIGHT: Final = 16

Polygon = tuple[tuple[float, float], ...]

_ARMS: Final = {
    "─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ru", "┘": "lu", "├": "rud", "┤": "lud",
    "┬": "lrd", "┴": "lru", "┼": "lrud",
}  # fmt: skip
_HEAVY: Final = {"━": "lr", "┃": "ud"}
_CORNERS: Final = {"╭": (1, 1), "╮": (-1, 1), "╰": (1, -1), "╯": (-1, -1)}
"""Which way a rounded corner goes: to the right (1) or left, down (1) or up."""
_DIAGONALS: Final = {"╱": (False, True), "╲": (True, False), "╳": (True, True)}
"""Whether a stroke falls, and whether one rises, to the right."""
_LOWER: Final = "▁▂▃▄▅▆▇█"
_LEFT: Final = "▏▎▍▌▋▊▉"
_BRAILLE: Final = 0x2800
_DOTS: Final = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
"""Column and row of each dot of a braille character, by its bit."""


@lru_cache(1024)
def shapes(character: str) -> tuple[Polygon, ...] | None:
    """The polygons of a character; None where it is to be written in a font."""
    across, down = WIDTH / 2, HEIGHT / 2
    if character in _ARMS or character in _HEAVY:
        half = 0.5 if character in _ARMS else 1.0
        arms = _ARMS.get(character) or _HEAVY[character]
        left, right = 0 if "l" in arms else across - half, WIDTH if "r" in arms else across + half
        up, low = 0 if "u" in arms else down - half, HEIGHT if "d" in arms else down + half
        found = []
        if "l" in arms or "r" in arms:
            found.append(box(left, down - half, right, down + half))
        if "u" in arms or "d" in arms:
            found.append(box(across - half, up, across + half, low))
        return tuple(found)
    if character in _CORNERS:
        return (corner(*_CORNERS[character]),)
    if character in _DIAGONALS:
        falls, rises = _DIAGONALS[character]
        fall = ((0, 0), (0.7, 0), (WIDTH, HEIGHT - 1.4), (WIDTH, HEIGHT), (7.3, HEIGHT), (0, 1.4))
        rise = tuple((WIDTH - x, y) for x, y in fall)
        return (*((fall,) if falls else ()), *((rise,) if rises else ()))
    if character in _LOWER:
        return (box(0, HEIGHT - 2 * (_LOWER.index(character) + 1), WIDTH, HEIGHT),)
    if character in _LEFT:
        return (box(0, 0, _LEFT.index(character) + 1, HEIGHT),)
    if character == "▀":
        return (box(0, 0, WIDTH, down),)
    if character == "▐":
        return (box(across, 0, WIDTH, HEIGHT),)
    if character == "▔":
        return (box(0, 0, WIDTH, HEIGHT / 8),)
    if _BRAILLE < ord(character) <= _BRAILLE + 0xFF:
        bits = ord(character) - _BRAILLE
        dots = [dot for bit, dot in enumerate(_DOTS) if bits >> bit & 1]
        return tuple(box(1 + 4 * x, 1 + 4 * y, 3 + 4 * x, 3 + 4 * y) for x, y in dots)
    return None


def box(left: float, top: float, right: float, bottom: float) -> Polygon:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def corner(right: int, down: int) -> Polygon:
    """A rounded corner that joins the lines to that side and up or down."""
    x, y = WIDTH / 2, HEIGHT / 2
    outer = [(WIDTH, y - 0.5), (x + 3, y - 0.5), (x + 1, y + 0.3), (x - 0.3, y + 1.5)]
    outer += [(x - 0.5, y + 3), (x - 0.5, HEIGHT)]
    inner = [(x + 0.5, HEIGHT), (x + 0.5, y + 3), (x + 0.8, y + 2), (x + 1.5, y + 1)]
    inner += [(x + 3, y + 0.5), (WIDTH, y + 0.5)]
    return tuple(
        (px if right > 0 else WIDTH - px, py if down > 0 else HEIGHT - py)
        for px, py in (*outer, *inner)
    )
