"""The board as shown: marks, and what the learner thinks of each empty cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from afterstate_lab.game import Board, Side, space
from afterstate_lab.learners.judge.evaluated_state import optimum, true_values
from afterstate_lab.learners.tape.events import Backup, GameOver, Move
from afterstate_lab.learners.tape.recording import best_cells, mover_values
from afterstate_lab.tui.blocks.cells import Cells, CellView, HeatScale, ranks, winning
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.lab.coach import holding_cells
from afterstate_lab.tui.lab.first_blocks import welcome
from afterstate_lab.tui.lab.labels import SHORT
from afterstate_lab.tui.lab.microscope.reading import Colour, colours_of, values_of
from afterstate_lab.tui.lab.modes import Help, Mode
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.theme.numerals import decimals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Table


def greedy_cells(table: Table, v: NDArray[np.float64], board: int) -> tuple[int, ...]:
    """Return the cells (0-8) that a player ranks highest; empty after the game."""
    return tuple(best_cells(mover_values(table, v, board)))


def shown_help(session: Session) -> Help:
    """Return how much the empty cells show: everything, unless you play without help."""
    return session.help if session.mode is Mode.PLAY else Help.VALUES


def board_view(session: Session) -> Cells:
    """Return the current board; while training or the film plays, the opening moves."""
    board, v, event = session.board, session.timeline.v, session.timeline.event
    right = "game over" if board.is_over else f"{board.to_move} to move"
    if isinstance(event, GameOver):
        right = "draw" if event.result == "draw" else f"{event.result} wins"
        if event.resigned:
            right = f"{'O' if event.result == 'X' else 'X'} resigns"
    is_training = session.mode is Mode.TRAIN
    if is_training:
        v = session.run.memory if session.snapshot is None else session.snapshot.memory
    if is_training or (session.film is not None and session.film.is_playing):
        board, right = Board(), "opening moves"
        cells = valued_cells(session, board, v, Help.VALUES)
    else:
        cells = cell_views(session, board, v)
    shows = shown_help(session) in (Help.VALUES, Help.EXACT)
    return Cells(
        title=whose(cells, board),
        cells=cells,
        scale=scale_of_board(session, board, v) if shows else None,
        right=right,
        swept=1.0 - session.walk,
        messages=(welcome(),)
        * (session.mode is Mode.WATCH and not session.run.games and not session.is_plain),
    )


def whose(cells: Sequence[CellView], board: Board) -> str:
    """Return the board's title: whose values the cells show, if any."""
    if any(cell.beads is not None for cell in cells):
        return f"{board.to_move}'s beads"
    has_values = any(cell.value is not None for cell in cells)
    return f"{board.to_move}'s values" if has_values else "board"


def cell_views(session: Session, board: Board, v: NDArray[np.float64]) -> tuple[CellView, ...]:
    last = session.last_move
    won = winning(str(board))
    level = shown_help(session)
    cells = list(valued_cells(session, board, v, level))
    drawn = share_drawn(session, last, v) if level is Help.VALUES else ""
    for cell, mark in enumerate(str(board)):
        if mark != ".":
            cells[cell] = CellView(
                mark=mark,
                label=str(cell + 1),
                last=last is not None and last.cell == cell and not won,
                old=bool(won or last) and cell not in won and (last is None or cell != last.cell),
                cursor=session.cursor == cell,
                note=drawn if last is not None and last.cell == cell else "",
            )
    return tuple(cells)


def share_drawn(session: Session, move: Move | None, v: NDArray[np.float64]) -> Words:
    """Return the drawn bead's share of its box; the box is fixed until its game ends."""
    if move is None or move.choice != "drawn" or session.is_over:
        return ""
    layout = session.run.layout
    table = layout.x if move.player == "X" else layout.o
    colour = colour_at(table, v, Board.from_id(move.board), move.cell)
    return "" if colour is None else ((f"drew {100 * colour.share:.0f}%", "text"),)


