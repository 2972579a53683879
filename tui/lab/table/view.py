"""The window of the table, the strip of all of it, and one entry from every side, as shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from game import Side, space
from learners.judge.evaluated_state import covers
from tui.lab.board import greedy_cells
from tui.lab.labels import board_label, side_role
from tui.lab.table.controller import TableController
from tui.lab.table.rows import Image, TableRows, images
from tui.theme.numerals import aligned, count_in
from tui.views.table import BarView, ColumnView, EntryView, StripView, TableView
from tui.views.words import Words

if TYPE_CHECKING:
    from numpy.typing import NDArray

RANKS: Final = ("board", "cell", "value", "v*", "visits", "error", "share", "vpi", "class",
                "table 1", "table 2", "ply")  # fmt: skip
"""Columns, the one first that stays longest where there is little room."""
LARGE_ERROR: Final = 0.2
"""Of what lies between a loss and a win: an error from here on is marked."""
VALUE_ENDS: Final = 17
"""The column where the values of an entry's images end."""
VISITS: Final = 7
"""Columns of a number of visits."""


def value_symbol(rows: TableRows) -> str:
    """What an entry's number is called: `V`, `Q` or `beads`."""
    if not rows.estimates:
        return "beads"
    return "Q" if rows.has_cells else "V"


def board_words(board: str, never: bool = False) -> Words:
    """Nine characters, the marks in their players' colours."""
    words: list[tuple[str, str]] = []
    for mark in board:
        role = "faint" if mark == "." else "dim" if never else side_role(mark)
        if words and words[-1][1] == role:
            words[-1] = (words[-1][0] + mark, role)
        else:
            words.append((mark, role))
    return tuple(words)


def table_view(controller: TableController) -> TableView:
    """The window of rows that is seen."""
    rows = controller.rows
    mark = controller.side.mark
    table = controller.session.run.layout.table(controller.side)
    title = ((mark, side_role(mark, strong=True)), (f" {table.spec.rule.name}", "title"))
    if rows is None:
        message = f"{table.spec.rule.name} does not learn: it keeps no table. Tab: the other one."
        return TableView((), (), message=message, footer=controller.note, title=title)
    window = controller.window
    listed = controller.order[window.seen].tolist()
    filtered = f"filter {controller.filter_text}" if controller.filter_text else ""
    message = "" if listed else "No entry is like that. / takes another filter, a shows all."
    place = f"{window.cursor + 1:,} of {len(controller.order):,}" if listed else "none"
    of = f" of {len(rows):,}" if len(controller.order) < len(rows) and listed else ""
    return TableView(
        columns=shown_columns(controller),
        rows=tuple(_row(rows, row) for row in listed),
        cursor=window.cursor - window.top if listed else None,
        message=message,
        footer=((controller.note, "remark"),) if controller.note else filtered,
        title=title,
        right=f"{place}{of}",
    )


def shown_columns(controller: TableController) -> tuple[ColumnView, ...]:
    """The columns of the player's table; none of one that does not learn."""
    rows = controller.rows
    return () if rows is None else tuple(_column(controller, rows, name) for name in rows.columns)


def _column(controller: TableController, rows: TableRows, name: str) -> ColumnView:
    symbol = value_symbol(rows)
    titles = {"value": symbol, "table 1": "Q₁", "table 2": "Q₂", "vpi": "vπ", "visits": "n"}
    wide = _number_width(rows)
    widths = {
        "board": 9, "cell": 4, "value": 7 if rows.has_cells and not rows.estimates else wide + 1,
        "table 1": wide + 1, "table 2": wide + 1, "share": 5, "v*": wide, "vpi": wide,
        "error": wide + 1, "visits": 7, "ply": 4, "class": 9,
    }  # fmt: skip
    order = ("▼" if controller.is_falling else "▲") if name == controller.column else ""
    return ColumnView(
        title=titles.get(name, name),
        width=widths[name],
        rank=RANKS.index(name),
        left=name in ("board", "class"),
        sorted=order,
    )


def _number_width(rows: TableRows) -> int:
    """The columns that values with three decimals take."""
    rewards = rows.table.spec.rule.rewards(rows.table.spec.settings)
    return max(5, *(len(aligned(reward, 3)) for reward in rewards))


