"""What somebody's agent answers to a board, one by one or in a table as people save them.

A table is CSV with a header, JSON, or a mapping of Python; it says neither whether its numbers are
probabilities or values nor whether its cells count from 0, so that is taken from all rows together
(`AgentTable.notes`). Missing boards are reported only when they are needed.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from afterstate_lab.game import Board, InvalidBoardError, Side, space
from afterstate_lab.game.constants import O_WON, X_WON
from afterstate_lab.game.exact import ROUNDING
from afterstate_lab.learners.errors import LONGEST_NAME, AgentError, printable, shown

TOLERANCE: Final = 1.001e-3
"""Tolerance of a sum of probabilities, which can be rounded to three digits."""
LARGEST_FILE: Final = 8_000_000
"""Maximum number of bytes; the largest export has a fifth of it."""
MOST_ROWS: Final = 100_000
EMPTY: Final = dict.fromkeys((".", "-", "_", " ", "", "0"), ".")
ALPHABETS: Final = (
    {"X": "X", "O": "O"} | EMPTY,
    {"1": "X", "-1": "O", "0": "."},
    {"1": "X", "2": "O", "0": "."},
)
SIGN: Final = re.compile(r"'(.?)'|\"(.?)\"|(-?[0-9](?!\.\d*[1-9])(?:\.0*)?)|([XO._-])")
"""A sign of a board that is written as a list."""
BETWEEN: Final = re.compile(r"[\s,;:|/()\[\]{}]*")
WITH_CELL: Final = re.compile(r"[(\[]?['\"]?(.{9})['\"]?\s*[:,;|/]\s*([0-9])[)\]]?", re.DOTALL)
COLUMNS: Final = (
    "board,cell; board,cell,probability; board,value; or board,cell,value, also with player"
)

NOTHING: Final = (0.0,) * 9

Row = Mapping[str, Any]


class Complaint(Exception):
    """An agent has no legal move for a board; the message explains why, after its name."""


@dataclass
class Entry:
    """A row: a move, or a number of a move or of a board after it."""

    place: str
    """Where it stands, for messages."""
    board: Board
    cell: int | None
    """From 0 or from 1, as in the table, until all rows are known; None for a whole board."""
    is_sure: bool
    """Whether the cell is 1-9: its number's place among nine."""
    kind: str
    """`move`, `probability` or `value`; `number` if the table does not name its kind."""
    number: float
    player: str

    @property
    def is_legal(self) -> bool:
        return self.cell is None or self.is_free(1)

    def is_free(self, first: int) -> bool:
        """Return whether its cell is free if cells count from `first`."""
        return (self.cell or 0) - first in self.board.legal_cells


