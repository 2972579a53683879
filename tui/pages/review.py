"""The review of a game: its moves, each a place to step from, and what the learner made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import space
from afterstate_lab.tui.blocks.block import Beside, Stack, Window
from afterstate_lab.tui.blocks.board import Board
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.table import Cell, Column, Table
from afterstate_lab.tui.lab.labels import entry_label, side_role
from afterstate_lab.tui.lab.review import Answer, Review, ReviewedMove
from afterstate_lab.tui.pages.page import Key, Leave, Page
from afterstate_lab.tui.theme.numerals import decimals, signed
from afterstate_lab.tui.views.words import Words

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.recording import TapePosition
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.outcomes import Outcome

STANDING: Final = {1: ("●───┼────", "win", "better"), 0: ("────●────", "draw", "text"),
                   -1: ("────┼───●", "loss", "worse")}  # fmt: skip
"""By what a position is worth to the person: where it stands between both, and the word."""
JUDGED: Final = 31
"""Columns of what a move did."""


def move_cells(reviewed: ReviewedMove) -> tuple[Cell, ...]:
    """A move: what it did, how the game stands, what the learner expected."""
    move, (bar, word, role) = reviewed.move, STANDING[reviewed.standing]
    who = "you" if reviewed.is_own else "it"
    said = reviewed.judgement
    judged = "worse" if reviewed.errs else "dim" if said.startswith("keeps") else "text"
    expected = ""
    if reviewed.expected is not None:
        old, new = (expected_text(reviewed, value) for value in reviewed.expected)
        expected = f"it expected {old}{f', now {new}' * (old != new)}"
    explored = "explored" if move.exploratory and not reviewed.is_own else ""
    return (
        Cell(((f"{move.ply} ", "dim"), (f"{who:<4}", side_role(move.player)),
              (f"{move.player}→{move.cell + 1}", side_role(move.player, strong=True)))),
        Cell(((said, judged),), f"{who} {move.cell + 1}, {said.removeprefix('? ')}"),
        Cell(((bar, role),)),
        Cell(((word, role),)),
        Cell(expected_words(reviewed), expected),
        Cell(((explored, "remark"),)),
    )  # fmt: skip


def expected_words(reviewed: ReviewedMove) -> tuple[tuple[str, str], ...]:
    """What the learner expected, and what it expects after the game."""
    if reviewed.expected is None:
        return (("", "dim"),)
    old, new = (expected_text(reviewed, value) for value in reviewed.expected)
    return ((old, "text"),) if old == new else ((f"{old}→", "dim"), (new, "strong"))


def expected_text(reviewed: ReviewedMove, value: float) -> str:
    """An expectation, or a chance."""
    return f"{value:.0%}" if reviewed.is_chance else decimals(value)


class ReviewPage:
    """A review, and the move of it that is chosen: at first the first wrong one."""

    def __init__(self, review: Review) -> None:
        self.review = review
        wrong = (n for n, one in enumerate(review.moves) if one.is_own and one.errs)
        self.at = Window(next(wrong, 0))

    @property
    def selected(self) -> ReviewedMove:
        return self.review.moves[self.at.cursor]

    def page(self) -> Page:
        review = self.review
        names = ("you", review.name)
        x, o = reversed(names) if review.person else names
        return Page(
            "REVIEW",
            Stack((Beside((self.moves(), self.board())), self.learned())),
            title=(("X", x), ("O", o)),
            of_run=True,
            keys=(
                Key("enter g", "step", lambda: Leave(self.selected.place), "step from this move"),
                Key("n", "new", lambda: Leave("new_game"), "a new game"),
                Key("escape q", "back", Leave, "back to the lab"),
            ),
        )

    def moves(self) -> Table:
        review, many = self.review, len(self.review.moves)
        wide = max(JUDGED, *(len(one.judgement) for one in review.moves))
        columns = (
            Column("move", 10, say=""),
            Column("against perfect play", wide, 1),
            Column("you    it", 9, 3, say=""),
            Column("", 5, 4, say=""),
            Column("it expected", 11, 2),
            Column("", 8, 5),
        )
        return Table(
            columns, many, lambda n: move_cells(review.moves[n]), self.at, least_columns=50,
            title=f"game {review.game + 1:,}: {review.outcome} in {many} move{'s' * (many != 1)}",
            right=review.score_words,
        )  # fmt: skip

    def board(self) -> Board:
        """The board after the move."""
        move = self.selected
        facts: tuple[Words, ...] = ()
        if move.expected is not None and not move.is_chance:
            old, new = (decimals(value) for value in move.expected)
            facts = ((("it expected ", "dim"), (old, "dim")), (("now ", "dim"), (new, "strong")))
        return Board(cells=str(move.board), facts=facts, title=f"after ply {move.move.ply}",
                     least_columns=28)  # fmt: skip

    def learned(self) -> Log:
        """What the learner made of the game."""
        review = self.review
        lines: list[Words] = [((said, "strong"),) for said in learned_sentences(review)]
        places = 0 if any(one.is_chance for one in review.moves) else 5
        lines += [
            (
                (f"{entry_label(one.backup):<12}", side_role(one.backup.player)),
                (f" {decimals(one.old, places)}→", "dim"),
                (decimals(one.new, places), "strong"),
                (f"  {signed(one.new - one.old, places)}", "text"),
            )
            for one in review.writes
            if one.new != one.old
        ]
        return Log(lines=tuple(lines), jump=1, title="what it learned from you",
                   right="before→after", rank=1)  # fmt: skip


def answer_words(answer: Answer) -> str:
    """What the learner does on a board now, and did before."""
    was, now = (" ".join(str(cell + 1) for cell in cells) for cells in answer.cells)
    return f"on {space().text(answer.board)} it prefers {now} (was {was})"


def learned_sentences(review: Review) -> list[str]:
    """What it will do otherwise next time, or why it will do the same."""
    if not review.learns:
        return [f"{review.name} learned nothing from this game: it does not learn, or is frozen."]
    if not any(one.new != one.old for one in review.writes):
        return ["It learned nothing new: no value changed."]
    if others := [answer for answer in review.answers if answer.is_other]:
        return [f"Next time {answer_words(answer)}." for answer in others]
    return ["Next time on these boards it prefers the same moves, by other values."]


def open_on(
    lab: LabController, data: Review, text: str
) -> tuple[Callable[[], Page], Callable[[TapePosition | str | None], Outcome]]:
    return ReviewPage(data).page, lab.leave_review
