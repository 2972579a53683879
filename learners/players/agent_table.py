"""An agent as a table: `board,cell[,probability]`, or what `afterstate export` writes.

As CSV with a header, or as JSON: a list of objects with these keys, or one object from boards to
answers. A table may lack boards: those that are missed are found when it is asked.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from game import Board, InvalidBoardError, Side, space
from game.constants import O_WON, X_WON
from learners.errors import LONGEST_NAME, AgentError, printable, shown
from learners.files import opened
from learners.players.agent_answer import Complaint, probabilities

LARGEST_FILE: Final = 8_000_000
"""Bytes: what `export` writes of the largest learner is a fifth of it."""
MOST_ROWS: Final = 100_000
SPELLED: Final = str.maketrans({"\n": None, "\r": None, " ": ".", "_": ".", "-": "."})
"""How others spell boards: in three lines, with other empty cells."""

Row = Mapping[str, Any]


class AgentTable:
    """The moves, or the values, of an agent.

    Args:
        rows: where each stands, for messages, and its fields.
    """

    def __init__(self, rows: Iterable[tuple[str, Row]]) -> None:
        self._answers: dict[str, Any] = {}
        self._values: dict[tuple[Side, int, int], float] = {}
        """By player, position and cell 0-8; -1 for the value of an afterstate."""
        self._places: dict[Any, str] = {}
        for number, (place, row) in enumerate(rows):
            if number == MOST_ROWS:
                raise AgentError(f"has more than {MOST_ROWS:,} rows, and a game has fewer moves")
            try:
                self._add(place, row)
            except InvalidBoardError as error:
                wrong = str(error).removesuffix(".")
                raise AgentError(f"is wrong in {place}: {wrong}") from None
            except Complaint as error:
                raise AgentError(f"is wrong in {place}: {error}") from None
        if not self._answers and not self._values:
            raise AgentError("has no rows")
        for board, answer in self._answers.items():
            try:
                probabilities(answer, board)
            except Complaint as error:
                raise AgentError(f"is wrong on the board {board}: it {error}") from None
        won = max(self._values.values(), default=0.0)
        self._win = 1.0 if won <= 1.0 else float("inf")
        """What a won board is worth, which is in no table."""

    def plays(self, side: Side) -> bool:
        """Whether it has a row for a side."""
        if any(owner is side for owner, _, _ in self._values):
            return True
        return any(Board.parse(board).ply % 2 == side for board in self._answers)

    def answer(self, board: str) -> list[float]:
        """The probability of each of the nine cells.

        Raises:
            Complaint: it has none for this board.
        """
        if board in self._answers:
            return probabilities(self._answers[board], board)
        free = [cell for cell in range(9) if board[cell] == "."]
        if len(free) == 1:
            return [float(cell == free[0]) for cell in range(9)]
        if not self._values:
            raise Complaint("has no row for it")
        position = Board.parse(board).id
        values = {cell: self._value(position, cell) for cell in free}
        highest = max(values.values())
        best = [cell for cell in free if values[cell] == highest]
        return [(cell in best) / len(best) for cell in range(9)]

    def _add(self, place: str, row: Row) -> None:
        board = parsed(row.get("board"))
        if row.get("value") not in (None, ""):
            self._add_value(place, board, row)
            return
        if board.is_over:
            raise Complaint(f"the game is over on the board {board}")
        if "answer" in row:
            self._note(str(board), f"the board {board}", place)
            self._answers[str(board)] = row["answer"]
            return
        cell = cell_of(row.get("cell"))
        if row.get("probability") in (None, ""):
            self._note(str(board), f"the board {board}", place)
            self._answers[str(board)] = cell
            return
        self._note((str(board), cell), f"cell {cell} of the board {board}", place)
        chances = self._answers.setdefault(str(board), {})
        if not isinstance(chances, dict):
            raise Complaint(f"the board {board} stands there without a probability, too")
        chance = number_of(row["probability"])
        chances[str(cell)] = chance

    def _add_value(self, place: str, board: Board, row: Row) -> None:
        player = row.get("player")
        if player not in ("X", "O"):
            raise Complaint(f"the player is X or O, not {shown(player, 20)}")
        side, cell = Side.parse(player), -1
        if row.get("cell") not in (None, ""):
            cell = cell_of(row["cell"]) - 1
            if board.is_over or cell not in board.legal_cells:
                raise Complaint(f"cell {cell + 1} is no move on the board {board}")
        self._note((side, board.id, cell), f"this value of the board {board}", place)
        self._values[side, board.id, cell] = number_of(row["value"])

    def _note(self, key: Any, what: str, place: str) -> None:
        if key in self._places:
            raise Complaint(f"{what} stands in {self._places[key]} already")
        self._places[key] = place

    def _value(self, board: int, cell: int) -> float:
        """The value of a move: of its afterstate, or its own; symmetric boards may share one."""
        s, side = space(), Side(int(space().ply[board]) % 2)
        edge = int(s.edge_of[board, cell])
        after, twin = int(s.edge_successor[edge]), int(s.canonical_edge[edge])
        keys = (
            (side, board, cell),
            (side, int(s.edge_state[twin]), int(s.edge_cell[twin])),
            (side, after, -1),
            (side, int(s.canonical[after]), -1),
        )
        for key in keys:
            if key in self._values:
                return self._values[key]
        if s.outcome[after] in (X_WON, O_WON):
            return self._win
        raise Complaint(f"has no value for its cell {cell + 1}")


def read_table(path: Path) -> AgentTable:
    """Read a table, checking everything.

    Raises:
        AgentError: the file is missing, too large or no table; the message follows its name.
    """
    try:
        with opened(path) as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "there is no such file"
        raise AgentError(f"cannot be read: {why.lower()}") from None
    return parse_table(data, is_json=path.suffix == ".json")


def parse_table(data: bytes, *, is_json: bool) -> AgentTable:
    """Read the bytes of a table.

    Raises:
        AgentError: they are none; the message follows the name of the file.
    """
    if len(data) > LARGEST_FILE:
        raise AgentError("is larger than any table of tic-tac-toe")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise AgentError("is no text") from None
    return AgentTable(json_rows(text) if is_json else csv_rows(text))


def csv_rows(text: str) -> Iterator[tuple[str, Row]]:
    """The rows of a CSV file with a header."""
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        head = [name.strip().lower() for name in reader.fieldnames or ()]
        check_keys(head)
        reader.fieldnames = head
        for row in reader:
            yield f"line {reader.line_num}", row
    except csv.Error as error:
        told = printable(str(error))[:100]
        raise AgentError(f"is no CSV in line {reader.line_num}: {told}") from None


def json_rows(text: str) -> Iterator[tuple[str, Row]]:
    """The objects of a JSON list, or the boards and answers of a JSON object."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise AgentError("is no JSON") from None
    if isinstance(told, dict):
        for number, (board, answer) in enumerate(told.items(), 1):
            yield f"entry {number}", {"board": board, "answer": answer}
        return
    if not isinstance(told, list) or not all(isinstance(row, dict) for row in told):
        raise AgentError("must be a list of objects, or an object from boards to cells")
    for number, row in enumerate(told, 1):
        check_keys(row)
        yield f"entry {number}", row