class AgentTable:
    """The moves or values of an agent.

    Args:
        rows: where each stands, for messages, and its fields.
    """

    def __init__(self, rows: Iterable[tuple[str, Row]]) -> None:
        self.notes: list[str] = []
        """How its numbers and cells are read, where the table does not specify it."""
        self._chances: dict[str, dict[int, float]] = {}
        self._values: dict[tuple[Side, int, int], float] = {}
        """Values by player, position and cell 0-8; -1 for a board after a move."""
        self.sides: set[Side] = set()
        """The sides that it plays."""
        entries = []
        for number, (place, row) in enumerate(rows):
            if number == MOST_ROWS:
                raise AgentError(f"has more than {MOST_ROWS:,} rows, and a game has fewer moves")
            try:
                entries.append(entry_of(place, row))
            except Complaint as error:
                raise wrong_in(place, error) from None
        if not entries:
            raise AgentError("has no rows")
        read_bare_numbers([e for e in entries if e.kind == "number" and e.cell is None])
        if counted := [e for e in entries if e.cell is not None and not e.is_sure]:
            first, why = first_cell(counted)
            self.notes.append(f"cells from {first} ({why})")
            for e in counted:
                e.cell = (e.cell or 0) + 1 - first
        self._find_kinds(entries)
        places: dict[object, str] = {}
        for e in filter(lambda e: e.is_legal, entries):
            what = "" if e.cell is None or e.kind == "move" else f"cell {e.cell} of "
            key = e.player, e.board, what
            if key in places:
                why = f"{what}the board {e.board} is already in {places[key]}"
                raise wrong_in(e.place, why)
            places[key] = e.place
            side = Side((e.board.ply + (e.cell is None)) % 2)
            if e.kind == "value":
                side = Side.parse(e.player) if e.player else side
                self._values[side, e.board.id, (e.cell or 0) - 1] = e.number
            elif e.cell is not None:
                self._chances.setdefault(str(e.board), {})[e.cell] = e.number
            self.sides.add(side)
        for board, chances in self._chances.items():
            if why := not_chances(chances):
                raise AgentError(f"is wrong on the board {board}: {why}")
        self._win = 1.0 if max(self._values.values(), default=0.0) <= 1.0 else math.inf
        """The value of a won board, which tables omit."""

    def answer(self, board: str) -> list[float]:
        """Return a number for each of the nine cells: probabilities, or zeros to resign."""
        if board in self._chances:
            chances = self._chances[board]
            return [chances.get(cell, 0.0) for cell in range(1, 10)]
        free = [cell for cell in range(9) if board[cell] == "."]
        if len(free) > 1:
            if not self._values:
                raise Complaint("has no row for it")
            position = Board.parse(board).id
            values = {cell: self._value(position, cell) for cell in free}
            free = [cell for cell in free if values[cell] == max(values.values())]
        return [(cell in free) / len(free) for cell in range(9)]

    def _find_kinds(self, entries: list[Entry]) -> None:
        """Read numbers as probabilities or as values, and refuse moves to taken cells."""
        boards: dict[Board, dict[int, float]] = {}
        unnamed = [e for e in entries if e.kind == "number"]
        for e in unnamed:
            if e.cell is not None and (e.is_legal or e.number):
                boards.setdefault(e.board, {})[e.cell] = e.number if e.is_legal else math.inf
        found = {board: not_chances(chances) for board, chances in boards.items()}
        why = next((f"on {board} {why}" for board, why in found.items() if why), "")
        if len(unnamed) == len(entries) and not any(e.number for e in entries):
            why = "all numbers are 0"
        for e in unnamed:
            e.kind = "value" if why else "probability"
        for e in entries:
            if not e.is_legal and e.kind != "value" and e.number:
                over = "the game is over" if e.board.is_over else f"cell {e.cell} is not free"
                raise wrong_in(e.place, f"{over} on the board {e.board}")
        legal = [e for e in entries if e.is_legal]
        if any(e.kind == "value" for e in legal):
            of = "moves" if any(e.cell for e in legal) else "boards after its move"
            reason = f" ({why})" if boards and why else ""
            note = f"read as values of {of}{reason}: it plays the largest, ties at random"
            self.notes.insert(0, note)
            after = [e for e in legal if e.cell is None and not e.player]
            won, lost = ([e.number for e in after if e.board.winner == mark] for mark in "XO")
            mean = math.fsum(e.number for e in after) / max(1, len(after))
            if won and lost and max(lost) < mean < min(won):  # X's view: low is good for O
                self.notes.append("boards that O won have the smallest: O plays the smallest")
                for e in legal:
                    e.number *= 2 * (e.board.ply % 2) - 1

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


def wrong_in(place: str, why: object) -> AgentError:
    return AgentError(f"is wrong in {place}: {why}")


def entry_of(place: str, row: Row) -> Entry:
    """Read one row.

    Raises:
        Complaint: a field is not understood.
    """
    named = ("cell", "value", "probability", "player")
    given = {key: row[key] for key in named if row.get(key) not in (None, "")}
    board, cell = board_of(row.get("board"))
    kind = next((kind for kind in ("value", "probability") if kind in given), "move")
    if "number" in row:
        kind = "number"
    if is_sure := "at" in row:
        cell = row["at"]
    elif "cell" in given:
        cell = cell_of(given["cell"])
    elif cell is None and kind == "move":
        raise Complaint(f"{shown(row.get('cell'), 20)} is not a cell: cells are 1 to 9")
    entry = Entry(place, board, cell, is_sure, kind, 1.0, "")
    if "player" in given:
        player = str(given["player"]).strip().upper()
        entry.player = {"1": "X", "-1": "O", "2": "O"}.get(player, player)
        if entry.player not in ("X", "O"):
            raise Complaint(f"the player is X or O, not {shown(given['player'], 20)}")
    try:
        entry.number = 1.0 if kind == "move" else number_of(row.get(kind))
    except Complaint:
        if not is_sure or str(board)[row["at"] - 1] == ".":
            raise
        entry.number = 0.0  # tables of arrays have NaN, -inf or nothing in taken cells
    return entry


