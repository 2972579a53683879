"""The panes of the table screen: its rows, the whole table as a strip, and one entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tui.blocks.canvas import big_mark
from tui.theme.canvas import Canvas, bar
from tui.theme.look import Line, blank, fit, whole_words, width, wrap
from tui.views.table import BarView, ColumnView, EntryView, StripView, TableView
from tui.views.words import Words
from tui.widgets.pane import Pane, RowsPane

ABOVE: Final = 2
"""Lines above the first row: the border and the titles."""
APART: Final = 2
"""Blank columns between two blocks of rows."""


def block_columns(columns: Sequence[ColumnView]) -> int:
    """What a block of rows takes, with the blank columns behind it."""
    return 1 + sum(column.width + 1 for column in columns) + APART


def blocks_of(columns: Sequence[ColumnView], room: int) -> int:
    """How many blocks of rows stand side by side in so many columns of a pane."""
    return max(1, (room - 2 + APART) // block_columns(columns)) if columns else 1


class TablePane(RowsPane[TableView]):
    """Titles and rows; columns give way by their rank where there is no room for all."""

    rows_above = ABOVE
    wheel_rows = 3

    def lines(self, view: TableView, columns: int, rows: int) -> list[Line]:
        wide = (columns - 2) // view.blocks
        inside = wide - APART if view.blocks > 1 else wide
        view = replace(view, columns=self._grown(view))
        kept = self._kept(view.columns, inside - 1)
        body: list[Line] = []
        if kept:
            titles = (*blank(1), *self._titles(view.columns, kept))
            high = max(1, rows - ABOVE - 1)
            filled = min(view.blocks, max(1, -(-len(view.rows) // high)))
            body.append(tuple(piece for _ in range(filled) for piece in fit(titles, wide)))
        if view.message:
            said = self.look.line(view.message, "dim")
            body += [(*blank(1), *line) for line in wrap(said, inside - 2)]
        drawn = [
            self._row(view, kept, cells, inside, number == view.cursor)
            for number, cells in enumerate(view.rows)
        ]
        if view.blocks > 1:
            high = rows - ABOVE - 1
            drawn = [
                tuple(piece for row in drawn[first::high] for piece in fit(row, wide))
                for first in range(min(high, len(drawn)))
            ]
        body += drawn
        return self.framed(view, columns, rows, body, footer=view.footer, air=0)

    def row_at(self, x: int, y: int) -> int:
        """The number of the row at a place; in a block, of that block."""
        row, blocks = super().row_at(x, y), self.view.blocks if self.view else 1
        high, wide = self.size.height - ABOVE - 1, max(1, (self.size.width - 2) // blocks)
        if blocks > 1 and row >= high:
            return -1
        return row + high * min(max(0, x - 1) // wide, blocks - 1) if row >= 0 else row

    def _grown(self, view: TableView) -> tuple[ColumnView, ...]:
        """The columns, those of numbers as wide as the longest of them."""
        return tuple(
            column
            if column.left
            else replace(
                column,
                width=max(
                    column.width, *(width(self.look.line(cells[n])) for cells in view.rows), 0
                ),
            )
            for n, column in enumerate(view.columns)
        )

    def _kept(self, columns: tuple[ColumnView, ...], room: int) -> list[int]:
        """The numbers of the columns for which there is room, from left to right."""
        kept: list[int] = []
        for number in sorted(range(len(columns)), key=lambda number: columns[number].rank):
            if columns[number].width < room:
                room -= columns[number].width + 1
                kept.append(number)
        return sorted(kept)

    def _titles(self, columns: tuple[ColumnView, ...], kept: list[int]) -> Line:
        line: Line = ()
        for number in kept:
            column = columns[number]
            words = ((column.title, "dim"), (column.sorted, "key"))
            line = (*line, *self._fitted(words, column), *blank(1))
        return line

    def _row(
        self, view: TableView, kept: list[int], cells: tuple[Words, ...], inside: int, is_on: bool
    ) -> Line:
        line: Line = (self.look.piece("▸" if is_on else " ", "key"),)
        for number in kept:
            line = (*line, *self._fitted(cells[number], view.columns[number]), *blank(1))
        line = fit(line, inside)
        return self.look.select(line) if is_on else line

    def _fitted(self, words: Words, column: ColumnView) -> Line:
        line = self.look.line(words)
        if width(line) > column.width and column.left and column.width > 1:
            cut = (*whole_words(line, column.width - 1), self.look.piece("…", "dim"))
            return fit(cut, column.width)
        if width(line) > column.width:
            return fit(line, column.width)
        return fit(line, column.width, "left" if column.left else "right")


LABEL: Final = 8
"""Columns of the lines' names."""
AROUND: Final = LABEL + 4
"""Columns that are not the strip itself."""
SHADES: Final = {"ascii": ".:-=+%#", "linux": "·░▒▓█", "unicode": "▁▂▃▄▅▆▇█"}
"""From nothing to the most, by set of characters."""


