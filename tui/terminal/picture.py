"""Fewer bytes for the same picture: only the cells that change are sent.

Textual repaints whole widgets, and a whole screen where a question opens or closes. Over a slow
line most of that says again what the terminal already shows. `PictureStream` stands between the
app and the terminal, knows what every cell shows, and sends only those that are to show something
else. What it does not understand it sends on as it came, and then takes nothing for known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from rich.cells import cell_len

from tui.terminal.cursor import CursorPosition, shortest_move
from tui.terminal.sgr import DEFAULT, PLAIN, Pen, shortest_change, styled

_TOKEN: Final = re.compile(
    r"\x1b\[(?P<parameters>[\x20-\x3f]*)(?P<end>[\x40-\x7e])"
    r"|(?P<silent>\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\)"
    r"|\x1b[\x20-\x2f]*[\x30-\x7e]?|\n"
)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SILENT_ENDS: Final = frozenset("cnpqtu")
"""Ends of sequences that ask or tell the terminal something, and change no cell."""
_CLEARING_MODES: Final = frozenset({"3", "5", "6", "7", "47", "69", "1047", "1048", "1049"})
"""Private modes that change what is shown, or where."""
_MOVING_ENDS: Final = frozenset("ABCDEFGHd")
_SEEN_ON_BLANKS: Final = frozenset({4, 7, 9, 21, 51, 52, 53})
"""Attributes that show on a blank."""
_MOST_CHANGES: Final = 8192
"""Changes of the pen that are remembered: of all pairs of some ninety pens."""
_SHORT_GAP: Final = 4
"""So many bytes of cells that stay are written again rather than passed over: that is no longer."""

Cell = tuple[str, Pen]
Run = tuple[int, int, list[Cell]]
"""Neighbours in a row that one pen can write: the row, the first one's column, and they."""


class Cells(dict[str, Cell]):
    """What a pen writes, by character; equal cells are one, so that they are compared in no time.

    Args:
        pen: the pen.
        blanks: the blanks of all pens, by what can be seen of them.
    """

    def __init__(self, pen: Pen, blanks: dict[Pen, Cell]) -> None:
        super().__init__()
        self._pen = pen
        seen = pen if pen.on & _SEEN_ON_BLANKS else Pen(DEFAULT, pen.back)
        self[" "] = blanks.setdefault(seen, (" ", seen))

    def __missing__(self, character: str) -> Cell:
        cell = self[character] = character, self._pen
        return cell