def check_keys(names: Iterable[str]) -> None:
    """Refuse a table without the columns that it needs."""
    known = set(names)
    if not {"board", "cell"} <= known:
        raise AgentError(
            "must have the columns board,cell or board,cell,probability, or be one that "
            "afterstate export wrote"
        )


def parsed(text: Any) -> Board:
    """A board as it or another program spells it."""
    if not isinstance(text, str) or len(text) > LONGEST_NAME:
        raise Complaint(f"{shown(text, 20)} is no board")
    return Board.parse(text.strip("\r\n").translate(SPELLED).upper())


def cell_of(text: Any) -> int:
    """A cell 1-9, as a number or as its digit."""
    if type(text) is int and 1 <= text <= 9:
        return text
    if isinstance(text, str) and text.strip() in list("123456789"):
        return int(text)
    raise Complaint(f"a cell is 1 to 9, not {shown(text, 20)}")


def number_of(text: Any) -> float:
    """A number, as JSON or as CSV has it."""
    try:
        if isinstance(text, bool):
            raise ValueError
        number = float(text)
    except (TypeError, ValueError, OverflowError):
        raise Complaint(f"{shown(text, 20)} is no number") from None
    if number != number or abs(number) > 1e30:
        raise Complaint(f"{shown(text, 20)} is no finite number")
    return number
