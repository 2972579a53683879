"""The selected entry of the table from every side."""

from __future__ import annotations

from typing import Final

from game import space
from tui.lab.labels import side_role
from tui.lab.table.browser import TableBrowser
from tui.lab.table.images import Image, greedy_cells, images
from tui.lab.table.rows import TableRows
from tui.lab.table.view import aligned, span, value_symbol, visits_text
from tui.theme.numerals import count, short
from tui.views.table import BarView, EntryView
from tui.views.words import Words

VALUE_ENDS: Final = 17
"""The column where the values of the images end."""


def short_count(number: int) -> str:
    """A whole number in at most six characters."""
    return count(number) if number < 100_000 else short(float(number))


def entry_view(browser: TableBrowser) -> EntryView:
    """The details of the entry on which the cursor is."""
    rows, row = browser.rows, browser.selected
    if rows is None or row is None:
        return EntryView()
    board, cell = int(rows.boards[row]), int(rows.cells[row])
    head, listed = _images(rows, row)
    return EntryView(
        cells=space().text(board),
        lit=cell if cell >= 0 else None,
        facts=_facts(rows, row),
        bars=_bars(rows, row),
        moves=_moves(browser, board),
        head=head,
        images=listed,
        footer=_last(browser, row),
        right=f"ply {int(rows.ply[row])}",
    )


def _last(browser: TableBrowser, row: int) -> str:
    place = browser.written.get(row)
    return "" if place is None else f"last: game {place.game + 1:,}"


def _facts(rows: TableRows, row: int) -> tuple[Words, ...]:
    visits = int(rows.visits[row])
    told: list[Words] = [(("n ", "dim"), (visits_text(visits), "text"))]
    if not visits:
        told = [(("never written", "remark"),)]
    if rows.estimates:
        error = float(rows.errors[row])
        told.append(
            ((f"{value_symbol(rows)}−v* ", "dim"), (aligned(error, 4, signed=True), "text"))
        )
    else:
        share = rows.shares[row] if rows.shares is not None else 0.0
        told.append((("share ", "dim"), (aligned(float(share), 2), "text")))
    return tuple(told)


def _bars(rows: TableRows, row: int) -> tuple[BarView, ...]:
    """The entry's numbers, what is true, and what is true of play as it is now."""
    rewards = rows.table.spec.rule.rewards(rows.table.spec.settings)
    low = min(rewards)
    numbers = [("v*", float(rows.truth[row]), "truth"), ("vπ", float(rows.policy[row]), "draw")]
    if rows.estimates:
        player = side_role("XO"[rows.table.side])
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


def _moves(browser: TableBrowser, board: int) -> Words:
    """What the player to move there prefers, as it is known now."""
    cells = greedy_cells(browser.session.run.layout, browser.memory, board)
    mover = "XO"[int(space().ply[board]) % 2]
    free = 9 - int(space().ply[board])
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
    entry = space().text(image.board) + (f"@{image.cell + 1}" if image.cell >= 0 else "")
    number = float(rows.values[image.row])
    told = aligned(number, 3) if rows.estimates else short_count(int(number))
    visits = short_count(int(rows.visits[image.row]))
    return ((entry, "dim"), (f"{told:>{VALUE_ENDS - len(entry)}}", "text"), (f"{visits:>7}", "dim"))
