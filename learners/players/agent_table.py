"""Valid answers of an agent, and tables of answers: `board,cell[,probability]`, or an export.

A table is CSV with a header, or JSON: a list of objects with these keys, or one object from boards
to answers. Missing boards are reported only when they are needed.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from afterstate_lab.game import Board, InvalidBoardError, Side, space
from afterstate_lab.game.constants import O_WON, X_WON
from afterstate_lab.game.exact import ROUNDING
from afterstate_lab.learners.errors import (
    LONGEST_NAME,
    AgentError,
    printable,
    reason,
    shown,
    shown_path,
)
from afterstate_lab.learners.files import opened

TOLERANCE: Final = 1.001e-3
"""Tolerance of a sum of probabilities, which can be rounded to three digits."""
CELLS: Final = list("123456789")
LARGEST_FILE: Final = 8_000_000
"""Maximum number of bytes; the largest export has a fifth of it."""
MOST_ROWS: Final = 100_000
SPELLED: Final = str.maketrans({"\n": None, "\r": None, " ": ".", "_": ".", "-": "."})
"""Other spellings of boards: three lines, other empty cells."""

Row = Mapping[str, Any]


class Complaint(Exception):
    """An agent has no legal move for a board; the message explains why, after its name."""


def probabilities(answer: Any, board: str) -> list[float]:
    """Return the probability of each of the nine cells, from an answer.

    Args:
        answer: a cell 1-9, nine numbers, or numbers by cell; anything else is refused.
        board: nine characters, not finished.
    """
    if type(answer) is int:
        if not 1 <= answer <= 9:
            raise Complaint(f"answers with {answer}, and cells are 1 to 9")
        answer = {str(answer): 1.0}
    if isinstance(answer, dict):
        unknown = next((cell for cell in answer if cell not in CELLS), None)
        if unknown is not None:
            raise Complaint(f"answers with a probability of {shown(unknown, 20)}; cells are 1 to 9")
        answer = [answer.get(cell, 0.0) for cell in CELLS]
    if not (isinstance(answer, list) and len(answer) == 9):
        raise Complaint(f"answers with {described(answer)}, not a cell 1 to 9 or probabilities")
    for cell, chance in zip(CELLS, answer, strict=True):
        is_number = type(chance) in (int, float) and math.isfinite(chance)
        if not is_number or not 0.0 <= chance <= 1.0 + TOLERANCE:
            raise Complaint(f"answers with {described(chance)} as the probability of cell {cell}")
        if chance > 0.0 and board[int(cell) - 1] != ".":
            raise Complaint(f"answers with cell {cell}, which is not free")
    total = sum(map(float, answer))
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


class AgentTable:
    """The moves or values of an agent.

    Args:
        rows: where each stands, for messages, and its fields.
    """

    def __init__(self, rows: Iterable[tuple[str, Row]]) -> None:
        self._answers: dict[str, Any] = {}
        self._values: dict[tuple[Side, int, int], float] = {}
        """Values by player, position and cell 0-8; -1 for an afterstate."""
        self._places: dict[Any, str] = {}
        for number, (place, row) in enumerate(rows):
            if number == MOST_ROWS:
                raise AgentError(f"has more than {MOST_ROWS:,} rows, and a game has fewer moves")
            try:
                self._add(place, row)
            except (InvalidBoardError, Complaint) as error:
                dot = "." if isinstance(error, InvalidBoardError) else ""
                wrong = str(error).removesuffix(dot)
                raise AgentError(f"is wrong in {place}: {wrong}") from None
        if not self._places:
            raise AgentError("has no rows")
        for board, answer in self._answers.items():
            try:
                probabilities(answer, board)
            except Complaint as error:
                raise AgentError(f"is wrong on the board {board}: it {error}") from None
        self._win = 1.0 if max(self._values.values(), default=0.0) <= 1.0 else math.inf
        """The value of a won board, which tables omit."""

    def plays(self, side: Side) -> bool:
        if any(owner is side for owner, _, _ in self._values):
            return True
        return any(Board.parse(board).ply % 2 == side for board in self._answers)

    def answer(self, board: str) -> list[float]:
        if board in self._answers:
            return probabilities(self._answers[board], board)
        free = [cell for cell in range(9) if board[cell] == "."]
        if len(free) > 1:
            if not self._values:
                raise Complaint("has no row for it")
            position = Board.parse(board).id
            values = {cell: self._value(position, cell) for cell in free}
            free = [cell for cell in free if values[cell] == max(values.values())]
        return [(cell in free) / len(free) for cell in range(9)]

    def _add(self, place: str, row: Row) -> None:
        board = board_of(row.get("board"))
        if row.get("value") not in (None, ""):
            if row.get("player") not in ("X", "O"):
                raise Complaint(f"the player is X or O, not {shown(row.get('player'), 20)}")
            cell = 0 if row.get("cell") in (None, "") else cell_of(row["cell"])
            if cell and (board.is_over or cell - 1 not in board.legal_cells):
                raise Complaint(f"cell {cell} is not a move on the board {board}")
            value_key = Side.parse(row["player"]), board.id, cell - 1
            self._note(value_key, f"this value of the board {board}", place)
            self._values[value_key] = number_of(row["value"])
            return
        if board.is_over:
            raise Complaint(f"the game is over on the board {board}")
        if "answer" not in row and row.get("probability") not in (None, ""):
            cell = cell_of(row.get("cell"))
            self._note((str(board), cell), f"cell {cell} of the board {board}", place)
            chances = self._answers.setdefault(str(board), {})
            if not isinstance(chances, dict):
                raise Complaint(f"the board {board} is also there without a probability")
            chances[str(cell)] = number_of(row["probability"])
            return
        answer = row["answer"] if "answer" in row else cell_of(row.get("cell"))
        self._note(str(board), f"the board {board}", place)
        self._answers[str(board)] = answer

    def _note(self, key: Any, what: str, place: str) -> None:
        if key in self._places:
            raise Complaint(f"{what} is already in {self._places[key]}")
        self._places[key] = place

    def _value(self, board: int, cell: int) -> float:
        """Return the value of a move, or of its afterstate or a symmetric board."""
        s, side = space(), Side(int(space().ply[board]) % 2)
        edge = int(s.edge_of[board, cell])
        after, twin = int(s.edge_successor[edge]), int(s.canonical_edge[edge])
        for state, move in (
            (board, cell),
            (int(s.edge_state[twin]), int(s.edge_cell[twin])),
            (after, -1),
            (int(s.canonical[after]), -1),
        ):
            if (side, state, move) in self._values:
                return self._values[side, state, move]
        if s.outcome[after] in (X_WON, O_WON):
            return self._win
        raise Complaint(f"has no value for its cell {cell + 1}")


def read_table(path: Path) -> AgentTable:
    try:
        with opened(path) as file:
            return parse_table(file.read(LARGEST_FILE + 1), is_json=path.suffix == ".json")
    except OSError as error:
        raise AgentError(f"cannot read {shown_path(path)}: {reason(error)}") from None
    except AgentError as error:
        raise AgentError(f"{shown_path(path)} {error}") from None


def parse_table(data: bytes, *, is_json: bool) -> AgentTable:
    if len(data) > LARGEST_FILE:
        raise AgentError("is larger than any table of tic-tac-toe")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise AgentError("is not text") from None
    return AgentTable(json_rows(text) if is_json else csv_rows(text))


def csv_rows(text: str) -> Iterator[tuple[str, Row]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
        check_keys(reader.fieldnames)
        for row in reader:
            yield f"line {reader.line_num}", row
    except csv.Error as error:
        why = printable(str(error))[:100]
        raise AgentError(f"is not CSV in line {reader.line_num}: {why}") from None


def json_rows(text: str) -> Iterator[tuple[str, Row]]:
    """Yield the objects of a JSON list, or the boards and answers of a JSON object."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        raise AgentError("is not JSON") from None
    if isinstance(table, dict):
        table = [{"board": board, "answer": answer} for board, answer in table.items()]
    elif isinstance(table, list) and all(isinstance(row, dict) for row in table):
        for row in table:
            check_keys(row)
    else:
        raise AgentError("must be a list of objects, or an object from boards to cells")
    for number, row in enumerate(table, 1):
        yield f"entry {number}", row


def check_keys(names: Iterable[str]) -> None:
    """Refuse a table without the necessary columns."""
    if not {"board", "cell"} <= set(names):
        raise AgentError(
            "must have the columns board,cell or board,cell,probability, or be one that "
            "afterstate export wrote"
        )


def board_of(text: Any) -> Board:
    """Read a board in our spelling or another's."""
    if not isinstance(text, str) or len(text) > LONGEST_NAME:
        raise Complaint(f"{shown(text, 20)} is not a board")
    return Board.parse(text.strip("\r\n").translate(SPELLED).upper())


def cell_of(text: Any) -> int:
    """Read a cell 1-9, as a number or a digit."""
    if type(text) in (int, str) and str(text).strip() in CELLS:
        return int(text)
    raise Complaint(f"a cell is 1 to 9, not {shown(text, 20)}")


def number_of(text: Any) -> float:
    try:
        number = float("no" if isinstance(text, bool) else text)
    except (TypeError, ValueError, OverflowError):
        raise Complaint(f"{shown(text, 20)} is not a number") from None
    if not abs(number) <= 1e30:
        raise Complaint(f"{shown(text, 20)} is not a finite number")
    return number
