"""What an agent can answer to a board: a cell, probabilities, or nothing, which resigns."""

from __future__ import annotations

import math
import re
from typing import Any, Final, NamedTuple

import numpy as np

from afterstate_lab.game.exact import ROUNDING
from afterstate_lab.learners.errors import printable, shown
from afterstate_lab.learners.players.agent_table import TOLERANCE, Complaint

NOTHING: Final = (0.0,) * 9


class Answer(NamedTuple):
    """An answer to a board."""

    row: tuple[float, ...] = NOTHING
    """The probabilities of its cells; all 0 if it resigns or has no legal move."""
    fault: str = ""
    """`resigns`, `illegal`, `fails` or, for a move, nothing."""
    said: str = ""
    """What was wrong, after the agent's name."""


MOVES: Final = tuple(Answer(tuple(map(float, row))) for row in np.eye(9).tolist())
"""The answers that are one move, by cell 0-8."""


def read_answer(told: Any, board: str, first: int = 1) -> Answer:
    """Return an answer, or what is wrong with it.

    Args:
        told: what an agent answered, or a failure that the host reports.
        board: nine characters, not finished.
        first: the number of the first cell, 0 or 1.
    """
    if type(told) is int and first <= told < first + 9 and board[told - first] == ".":
        return MOVES[told - first]
    if isinstance(told, dict) and told.keys() == {"failed", "line"}:
        return Answer(fault="fails", said=failed(told))
    try:
        row = tuple(probabilities(told, board, first))
    except Complaint as error:
        return Answer(fault="illegal", said=str(error))
    return Answer(row) if any(row) else Answer(fault="resigns", said="resigns")


def failed(told: Any) -> str:
    """Describe a failure that the host reports."""
    where = f" in line {told['line']}" if type(told["line"]) is int else ""
    return f"fails{where}: {printable(str(told['failed'])[:200])}"


def probabilities(answer: Any, board: str, first: int = 1) -> list[float]:
    """Return the probability of each of the nine cells, from an answer; all 0 if it resigns.

    Args:
        answer: a cell, nine numbers, or numbers by cell; nothing of these or `resign` resigns,
            anything else is refused.
        board: nine characters, not finished.
        first: the number of the first cell, 0 or 1.
    """
    names = [str(first + cell) for cell in range(9)]
    if isinstance(answer, list) and len(answer) == 1:
        (answer,) = answer
    if isinstance(answer, float) and answer.is_integer():
        answer = int(answer)
    if answer == "resign":
        answer = {}
    if type(answer) is int:
        if str(answer) not in names:
            hint = "" if answer else " (if yours counts from 0, add 1)"
            raise Complaint(f"answers with {answer}, and cells are {first} to {first + 8}{hint}")
        answer = {str(answer): 1.0}
    if isinstance(answer, dict):
        unknown = next((cell for cell in answer if cell not in names), None)
        if unknown is not None:
            raise Complaint(
                f"answers with a probability of {shown(unknown, 20)}; "
                f"cells are {first} to {first + 8}"
            )
        answer = [answer.get(cell, 0.0) for cell in names]
    if not (isinstance(answer, list) and len(answer) == 9):
        is_pair = isinstance(answer, list) and len(answer) == 2
        is_pair |= re.fullmatch(r"\(?[0-3][, ] ?[0-3]\)?", str(answer)) is not None
        hint = "; for (row, column) return 3 * row + column + 1" if is_pair else ""
        raise Complaint(
            f"answers with {described(answer)}, not a cell 1 to 9 or probabilities{hint}"
        )
    for cell, chance in zip(names, answer, strict=True):
        is_number = type(chance) in (int, float) and math.isfinite(chance)
        if not is_number or not 0.0 <= chance <= 1.0 + TOLERANCE:
            raise Complaint(f"answers with {described(chance)} as the probability of cell {cell}")
        if chance > 0.0 and board[int(cell) - first] != ".":
            raise Complaint(f"answers with cell {cell}, which is not free")
    total = sum(map(float, answer))
    if total == 0.0:
        return [0.0] * 9
    if abs(total - 1.0) > TOLERANCE:
        raise Complaint(f"answers with probabilities that sum to {total:g}, not 1")
    # Kept bit by bit where only the last bits of the sum are missing.
    return [float(p) if abs(total - 1.0) < ROUNDING else p / total for p in answer]


def described(answer: Any) -> str:
    """Return an answer in a few printable characters."""
    if answer is None:
        return "nothing"
    if isinstance(answer, str):
        return f"the text {shown(answer, 30)}" if answer else "an empty line"
    if isinstance(answer, list):
        return f"a list of {len(answer)}"
    if isinstance(answer, float):
        return "NaN" if math.isnan(answer) else repr(answer)
    return shown(answer, 30)[1:-1]
