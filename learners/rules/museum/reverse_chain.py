"""It calls itself TD(0), and backs up the whole game backwards at its end.

Each board moves towards the next one's value, but the next one has just been written, so a result
runs through the whole game at once. That is a good learner: on its own afterstates it is TD(λ) with
λ = α (S&B 12.2). It is another one than its text says, and what is measured of it is not TD(0).

Document 003 has it, the book's best-known re-implementation explained.
"""

from __future__ import annotations

from learners.rules import options
from learners.rules.chain import Chain


class ReverseChain(Chain):
    """A reverse chain under the name of TD(0)."""

    name = "museum:reverse-chain"
    summary = "a reverse chain at the end of the game that calls itself TD(0)"
    source = "train-compete-play"
    options = options.with_defaults(Chain.options, exploration="skip")