class PictureStream:
    """Rewrites terminal output so that only cells that change are sent.

    Args:
        columns: the terminal's.
        rows: the terminal's.
        clears: it clears single attributes; a VT100 clears all or none.
    """

    def __init__(self, columns: int, rows: int, *, clears: bool = True) -> None:
        self._columns, self._rows = columns, rows
        self._clears = clears
        self._pen: Pen | None = PLAIN
        """What the app writes with; None for a style not understood here."""
        self._sent: Pen | None = PLAIN
        """What the terminal writes with; None where that is not known."""
        self._place: CursorPosition | None = None
        """Where the app writes next; None where that is not known."""
        self._cursor: CursorPosition | None = None
        """Where the terminal writes next; None where that is not known."""
        self._has_line_end = False
        """A bare line end came, which is not needed if a move follows."""
        self._is_stale = False
        self._shown: dict[int, dict[int, Cell]] = {}
        """What the terminal shows, by row and column, as far as it is known."""
        self._wanted: dict[int, dict[int, Cell]] = {}
        """What it is to show and was not told yet."""
        self._cells: dict[Pen, Cells] = {}
        self._blanks: dict[Pen, Cell] = {}
        self._parsed: dict[str, tuple[int, ...] | None] = {}
        self._pens: dict[tuple[Pen, str], Pen | None] = {}
        self._changes: dict[tuple[Pen | None, Pen], str] = {}

    def forget(self) -> None:
        """Take nothing that the terminal shows for known; in any thread."""
        self._is_stale = True

    def resize(self, columns: int, rows: int) -> None:
        """The terminal has another size, and may show anything."""
        self._columns, self._rows = columns, rows
        self.forget()

    def rewrite(self, data: str) -> str:
        """The same picture in fewer bytes."""
        out: list[str] = []
        if self._is_stale:
            self._is_stale = False
            self._lose_picture()
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
        if end == "m":
            self._style(parameters, match.group(), out)
        elif end == "H" and (codes := self._codes(parameters)) is not None and len(codes) <= 2:
            row, column = (*codes, 0, 0)[:2]
            self._place = max(1, row), max(1, column)
            self._has_line_end = False
        elif end == "C" and self._place is not None and parameters.isdigit():
            self._place = self._place[0], self._place[1] + max(1, int(parameters))
        elif match.group() == "\n" and self._may_be_needless():
            self._has_line_end = True
        elif match["silent"] or is_silent(parameters, end):
            self._flush(out)
            out.append(match.group())
        else:
            self._pass_on(match.group(), out)
            if end not in _MOVING_ENDS:
                self._lose_picture()

    def _style(self, parameters: str, sequence: str, out: list[str]) -> None:
        """Take over what a style sequence asks for; send it on as it is where that is unknown."""
        key = self._pen or PLAIN, parameters
        if key not in self._pens:
            codes = self._codes(parameters)
            self._pens[key] = None if codes is None else styled(key[0], codes)
        pen = self._pens[key]
        if pen is not None and (self._pen is not None or 0 in (self._codes(parameters) or ())):
            self._pen = pen
            return
        self._flush(out)
        if self._pen is not None:
            self._change(out, self._pen)
        out.append(sequence)
        self._pen = self._sent = None

    def _codes(self, parameters: str) -> tuple[int, ...] | None:
        """The numbers of a sequence, or None where it has more than numbers."""
        if parameters not in self._parsed:
            parts = parameters.split(";")
            numbers = all((part.isascii() and part.isdigit()) or not part for part in parts)
            self._parsed[parameters] = tuple(int(p or 0) for p in parts) if numbers else None
        return self._parsed[parameters]

    def _text(self, text: str, out: list[str]) -> None:
        """Take over text; send it on as it is where it is not one character a cell."""
        if not self._is_plain(text):
            self._pass_on(text, out)
            self._lose_picture()
            return
        assert self._place is not None
        assert self._pen is not None
        row, column = self._place
        cells = self._cells.get(self._pen)
        if cells is None:
            cells = self._cells[self._pen] = Cells(self._pen, self._blanks)
        end = column + len(text)
        written = zip(range(column, end), map(cells.__getitem__, text), strict=True)
        self._wanted.setdefault(row, {}).update(written)
        self._place = row, end

    def _may_be_needless(self) -> bool:
        """Whether a line end here shows nothing, if a move follows."""
        known = self._place is not None and self._place[0] < self._rows
        return known and not self._has_line_end

    def _is_plain(self, text: str) -> bool:
        """Whether text fills one cell with each of its characters, at a place that is known."""
        if self._place is None or self._pen is None or self._has_line_end:
            return False
        row, column = self._place
        if row > self._rows or column + len(text) > self._columns + 1 or _CONTROL.search(text):
            return False
        return text.isascii() or all(cell_len(character) == 1 for character in text)

    def _pass_on(self, data: str, out: list[str]) -> None:
        """Send what is not understood from where the app is, and in its style."""
        self._flush(out)
        if self._place is not None:
            self._arrive(*self._place, out)
        if self._has_line_end:
            out.append("\n")
            self._has_line_end = False
            self._lose_picture()
        if self._pen is not None:
            self._change(out, self._pen)
        out.append(data)
        self._place = self._cursor = None

    def _arrive(self, row: int, column: int, out: list[str]) -> None:
        """Bring the cursor to where the app has it; beyond the edge, by writing the last cell."""
        last = self._shown.get(row, {}).get(column - 1)
        if column - 1 == self._columns and last is not None:
            out.append(f"\x1b[{row};{column - 1}H")
            self._put(last, out)
        elif self._cursor != (row, column):
            out.append(f"\x1b[{row};{column}H")

    def _lose_picture(self) -> None:
        self._shown.clear()

    def _flush(self, out: list[str]) -> None:
        """Send the cells that are to show something else, in the order that takes fewest bytes."""
        runs = [
            (row, *run)
            for row in sorted(self._wanted)
            for run in runs_of(changed(self._shown.setdefault(row, {}), self._wanted[row]))
        ]
        self._wanted.clear()
        if not runs:
            return
        before, best = (self._cursor, self._sent), ""
        for order in self._orders(runs, self._sent):
            self._cursor, self._sent = before
            text = self._written(order)
            if not best or len(text.encode()) < len(best.encode()):
                best, after = text, (self._cursor, self._sent)
        out.append(best)
        self._cursor, self._sent = after
        for row, column, cells in runs:
            self._shown[row].update(enumerate(cells, column))

    def _orders(self, runs: list[Run], sent: Pen | None) -> Iterator[list[Run]]:
        """Orders to write runs in: as one reads, and pen by pen, in each row or in the picture."""
        yield runs
        if len(runs) > 2:
            ranks = {pen: rank for rank, pen in enumerate(self._pens_in_turn(runs, sent))}
            yield sorted(runs, key=lambda run: (run[0], ranks[run[2][0][1]]))
            yield sorted(runs, key=lambda run: ranks[run[2][0][1]])

    def _pens_in_turn(self, runs: list[Run], sent: Pen | None) -> Iterator[Pen]:
        """The pens of runs, each followed by the one to which the change is shortest."""
        pens = dict.fromkeys(cells[0][1] for _, _, cells in runs)
        while pens:
            sent = min(pens, key=partial(self._size_of_change, sent))
            del pens[sent]
            yield sent

    def _written(self, runs: Iterable[Run]) -> str:
        """What writes runs in this order."""
        out: list[str] = []
        rows: dict[int, dict[int, Cell]] = {}
        for row, column, cells in runs:
            now = rows.get(row) or rows.setdefault(row, dict(self._shown[row]))
            self._go_to(row, column, now, out)
            for at, cell in enumerate(cells, column):
                self._put(cell, out)
                now[at] = cell
            self._cursor = (row, column + len(cells))
        return "".join(out)

    def _go_to(self, row: int, column: int, shown: dict[int, Cell], out: list[str]) -> None:
        """Bring the terminal's cursor to a cell; over a short gap, by writing what is there."""
        at = self._cursor
        if at is not None and at[0] == row and 0 < column - at[1] <= _SHORT_GAP:
            text = self._at_hand(shown, at[1], column)
            if text is not None:
                out.append(text)
                return
        is_beyond = at is not None and at[1] > self._columns
        out.append(shortest_move(None if is_beyond else at, (row, column)))

    def _at_hand(self, shown: dict[int, Cell], first: int, end: int) -> str | None:
        """The text of cells that can be written again in few bytes and without another style."""
        text = ""
        for column in range(first, end):
            cell = shown.get(column)
            if cell is None or self._sent not in (cell[1], self._blank_pen(cell)):
                return None
            text += cell[0]
        return text if len(text.encode()) <= _SHORT_GAP else None

    def _blank_pen(self, cell: Cell) -> Pen:
        """With what a cell may be written: a blank needs no more than its background."""
        character, pen = cell
        sent = self._sent
        if character != " " or sent is None or (pen.on | sent.on) & _SEEN_ON_BLANKS:
            return pen
        return sent if pen.back == sent.back else Pen(sent.fore, pen.back, sent.on)

    def _put(self, cell: Cell, out: list[str]) -> None:
        pen = cell[1]
        if pen is not self._sent:
            blank = self._blank_pen(cell)
            if blank is not pen and len(self._change_to(blank)) <= len(self._change_to(pen)):
                pen = blank
            self._change(out, pen)
        out.append(cell[0])

    def _change(self, out: list[str], wanted: Pen) -> None:
        """Send the difference between the style sent last and the one wanted now."""
        if wanted is not self._sent:
            out.append(self._change_to(wanted))
            self._sent = wanted

    def _change_to(self, wanted: Pen) -> str:
        return "" if wanted is self._sent else self._change_between(self._sent, wanted)

    def _size_of_change(self, sent: Pen | None, wanted: Pen) -> int:
        return len(self._change_between(sent, wanted))

    def _change_between(self, sent: Pen | None, wanted: Pen) -> str:
        key = sent, wanted
        if key not in self._changes:
            if len(self._changes) >= _MOST_CHANGES:
                self._changes.clear()
            self._changes[key] = shortest_change(sent, wanted, clears=self._clears)
        return self._changes[key]


