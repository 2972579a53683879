"""The characters that a terminal can show: Unicode, the Linux console, or plain ASCII."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from unicodedata import east_asian_width

from afterstate_lab.learners import lean_dataclass

_WIDE: Final = {
    "≥": ">=", "≤": "<=", "→": "->", "←": "<-", "…": "..", "Σ": "sum", "½": "1/2",
    "±": "+/-", "≠": "!=", "‖": "||", "²": "^2", "π": "pi",
}  # fmt: skip
"""Signs that need more than one character; replaced before a line is laid out."""

_LINUX: Final = dict(
    zip(
        "┃━▔▁▂▃▅▆▇…╌╭╮╰╯╲╱╳▸›▶◂▲▼★‖−—–ₜₙ₊αελγδπ′●○◆·×✓✗",
        "│──_▄▄███.-┌┐└┘\\/X>>><^v*=---tn+aelgdp'o+#.x+x",
        strict=True,
    )
) | {chr(0x2080 + digit): str(digit) for digit in range(10)}
"""Replacements of one character by one: those that the Linux console font lacks."""

_ASCII: Final = _LINUX | dict(
    zip(
        "╭╮╰╯┌┐└┘├┤┬┴┼─━═≡▔│┃█▓▒░▀▄▂▃▅▆▇→←↑↓≥≤»",
        "+++++++++++++-===-||#%=.'...###><^v><>",
        strict=True,
    )
)
"""Replacements of one character by one: those outside ASCII."""


@lean_dataclass
class Glyphs:
    """A set of characters, with replacements for those it lacks."""

    name: str
    """`unicode`, `linux` or `ascii`."""
    dots: tuple[int, int]
    """Columns and rows of dots that a curve can set in one cell."""
    eighths: str
    """Growing parts of a full block, for the end of a bar; empty: whole blocks only."""
    wide: Mapping[int, str]
    """Signs written with more than one character, for `str.translate`."""
    table: Mapping[int, str]
    """Replacements that keep the width, for `str.translate`."""

    def text(self, text: str) -> str:
        """`text` in this set, before it is laid out: it may grow (`≥` becomes `>=`)."""
        return text.translate(self.wide).translate(self.table) if self.table else text

    def cell(self, character: str) -> str:
        """One visible character of this set, one column wide, for any `character`."""
        character = character.translate(self.table)
        if self.name == "ascii" and not " " <= character <= "~":
            return "?"
        if self.name == "linux" and east_asian_width(character) in "FW":
            return "?"
        return character


UNICODE: Final = Glyphs("unicode", (2, 4), "▏▎▍▌▋▊▉", {}, {})
LINUX: Final = Glyphs("linux", (1, 2), "", str.maketrans(_WIDE), str.maketrans(_LINUX))
ASCII: Final = Glyphs(
    "ascii", (1, 2), "", str.maketrans(_WIDE | {"↑": "Up", "↓": "Dn"}), str.maketrans(_ASCII)
)


def detect_glyphs(env: Mapping[str, str], encoding: str | None, ascii: bool = False) -> Glyphs:
    """Return the richest set that a terminal shows.

    Args:
        env: The environment; `TERM` is read.
        encoding: What standard output writes in, e.g. `utf-8`; None if unknown.
        ascii: The user asked for plain ASCII.
    """
    term = env.get("TERM", "")
    utf8 = (encoding or "").lower().replace("-", "").replace("_", "") in ("utf8", "utf8sig")
    if ascii or not utf8 or term.startswith("vt") or term in ("", "dumb"):
        return ASCII
    return LINUX if term.startswith("linux") else UNICODE
