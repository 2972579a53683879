"""The review of a game: its moves, and what the learner learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from afterstate_lab.game import space
from afterstate_lab.tui.blocks.block import Beside, Stack, Window
from afterstate_lab.tui.blocks.cells import marked
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.table import Cell, Column, Table
from afterstate_lab.tui.blocks.text import Card, Text
from afterstate_lab.tui.lab.labels import entry_label, side_role
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page
from afterstate_lab.tui.theme.numerals import decimals, signed
from afterstate_lab.tui.views.words import Words

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.review import Review, ReviewedMove

STANDING: Final = {1: ("●───┼────", "win", "better"), 0: ("────●────", "draw", "text"),
                   -1: ("────┼───●", "loss", "worse")}  # fmt: skip
"""Sign, word and colour of a position's value for the person."""
JUDGED: Final = 31
"""Columns of the verdict on a move."""


class ReviewPage:
    """A review, with the first mistake selected."""

    def __init__(self, review: Review) -> None:
        self.review = review
        wrong = (n for n, one in enumerate(review.moves) if one.is_own and one.judged.errs)
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
                BACK,
            ),
        )

    def moves(self) -> Table:
        review, many = self.review, len(self.review.moves)
        won, drawn, lost, since = review.score
        columns = (
            Column("move", 10, say=""),
            Column(
                "against perfect play", max(JUDGED, *(len(m.judged.short) for m in review.moves)), 1
            ),
            Column("you    it", 9, 3, say=""),
            Column("", 5, 4, say=""),
            Column("it expected", 11, 2),
            Column("", 8, 5, role="remark"),
        )
        return Table(
            columns, review.moves, self.cells, self.at, least_columns=50,
            title=f"game {review.game + 1:,}: {review.outcome} in {many} move{'s' * (many != 1)}",
            right=f"you {won}, drawn {drawn}, it {lost} since game {since + 1:,}",
        )  # fmt: skip

    def cells(self, reviewed: ReviewedMove) -> tuple[Cell | Words, ...]:
        """Return a move: its verdict, the exact value, and the learner's expectation."""
        move, (bar, word, role) = reviewed.move, STANDING[reviewed.standing]
        who, said = "you" if reviewed.is_own else "it", reviewed.judged.short
        judged = "dim" if said.startswith("keeps") else "text"
        expected: Words = ""
        told = ""
        if reviewed.expected is not None:
            old, new = (f"{value:.0%}" if self.review.has_beads else decimals(value)
                        for value in reviewed.expected)  # fmt: skip
            expected = old if old == new else ((f"{old}→", "dim"), (new, "strong"))
            told = f"it expected {old}{f', now {new}' * (old != new)}"
        return (
            ((f"{move.ply} ", "dim"), (f"{who:<4}", side_role(move.player)),
             (f"{move.player}→{move.cell + 1}", side_role(move.player, strong=True))),
            Cell(((said, "worse" if reviewed.judged.errs else judged),),
                 f"{who} {move.cell + 1}, {said.removeprefix('? ')}"),
            ((bar, role),),
            ((word, role),),
            Cell(expected, told),
            "explored" if move.exploratory and not reviewed.is_own else "",
        )  # fmt: skip

    def board(self) -> Card:
        move, facts = self.selected, list[Words]()
        if move.expected is not None and not self.review.has_beads:
            old, new = (decimals(value) for value in move.expected)
            facts = [(("it expected ", "dim"), (old, "dim")), (("now ", "dim"), (new, "strong"))]
        board = marked(str(move.judged.after))
        title = f"after ply {move.move.ply}"
        return Card((board, Text(facts)), title=title, least_columns=28)

    def learned(self) -> Log:
        """Return what the learner learned from the game."""
        places = 0 if self.review.has_beads else 5
        lines: list[Words] = [((said, "strong"),) for said in learned_sentences(self.review)]
        for backup, old, new in self.review.changes:
            lines.append((
                (f"{entry_label(backup):<12}", side_role(backup.player)),
                (f" {decimals(old, places)}→", "dim"), (decimals(new, places), "strong"),
                (f"  {signed(new - old, places)}", "text"),
            ))  # fmt: skip
        return Log(lines=tuple(lines), jump=1, title="what it learned from you",
                   right="before→after", rank=1)  # fmt: skip


def learned_sentences(review: Review) -> list[str]:
    """Describe what it will change next time, or why nothing."""
    if not review.learns:
        return [f"{review.name} learned nothing from this game: it does not learn, or is frozen."]
    if not review.changes:
        return ["It learned nothing new: no value changed."]
    told = []
    for board, *cells in review.answers:
        was, now = (" ".join(str(cell + 1) for cell in some) for some in cells)
        told.append(f"Next time on {space().text(board)} it prefers {now} (was {was}).")
    return told or ["Next time on these boards it prefers the same moves, by other values."]


def open_on(lab: LabController, data: Review, text: str) -> Opened:
    return ReviewPage(data).page, lab.leave_review
