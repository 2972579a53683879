"""The bug museum: mistakes of real tic-tac-toe learners, each as a rule that has it.

A piece is a player like any other (`museum:draw-as-loss`); its file tells its story. Beside each
stands the rule that it means to be, without the mistake. One mistake is in no rule: a notebook
(seed 001) goes on with the turn of the game before, so that X does not always open. Our games begin
with X whatever a rule does.
"""

from __future__ import annotations

import difflib
from functools import cache
from importlib import import_module
from typing import Final

from learners.errors import SpecError, shown
from learners.rules.base import Rule

PREFIX: Final = "museum:"
PIECES: Final = {
    "draw-as-loss": "draw_as_loss.DrawAsLoss",
    "missed-wins": "missed_wins.MissedWins",
    "before-own-move": "before_own_move.BeforeOwnMove",
    "no-losses": "no_losses.NoLosses",
    "born-winners": "born_winners.BornWinners",
    "before-the-answer": "before_the_answer.BeforeTheAnswer",
    "draws-teach-nothing": "draws_teach_nothing.DrawsTeachNothing",
    "reverse-chain": "reverse_chain.ReverseChain",
    "learns-from-exploring": "learns_from_exploring.LearnsFromExploring",
    "first-cell": "first_cell.FirstCell",
    "vanishing-step": "vanishing_step.VanishingStep",
    "lost-copy": "lost_copy.LostCopy",
}
"""By name, where each is; those of the documents first, then the classics of homework."""
MEANT: Final = "td"
"""The rule that every piece means to be."""


@cache
def piece(name: str) -> type[Rule]:
    """The rule of a piece.

    Raises:
        SpecError: there is no such piece.
    """
    if name not in PIECES:
        near = difflib.get_close_matches(name, PIECES, n=1)
        hint = f" — did you mean {near[0]}?" if near else f" (it has {', '.join(PIECES)})"
        raise SpecError(f"the museum has no {shown(name)}{hint}")
    module, _, class_name = PIECES[name].partition(".")
    rule: type[Rule] = getattr(import_module(f"{__name__}.{module}"), class_name)
    return rule


def story(name: str) -> tuple[str, ...]:
    """The paragraphs of a piece's story.

    Raises:
        SpecError: there is no such piece.
    """
    text = import_module(piece(name).__module__).__doc__ or ""
    return tuple(" ".join(part.split()) for part in text.strip().split("\n\n"))
