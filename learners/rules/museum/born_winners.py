"""Boards start as won: every value is 1 before the first game.

A list of results is made once and never emptied, or the test for "won" is true for whatever is not
a loss. With a step size of .1 that belief fades slowly: after 1,000 games of self-play 43 of 100
decisions of X are right, and 80 of 100 where boards start at .5. Yet starting high makes it try
everything once (S&B 2.6), and with games enough it comes out ahead: a mistake, when nobody meant
it.

Document 002 has it: all but 13 of its 19,683 boards start at 1.
"""

from __future__ import annotations

from learners.rules import options
from learners.rules.td import TemporalDifference


class BornWinners(TemporalDifference):
    """TD(0) to which every board is won until it learns better."""

    name = "museum:born-winners"
    summary = "every board starts as won"
    source = "Q-learning article"
    options = options.with_defaults(options.STATE_VALUES, initial=1.0)
