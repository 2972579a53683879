"""It learns from its exploratory moves as from any other.

The value of the board before a random move is moved towards what came of the random move. So a
board is worth what it is worth to somebody who slips now and then, and boards after which a slip is
deadly look worse than they are (S&B exercise 1.4).

A classic of homework: the test whether the move was greedy is forgotten.
"""

from __future__ import annotations

from learners.rules import options
from learners.rules.td import TemporalDifference


class LearnsFromExploring(TemporalDifference):
    """TD(0) that backs up after exploratory moves too."""

    name = "museum:learns-from-exploring"
    summary = "exploratory moves are learned from like any other"
    source = "homework; S&B exercise 1.4"
    options = options.with_defaults(options.STATE_VALUES, exploration="learn")