def read_bare_numbers(bare: list[Entry]) -> None:
    """Read the numbers of boards as moves if every number can be a move, else as values."""
    numbers, kind = {e.number for e in bare}, "value"
    if bare and numbers <= {*range(10)} and not any(e.board.is_over for e in bare):
        for e in bare:
            e.cell = int(e.number)
        first, _ = first_cell(bare)
        if max(numbers) > 1.0 or all(e.is_free(first) for e in bare):
            kind = "move"
    for e in bare:
        e.kind, e.cell = kind, e.cell if kind == "move" else None
        e.number = 1.0 if kind == "move" else e.number


def first_cell(entries: list[Entry]) -> tuple[int, str]:
    """Return whether cells count from 0 or from 1, and why."""
    cells = {e.cell for e in entries}
    if {0, 9} <= cells:
        raise AgentError("has a cell 0 and a cell 9, and cells are 1 to 9 or 0 to 8")
    if 0 in cells or 9 in cells:
        return (0, "there is a cell 0") if 0 in cells else (1, "there is a cell 9")
    wrong = [[e for e in entries if not e.is_free(first)] for first in (0, 1)]
    first = int(len(wrong[1]) <= len(wrong[0]))
    if len(wrong[0]) == len(wrong[1]):
        return first, "there is no cell 0"
    e = wrong[1 - first][0]
    return first, f"from {1 - first}, cell {e.cell} of {e.board} would be taken"


def not_chances(numbers: Mapping[int, float]) -> str:
    """Explain why the numbers of a board are not probabilities of its moves, or return nothing."""
    for cell, number in numbers.items():
        if not 0.0 <= number <= 1.0 + TOLERANCE:
            if number == math.inf:
                return f"cell {cell} is taken"
            return f"cell {cell} has {number:g}, and a probability is 0 to 1"
    total = sum(numbers.values())
    near = not total or abs(total - 1.0) <= TOLERANCE  # zeros resign
    return "" if near else f"probabilities sum to {total:g}, not 1"


def parse_table(data: bytes, *, is_json: bool) -> AgentTable:
    if len(data) > LARGEST_FILE:
        raise AgentError("is larger than any table of tic-tac-toe")
    try:
        is_wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        text = data.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError:
        raise AgentError("is not text") from None
    return AgentTable(json_rows(text) if is_json else csv_rows(text))


def csv_rows(text: str) -> Iterator[tuple[str, Row]]:
    """Yield the rows of CSV, also with semicolons or tabs and then with decimal commas."""
    head = text.partition("\n")[0]
    delimiter = Counter(sign for sign in head if sign in ",;\t").most_common(1)
    sign = delimiter[0][0] if delimiter else ","
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True, delimiter=sign)
    try:
        names = list(reader.fieldnames or ())
        reader.fieldnames = [name.strip().lower() for name in names]
        check_keys(reader.fieldnames, names)
        for row in reader:
            place = f"line {reader.line_num}"
            if None in row:
                raise wrong_in(place, "it has more fields than the first line has columns")
            if sign != ",":
                point = {key: (text or "").replace(",", ".") for key, text in row.items()}
                row = point | {"board": row["board"]}
            yield place, row
    except csv.Error as error:
        why = printable(str(error))[:100]
        raise AgentError(f"is not CSV in line {reader.line_num}: {why}") from None


