"""What a game without a screen is told in: short lines of ASCII, pure functions of the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from game import Board
from game.exact import minimax
from tui.theme.numerals import decimals

if TYPE_CHECKING:
    from learners.tape.events import GameOver, Move

KEEPS = {"won": "win", "drawn": "draw", "lost": "loss"}
"""What it is called when a position that is won, drawn or lost ends so."""


def number(value: float, places: int = 3) -> str:
    """A value with a few decimals and no leading zero: .402."""
    return decimals(value, places).replace("−", "-")


def listed(cells: Iterable[int], joint: str = "and") -> str:
    """Cells 0-8 as a person lists them, from 1: 1, 3 and 7."""
    names = [str(cell + 1) for cell in cells]
    return f" {joint} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def board_words(board: Board) -> str:
    """Who has which cells."""
    text = str(board)
    marks = {mark: [cell for cell in range(9) if text[cell] == mark] for mark in "XO"}
    told = [f"{mark} has {listed(cells)}" for mark, cells in marks.items() if cells]
    return f"{', '.join(told)}." if told else "The board is empty."


def board_lines(board: Board) -> list[str]:
    """The board in three lines, a free cell by its number."""
    marks = [str(cell + 1) if mark == "." else mark for cell, mark in enumerate(str(board))]
    return [" ".join(marks[row : row + 3]) for row in (0, 3, 6)]


def grid(board: Board, labels: Mapping[int, str]) -> list[str]:
    """The board in three lines, with a label in each free cell (0-8) that has one."""
    texts = [labels.get(cell, mark) for cell, mark in enumerate(str(board))]
    width = max(map(len, texts))
    return ["  ".join(text.rjust(width) for text in texts[row : row + 3]) for row in (0, 3, 6)]


def standing(board: Board, player: str) -> str:
    """What perfect play makes of a position for a player: won, drawn or lost."""
    value = minimax(board) if player == "X" else -minimax(board)
    return ("drawn", "won", "lost")[value]


def keeping(board: Board) -> list[int]:
    """The cells 0-8 with which the mover keeps what the position is worth."""
    value = minimax(board)
    return [cell for cell in board.legal_cells if minimax(board.play(cell)) == value]


def exact_labels(board: Board) -> dict[int, str]:
    """What each free cell leads to for the mover under perfect play: win, draw or loss."""
    mover = board.to_move
    return {cell: KEEPS[standing(board.play(cell), mover)] for cell in board.legal_cells}


def coach(before: Board, cell: int) -> str:
    """What a move did against perfect play, in one sentence."""
    mover, after = before.to_move, before.play(cell)
    if after.winner:
        return f"{cell + 1} wins."
    was, now = standing(before, mover), standing(after, mover)
    if was == now:
        change = f"The position was {was} and still is"
    else:
        better = listed(keeping(before), "or")
        change = f"The position was {was} and is now {now} ({better} kept the {KEEPS[was]})"
    return f"{change}{'' if after.is_over else '; ' + replies(after, now)}."


def replies(board: Board, standing_before: str) -> str:
    """Which replies of the mover are right, where the other player's position stands so."""
    mover, right = board.to_move, keeping(board)
    if standing_before == "won":
        return "no reply holds"
    if standing_before == "lost":
        return f"{mover} wins with {listed(right, 'or')}"
    if len(right) == len(board.legal_cells):
        return "every reply holds"
    return f"{mover} holds with {'only ' if len(right) == 1 else ''}{listed(right, 'or')}"


def told_move(move: Move, preferred: Sequence[int] = ()) -> str:
    """A move, and how it was chosen.

    Args:
        move: the move.
        preferred: the cells 0-8 that the mover likes best, where it has values.
    """
    how = ""
    if preferred and move.choice == "greedy":
        how = " (its best)" if len(preferred) == 1 else f" (one of its {len(preferred)} best)"
    elif preferred and move.choice == "exploratory":
        how = f" (exploring: it likes {listed(preferred, 'or')} better)"
    elif preferred and move.choice == "drawn":
        how = " (drawn from its beads)"
    return f"{move.player} takes {move.cell + 1}{how}."


def result_words(end: GameOver, humans: str) -> str:
    """How the game ended, for the people who played."""
    if end.result == "draw":
        return "The game is drawn."
    loser = "O" if end.result == "X" else "X"
    told = f"{loser} resigns: {end.result} wins" if end.resigned else f"{end.result} wins"
    if len(humans) == 1:
        told += ", you win" if end.result == humans else ", you lose"
    return f"{told}."
