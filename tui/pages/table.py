"""The table of a player's values: sorted, filtered, with one value in detail."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.learners.ask.table import FIELDS, RISING, TableRows, filtered, sorted_rows
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.tape.recording import Backup, NoBackup
from afterstate_lab.tui.blocks import (
    Beside,
    Block,
    Cell,
    Column,
    Table,
    Window,
    Words,
    board_words,
    figure,
    in_a_row,
    marked,
)
from afterstate_lab.tui.lab.labels import SHORT, side_role
from afterstate_lab.tui.lab.panes import fields, named_players
from afterstate_lab.tui.pages.page import BACK, Key, LabController, Leave, Opened, Page, Work
from afterstate_lab.tui.theme.numerals import aligned, count_in

VISITS = 7
NUMBER = 0
"""The width of a column of numbers, found from the rewards."""
COLUMNS = {
    "board": Column("board", 11, 0),
    "cell": Column("cell", 4, 1, left=False, say="move {}"),
    "value": Column("", NUMBER, 2, left=False),
    "table 1": Column("Q₁", NUMBER, 9, left=False, say="", role="dim"),
    "table 2": Column("Q₂", NUMBER, 10, left=False, say="", role="dim"),
    "share": Column("share", 5, 6, left=False, say="{} of its box", role="dim"),
    "v*": Column("v*", NUMBER, 3, left=False, say="exact {}", role="truth"),
    "vpi": Column("vπ", NUMBER, 7, left=False, say="", role="dim"),
    "error": Column("error", NUMBER, 5, left=False, say="off by {}", role="dim"),
    "visits": Column("n", VISITS, 4, left=False, role="dim"),
    "ply": Column("ply", 4, 11, left=False, say="", role="dim"),
}
"""The columns by name; the lowest rank is hidden last."""
PLACES = {"value": 4, "table 1": 4, "table 2": 4, "share": 2, "v*": 3, "vpi": 3, "error": 3}
DRAWN = 28
"""Minimum number of columns of the drawn board."""
REFRESH_SECONDS = 1.0


class EntryTable:
    """The table at the session's current moment."""

    def __init__(self, lab: LabController) -> None:
        self.lab, self.session, self.filter_text = lab, lab.session, ""
        self.list, self.column, self.reverse = Window(), "board", False
        layout, event = self.session.run.layout, self.session.timeline.event
        if not layout.learners:
            raise UsageError("neither player learns, so there is no table")
        self.show_player(layout.learners[0])
        if isinstance(event, Backup | NoBackup) and not self.session.is_training:
            self.show_player(Side.parse(event.player))
            self.list.cursor = int(np.argmax(self.order == self.rows.row(event.entry)))

    @property
    def selected(self) -> int | None:
        return int(self.order[self.list.cursor]) if len(self.order) else None

    def refresh(self) -> None:
        """Update the numbers, without moving any row."""
        v, game = self.session.known
        self.rows = TableRows(self.session.run.layout, v, self.side, game)

    def show_player(self, side: Side) -> None:
        """Show a player's whole table from its start."""
        name, rule = side.mark, self.session.run.layout.table(side).rule
        if not rule.learns:
            raise UsageError(f"{name} has no table: {rule.name} does not learn")
        self.side = side
        self.refresh()
        if self.column not in self.rows.columns:
            self.column, self.reverse = "board", False
        self.filter_by("")

    def filter_by(self, text: str) -> None:
        """Filter and sort the rows; an invalid filter changes nothing."""
        text = " ".join(text.split())
        matching = filtered(self.rows, text)
        self.order = sorted_rows(self.rows, matching, self.column, self.reverse)
        self.filter_text, self.list.cursor = text, 0
        self.list.hold(len(self.order))

    # what can be asked for

    def show(self, text: str) -> None:
        """Apply a line: a player's mark, a filter, or both, as in `O visits>10 X.O......`."""
        first, _, rest = text.partition(" ")
        if first.upper() in Side.__members__:
            self.show_player(Side.parse(first.upper()))
            text = rest
        self.filter_by(text)

    def sort_by(self, name: str) -> None:
        """Sort by a column; reverse if it is sorted by it."""
        column = FIELDS.get(name.lower(), name)
        if column not in self.rows.columns:
            known = ", ".join(self.heads)
            raise UsageError(f"there is no column {shown(name)}: sort by {known}")
        self.reverse = not self.reverse if column == self.column else False
        self.column = column
        self.filter_by(self.filter_text)

    def card(self) -> Leave:
        """Open the card of the selected value."""
        if self.session.is_training:
            raise UsageError("the card opens after training")
        if self.selected is None:
            raise UsageError("no value is selected")
        return Leave(self.lab.open_card(self.rows.entry(self.selected)))

    @property
    def work(self) -> Work | None:
        """Update the numbers during training."""
        if not self.session.is_training:
            return None

        def take(_: object) -> None:
            self.session.look_at_training()
            self.refresh()

        return Work(lambda _: None, REFRESH_SECONDS, then=take)

    # what is shown

    def page(self) -> Page:
        rows, row, parts = self.rows, self.selected, list[Block]([self.table()])
        if row is not None:
            board, cell = space().text(int(rows.boards[row])), int(rows.cells[row])
            parts.append(marked(board, cell, least_columns=DRAWN))
        return Page(
            "TABLE",
            Beside(parts),
            title=(*named_players(self.session), *fields(self.session)),
            of_run=True,
            work=self.work,
            keys=(
                Key("enter", "card", self.card, "the card of this value"),
                Key(
                    "",
                    "sort by",
                    self.sort_by,
                    "sort by a column, or reverse its order",
                    "the name of a column",
                    signs="1-9",
                ),
                *(
                    Key(str(n), "", lambda name=name: self.sort_by(name), f"sort by {head}")
                    for n, (head, name) in enumerate([*self.heads.items()][:9], 1)
                ),
                Key(
                    "slash",
                    "filter",
                    self.filter_by,
                    "show what matches a filter",
                    "visits>10 error>.1 ply=3 X.O...... ?.X@5 never",
                    self.filter_text,
                ),
                Key("tab", "other", lambda: self.show_player(self.side.other), "the other player"),
                BACK,
            ),
        )

    def table(self) -> Table:
        rows, mark = self.rows, self.side.mark
        spec = self.session.run.layout.table(self.side).spec
        title = ((mark, side_role(mark, strong=True)), (f" {spec.rule.name}", "title"))
        many = len(self.order)
        place = f"{min(self.list.cursor, many - 1) + 1:,} of {many:,}" if many else "none"
        return Table(
            tuple(self.head(name) for name in rows.columns),
            self.order.tolist(),
            lambda row: [*cells(rows, row)],
            self.list,
            message="" if many else "No value matches. An empty filter shows every value.",
            title=title,
            right=f"{place} found in {len(rows):,}" if 0 < many < len(rows) else place,
            footer=f"filter {self.filter_text}" if self.filter_text else "",
            least_columns=40,
        )

    @property
    def heads(self) -> dict[str, str]:
        """The names of the columns by their heads."""
        return {self.head(name).head.rstrip("▲▼"): name for name in self.rows.columns}

    def head(self, name: str) -> Column:
        """Return a column as wide as its numbers, with the sort sign."""
        rows, column = self.rows, COLUMNS[name]
        if name == "value":
            column = column._replace(head=rows.symbol, say=f"{rows.symbol} {{}}")
        if name == "v*":
            column = column._replace(head=SHORT.get(rows.optimum, rows.optimum))
        if column.width == NUMBER:
            ends = rows.low, rows.low + rows.span
            column = column._replace(width=max(len(aligned(end, 4)) for end in ends))
        if name == self.column:
            falls = (name in RISING) == self.reverse
            column = column._replace(head=f"{column.head}{'▼' if falls else '▲'}")
        return column


def cells(rows: TableRows, row: int) -> Iterator[Cell | Words]:
    visits = int(rows.visits[row])
    for name, numbers in rows.columns.items():
        number = float(numbers[row])
        role = "dim" if not visits and name in ("cell", "value") else COLUMNS[name].role
        if name == "board":
            yield board_cell(space().text(int(rows.boards[row])), not visits)
        elif name == "visits":
            said = f"{visits:,} visit{'s' * (visits != 1)}" if visits else "never visited"
            yield Cell(count_in(visits, VISITS), said)
        elif name not in PLACES or (name == "value" and not rows.estimates):
            yield ((f"{number:,.6g}", role),)
        else:
            text = aligned(number, PLACES[name], signed=name == "error")
            yield Cell(((text, role),), figure(number))


@lru_cache(8192)
def board_cell(board: str, is_new: bool) -> Cell:
    """Return a board in one row; a page of them is drawn for every key."""
    return Cell(in_a_row(board, is_dim=is_new), board_words(board).removesuffix("."))


def open_on(lab: LabController, data: None, text: str) -> Opened:
    table = EntryTable(lab)
    if text:
        table.show(text)
    return table.page
