"""Fewer bytes for the same picture: styles are sent as what changes from one text to the next.

Textual writes every piece of text with its whole style before it and a reset after it. Over a slow
line most of the bytes are styles, and most of those say again what the terminal already knows.
`StyleStream` stands between the app and the terminal and sends only the differences.
"""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(r"\x1b\[([\x20-\x3f]*)([\x40-\x7e])|\x1b")
_ATTRIBUTES: Final = {1: 22, 2: 22, 3: 23, 4: 24, 5: 25, 7: 27, 8: 28, 9: 29}
"""Codes that set an attribute, with the code that clears it."""
_SEEN_ON_BLANKS: Final = frozenset({4, 7, 9})
"""Attributes that show on a blank."""

Colour = tuple[int, ...]
DEFAULT: Final[Colour] = ()


class StyleStream:
    """Rewrites terminal output so that styles are sent only where they change."""

    def __init__(self) -> None:
        self._wanted: tuple[Colour, Colour, frozenset[int]] = (DEFAULT, DEFAULT, frozenset())
        self._sent = self._wanted
        self._place: tuple[int, int] | None = None
        """Row and column to which the cursor is to move before anything is written."""
        self._parsed: dict[str, tuple[int, ...] | None] = {}

    def rewrite(self, data: str) -> str:
        """The same picture in fewer bytes."""
        out: list[str] = []
        position = 0
        for match in _TOKEN.finditer(data):
            if match.start() > position:
                self._text(data[position : match.start()], out)
            position = match.end()
            parameters, end = match.group(1), match.group(2)
            if end == "m" and (codes := self._codes(parameters)) is not None:
                self._style(codes)
            elif not self._moves(parameters, end):
                self._arrive(out)
                if end is None or not parameters.startswith("?2026"):
                    self._change(out, self._wanted)
                out.append(match.group())
        if position < len(data):
            self._text(data[position:], out)
        return "".join(out)

    def _moves(self, parameters: str, end: str | None) -> bool:
        """Whether a sequence only moves the cursor; it is kept until something is written there."""
        if end == "H" and (codes := self._codes(parameters)) is not None and len(codes) == 2:
            self._place = codes[0], codes[1]
            return True
        if end == "C" and self._place is not None and parameters.isdigit():
            self._place = self._place[0], self._place[1] + int(parameters)
            return True
        return False

    def _arrive(self, out: list[str]) -> None:
        """Move the cursor to where it is to be."""
        if self._place is not None:
            out.append(f"\x1b[{self._place[0]};{self._place[1]}H")
            self._place = None

    def _codes(self, parameters: str) -> tuple[int, ...] | None:
        """The numbers of a style sequence, or None where it is none that is understood."""
        if parameters not in self._parsed:
            parts = parameters.split(";")
            numbers = all(part.isdigit() or not part for part in parts)
            self._parsed[parameters] = tuple(int(p or 0) for p in parts) if numbers else None
        return self._parsed[parameters]

    def _style(self, codes: tuple[int, ...]) -> None:
        """Take over what a style sequence asks for."""
        fore, back, on = self._wanted
        at = 0
        while at < len(codes):
            code = codes[at]
            width = 1
            if code in (38, 48):
                width = {5: 3, 2: 5}.get(codes[at + 1] if at + 1 < len(codes) else 0, 1)
            colour = codes[at : at + width]
            if code == 0:
                fore, back, on = DEFAULT, DEFAULT, frozenset()
            elif code in _ATTRIBUTES:
                on |= {code}
            elif 21 <= code <= 29:
                on = frozenset(kept for kept in on if _ATTRIBUTES[kept] != code)
            elif code == 39 or 30 <= code <= 38 or 90 <= code <= 97:
                fore = DEFAULT if code == 39 else colour
            elif code == 49 or 40 <= code <= 48 or 100 <= code <= 107:
                back = DEFAULT if code == 49 else colour
            at += width
        self._wanted = fore, back, on

    def _text(self, text: str, out: list[str]) -> None:
        """Send text, and before it what its place and its style need.

        A bare line end stands between two lines of an update, each of which starts with a move.
        """
        if text == "\n":
            return
        self._arrive(out)
        fore, back, on = self._wanted
        seen = (on | self._sent[2]) & _SEEN_ON_BLANKS
        if not seen and not text.strip(" \r\n"):
            fore, on = self._sent[0], self._sent[2]
        self._change(out, (fore, back, on))
        out.append(text)

    def _change(self, out: list[str], wanted: tuple[Colour, Colour, frozenset[int]]) -> None:
        """Send the difference between the style sent last and the one wanted now."""
        if wanted == self._sent:
            return
        fore, back, on = wanted
        was_fore, was_back, was_on = self._sent
        codes: list[int] = []
        off = was_on - on
        cleared = sorted({_ATTRIBUTES[code] for code in off})
        codes += cleared
        codes += sorted(code for code in on if code not in was_on or _ATTRIBUTES[code] in cleared)
        if fore != was_fore:
            codes += fore or (39,)
        if back != was_back:
            codes += back or (49,)
        if wanted == (DEFAULT, DEFAULT, frozenset()):
            codes = []
        out.append(f"\x1b[{';'.join(map(str, codes))}m")
        self._sent = wanted
