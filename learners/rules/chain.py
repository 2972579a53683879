"""A reverse chain: TD(0) from the last board to the first, once the game is over.

    V(s_k) <- V(s_k) + alpha [ V(s_k+1) - V(s_k) ],  k = T - 1, ..., 0

V(s_k+1) is the value that has just been updated, so one game carries its result to every board that
led there (seeds 000 and 003; on the player's own afterstates this is TD(lambda) with lambda =
alpha, S&B 12.2). `plies=all` chains the boards after the opponent's moves as well, as the seeds do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.learners.engine.backups import EXPLORATORY, backup, no_backup, step_size
from afterstate_lab.learners.engine.play import PLIES
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import Equation

if TYPE_CHECKING:
    from afterstate_lab.learners.engine.entries import Entries

LEARN: Final = 0
FORGET: Final = 1
"""The player forgets the boards before its last exploratory move (seed 003)."""
OWN: Final = 0


class Chain(Rule):
    """The value of each board moves towards the updated value of the next, last to first."""

    name = "chain"
    summary = "a reverse chain, at the end of the game"
    equation = Equation(
        "V(Sₜ) ← V(Sₜ) + α [ V(Sₜ₊₁) − V(Sₜ) ]",
        spelled="V(s_k) <- V(s_k) + alpha [V(s_k+1) - V(s_k)], last to first",
        is_backward=True,
    )
    source = "two-agents and train-compete-play"
    options = (
        *options.STEPPED,
        *options.REWARDS,
        options.INITIAL,
        options.ChoiceOption(
            "plies",
            "own",
            "the boards in the chain: after the player's own moves, or after all",
            choices=("own", "all"),
            source="two-agents and train-compete-play",
        ),
        options.ChoiceOption(
            "exploration",
            "learn",
            "an exploratory move: learn from it (000), forget all before it (003), or skip it",
            choices=("learn", "forget", "skip"),
            source="two-agents and train-compete-play",
        ),
        *options.SHARING,
    )

    @classmethod
    def entries(cls, side: int, settings: Mapping[str, Any]) -> Entries:
        from afterstate_lab.learners.engine.entries import state_entries

        return state_entries(side, settings["symmetry"] == "on", settings["plies"] == "all")

    def after_game(v, tape, me, steps, greedy, t, over, game):
        s_next = steps[t]
        k = t - 1 if me.plies == OWN else game.clock[PLIES] - (s_next < me.rewards)
        forgotten = False
        while k >= 0:
            if me.plies == OWN:
                s = steps[k]
                explored = not greedy[k + 1]
            else:
                s = me.state_entry[game.path[k]] if k > 0 else me.start
                explored = (k & 1) == me.side and not greedy[k // 2 + 1]
            explored = explored and me.exploration != LEARN
            if explored or forgotten:
                no_backup(tape, s, EXPLORATORY)
            else:
                backup(v, tape, me, s, s_next, 0.0, step_size(v, me, s))
            forgotten = forgotten or (explored and me.exploration == FORGET)
            s_next = s
            k -= 1