def _row(rows: TableRows, row: int) -> tuple[Words, ...]:
    visits = int(rows.visits[row])
    return tuple(_cell(rows, row, name, never=visits == 0) for name in rows.columns)


def _cell(rows: TableRows, row: int, name: str, never: bool) -> Words:
    if name in ("board", "class"):
        ids = rows.boards if name == "board" else rows.classes
        board = space().text(int(ids[row]))
        return board_words(board, never) if name == "board" else ((board, "dim"),)
    number = float(rows.column(name)[row])
    if name in ("cell", "ply"):
        return ((str(int(number)), "dim" if never or name == "ply" else "text"),)
    if name == "visits":
        return ((count_in(int(number), VISITS), "dim"),)
    if name == "value" and not rows.estimates:
        return ((f"{number:,.6g}", "dim" if never else "text"),)
    if name == "error":
        large = not never and abs(number) >= LARGE_ERROR * span(rows)
        return ((aligned(number, 3, signed=True), "worse" if large else "dim"),)
    if name in ("v*", "vpi"):
        return ((aligned(number, 3), "truth" if name == "v*" else "dim"),)
    places = 2 if name == "share" else 4
    return ((aligned(number, places), "dim" if never or name != "value" else "text"),)


def span(rows: TableRows) -> float:
    """How far a loss is from a win, in the player's own rewards."""
    rewards = rows.table.spec.rule.rewards(rows.table.spec.settings)
    return (max(rewards) - min(rewards)) or 1.0


def strip_view(controller: TableController, columns: int) -> StripView:
    """The whole table in so many buckets, in order of ply and board.

    Each ply has a share of the columns like its share of the entries, at least two; what the
    filter hides does not count.
    """
    rows = controller.rows
    if rows is None or columns < 24:
        return StripView(())
    bucket, plies = buckets(rows, columns)
    shown = controller.order
    filled = np.bincount(bucket[shown], minlength=columns)
    heats: list[tuple[str, NDArray[np.float64]]] = []
    if rows.estimates:
        size = np.abs(rows.errors[shown])
        errors = np.bincount(bucket[shown], size, minlength=columns) / np.maximum(filled, 1)
        heats.append(("|error|", np.minimum(1.0, 2.0 * errors / span(rows))))
    else:
        heats.append(("beads", _relative(bucket[shown], rows.values[shown], filled)))
    heats.append(("visits", _relative(bucket[shown], rows.visits[shown], filled)))
    row = controller.selected
    visits = rows.visits[covers(rows.boards, rows.cells)]
    return StripView(
        lines=tuple(
            (name, tuple(
                float(heat) if many else None for heat, many in zip(heat_of, filled, strict=True)
            ))
            for name, heat_of in heats
        ),
        plies=plies,
        cursor=None if row is None else int(bucket[row]),
        right=f"{np.count_nonzero(visits):,} of {len(visits):,} written",
    )  # fmt: skip


