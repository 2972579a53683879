"""The arms of an experiment with their progress."""

from __future__ import annotations

from tui.theme.canvas import bar
from tui.theme.look import Line, blank, crop, fit, width
from tui.views.experiment import ArmRow, ArmsView
from tui.widgets.table_pane import RowsPane


class ArmsPane(RowsPane[ArmsView]):
    """A row for each arm: its label, name and players, its bar and its count."""

    above = 1
    turned = 1

    def lines(self, view: ArmsView, columns: int, rows: int) -> list[Line]:
        """The frame and the rows, all parts aligned."""
        inside = columns - 2
        label = max((len(row.label) for row in view.rows), default=1)
        name = max((len(self.look.glyphs.text(row.name)) for row in view.rows), default=0)
        name = min(name, max(12, inside // 3))
        body = [
            self._row(row, inside, label, name, number == view.cursor)
            for number, row in enumerate(view.rows)
        ]
        return self.framed(view, columns, rows, body, footer=view.footer, air=0)

    def _row(self, row: ArmRow, inside: int, label: int, name: int, is_on: bool) -> Line:
        look = self.look
        head: Line = (
            look.piece("▸" if is_on else " ", "key"),
            look.piece(f"{row.label:<{label}} ", row.role),
            *self._cropped((look.piece(row.name, "strong" if is_on else "text"),), name),
            *blank(2),
        )
        tail = self._progress(row, inside)
        room = inside - width(head) - width(tail) - 1
        players = self._cropped(look.line(row.players, "dim"), room)
        line = fit((*head, *players, *blank(1), *tail), inside)
        return look.select(line) if is_on else line

    def _cropped(self, line: Line, columns: int) -> Line:
        if width(line) <= columns:
            return fit(line, columns)
        return (*crop(line, columns - 1), (self.look.glyphs.cell("…"), self.look.palette.faint))

    def _progress(self, row: ArmRow, inside: int) -> Line:
        """The bar on its track, and the count."""
        if row.share is None:
            return ()
        look = self.look
        columns = inside // 4
        done = bar(row.share, columns, look.palette.style(row.role), look.glyphs)
        if look.glyphs.name == "unicode":
            done = (("━" * round(row.share * columns), look.palette.style(row.role)),)
        track = (look.glyphs.cell("─") * (columns - width(done)), look.palette.faint)
        return (*blank(1), *done, track, look.piece(f" {row.count} ", "dim"))
