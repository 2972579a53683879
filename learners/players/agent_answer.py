"""What an agent may answer to a board: a cell, or the probabilities of cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from game.exact import ROUNDING
from learners.errors import shown

TOLERANCE: Final = 1.001e-3
"""By how much the sum of probabilities may miss 1: they may be written with three digits."""
CELLS: Final = [str(cell) for cell in range(1, 10)]


class Complaint(Exception):
    """An agent has no legal move for a board; the message says why, to follow its name."""


def probabilities(answer: Any, board: str) -> list[float]:
    """The probability of each of the nine cells that an answer stands for.

    Args:
        answer: a cell 1-9, nine numbers, or numbers by cell; anything else is refused.
        board: nine characters, not finished.

    Raises:
        Complaint: it is nothing of the kind, or not legal on this board.
    """
    if type(answer) is int:
        if not 1 <= answer <= 9:
            raise Complaint(f"answers with {answer}, and cells are 1 to 9")
        chances = [float(cell == answer) for cell in range(1, 10)]
    elif isinstance(answer, dict):
        unknown = next((cell for cell in answer if cell not in CELLS), None)
        if unknown is not None:
            raise Complaint(f"answers with a probability of {shown(unknown, 20)}; cells are 1 to 9")
        chances = numbers([answer.get(cell, 0.0) for cell in CELLS])
    elif isinstance(answer, list) and len(answer) == 9:
        chances = numbers(answer)
    else:
        raise Complaint(f"answers with {described(answer)}, not a cell 1 to 9 or probabilities")
    taken = next((n for n in range(9) if chances[n] > 0.0 and board[n] != "."), None)
    if taken is not None:
        raise Complaint(f"answers with cell {taken + 1}, which is not free")
    total = sum(chances)
    if abs(total - 1.0) > TOLERANCE:
        raise Complaint(f"answers with probabilities that sum to {total:g}, not 1")
    # Kept bit by bit where only the last bits of the sum are missing.
    return chances if abs(total - 1.0) < ROUNDING else [chance / total for chance in chances]


def numbers(answer: Sequence[Any]) -> list[float]:
    """Nine probabilities.

    Raises:
        Complaint: one is none.
    """
    for cell, chance in zip(CELLS, answer, strict=True):
        is_number = type(chance) in (int, float) and math.isfinite(chance)
        if not is_number or not 0.0 <= chance <= 1.0 + TOLERANCE:
            raise Complaint(f"answers with {described(chance)} as the probability of cell {cell}")
    return [float(chance) for chance in answer]


def described(answer: Any) -> str:
    """An answer in a few printable characters."""
    if answer is None:
        return "nothing"
    if isinstance(answer, str):
        return f"the text {shown(answer, 30)}" if answer else "an empty line"
    if isinstance(answer, list):
        return f"a list of {len(answer)}"
    if isinstance(answer, float):
        return "NaN" if math.isnan(answer) else repr(answer)
    return shown(answer, 30)[1:-1]
