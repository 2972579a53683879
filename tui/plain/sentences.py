"""Plain mode's sentences about boards, moves and values: short lines of ASCII, pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import Board, space
from afterstate_lab.learners.tape.events import Backup, Event, NoBackup
from afterstate_lab.learners.tape.trace import mover_values
from afterstate_lab.tui.blocks.speech import listed
from afterstate_lab.tui.lab.coach import move_results
from afterstate_lab.tui.theme.numerals import decimals

if TYPE_CHECKING:
    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.events import GameOver, Move

SAME_AFTER: Final = 6
"""Decimals to which numbers must agree to count as equal."""


def number(value: float, places: int = 3) -> str:
    """Return a value with a few decimals and no leading zero: .402."""
    return decimals(value, places).replace("−", "-")


def board_lines(board: Board) -> list[str]:
    """Return the board in three lines, with the numbers of free cells."""
    marks = [str(cell + 1) if mark == "." else mark for cell, mark in enumerate(str(board))]
    return [" ".join(marks[row : row + 3]) for row in (0, 3, 6)]


def grid(board: Board, labels: Mapping[int, str]) -> list[str]:
    """Return the board in three lines, with labels in free cells (0-8)."""
    texts = [labels.get(cell, mark) for cell, mark in enumerate(str(board))]
    width = max(map(len, texts))
    return ["  ".join(text.rjust(width) for text in texts[row : row + 3]) for row in (0, 3, 6)]


def move_words(move: Move, preferred: Sequence[int] = ()) -> str:
    """Return a move, and how it was chosen; `preferred` are the mover's best cells, 0-8."""
    how = ""
    if preferred and move.choice == "greedy":
        how = " (its best)" if len(preferred) == 1 else f" (one of its {len(preferred)} best)"
    elif preferred and move.choice == "exploratory":
        how = f" (exploring: it likes {listed(preferred, 'or')} better)"
    elif preferred and move.choice == "drawn":
        how = " (drawn from its beads)"
    return f"{move.player} takes {move.cell + 1}{how}."


def result_words(end: GameOver, humans: str) -> str:
    """Return the result, for the people who played."""
    if end.result == "draw":
        return "The game is a draw."
    loser = "O" if end.result == "X" else "X"
    told = f"{loser} resigns: {end.result} wins" if end.resigned else f"{end.result} wins"
    if len(humans) == 1:
        told += ", you win" if end.result == humans else ", you lose"
    return f"{told}."


def exact_lines(board: Board) -> list[str]:
    """Return a heading and three lines: the result of each move under perfect play."""
    return [f"What each move is worth to {board.to_move}:", *grid(board, move_results(board))]


def cell_values(table: Table, v: Any, board: Board) -> dict[int, float]:
    """Return the mover's value of each cell, 0-8; for beads, its colour's share (confidence)."""
    values = mover_values(table, v, board.id)
    rule = table.spec.rule
    if not rule.estimates:
        drawn = rule.as_played(table.values(v), table.entries)
        if drawn is not None:
            return {cell: float(drawn[space().edge_of[board.id, cell]]) for cell in values}
        total = sum(values.values())
        return {cell: n / total if total else 0.0 for cell, n in values.items()}
    return values


def knowledge_lines(table: Table, v: Any, board: Board) -> list[str]:
    """Return a heading and three lines: what the mover knows of a position."""
    name = table.side.mark
    values = cell_values(table, v, board)
    if table.spec.rule.estimates:
        labels = {cell: number(value) for cell, value in values.items()}
        return [f"What {name} expects of each move:", *grid(board, labels)]
    labels = {cell: f"{value:.0%}" for cell, value in values.items()}
    return [f"How sure {name} is of each move, by its beads:", *grid(board, labels)]


def learned_lines(events: list[Event], table: Table) -> list[str]:
    """Return what a learner learned from a game, a sentence for each entry, in order."""
    name = table.side.mark
    sentences: dict[int, str] = {}
    first: dict[int, float] = {}
    for event in events:
        if isinstance(event, Backup) and event.player == name:
            old = first.setdefault(event.entry, event.old)
            change = went(old, event.new, table.spec.rule.estimates)
            sentences[event.entry] = f"{name}'s {subject(event, table)} {change}."
        elif isinstance(event, NoBackup) and event.player == name:
            why = f"stayed as it was: the move after it was {event.reason}"
            sentences.setdefault(event.entry, f"{name}'s {subject(event, table)} {why}.")
    return list(sentences.values()) or [f"{name} learned nothing from this game."]


def subject(event: Backup | NoBackup, table: Table) -> str:
    """Return the name of an entry: the value of a board, or of a move on it."""
    what = "value" if table.spec.rule.estimates else "number of beads"
    board = space().text(event.board)
    return f"{what} of {board}" if event.cell is None else f"{what} for {event.cell + 1} on {board}"


def went(old: float, new: float, is_estimate: bool = True) -> str:
    """Return how a number changed, with enough decimals to see it."""
    if is_estimate:
        seen = (n for n in range(3, SAME_AFTER) if number(old, n) != number(new, n))
        places = next(seen, 3)
        was, now = number(old, places), number(new, places)
    else:
        was, now = f"{old:g}", f"{new:g}"
    return f"stayed at {now}" if was == now else f"went from {was} to {now}"
