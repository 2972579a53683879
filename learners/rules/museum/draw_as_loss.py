"""A draw is worth a loss.

The code gives 1 for a win and 0 otherwise, and "otherwise" swallows the draw. X barely notices: it
wants to win anyway. O can hold every game and win few, and to O holding is now as bad as losing:
where it cannot win, all of its moves are worth the same, so it never learns to hold.

Documents 000 and 003 have it. (The book's text scores a draw as 0 too, on purpose: it plays against
one that slips.)
"""

from __future__ import annotations

from learners.rules import options
from learners.rules.td import TemporalDifference


class DrawAsLoss(TemporalDifference):
    """TD(0) to which a draw is worth 0."""

    name = "museum:draw-as-loss"
    summary = "a draw is worth a loss, so O never learns to hold"
    source = "two-agents and train-compete-play"
    options = options.with_defaults(options.STATE_VALUES, draw=0.0)
