"""Panes of text: paragraphs, the help, a lesson of the tour, and the terminal that is too small."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from tui.theme.look import EMPTY, Line, Look, blank, fit, width, wrap
from tui.views.lab import TourView
from tui.views.words import TextView, Words
from tui.widgets.pane import Pane


class TooSmall(Pane[tuple[int, int, int, int]]):
    """Says how large the terminal is and how large it must be; the view is those four numbers."""

    can_zoom = False

    def lines(self, view: tuple[int, int, int, int], columns: int, rows: int) -> list[Line]:
        wide, high, least_wide, least_high = view
        said = (
            ("afterstate", "strong"),
            (f"needs {least_wide}×{least_high}", "text"),
            (f"here {wide}×{high}", "dim"),
            ("q leaves", "dim"),
        )
        body = [fit(self.look.line(((text, role),)), columns, "centre") for text, role in said]
        above: list[Line] = [()] * max(0, (rows - len(body)) // 2)
        return above + body


TOUR_ROWS = 5
"""Frame, two lines of text, and what to press."""
MEASURE = 76
"""Longer lines are hard to read, however wide the terminal is."""


class TourPane(Pane[TourView]):
    """A lesson: what to look at, and what to press."""

    DEFAULT_CSS = f"TourPane {{ height: {TOUR_ROWS}; }}"
    can_zoom = False

    def lines(self, view: TourView, columns: int, rows: int) -> list[Line]:
        """The frame, the text, and in the last row what to press."""
        said = wrap(self.look.line(view.text), min(columns - 4, MEASURE))
        said += [EMPTY] * (rows - 3 - len(said))
        body = [*said, (self.look.piece("» ", "key"), *self.look.line(view.todo))]
        return self.framed(view, columns, rows, body)


def wrapped(paragraphs: tuple[Words, ...], columns: int, look: Look) -> list[Line]:
    lines: list[Line] = []
    for words in paragraphs:
        lines += wrap(look.line(words), columns) if words else [()]
    return lines


class TextPane(Pane[TextView]):
    def lines(self, view: TextView, columns: int, rows: int) -> list[Line]:
        """The frame and the paragraphs; the last row says where something is left out."""
        body = wrapped(view.paragraphs, columns - 4, self.look)
        if len(body) > rows - 2 > 0:
            body = [*body[: rows - 3], self.look.line((("…", "dim"),))]
        return self.framed(view, columns, rows, body, footer=view.footer)


Sections = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
"""Name, and key with what it does."""


@dataclass(frozen=True, slots=True)
class HelpView:
    sections: Sections
    page: int = 0
    title: str = "help"
    right: str = "Esc closes"
    focused: bool = True


class HelpPane(Pane[HelpView]):
    """Sections in as many columns as there is room for, in pages where there is not enough."""

    COLUMN = 56
    KEY = 7

    def turn(self, by: int) -> None:
        if self.view is not None:
            pages = self._pages(self.view, self.size.width, self.size.height)
            page = min(max(self.view.page + by, 0), pages - 1)
            self.view = replace(self.view, page=page)

    def lines(self, view: HelpView, columns: int, rows: int) -> list[Line]:
        room = rows - 2
        many = max(1, (columns - 2) // self.COLUMN)
        pages = self._pages(view, columns, rows)
        start = min(view.page, pages - 1) * many * room
        rows_of = self._rows(view, columns)
        body: list[Line] = []
        for row in range(room):
            line: Line = ()
            for column in range(many):
                at = start + column * room + row
                piece = rows_of[at] if at < len(rows_of) else ()
                line = (*line, *blank(column * ((columns - 2) // many) - width(line)), *piece)
            body.append(line)
        page = f"page {min(view.page, pages - 1) + 1} of {pages}, ↓ turns; " if pages > 1 else ""
        foot = f"{page}i explains a word"
        return self.framed(view, columns, rows, body, footer=foot)

    def _pages(self, view: HelpView, columns: int, rows: int) -> int:
        room = max(1, (rows - 2) * max(1, (columns - 2) // self.COLUMN))
        return max(1, -(-len(self._rows(view, columns)) // room))

    def _rows(self, view: HelpView, columns: int) -> list[Line]:
        many = max(1, (columns - 2) // self.COLUMN)
        wide = max(1, (columns - 2) // many - self.KEY - 3)
        return help_rows(view.sections, self.KEY, wide, self.look)


@lru_cache(maxsize=2)
def help_rows(sections: Sections, key_columns: int, columns: int, look: Look) -> list[Line]:
    """The rows of a help from the top; kept, as each page and picture of it is made from them.

    Args:
        sections: of the help.
        key_columns: for the keys.
        columns: for what they do.
        look: colours and characters.
    """
    rows: list[Line] = []
    for name, keys in sections:
        if rows:
            rows.append(())
        rows.append(look.line(((name, "title"),)))
        for key, said in keys:
            told = wrap(look.line(said), columns)
            rows.append((look.piece(f"{key:>{key_columns}}  ", "key"), *told[0]))
            rows += [(*blank(key_columns + 2), *line) for line in told[1:]]
    return rows
