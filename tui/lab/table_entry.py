"""The selected entry of the table from every side."""

from __future__ import annotations

from game import space
from tui.lab.labels import side_role
from tui.lab.table import TableRows, greedy_cells, images
from tui.lab.table_browser import TableBrowser
from tui.lab.table_view import aligned, board_words, span, value_symbol, visits_text
from tui.views.table import BarView, EntryView
from tui.views.words import Words


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
        right=f"ply {int(rows.ply[row])}",
    )


def _facts(rows: TableRows, row: int) -> tuple[Words, ...]:
    visits = int(rows.visits[row])
    told: list[Words] = [(("n ", "dim"), (visits_text(visits), "text"))]
    if not visits:
        told = [(("never written", "remark"),)]
    if rows.estimates:
        error = float(rows.errors[row])
        told.append((("V−v* " if not rows.has_cells else "Q−v* ", "dim"), (aligned(error, 3, signed=True), "text")))
    else:
        share = rows.shares[row] if rows.shares is not None else 0.0
        told.append((("share ", "dim"), (aligned(float(share), 2), "text")))
    told.append((("class ", "dim"), (space().text(int(rows.classes[row])), "dim")))
    return tuple(told)


def _bars(rows: TableRows, row: int) -> tuple[BarView, ...]:
    """The entry's numbers, what is true, and what is true of play as it is now."""
    rewards = rows.table.spec.rule.rewards(rows.table.spec.settings)
    low = min(rewards)
    numbers = [("v*", float(rows.truth[row]), "truth"), ("vπ", float(rows.policy[row]), "draw")]
    if rows.estimates:
        player = side_role("XO"[rows.table.side])
        numbers.insert(0, (value_symbol(rows), float(rows.values[row]), player))
        for number, part in zip("₁₂", rows.parts[:, row], strict=False) if len(rows.parts) > 1 else ():
            numbers.append((f"Q{number}", float(part), "draw"))
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
    if not others:
        return (("no other image by symmetry", "dim"),), ()
    many = f"{len(others)} image" + ("s" if len(others) > 1 else "")
    if all(image.row == row for image in others):
        return ((f"stands for {many} as well", "dim"),), ()
    values = [float(rows.values[image.row]) for image in others if image.row >= 0]
    if all(value == rows.values[row] for value in values):
        return ((f"its {many}: the same {value_symbol(rows)}", "dim"),), ()
    by_cell = " " * 2 if rows.has_cells else ""
    head = ((f"{'by symmetry':<9}{by_cell} {value_symbol(rows):>5}{'n':>8}", "dim"),)
    listed = []
    for image in others:
        if image.row < 0:
            continue
        where = f"@{image.cell + 1}" if image.cell >= 0 else ""
        number = float(rows.values[image.row])
        told = aligned(number, 3) if rows.estimates else f"{number:,.6g}"
        listed.append(
            (
                (f"{s.text(image.board)}{where}", "dim"),
                (f" {told:>7}", "text"),
                (f"{visits_text(int(rows.visits[image.row])):>8}", "dim"),
            )
        )
    return head, tuple(listed)
