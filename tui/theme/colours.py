"""The colours behind the palettes, by role.

Every painted colour is given twice, as RGB for terminals with true colour and as one of the 256
colours, chosen by eye: rounding turns dark blues to black, and an index costs half the bytes.
"""

from __future__ import annotations

from typing import Final

Ink = tuple[str, int]
"""A colour as RGB text and as an index of 256."""

_WHITE: Final[Ink] = ("#ffffff", 231)
_BLACK: Final[Ink] = ("#000000", 16)

DARK: Final[dict[str, Ink]] = {
    "ground": ("#0f141b", 233),
    "bar": ("#1a212c", 235),
    "selection": ("#1f2a3a", 236),
    "cell": ("#161c25", 234),
    "text": ("#c9d1d9", 252),
    "strong": ("#f0f3f6", 255),
    "dim": ("#8a94a3", 247),
    "faint": ("#3a4351", 238),
    "key": ("#e8c27a", 222),
    "truth": ("#9be486", 150),
    "worse": ("#ff6a8c", 204),
    "x": ("#ffb454", 215),
    "o": ("#5cc2ff", 75),
    "draw": ("#6b7587", 243),
    "meter": ("#2a5b63", 23),
    "tag": ("#0f141b", 233),
}
DARK_HEAT: Final[tuple[tuple[Ink, Ink, Ink], ...]] = (
    (("#1a2230", 235), ("#dde3ea", 254), ("#8f99a8", 247)),
    (("#1b2d3b", 236), ("#e3e9ee", 254), ("#98a5b0", 248)),
    (("#1d3a47", 237), ("#e8eef0", 255), ("#a3b4ba", 249)),
    (("#1e4a54", 23), ("#f0f5f5", 231), ("#b3c8c9", 252)),
    (("#216057", 23), ("#f5faf8", 231), ("#c9ded8", 252)),
    (("#267a5b", 29), _WHITE, ("#eef7f2", 231)),
)
LIGHT: Final[dict[str, Ink]] = {
    "ground": ("#fbfaf7", 231),
    "bar": ("#eeece6", 255),
    "selection": ("#e9edf3", 255),
    "cell": ("#f3f2ee", 255),
    "text": ("#24292f", 236),
    "strong": ("#000000", 16),
    "dim": ("#5c646e", 241),
    "faint": ("#c3c8cf", 250),
    "key": ("#6639ba", 55),
    "truth": ("#2c6a00", 22),
    "worse": ("#a50e52", 125),
    "x": ("#8f4700", 94),
    "o": ("#0b57a4", 25),
    "draw": ("#8b929c", 246),
    "meter": ("#a9cdc6", 152),
    "tag": ("#ffffff", 231),
}
LIGHT_HEAT: Final[tuple[tuple[Ink, Ink, Ink], ...]] = (
    (("#f1f3f4", 255), _BLACK, ("#5c646e", 241)),
    (("#e4eff1", 254), _BLACK, ("#565f68", 240)),
    (("#d3e9ea", 195), _BLACK, ("#505a61", 240)),
    (("#bce1de", 152), _BLACK, ("#444f52", 238)),
    (("#a3d8c8", 116), _BLACK, ("#3a4a44", 237)),
    (("#84ccab", 79), _BLACK, ("#2a3c33", 235)),
)
SIXTEEN: Final = {
    "faint": "bright_black",
    "key": "yellow",
    "truth": "green",
    "worse": "red",
    "x": "yellow",
    "o": "cyan",
}
DARK_BEADS: Final[tuple[Ink, ...]] = (
    ("#ffffff", 231), ("#c9a0f0", 177), ("#aab4c0", 249), ("#7f8ea0", 103), ("#f2d24b", 221),
    ("#7fcf7f", 114), ("#ffa040", 214), ("#ff7b72", 209), ("#ff9ac6", 211),
)  # fmt: skip
"""Colours of beads, by cell: Michie's white, lilac, silver, black, gold, green, amber, red, pink
(black as slate, to be seen)."""
LIGHT_BEADS: Final[tuple[Ink, ...]] = (
    ("#8a8f98", 245), ("#8250c4", 97), ("#5f7a99", 67), ("#000000", 16), ("#8a6d00", 94),
    ("#1f7a3a", 28), ("#b35900", 130), ("#b3201a", 124), ("#b03072", 125),
)  # fmt: skip
SIXTEEN_BEADS: Final = (
    "bold", "magenta", "cyan", "bright_black", "bright_yellow", "green", "yellow", "red",
    "bright_magenta",
)  # fmt: skip