class HeatStrip(Pane[StripView]):
    """A character for each bucket, the denser the more; plies and the cursor in the border."""

    can_zoom = False

    def lines(self, view: StripView, columns: int, rows: int) -> list[Line]:
        body = [
            (self.look.piece(f"{name:<{LABEL}}", "dim"), *self._shades(heats))
            for name, heats in view.lines
        ]
        drawn = self.framed(view, columns, rows, body)
        if view.lines and len(drawn) == rows:
            drawn[-1] = self._axis(view, columns, drawn[-1])
        return drawn

    def _shades(self, heats: tuple[float | None, ...]) -> Line:
        look = self.look
        shades = SHADES[look.glyphs.name]
        steps = len(shades) - 1
        line: list[tuple[str, str]] = []
        for heat in heats:
            level = 0 if not heat else min(steps, 1 + int(heat * steps))
            shade = " " if heat is None else shades[level]
            role = "text" if level else "faint"
            if line and line[-1][1] == role:
                line[-1] = (line[-1][0] + shade, role)
            else:
                line.append((shade, role))
        return tuple((text, look.palette.style(role)) for text, role in line)

    def _axis(self, view: StripView, columns: int, border: Line) -> Line:
        """The lower border with the plies and the cursor in it."""
        look = self.look
        canvas = Canvas(columns, 1)
        canvas.line(0, 0, border)
        left = 2 + LABEL
        canvas.put(2, 0, " ply ", look.palette.dim)
        for start, ply in view.plies:
            canvas.put(left + start, 0, str(ply), look.palette.dim)
        if view.cursor is not None:
            canvas.put(left + view.cursor, 0, look.glyphs.cell("▲"), look.palette.key)
        return canvas.lines()[0]


BOARD: Final = 11
"""Columns of the board and what sets it off."""
SMALLEST_DRAWN, LARGEST = 3, 9
"""Rows of a cell whose mark is drawn."""


class EntryPane(Pane[EntryView]):
    """The board with a few facts beside it, bars on one scale, and the symmetry class."""

    def lines(self, view: EntryView, columns: int, rows: int) -> list[Line]:
        """The frame and its parts; the last images give way, then the lines between."""
        look = self.look
        inside = columns - 4
        parts: list[list[Line]] = [
            [],
            [self._bar(one, inside) for one in view.bars],
            [look.line(view.moves)] if view.moves else [],
            [look.line(view.head), *(look.line(words) for words in view.images)],
        ]
        taken = sum(len(part) + 1 for part in parts[1:] if part) + len(view.facts)
        parts[0] = self._large_board(view, inside, rows - 3 - taken) or self._board(view)
        parts = [part for part in parts if part]
        room = rows - 2 - sum(map(len, parts))
        aired = sorted(range(1, len(parts)), key=lambda part: (part < len(parts) - 1, part))
        body: list[Line] = []
        for number, part in enumerate(parts):
            body += [(), *part] if number in aired[: max(0, room)] else part
        if len(body) > rows - 2:
            hidden = len(body) - (rows - 2) + 1
            body = [*body[: rows - 3], look.line(((f"{hidden} more", "dim"),))]
        return self.framed(view, columns, rows, body, footer=view.footer)

    def _board(self, view: EntryView) -> list[Line]:
        """Three lines, each with a fact beside it."""
        look, palette = self.look, self.look.palette
        lines: list[Line] = []
        for row in range(3):
            line: Line = ()
            for column in range(3):
                cell = 3 * row + column
                mark = view.cells[cell]
                role = {"X": "x_strong", "O": "o_strong"}.get(mark, "faint")
                text = mark if mark in "XO" else look.glyphs.cell("·")
                style = palette.style(role)
                if cell == view.lit:
                    piece = ((f"[{look.glyphs.cell('×')}]", palette.key),)
                else:
                    piece = ((f" {text} ", style),)
                line = (*line, *piece)
            line = (*line, *blank(BOARD - width(line)))
            fact = view.facts[row] if row < len(view.facts) else ""
            lines.append((*line, *look.line(fact)))
        return lines

    def _large_board(self, view: EntryView, inside: int, room: int) -> list[Line]:
        """The board with drawn marks, the facts below it; empty where there is no room for them."""
        look, palette = self.look, self.look.palette
        tall = min((room - 2) // 3, (inside - 2) // 6, LARGEST)
        tall -= 1 - tall % 2
        if tall < SMALLEST_DRAWN:
            return []
        wide = 2 * tall
        canvas = Canvas(3 * wide + 2, 3 * tall + 2)
        for index, mark in enumerate(view.cells):
            x, y = index % 3 * (wide + 1), index // 3 * (tall + 1)
            is_lit = index == view.lit
            style = palette.style({"X": "x_strong", "O": "o_strong"}.get(mark, "faint"))
            style = palette.cell + (palette.key if is_lit else style)
            canvas.fill(x, y, wide, tall, palette.cell)
            art = (big_mark(mark, wide, tall, look.glyphs) or []) if mark in "XO" else []
            for row, line in enumerate(art, (tall - len(art)) // 2):
                canvas.put(x + (wide - len(line) + 1) // 2, y + row, line, style)
            if mark not in "XO":
                sign = f"[{look.glyphs.cell('×')}]" if is_lit else look.glyphs.cell("·")
                canvas.put(x + (wide - len(sign) + 1) // 2, y + tall // 2, sign, style)
        return [*canvas.lines(), (), *(look.line(fact) for fact in view.facts)]

    def _bar(self, view: BarView, inside: int) -> Line:
        look = self.look
        line: Line = (
            look.piece(f"{view.label:<2} ", "dim"),
            look.piece(f"{view.number:>7} ", view.role if view.role == "truth" else "text"),
        )
        room = inside - width(line)
        drawn = bar(view.share, room, look.palette.style(view.role), look.glyphs)
        return (*line, *fit(drawn, max(0, room)))
