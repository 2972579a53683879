"""A review as it is shown: its moves in lines, the board after one, what was learned in words."""

from __future__ import annotations

from typing import Final

from game import space
from tui.blocks.log import Log
from tui.lab.labels import entry_label, side_role
from tui.lab.review import Answer, Review, ReviewController, ReviewedMove
from tui.theme.numerals import decimals, signed
from tui.views.update import AfterstateView, ValueView
from tui.views.words import Words

STANDING: Final = {1: ("●───┼────", "win", "better"), 0: ("────●────", "draw", "text"),
                   -1: ("────┼───●", "loss", "worse")}  # fmt: skip
"""By what a position is worth to the person: where it stands between both, and the word."""
JUDGED: Final = 31
"""Columns of what a move did."""


def move_line(reviewed: ReviewedMove, judged_columns: int) -> Words:
    """A move: what it did, how the game stands, what the learner expected."""
    move, (bar, word, role) = reviewed.move, STANDING[reviewed.standing]
    who = "you" if reviewed.is_own else "it"
    said = reviewed.judgement
    judged = "worse" if reviewed.errs else "dim" if said.startswith("keeps") else "text"
    return (
        (f"{move.ply}  ", "dim"),
        (f"{who:<4}", side_role(move.player)),
        (f"{move.player}→{move.cell + 1}", side_role(move.player, strong=True)),
        (f"    {said:<{judged_columns}} ", judged),
        (bar, role),
        (f" {word:<5}", role),
        *expected_words(reviewed),
        (" explored" if move.exploratory and not reviewed.is_own else "", "remark"),
    )


def expected_words(reviewed: ReviewedMove) -> tuple[tuple[str, str], ...]:
    """What the learner expected, and what it expects after the game."""
    if reviewed.expected is None:
        return (("", "dim"),)
    old, new = (expected_text(reviewed, value) for value in reviewed.expected)
    return ((old, "text"),) if old == new else ((f"{old}→", "dim"), (new, "strong"))


def expected_text(reviewed: ReviewedMove, value: float) -> str:
    """An expectation, or a chance."""
    return f"{value:.0%}" if reviewed.is_chance else decimals(value)


def moves_view(controller: ReviewController) -> Log:
    review = controller.review
    many = f"{len(review.moves)} move{'s' * (len(review.moves) != 1)}"
    wide = max(JUDGED, *(len(one.judgement) for one in review.moves))
    return Log(
        lines=tuple(move_line(one, wide) for one in review.moves),
        heads=f"{'move':<14}{'against perfect play':<{wide}} you    it       it expected",
        cursor=controller.window.cursor,
        title=f"game {review.game + 1:,}: {review.outcome} in {many}",
        right=review.score_words,
        spot=True,
    )


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


def learned_view(review: Review) -> Log:
    """What the learner made of the game."""
    lines: list[Words] = [((said, "strong"),) for said in learned_sentences(review)]
    places = 0 if any(one.is_chance for one in review.moves) else 5
    for one in review.writes:
        if one.new != one.old:
            label = entry_label(one.backup)
            lines.append(
                (
                    (f"{label:<12}", side_role(one.backup.player)),
                    (f" {decimals(one.old, places)}→", "dim"),
                    (decimals(one.new, places), "strong"),
                    (f"  {signed(one.new - one.old, places)}", "text"),
                )
            )
    return Log(lines=tuple(lines), jump=1, title="what it learned from you", right="before→after")


def board_view(reviewed: ReviewedMove) -> AfterstateView:
    """The board after a move."""
    values: tuple[ValueView, ...] = ()
    if reviewed.expected is not None and not reviewed.is_chance:
        old, new = reviewed.expected
        values = ValueView("it expected", old, "dim"), ValueView("now", new, "strong")
    return AfterstateView(
        cells=str(reviewed.board),
        title=f"after ply {reviewed.move.ply}",
        moved=(reviewed.move.cell,),
        values=values,
    )