def json_rows(text: str) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a JSON list of objects, or of an object by board."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        raise AgentError("is not JSON") from None
    if isinstance(table, dict):
        yield from mapping_rows(table)
        return
    rows = table if isinstance(table, list) else [table]
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise AgentError(
                f"must be a list of objects, or an object by board; it begins with {shown(row, 30)}"
            )
        check_keys(row, list(row))
        yield f"entry {number}", row


def mapping_rows(table: Mapping[Any, Any]) -> Iterator[tuple[str, Row]]:
    """Yield the rows of answers by board: a number, nine, or numbers by cell."""
    for number, (board, answer) in enumerate(table.items(), 1):
        answer = answer.tolist() if hasattr(answer, "tolist") else answer
        place = f"entry {number}"
        if isinstance(answer, Mapping) and answer:
            for cell, part in answer.items():
                yield place, {"board": board, "cell": cell, "number": part}
        elif isinstance(answer, (list, tuple, Mapping)):
            nine = list(answer) or [0.0] * 9  # an empty answer resigns
            if len(nine) != 9:
                raise wrong_in(place, f"{shown(board)} has {len(nine)} numbers, not 9")
            for cell, part in enumerate(nine, 1):
                yield place, {"board": board, "at": cell, "number": part}
        else:
            yield place, {"board": board, "number": answer}


def check_keys(names: Iterable[str], written: list[str]) -> None:
    """Refuse a table without the necessary columns."""
    known = set(names)
    if "board" in known and known & {"cell", "value"}:
        return
    with suppress(Complaint):
        board_of(written[0] if written else None)
        raise AgentError(
            f"begins with {shown(','.join(written))}: its first line names the columns, such as "
            "board,cell"
        )
    found = ", ".join(shown(name, 20) for name in written[:9]) or "nothing"
    raise AgentError(f"has the columns {found}; it needs the columns {COLUMNS}")


def board_of(given: Any) -> tuple[Board, int | None]:
    """Read a board in our spelling or another's, and the cell that its key may have."""
    text = re.sub(r"[\r\n]|NP\.\w+", "", str(given)[:LONGEST_NAME].upper())
    cell: str | None = None
    if with_cell := WITH_CELL.fullmatch(text):
        text, cell = with_cell.groups()
    if re.fullmatch("[012]{1,8}", text):  # a spreadsheet cuts leading zeros
        text = text.zfill(9)
    signs = list(text)
    if len(text) != 9:
        signs = ["".join(filter(None, found)) for found in SIGN.findall(text)]
        signs = [sign.partition(".")[0] or sign for sign in signs]
        if len(signs) == 10:
            cell = signs.pop()
    alphabet = next((a for a in ALPHABETS if a.keys() >= set(signs)), None)
    is_list = len(text) == 9 or BETWEEN.fullmatch(SIGN.sub("", text))
    if alphabet is None or len(signs) != 9 or not is_list:
        raise Complaint(f"{shown(given, 40)} is not a board of nine signs such as X...O....")
    try:
        board = Board.parse("".join(map(alphabet.__getitem__, signs)))
    except InvalidBoardError as error:
        raise Complaint(str(error).removesuffix(".")) from None
    return board, None if cell is None else cell_of(cell)


def cell_of(text: Any) -> int:
    """Read a cell as it stands, from 0 or from 1: a number, a digit, or `5.0`."""
    if match := re.fullmatch(r"([0-9])(\.0*)?", str(text).strip()):
        return int(match[1])
    raise Complaint(
        f"a cell is 1 to 9, not {shown(text, 20)} (for row and column: 3 * row + column + 1)"
    )


def number_of(text: Any) -> float:
    try:
        number = float("no" if isinstance(text, bool) else text)
    except (TypeError, ValueError, OverflowError):
        raise Complaint(f"{shown(text, 20)} is not a number") from None
    if not abs(number) <= 1e30:
        raise Complaint(f"{shown(text, 20)} is not a finite number")
    return number


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
        told: what an agent answered, or a failure that the host reports; an `Answer` is read.
        board: nine characters, not finished.
        first: the number of the first cell, 0 or 1.
    """
    if isinstance(told, Answer):
        return told
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