def colour_at(table: Table, v: NDArray[np.float64], board: Board, cell: int) -> Colour | None:
    """Return the colour of a cell in a learner's open matchbox, if it has one."""
    if not table.spec.rule.learns or table.spec.rule.estimates or board.is_over:
        return None
    return next((c for c in colours_of(table, v, board.id) if cell in c.cells), None)


def bead_note(colour: Colour, cell: int) -> Words:
    """Return the confidence in a colour; other cells of that colour name its cell."""
    first = colour.cells[0]
    if cell == first:
        return ((f"{100 * colour.share:.0f}%", "text"),)
    return ((f"as {first + 1}", "dim"),)


def both_tables(table: Table, v: NDArray[np.float64], board: Board) -> dict[int, Words]:
    """Return both tables' values of each cell."""
    if table.spec.rule.tables < 2 or board.is_over:
        return {}
    first, second = (values_of(table, v, board.id, which) for which in (0, 1))
    return {
        cell: ((f"{decimals(first[cell], 2)} {decimals(second[cell], 2)}", "dim"),)
        for cell in first
    }


def valued_cells(
    session: Session, board: Board, v: NDArray[np.float64], level: Help
) -> tuple[CellView, ...]:
    """Return the nine cells, the empty cells with what the mover's learner knows."""
    side = Side(board.ply % 2)
    table = session.run.layout.table(side)
    known = {} if board.is_over or not table.spec.rule.learns else mover_values(table, v, board.id)
    best = best_cells(known)
    scale = scale_of_board(session, board, v)
    places = 3 if table.spec.rule.estimates else 1
    truth = true_cells(session, board, v, side) if level is Help.EXACT else {}
    optimal = SHORT.get(name := optimum(session.run.layout, side), name)
    event = session.timeline.event
    written = event.cell if isinstance(event, Backup) and event.board == board.id else None
    shows = level in (Help.VALUES, Help.EXACT)
    by_rank = ranks(known)
    tells_ranks = len(set(by_rank.values())) > 1
    hints = holding_cells(board) if level is Help.HINT else ()
    tells_hints = len(hints) < len(board.legal_cells)
    both = both_tables(table, v, board) if shows and known else {}
    views = []
    for cell in range(9):
        note: Words = both.get(cell, "")
        colour = colour_at(table, v, board, cell) if shows else None
        if cell in truth:
            note = ((f"{optimal} {decimals(truth[cell], places)}", "truth"),)
        elif level is Help.RANKS and tells_ranks and cell in by_rank:
            note = ((f"{by_rank[cell]}.", "text"),)
        elif tells_hints and cell in hints:
            note = (("holds", "truth"),)
        elif colour is not None:
            note = bead_note(colour, cell)
        views.append(
            CellView(
                label=str(cell + 1),
                value=known.get(cell) if shows and colour is None else None,
                beads=round(colour.beads) if colour and cell == colour.cells[0] else None,
                colour=0 if colour is None else colour.number,
                heat=scale.heat(known[cell]) if scale and shows and cell in known else None,
                rank=by_rank.get(cell) if shows and tells_ranks else None,
                note=note,
                best=shows and cell in best and len(best) < len(known),
                cursor=session.cursor == cell,
                changed=written == cell,
                faded=board.is_over,
            )
        )
    return tuple(views)


def scale_of_board(session: Session, board: Board, v: NDArray[np.float64]) -> HeatScale | None:
    """Return the heat scale of the mover's moves; None without values."""
    table = session.run.layout.table(Side(board.ply % 2))
    rule = table.spec.rule
    if board.is_over or not (rule.learns and rule.estimates):
        return None
    known = mover_values(table, v, board.id)
    return HeatScale(known.values(), rule.rewards(table.spec.settings))


def true_cells(
    session: Session, board: Board, v: NDArray[np.float64], side: Side
) -> dict[int, float]:
    """Return the exact value of each legal move, minimax or v*."""
    truth = true_values(session.run.layout, v, side, session.timeline.game)
    s = space()
    return {cell: float(truth[s.successor[board.id, cell]]) for cell in board.legal_cells}
