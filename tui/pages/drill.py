"""Prove yourself unbeatable: a board, a question, and the game that beats a wrong answer."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import Board, Side
from afterstate_lab.learners.ask.drill import Drill, Path, free, state_of
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.files import data_folder, opened, replace_file
from afterstate_lab.tui.blocks.block import Beside, Room
from afterstate_lab.tui.blocks.cells import Cells, CellView
from afterstate_lab.tui.blocks.speech import board_words
from afterstate_lab.tui.blocks.text import Text
from afterstate_lab.tui.lab.board import winning_cells
from afterstate_lab.tui.lab.labels import side_role
from afterstate_lab.tui.pages.page import BACK, Key, Opened, Page
from afterstate_lab.tui.views.words import Words

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController

FILE: Final = "drill.txt"
"""In the user's data: a game to each position that was answered wrongly, a line each."""
LARGEST: Final = 10_000
GAME: Final = re.compile(r"[1-9]{1,8}", re.ASCII)
RULES: Final = (
    "You win where you can and block where you must, so that is not asked. "
    "Mirror images of a board are one question."
)


class DrillPage:
    """The state of the page."""

    def __init__(self, side: Side) -> None:
        self.begin(side)

    def begin(self, side: Side) -> None:
        self.side, self.mistakes = side, read_mistakes()
        self.drill = Drill(side, self.mistakes)
        self.question = next(self.drill.open, None)
        self.game: Path | None = None
        """The game that beats the last answer, until the next question."""
        self.at = 0
        self.said = ""

    def play(self, cell: int) -> str | None:
        """Answer the question with a cell."""
        question = self.question
        if self.game is not None or question is None:
            return "Press Enter first." if self.game is not None else None
        state = state_of(question)
        assert state is not None
        if cell not in free(state):
            raise UsageError(f"cell {cell + 1} is taken")
        self.game = self.drill.answer(question, cell)
        self.at, self.said = len(question) + 1, f"{cell + 1} is safe."
        kept = [path for path in self.mistakes if path != question]
        self.mistakes = [*kept, question] if self.game is not None else kept
        keep_mistakes(self.mistakes)
        self.question = next(self.drill.open, None)
        return None

    def mark(self, text: str) -> str | None:
        """Answer with a typed cell."""
        if text.strip() not in tuple("123456789"):
            raise UsageError(f"{shown(text)} is not a free cell, 1 to 9")
        return self.play(int(text) - 1)

    def next(self) -> None:
        self.game, self.said = None, ""

    def step(self, by: int) -> None:
        """Step through the game that beats you."""
        self.at = min(max(self.at + by, 0), len(self.game or ()))

    @property
    def is_over(self) -> bool:
        return self.game is None and self.question is None

    def as_json(self) -> dict[str, Any]:
        """Return the object that `drill --json` prints."""
        is_open = self.question is not None and not self.drill.lost
        return {
            "side": self.side.mark,
            "asked": self.drill.asked,
            "open": len(list(self.drill.open)),
            "beatable": None if is_open else self.drill.is_beatable,
            "mistakes": [
                {"board": str(board_of(path)), "cell": game[len(path)] + 1,
                 "game": [cell + 1 for cell in game]}
                for path, game in self.drill.lost.items()
            ],
        }  # fmt: skip

    # what is shown

    def page(self) -> Page:
        number = self.drill.asked + (self.game is None and self.question is not None)
        return Page(
            "DRILL", Beside((self._board(), self._text())), keys=self._keys(),
            title=(("you", self.side.mark), ("question", str(number))),
            right=f"{len(list(self.drill.open))} open",
        )  # fmt: skip

    def _keys(self) -> tuple[Key, ...]:
        swap = Key("o", "other side", lambda: self.begin(self.side.other), "begin as the other")
        again = Key("n", "again", lambda: self.begin(self.side), "begin again")
        if self.game is not None:
            return (
                Key("enter", "next", self.next, "the next question"),
                Key("right", "move", lambda: self.step(1), "the next move", signs="← →"),
                Key("left", "move back", lambda: self.step(-1), "the move before", hidden=True),
                swap, BACK,
            )  # fmt: skip
        if self.question is None:
            return again, swap, BACK
        cells = free(state_of(self.question) or 0)
        digits = (
            Key(f"{n + 1}", f"{n + 1}", lambda n=n: self.play(n), "mark this cell", hidden=True)
            for n in cells
        )
        answer = Key("", "mark", self.mark, "answer with a cell", "a free cell, 1 to 9",
                     signs="1–9")  # fmt: skip
        return answer, *digits, again, swap, BACK

    def _board(self) -> Cells:
        path = self.question or ()
        if self.game is not None:
            path = self.game[: self.at]
        elif self.question is None and self.drill.lost:
            path = next(iter(self.drill.lost.values()))
        board = board_of(path)
        winning = winning_cells(board)
        cells = [
            CellView("" if mark == "." else mark, "" if self.is_over else str(n + 1),
                     last=path[-1:] == (n,), winning=n in winning)
            for n, mark in enumerate(str(board))
        ]  # fmt: skip
        return Cells(cells=cells, clicked=self.play, width=Room(37, 61, 0.5), least_columns=37,
                     said=board_words(board), spot=True)  # fmt: skip

    def _text(self) -> Text:
        """Return the question, the game that beats you, or the verdict."""
        mark = (self.side.mark, side_role(self.side.mark, strong=True))
        said: list[Words] = [(("You are ", "text"), mark, (".", "text")), ""]
        if self.game is not None:
            cell = self.game[len(next(reversed(self.drill.lost)))] + 1
            wins = f"{self.side.other.mark} wins: {moves_words(self.game)}."
            said += [((f"{cell} loses.", "worse"),), "", wins, ""]
            said += [(("This question comes first next time.", "dim"),)]
        elif self.question is None:
            said += self._verdict()
        else:
            said += [((self.said, "better"),)] if self.said else []
            if self.question:
                last = f"{self.side.other.mark} marked {self.question[-1] + 1}. "
                so_far = f"{moves_words(self.question)}."
                said += [((f"{last}Where do you play?", "strong"),), ""]
                said += [(("So far: ", "dim"), (so_far, "dim")), ""]
            else:
                said += [(("Where do you begin?", "strong"),), ""]
            said += [((RULES, "dim"),)]
        wrong, of = len(self.drill.lost), self.drill.asked
        dots = (("●" * (of - wrong), "truth"), ("✗" * wrong, "worse"))
        return Text(said, title="prove yourself unbeatable", footer=dots if of else "", least=8)

    def _verdict(self) -> list[Words]:
        wrong, of = len(self.drill.lost), self.drill.asked
        if not self.drill.is_beatable:
            proved = f"Unbeatable as {self.side.mark}: proved."
            more = f"With these {of} answers nobody can beat you, whatever they play."
            return [((proved, "truth"),), "", more]
        game = next(iter(self.drill.lost.values()))
        beaten = f"{self.side.mark} can be beaten: {wrong} of {of} answers lose."
        return [((beaten, "worse"),), "", f"The first: {moves_words(game)}.", "",
                "They come first next time."]  # fmt: skip