def changed(shown: dict[int, Cell], wanted: dict[int, Cell]) -> dict[int, Cell]:
    """The cells of a row that are to show something else, from left to right."""
    return {c: wanted[c] for c in sorted(wanted) if shown.get(c) is not wanted[c]}


def runs_of(cells: dict[int, Cell]) -> list[tuple[int, list[Cell]]]:
    """The cells of a row as runs of neighbours that one pen can write."""
    runs: list[tuple[int, list[Cell]]] = []
    pen, end = PLAIN, -1
    for column, cell in cells.items():
        if column != end or not (cell[1] is pen or is_blank_for(pen, cell)):
            runs.append((column, []))
            pen = cell[1]
        runs[-1][1].append(cell)
        end = column + 1
    return runs


def is_blank_for(pen: Pen, cell: Cell) -> bool:
    """Whether a pen writes this cell as its own would: it is blank, on the same background."""
    character, own = cell
    return character == " " and own.back == pen.back and not (own.on | pen.on) & _SEEN_ON_BLANKS


def is_silent(parameters: str, end: str | None) -> bool:
    """Whether a sequence changes neither a cell nor the cursor's place."""
    if end in ("h", "l"):
        modes = parameters[1:].split(";")
        return parameters.startswith("?") and not _CLEARING_MODES.intersection(modes)
    return end is not None and end in _SILENT_ENDS