def _relative(
    bucket: NDArray[np.int64], numbers: NDArray[np.generic], filled: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The mean of each bucket on a logarithmic scale, 1 for the fullest."""
    sums = np.bincount(bucket, numbers, minlength=len(filled))
    heat = np.log1p(sums / np.maximum(filled, 1))
    return np.asarray(heat / (heat.max() or 1.0))


def buckets(rows: TableRows, columns: int) -> tuple[NDArray[np.int64], tuple[tuple[int, int], ...]]:
    """[n] the column of each row in a strip, and the columns where plies start."""
    plies, counts = np.unique(rows.ply, return_counts=True)
    wide = np.maximum(2, (counts * columns / len(rows)).astype(int))
    wide[np.argmax(wide)] += columns - wide.sum()
    starts = np.concatenate(([0], np.cumsum(wide)[:-1]))
    within = np.arange(len(rows)) - np.searchsorted(rows.ply, rows.ply)
    at = np.searchsorted(plies, rows.ply)
    bucket = starts[at] + within * wide[at] // counts[at]
    return bucket, tuple(zip(starts.tolist(), plies.tolist(), strict=True))


def entry_view(controller: TableController) -> EntryView:
    """The details of the entry on which the cursor is."""
    rows, row = controller.rows, controller.selected
    if rows is None or row is None:
        return EntryView()
    board, cell = int(rows.boards[row]), int(rows.cells[row])
    head, listed = _images(rows, row)
    return EntryView(
        cells=space().text(board),
        lit=cell if cell >= 0 else None,
        facts=_facts(rows, row),
        bars=_bars(rows, row),
        moves=_moves(controller, board),
        head=head,
        images=listed,
        footer=_last(controller, row),
        right=f"ply {int(rows.ply[row])}",
    )


def _last(controller: TableController, row: int) -> str:
    place = controller.written.get(row)
    return "" if place is None else f"last: game {place.game + 1:,}"


def _facts(rows: TableRows, row: int) -> tuple[Words, ...]:
    visits = int(rows.visits[row])
    facts: list[Words] = [(("n ", "dim"), (count_in(visits, VISITS), "text"))]
    if not visits:
        facts = [(("never written", "remark"),)]
    if rows.estimates:
        error = float(rows.errors[row])
        facts.append(
            ((f"{value_symbol(rows)}−v* ", "dim"), (aligned(error, 4, signed=True), "text"))
        )
    else:
        share = rows.shares[row] if rows.shares is not None else 0.0
        facts.append((("share ", "dim"), (aligned(float(share), 2), "text")))
    return tuple(facts)


def _bars(rows: TableRows, row: int) -> tuple[BarView, ...]:
    """The entry's numbers, what is true, and what is true of play as it is now."""
    rewards = rows.table.spec.rule.rewards(rows.table.spec.settings)
    low = min(rewards)
    numbers = [("v*", float(rows.truth[row]), "truth"), ("vπ", float(rows.policy[row]), "draw")]
    if rows.estimates:
        player = side_role(rows.table.side.mark)
        numbers.insert(0, (value_symbol(rows), float(rows.values[row]), player))
        if len(rows.parts) > 1:
            numbers[1:1] = [
                (f"Q{number}", float(part), "draw")
                for number, part in zip("₁₂", rows.parts[:, row], strict=True)
            ]
    return tuple(
        BarView(label, aligned(number, 4), (number - low) / span(rows), role)
        for label, number, role in numbers
    )


def _moves(controller: TableController, board: int) -> Words:
    """What the player to move there prefers, as it is known now."""
    ply = int(space().ply[board])
    table = controller.session.run.layout.table(Side(ply % 2))
    cells = greedy_cells(table, controller.memory, board)
    mover, free = table.side.mark, 9 - ply
    if len(cells) == free > 1:
        said = "any cell alike"
    else:
        said = ", ".join(str(cell + 1) for cell in cells)
    return ((f"{mover} ", side_role(mover, strong=True)), ("prefers ", "dim"), (said, "text"))


def _images(rows: TableRows, row: int) -> tuple[Words, tuple[Words, ...]]:
    """The values of the entry's images under the eight symmetries (S&B exercise 1.2)."""
    s = space()
    others = images(rows, row)[1:]
    symbol = value_symbol(rows)
    canonical = f"class {s.text(int(rows.classes[row]))}"
    many = f"{len(others)} image" + ("s" if len(others) > 1 else "")
    if not others:
        said = "no other image"
    elif all(image.row == row for image in others):
        said = f"stands for {many} too"
    elif all(rows.values[image.row] == rows.values[row] for image in others):
        said = f"{many}, the same {symbol}"
    else:
        head = ((canonical, "dim"), (f"{symbol:>{VALUE_ENDS - len(canonical)}}{'n':>7}", "dim"))
        return head, tuple(_image(rows, image) for image in others)
    return ((canonical, "dim"),), (((said, "dim"),),)


def _image(rows: TableRows, image: Image) -> Words:
    """An image with its own value and visits."""
    entry = board_label(image.board, image.cell)
    number = float(rows.values[image.row])
    value = aligned(number, 3) if rows.estimates else count_in(int(number), 6)
    visits = count_in(int(rows.visits[image.row]), 6)
    return (
        (entry, "dim"),
        (f"{value:>{VALUE_ENDS - len(entry)}}", "text"),
        (f"{visits:>7}", "dim"),
    )
