"""Send the same picture in fewer bytes: only the cells that change.

Textual repaints whole widgets, and a whole screen when a question opens or closes. `PictureStream`
is between the app and the terminal, knows what every cell shows, and sends only the cells that
change. It passes on unchanged what it does not understand, and then treats every cell as unknown;
only attributes that `_ATTRIBUTES` lacks are never sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Final, NamedTuple

from rich.cells import cell_len

_ATTRIBUTES: Final = {1: 22, 2: 22, 3: 23, 4: 24, 7: 27}
"""Codes that set an attribute of the lab's styles, with the code that clears it."""
_CLEARING: Final = frozenset(_ATTRIBUTES.values())

DIM: Final = 2

Colour = tuple[int, ...]
DEFAULT: Final[Colour] = ()


class TextStyle(NamedTuple):
    fore: Colour = DEFAULT
    back: Colour = DEFAULT
    on: frozenset[int] = frozenset()


PLAIN: Final = TextStyle()


@lru_cache(512)
def styled(style: TextStyle, codes: tuple[int, ...]) -> TextStyle:
    """Return a style after a style sequence; unknown codes change nothing."""
    fore, back, on = style.fore, style.back, style.on
    at = 0
    while at < len(codes):
        code, width = codes[at], 1
        if code in (38, 48, 58):
            kind = codes[at + 1] if at + 1 < len(codes) else 0
            width = {5: 3, 2: 5}.get(kind, len(codes))
        colour = codes[at : at + width]
        if code == 0:
            fore, back, on = DEFAULT, DEFAULT, frozenset()
        elif code in _ATTRIBUTES:
            on |= {code}
        elif code in _CLEARING:
            on = frozenset(kept for kept in on if _ATTRIBUTES[kept] != code)
        elif code == 39 or 30 <= code <= 38 or 90 <= code <= 97:
            fore = DEFAULT if code == 39 else colour
        elif code == 49 or 40 <= code <= 48 or 100 <= code <= 107:
            back = DEFAULT if code == 49 else colour
        at += width
    return TextStyle(fore, back, on)


@lru_cache(512)
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


_TOKEN: Final = re.compile(
    r"\x1b\[(?P<parameters>[\x20-\x3f]*)(?P<end>[\x40-\x7e])"
    r"|(?P<silent>\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\)"
    r"|\x1b[\x20-\x2f]*[\x30-\x7e]?|\n"
)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SILENT_ENDS: Final = frozenset("cnpqtu")
"""Ends of sequences that change no cell."""
_CLEARING_MODES: Final = frozenset({"3", "5", "6", "7", "47", "69", "1047", "1048", "1049"})
"""Private modes that change the picture."""
_MOVING_ENDS: Final = frozenset("ABCDEFGHd")
_SEEN_ON_BLANKS: Final = frozenset({4, 7})
"""Attributes that show on a blank."""
_SHORT_GAP: Final = 4
"""Unchanged cells of at most this many bytes are rewritten, not skipped: a move is longer."""

CursorPosition = tuple[int, int]
"""Row and column, from 1."""
Cell = tuple[str, TextStyle]
Rows = dict[int, dict[int, Cell]]
"""Cells by row and column."""
Run = tuple[int, int, list[Cell], str]
"""Adjacent cells that one style can write: row, column of the first, cells, and the characters
after the first."""