def board_of(path: Path) -> Board:
    return Board.from_id(state_of(path) or 0)


def moves_words(path: Path) -> str:
    """Return the moves of a game: `X 5, O 1`."""
    return ", ".join(f"{'XO'[n % 2]} {cell + 1}" for n, cell in enumerate(path))


def mistakes_of(data: bytes) -> list[Path]:
    """Read the games of a file; a line that is none is left out."""
    lines = dict.fromkeys(data.decode(errors="replace").split())
    paths = [tuple(int(digit) - 1 for digit in line) for line in lines if GAME.fullmatch(line)]
    return [path for path in paths if state_of(path) is not None]


def read_mistakes() -> list[Path]:
    try:
        with opened(data_folder() / FILE) as file:
            return mistakes_of(file.read(LARGEST))
    except (OSError, RuntimeError, ValueError):
        return []


def keep_mistakes(paths: list[Path]) -> None:
    with suppress(OSError, RuntimeError):  # the drill goes on without it
        lines = ("".join(str(cell + 1) for cell in path) for path in paths if path)
        replace_file(data_folder() / FILE, "".join(f"{line}\n" for line in lines))


def open_on(lab: LabController, data: object, text: str) -> Opened:
    mark = text.strip().upper() or Side.X.mark
    if mark not in Side.__members__:
        raise UsageError(f"{shown(text)} is not a side: drill X or drill O")
    return DrillPage(Side.parse(mark)).page, None
