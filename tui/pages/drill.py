"""Prove yourself unbeatable: a board, a question, and the game that beats a wrong answer."""

from __future__ import annotations

from typing import Final

from afterstate_lab.game import Board, Side
from afterstate_lab.learners.ask.drill import Drill, Path, free, state_of
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.blocks import Beside, Room, Text, Words, marked
from afterstate_lab.tui.lab.labels import side_role
from afterstate_lab.tui.pages.page import BACK, Key, LabController, Opened, Page

RULES: Final = (
    "Answer with a digit. You win where you can and block where you must: that is not asked. "
    "Mirror images of a board are one question."
)


class DrillPage:
    """The state of the page."""

    def __init__(self, side: Side) -> None:
        self.side, self.drill = side, Drill(side)
        self.question = next(self.drill.open(), None)
        self.game: Path | None = None
        """The game that beats the last answer, until the next question."""
        self.said = ""

    def play(self, cell: int) -> str | None:
        """Answer the question with a cell."""
        question = self.question
        if self.game is not None or question is None:
            return "There is no question now. Press Enter for the next." if self.game else None
        cells = free(state_of(question))
        if cell not in cells:
            left = ", ".join(str(n + 1) for n in cells)
            raise UsageError(f"cell {cell + 1} is taken: free cells are {left}")
        self.game = self.drill.answer(question, cell)
        self.said = f"{cell + 1} loses." if self.game else f"{cell + 1} is safe."
        self.question = next(self.drill.open(), None)
        return None

    def next(self) -> None:
        self.game, self.said = None, ""

    def page(self) -> Page:
        is_asked = self.game is None and self.question is not None
        keys = [
            Key(f"{n + 1}", f"{n + 1}", lambda n=n: self.play(n), "mark this cell", hidden=True)
            for n in range(9 * is_asked)
        ]
        if self.game is not None:
            keys.append(Key("enter", "next", self.next, "the next question"))
        path = self.game or self.question or next(iter(self.drill.lost.values()), ())
        board = marked(
            str(Board.from_id(state_of(path))),
            *path[-1:],
            clicked=self.play,
            width=Room(37, 61, 0.5),
            least_columns=37,
            spot=True,
        )
        return Page(
            "DRILL",
            Beside((board, self._text())),
            keys=(*keys, BACK),
            title=(("you", self.side.mark), ("question", str(len(self.drill.answers) + is_asked))),
            right=f"{len(list(self.drill.open()))} open",
        )

    def _text(self) -> Text:
        """Return the question, the game that beats you, or the verdict."""
        mine, other = self.side.mark, self.side.other.mark
        wrong, of = len(self.drill.lost), len(self.drill.answers)
        said: list[Words] = [(("You are ", "text"), (mine, side_role(mine, strong=True))), ""]
        if self.game is not None:
            said += [((self.said, "worse"),), "", f"{other} wins: {moves(self.game)}."]
        elif self.question is not None:
            last = "".join(f"{other} marked {cell + 1}. " for cell in self.question[-1:])
            said += [((self.said, "better"),)] if self.said else []
            said += [((f"{last}Where do you play?", "strong"),), ""]
            said += [((f"So far: {moves(self.question)}.", "dim"),), ""] if last else []
            said.append(((RULES, "dim"),))
        elif self.drill.lost:
            beaten = f"{mine} can be beaten: {wrong} of {of} answers lose."
            first = f"The first: {moves(next(iter(self.drill.lost.values())))}."
            said += [((beaten, "worse"),), "", first]
        else:
            proof = f"With these {of} answers nobody can beat you, whatever they play."
            said += [((f"Unbeatable as {mine}: proved.", "truth"),), "", proof]
        dots = (("●" * (of - wrong), "truth"), ("✗" * wrong, "worse"))
        return Text(said, title="prove yourself unbeatable", footer=dots if of else "", least=8)


def moves(path: Path) -> str:
    """Return the moves of a game: `X 5, O 1`."""
    return ", ".join(f"{'XO'[n % 2]} {cell + 1}" for n, cell in enumerate(path))


def open_on(lab: LabController, data: object, text: str) -> Opened:
    mark = text.strip().upper() or Side.X.mark
    if mark not in Side.__members__:
        raise UsageError(f"{shown(text)} is not a side: drill X or drill O")
    return DrillPage(Side.parse(mark)).page