class PictureStream:
    """Rewrites terminal output so that only cells that change are sent.

    Args:
        columns: the terminal's.
        rows: the terminal's.
        clears: it clears single attributes; a VT100 clears all or none.
    """

    def __init__(self, columns: int, rows: int, *, clears: bool = True) -> None:
        self._columns, self._rows = columns, rows
        self._between = partial(shortest_change, clears=clears)
        self._style = PLAIN
        """The app's current style."""
        self._sent: TextStyle | None = PLAIN
        """The terminal's current style, if known."""
        self._place: CursorPosition | None = None
        """The app's position, if known."""
        self._cursor: CursorPosition | None = None
        """The terminal's cursor, if known."""
        self._has_line_end = False
        """Whether a bare line end is pending, which a following move replaces."""
        self._is_stale = False
        self._shown: Rows = {}
        """The known cells of the terminal."""
        self._wanted: Rows = {}
        """The cells still to send."""

    def resize(self, columns: int, rows: int) -> None:
        """Take a new size, with every cell unknown; safe in any thread."""
        self._columns, self._rows = columns, rows
        self._is_stale = True

    def rewrite(self, data: str) -> str:
        """Return terminal output that shows the same picture in fewer bytes."""
        out: list[str] = []
        if self._is_stale:
            self._is_stale = False
            self._shown.clear()
            self._cursor = self._sent = None
        position = 0
        for match in _TOKEN.finditer(data):
            if match.start() > position:
                self._text(data[position : match.start()], out)
            position = match.end()
            self._sequence(match, out)
        if position < len(data):
            self._text(data[position:], out)
        self._flush(out)
        return "".join(out)

    def _sequence(self, match: re.Match[str], out: list[str]) -> None:
        parameters, end = match["parameters"] or "", match["end"]
        row = self._rows if self._place is None else self._place[0]
        modes = parameters[1:].split(";") if end in ("h", "l") else ()
        is_mode = parameters.startswith("?") and bool(modes) and _CLEARING_MODES.isdisjoint(modes)
        if end == "m":
            self._style = styled(self._style, codes_of(parameters) or ())
        elif end == "H" and (codes := codes_of(parameters)) is not None and len(codes) <= 2:
            self._place = max(1, (*codes, 0)[0]), max(1, (*codes, 0, 0)[1])
            self._has_line_end = False
        elif end == "C" and self._place is not None and parameters.isdigit():
            self._place = row, self._place[1] + max(1, int(parameters))
        elif match.group() == "\n" and row < self._rows and not self._has_line_end:
            self._has_line_end = True  # invisible if a move follows
        elif match["silent"] or is_mode or end in _SILENT_ENDS:
            self._flush(out)
            out.append(match.group())
        else:
            self._pass_on(match.group(), out)
            if end not in _MOVING_ENDS:
                self._shown.clear()

    def _text(self, text: str, out: list[str]) -> None:
        """Apply text at a known position; pass it on if it is not one character per cell."""
        row, column = self._place or (0, 0)
        end, is_known = column + len(text), row > 0 and not self._has_line_end
        is_inside = row <= self._rows and end <= self._columns + 1
        if not (is_known and is_inside and is_one_column_each(text)):
            self._pass_on(text, out)
            self._shown.clear()
            return
        cells = cells_of(text, self._style)
        self._wanted.setdefault(row, {}).update(enumerate(cells, column))
        self._place = row, end

    def _pass_on(self, data: str, out: list[str]) -> None:
        """Pass on what is not understood, from the app's position and in its style."""
        self._flush(out)
        if self._place is not None:
            row, column = self._place
            last = self._shown.get(row, {}).get(column - 1)
            if column - 1 == self._columns and last is not None:
                out.append(f"\x1b[{row};{column - 1}H")
                self._put(last, out)  # brings the cursor beyond the edge
            elif self._cursor != self._place:
                out.append(f"\x1b[{row};{column}H")
        if self._has_line_end:
            out.append("\n")
            self._has_line_end = False
            self._shown.clear()
        self._change(out, self._style)
        out.append(data)
        self._place = self._cursor = None

    def _flush(self, out: list[str]) -> None:
        """Send the changed cells, from the top or style by style."""
        runs = [
            (row, column, cells, "".join([character for character, _ in cells[1:]]))
            for row in sorted(self._wanted)
            for column, cells in runs_of(self._shown.setdefault(row, {}), self._wanted[row])
        ]
        self._wanted.clear()
        if not runs:
            return
        sent, styles = self._sent, dict.fromkeys(cells[0][1] for _, _, cells, _ in runs)
        turns: dict[TextStyle, int] = {}
        while styles:  # each is followed by the style with the shortest change
            sizes = {style: len(self._between(sent, style)) for style in styles}
            sent = min(sizes, key=sizes.__getitem__)
            turns[sent] = len(turns)
            del styles[sent]
        before, written = (self._cursor, self._sent), []
        for order in (runs, sorted(runs, key=lambda run: turns[run[2][0][1]])):
            self._cursor, self._sent = before
            written.append((self._written(order), self._cursor, self._sent))
        text, self._cursor, self._sent = min(written, key=lambda each: len(each[0].encode()))
        out.append(text)
        for row, column, cells, _ in runs:
            self._shown[row].update(enumerate(cells, column))

    def _written(self, runs: Iterable[Run]) -> str:
        out: list[str] = []
        rows: Rows = {}
        for row, column, cells, rest in runs:
            now = rows.get(row) or rows.setdefault(row, dict(self._shown[row]))
            self._go_to(row, column, now, out)
            self._put(cells[0], out)
            out.append(rest)
            now.update(enumerate(cells, column))
            self._cursor = (row, column + len(cells))
        return "".join(out)

    def _go_to(self, row: int, column: int, shown: dict[int, Cell], out: list[str]) -> None:
        """Move the terminal's cursor to a cell; over a short gap, by rewriting it."""
        at = self._cursor
        if at is not None and at[0] == row and 0 < column - at[1] <= _SHORT_GAP:
            gap = [cell for x in range(at[1], column) if (cell := shown.get(x)) is not None]
            text = "".join(character for character, _ in gap)
            is_whole = len(gap) == column - at[1] and len(text.encode()) <= _SHORT_GAP
            if is_whole and all(writing(cell, self._sent) == self._sent for cell in gap):
                out.append(text)
                return
        is_beyond = at is not None and at[1] > self._columns
        out.append(shortest_move(None if is_beyond else at, (row, column)))

    def _put(self, cell: Cell, out: list[str]) -> None:
        """Write a cell: a blank in the style that takes fewer bytes, any other in its own."""
        styles = writing(cell, self._sent), cell[1]
        self._change(out, min(styles, key=lambda style: len(self._between(self._sent, style))))
        out.append(cell[0])

    def _change(self, out: list[str], wanted: TextStyle) -> None:
        """Send the difference between the last style sent and the wanted style."""
        if wanted is not self._sent:
            out.append(self._between(self._sent, wanted))
            self._sent = wanted


