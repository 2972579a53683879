"""What a learner is: a named rule with options, a way to choose, and two places to learn.

To write a rule, subclass `Rule`, name it, list its options, and define `after_step` or `after_game`
as plain functions over the arguments that `learners.engine.play` describes. Inside them call
`learners.engine.backups.backup`, and nothing else that writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from afterstate_lab.learners.engine.choices import epsilon_greedy
from afterstate_lab.learners.engine.play import no_op
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.equation import UNDECLARED, Equation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from afterstate_lab.learners.engine.entries import Entries


class Rule:
    """A learner or an opponent. Its hooks are plain functions that take no `self`."""

    name: ClassVar[str] = ""
    """The name in a player spec."""
    summary: ClassVar[str] = ""
    """One line for lists and help."""
    equation: ClassVar[Equation] = UNDECLARED
    """The update, as data."""
    source: ClassVar[str] = ""
    """Where it is published."""
    options: ClassVar[tuple[options.Option, ...]] = ()
    """What a spec may set."""

    is_trusted: ClassVar[bool] = True
    """Whether it comes with the program; a user's own rule is checked at every write."""
    learns: ClassVar[bool] = True
    human: ClassVar[bool] = False
    draws: ClassVar[bool] = False
    """Whether its moves are drawn by chance by design, and so are never exploratory."""
    by_state: ClassVar[bool] = True
    """Whether an entry is the value of an afterstate; else of a position and a move."""
    one_table: ClassVar[bool] = False
    """Whether two such players in one game share one table."""
    is_off_policy: ClassVar[bool] = False
    """Whether it learns what greedy play is worth, from exploratory moves too."""
    is_saved: ClassVar[bool] = False
    """Whether what it knows comes out of a file."""
    is_asked: ClassVar[bool] = False
    """Whether it is somebody's agent, asked for its move on every board before the first game."""
    estimates: ClassVar[bool] = True
    """Whether its numbers estimate what a game is worth (beads do not)."""
    shares_error: ClassVar[bool] = False
    """Whether all backups of one turn apply the error of the first (traces)."""
    tables: ClassVar[int] = 1
    """How many numbers it keeps for each entry."""

    choose = epsilon_greedy
    choose_frozen = epsilon_greedy
    """How it chooses when it is evaluated: greedily."""
    after_step = no_op
    """Called when the player's next time step is known: steps[t] after steps[t - 1]."""
    after_game = no_op
    """Called when the game is over: steps[0] .. steps[t], the last being terminal."""

    @classmethod
    def check_side(cls, side: int) -> None:
        """Refuse a side, 0 for X and 1 for O, that the player has not learned to play."""

    @classmethod
    def rewards(cls, settings: Mapping[str, Any]) -> tuple[float, float, float]:
        """What a win, a draw and a loss are worth."""
        win, loss = settings.get("win", 1.0), settings.get("loss", 0.0)
        return float(win), float(settings.get("draw", 0.5)), float(loss)

    @classmethod
    def exploration(cls, side: int, settings: Mapping[str, Any]) -> tuple[str, tuple[float, ...]]:
        """Epsilon over the games for a player of this side, as `options.RateOption` reads it."""
        kind, rates = settings.get("epsilon", ("constant", (0.0,)))
        return kind, rates

    @classmethod
    def entries(cls, side: int, settings: Mapping[str, Any]) -> Entries:
        """The entries of the table that a player of this side keeps."""
        from afterstate_lab.learners.engine.entries import pair_entries, state_entries

        symmetry = settings.get("symmetry") == "on"
        return (state_entries if cls.by_state else pair_entries)(side, symmetry)

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> NDArray[np.float64]:
        """float64[len(entries)]: what every entry starts with; terminal boards apart."""
        import numpy as np

        return np.full(len(entries.boards), float(settings.get("initial", 0.5)))

    @classmethod
    def preferences(cls, values: NDArray[np.float64], entries: Entries) -> NDArray[np.float64]:
        """float64[...]: the number by which each entry ranks, from `values` [tables, entries]."""
        first: NDArray[np.float64] = values[0]
        return first

    @classmethod
    def as_played(cls, values: NDArray[np.float64], entries: Entries) -> NDArray[np.float64] | None:
        """float64[16167]: the probability of each move of a player that draws them by design.

        A position whose moves sum to less than 1 is one that it may resign. None for a player that
        is greedy but for its exploration.
        """
        return None
