"""The values that were learned, in sentences, a few at a time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from game import Board, Side
from learners.errors import shown
from tui.lab.table.controller import TableController
from tui.lab.table.filter import FilterError
from tui.lab.table.view import value_symbol
from tui.plain.pages import Pages
from tui.plain.sentences import board_words
from tui.plain.speech import figure, sentence

if TYPE_CHECKING:
    from tui.lab.table.rows import TableRows
    from tui.plain.session import PlainSession

BY: Final = re.compile(r"(.*?)(?:^| )by (table [12]|\S+)(.*)")
ORDERED: Final = {
    "board": "in order of the board", "ply": "the earliest first", "cell": "by cell",
    "class": "by class", "visits": "written most often first",
}  # fmt: skip


class Entries:
    """The tables of a session's players.

    Args:
        session: whose.
        pages: takes long lists.
    """

    def __init__(self, session: PlainSession, pages: Pages) -> None:
        self._session = session
        self._pages = pages

    def table(self, text: str) -> list[str]:
        """What is in a player's table, as a filter and an order have it."""
        browser = TableController(self._session)
        column, wanted = "visits", text
        if match := BY.fullmatch(text):
            column, wanted = match[2], f"{match[1]} {match[3]}"
        first, _, rest = wanted.strip().partition(" ")
        if first.upper() in Side.__members__:
            browser.show_player(Side.parse(first.upper()))
            wanted = rest
        name, rows = browser.side.mark, browser.rows
        if rows is None:
            return [f"{name} does not learn, so it keeps no table."]
        if column not in rows.columns:
            return [f"There is no column {shown(column)}: order by {', '.join(rows.columns)}."]
        if browser.column != column:
            browser.sort_by(column)
        try:
            browser.filter_by(wanted)
        except FilterError as error:
            return [sentence(str(error))]
        order = browser.order.tolist()
        filtered = f" with {browser.filter_text}" if browser.filter_text else ""
        if not order:
            return [f"No entry of {name} is {browser.filter_text}."]
        how = ORDERED.get(column, f"largest {column} first")
        heading = f"{len(order):,} of {name}'s {len(rows):,} entries{filtered}, {how}:"
        return self._pages.begin_lazily(
            [heading], len(order), lambda number: entry_sentence(rows, order[number])
        )


def entry_sentence(rows: TableRows, row: int) -> str:
    """An entry: its board and move, its value, what is true, how often it was written."""
    board = Board.from_id(int(rows.boards[row]))
    cell, visits = int(rows.cells[row]), int(rows.visits[row])
    where = board_words(board).removesuffix(".") + (f"; move {cell + 1}" if cell >= 0 else "")
    written = f"written {visits:,} times" if visits != 1 else "written once"
    value = float(rows.values[row])
    if rows.shares is not None:
        facts = [f"{value:,.0f} beads, {float(rows.shares[row]):.0%} of its box"]
    else:
        facts = [f"{value_symbol(rows)} {figure(value)}, exact {figure(float(rows.truth[row]))}"]
    facts.append(written if visits else "never written")
    return f"{where}: {', '.join(facts)}."