@lru_cache(512)
def codes_of(parameters: str) -> tuple[int, ...] | None:
    """Return the numbers of a sequence, or None if it has other parts."""
    parts = parameters.split(";")
    numbers = all((part.isascii() and part.isdigit()) or not part for part in parts)
    return tuple(int(part or 0) for part in parts) if numbers else None


@lru_cache(1024)
def is_one_column_each(text: str) -> bool:
    """Return whether each character of a text fills one column, and none is a control."""
    if _CONTROL.search(text):
        return False
    return text.isascii() or all(cell_len(character) == 1 for character in text)


@lru_cache(4096)
def cells_of(text: str, style: TextStyle) -> tuple[Cell, ...]:
    """Return the cells of a text; a blank has only what is seen of its style."""
    seen = style if style.on & _SEEN_ON_BLANKS else TextStyle(DEFAULT, style.back)
    return tuple((character, seen if character == " " else style) for character in text)


def writing(cell: Cell, style: TextStyle | None) -> TextStyle:
    """Return the style nearest to another that writes a cell: a blank needs only its background."""
    character, own = cell
    if character != " " or style is None or (own.on | style.on) & _SEEN_ON_BLANKS:
        return own
    return TextStyle(style.fore, own.back, style.on)


def runs_of(shown: dict[int, Cell], wanted: dict[int, Cell]) -> list[tuple[int, list[Cell]]]:
    """Return the cells of a row that must change as runs of neighbours that one style can write.

    A run that begins with a blank, which many styles can write, is of blanks only.
    """
    runs: list[tuple[int, list[Cell]]] = []
    style, end, is_blank = PLAIN, -1, False
    for column in sorted(wanted):
        cell = wanted[column]
        if shown.get(column) == cell:
            continue
        is_other = writing(cell, style) != style if cell[0] == " " else is_blank or cell[1] != style
        if column != end or is_other:
            runs.append((column, []))
            style, is_blank = cell[1], cell[0] == " "
        runs[-1][1].append(cell)
        end = column + 1
    return runs


@lru_cache(512)
def shortest_move(at: CursorPosition | None, to: CursorPosition) -> str:
    """Return the shortest VT100 sequence to a cell; `at` is None if unknown or beyond the edge."""
    row, column = to
    absolute = f"\x1b[{row};{column}H" if column > 1 else f"\x1b[{row}H"
    if at is None:
        return absolute
    down, right = row - at[0], column - at[1]
    relative = step(down, "B") + step(-down, "A") + step(right, "C") + step(-right, "D")
    return min(absolute, relative, key=len)


def step(count: int, way: str) -> str:
    """Return a move by `count` cells in a direction; empty for less than one."""
    return f"\x1b[{count}{way}" if count > 1 else f"\x1b[{way}" if count == 1 else ""
