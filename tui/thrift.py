"""Fewer bytes for the same picture: styles are sent as what changes from one text to the next.

Textual writes every piece of text with its whole style before it and a reset after it. Over a slow
line most of the bytes are styles, and most of those say again what the terminal already knows.
`StyleStream` stands between the app and the terminal and sends only the differences.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(r"\x1b\[([\x20-\x3f]*)([\x40-\x7e])|\x1b")
_ATTRIBUTES: Final = {
    1: 22, 2: 22, 3: 23, 4: 24, 21: 24, 5: 25, 6: 25, 7: 27, 8: 28, 9: 29, 51: 54, 52: 54, 53: 55,
}  # fmt: skip
"""Codes that set an attribute, with the code that clears it."""
_CLEARING: Final = frozenset(_ATTRIBUTES.values())
_EXCLUDING: Final = {4: 21, 21: 4, 5: 6, 6: 5, 51: 52, 52: 51}
"""Attributes of which one takes the place of the other."""
_SEEN_ON_BLANKS: Final = frozenset({4, 7, 9, 21, 51, 52, 53})
"""Attributes that show on a blank."""

_CURSOR: Final = frozenset("ABCDEFGHd")
"""Ends of sequences that move the cursor, for which no style matters."""

Colour = tuple[int, ...]
DEFAULT: Final[Colour] = ()


@dataclass(frozen=True)
class Pen:
    """How text is written."""

    fore: Colour = DEFAULT
    back: Colour = DEFAULT
    on: frozenset[int] = frozenset()


PLAIN: Final = Pen()


class StyleStream:
    """Rewrites terminal output so that styles are sent only where they change."""

    def __init__(self) -> None:
        self._wanted = PLAIN
        self._sent: Pen | None = PLAIN
        """What the terminal writes with; None where that is not known."""
        self._is_foreign = False
        """The terminal was told a style not understood here, and gets all styles as they come."""
        self._place: tuple[int, int] | None = None
        """Row and column to which the cursor is to move before anything is written."""
        self._has_line_end = False
        """A bare line end came, which is not needed if a move follows."""
        self._parsed: dict[str, tuple[int, ...] | None] = {}
        self._changes: dict[tuple[Pen | None, Pen], str] = {}

    def rewrite(self, data: str) -> str:
        """The same picture in fewer bytes."""
        out: list[str] = []
        position = 0
        for match in _TOKEN.finditer(data):
            if match.start() > position:
                self._text(data[position : match.start()], out)
            position = match.end()
            parameters, end = match.group(1) or "", match.group(2)
            if end == "m":
                self._style(parameters, match.group(), out)
            elif not self._moves(parameters, end):
                self._arrive(out)
                if end not in _CURSOR and not parameters.startswith("?"):
                    self._change(out, self._wanted)
                out.append(match.group())
        if position < len(data):
            self._text(data[position:], out)
        return "".join(out)

    def _moves(self, parameters: str, end: str | None) -> bool:
        """Whether a sequence only moves the cursor; it is kept until something is written there."""
        if end == "H" and (codes := self._codes(parameters)) is not None and len(codes) == 2:
            self._place = max(1, codes[0]), max(1, codes[1])
            self._has_line_end = False
            return True
        if end == "C" and self._place is not None and parameters.isdigit():
            self._place = self._place[0], self._place[1] + max(1, int(parameters))
            return True
        return False

    def _arrive(self, out: list[str]) -> None:
        """Move the cursor to where it is to be."""
        if self._has_line_end:
            out.append("\n")
            self._has_line_end = False
        if self._place is not None:
            out.append(f"\x1b[{self._place[0]};{self._place[1]}H")
            self._place = None

    def _codes(self, parameters: str) -> tuple[int, ...] | None:
        """The numbers of a sequence, or None where it has more than numbers."""
        if parameters not in self._parsed:
            parts = parameters.split(";")
            numbers = all((part.isascii() and part.isdigit()) or not part for part in parts)
            self._parsed[parameters] = tuple(int(p or 0) for p in parts) if numbers else None
        return self._parsed[parameters]

    def _style(self, parameters: str, sequence: str, out: list[str]) -> None:
        """Take over what a style sequence asks for; send it on as it is where that is unknown."""
        codes = self._codes(parameters)
        pen = None if codes is None else styled(self._wanted, codes)
        if pen is None and not self._is_foreign:
            self._change(out, self._wanted)
            self._is_foreign = True
        elif pen is not None and 0 in (codes or ()) and self._is_foreign:
            self._is_foreign, self._sent = False, None
        self._wanted = pen or self._wanted
        if self._is_foreign:
            out.append(sequence)

    def _text(self, text: str, out: list[str]) -> None:
        """Send text, and before it what its place and its style need."""
        if text == "\n":
            self._arrive(out)
            self._has_line_end = True
            return
        self._arrive(out)
        sent, pens = self._sent, [self._wanted]
        is_blank = sent is not None and not text.strip(" \r\n")
        if is_blank and not (self._wanted.on | sent.on) & _SEEN_ON_BLANKS:
            pens.insert(0, Pen(sent.fore, self._wanted.back, sent.on))
        self._change(out, min(pens, key=lambda pen: len(self._change_to(pen))))
        out.append(text)

    def _change(self, out: list[str], wanted: Pen) -> None:
        """Send the difference between the style sent last and the one wanted now."""
        if not self._is_foreign and wanted != self._sent:
            out.append(self._change_to(wanted))
            self._sent = wanted

    def _change_to(self, wanted: Pen) -> str:
        key = self._sent, wanted
        if key not in self._changes:
            self._changes[key] = shortest_change(self._sent, wanted)
        return self._changes[key]


def styled(pen: Pen, codes: tuple[int, ...]) -> Pen | None:
    """A pen after a style sequence; None where a code is not known."""
    fore, back, on = pen.fore, pen.back, pen.on
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
    return Pen(fore, back, on)


def shortest_change(sent: Pen | None, wanted: Pen) -> str:
    """The shortest style sequence that leads from one pen to another; from None, with a reset."""
    if wanted == sent:
        return ""
    if wanted == PLAIN:
        return "\x1b[m"
    anew = sequence_of([0, *sorted(wanted.on), *wanted.fore, *wanted.back])
    if sent is None:
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
    """A style sequence."""
    return f"\x1b[{';'.join(map(str, codes))}m"
