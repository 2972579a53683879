"""What the players of a game without a screen know, and what they learned from it, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from game import Board, space
from learners.tape.events import Backup, Event, NoBackup
from learners.tape.trace import mover_values
from tui.plain.sentences import grid, number

if TYPE_CHECKING:
    from learners.kernel.memory import Table

SAME_AFTER = 6
"""Decimals after which two numbers are called the same."""


def cell_values(table: Table, v: Any, board: Board) -> dict[int, float]:
    """By cell 0-8, what the mover expects of it; of beads, each colour's share (its confidence)."""
    values = {int(cell) - 1: n for cell, n in mover_values(table, v, board.id).items()}
    rule = table.spec.rule
    if not rule.estimates:
        drawn = rule.as_played(table.values(v), table.entries)
        if drawn is not None:
            return {cell: float(drawn[space().edge_of[board.id, cell]]) for cell in values}
        total = sum(values.values())
        return {cell: n / total if total else 0.0 for cell, n in values.items()}
    return values


def best_cells(values: dict[int, float]) -> list[int]:
    """The cells with the highest value."""
    return [cell for cell, value in values.items() if value == max(values.values())]


def knowledge_lines(table: Table, v: Any, board: Board) -> list[str]:
    """What the mover knows of a position: a heading, and three lines."""
    name = table.side.mark
    values = cell_values(table, v, board)
    if table.spec.rule.estimates:
        labels = {cell: number(value) for cell, value in values.items()}
        return [f"What {name} expects of each move:", *grid(board, labels)]
    labels = {cell: f"{value:.0%}" for cell, value in values.items()}
    return [f"How sure {name} is of each move, by its beads:", *grid(board, labels)]


def learned_lines(events: list[Event], table: Table) -> list[str]:
    """What a learner learned from a game, a sentence for each entry, in the order of the events."""
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
    """What an entry is: the value of a board, or of a move on it."""
    what = "value" if table.spec.rule.estimates else "number of beads"
    board = space().text(event.board)
    return f"{what} of {board}" if event.cell is None else f"{what} for {event.cell + 1} on {board}"


def went(old: float, new: float, is_estimate: bool = True) -> str:
    """How a number changed, with as many decimals as it takes to see it."""
    if is_estimate:
        seen = (n for n in range(3, SAME_AFTER) if number(old, n) != number(new, n))
        places = next(seen, 3)
        was, now = number(old, places), number(new, places)
    else:
        was, now = f"{old:g}", f"{new:g}"
    return f"stayed at {now}" if was == now else f"went from {was} to {now}"
