"""The help page: keys with what they do, in sections."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tui.theme.look import Line, blank, width
from tui.widgets.pane import Pane


@dataclass(frozen=True, slots=True)
class HelpView:
    """Sections of keys."""

    sections: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """Name, and key with what it does."""
    page: int = 0
    title: str = "help"
    right: str = "Esc closes"
    focused: bool = True


class HelpPane(Pane[HelpView]):
    """Sections in as many columns as there is room for, in pages where there is not enough."""

    COLUMN = 56

    def turn(self, by: int) -> None:
        """Turn so many pages."""
        if self.view is not None:
            pages = self._pages(self.view, self.size.width, self.size.height)
            page = min(max(self.view.page + by, 0), pages - 1)
            self.view = replace(self.view, page=page)

    def lines(self, view: HelpView, columns: int, rows: int) -> list[Line]:
        """The page of now."""
        room = rows - 2
        many = max(1, (columns - 2) // self.COLUMN)
        pages = self._pages(view, columns, rows)
        start = min(view.page, pages - 1) * many * room
        rows_of = self._rows(view)
        body: list[Line] = []
        for row in range(room):
            line: Line = ()
            for column in range(many):
                at = start + column * room + row
                piece = rows_of[at] if at < len(rows_of) else ()
                line = (*line, *blank(column * self.COLUMN - width(line)), *piece)
            body.append(line)
        more = f"page {min(view.page, pages - 1) + 1} of {pages}, ↓ turns" if pages > 1 else ""
        return self.framed(view, columns, rows, body, footer=more)

    def _pages(self, view: HelpView, columns: int, rows: int) -> int:
        room = max(1, (rows - 2) * max(1, (columns - 2) // self.COLUMN))
        return max(1, -(-len(self._rows(view)) // room))

    def _rows(self, view: HelpView) -> list[Line]:
        rows: list[Line] = []
        for name, keys in view.sections:
            if rows:
                rows.append(())
            rows.append(self.look.line(((name, "title"),)))
            rows += [
                self.look.line(((f"{key:>7}", "key"), (f"  {said}", "text"))) for key, said in keys
            ]
        return rows
