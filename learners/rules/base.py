"""The base of rules: a name, options, a way to choose, and two places to learn.

To write a rule, subclass `Rule`, name it, list its options, and define `after_step` or `after_game`
as plain functions with the arguments that `learners.engine.play` describes. In them, call
`learners.engine.backups.backup`, and write in no other way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from afterstate_lab.learners.engine.choices import epsilon_greedy
from afterstate_lab.learners.engine.play import no_op
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.equation import UNDECLARED, Equation

if TYPE_CHECKING:
    from afterstate_lab.game.exact import Floats
    from afterstate_lab.learners.engine.entries import Entries


class Rule:
    """A learner or an opponent. Its hooks are plain functions that take no `self`."""

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    equation: ClassVar[Equation] = UNDECLARED
    """The update, as data."""
    source: ClassVar[str] = ""
    options: ClassVar[tuple[options.Option, ...]] = ()
    """The options of a spec."""

    is_trusted: ClassVar[bool] = True
    """Whether its writes are unchecked; a user's rule is checked at every write."""
    learns: ClassVar[bool] = True
    human: ClassVar[bool] = False
    draws: ClassVar[bool] = False
    """Whether its moves are random by design, and so never exploratory."""
    by_state: ClassVar[bool] = True
    """Whether it values afterstates, not pairs of position and move."""
    all_plies: ClassVar[bool] = False
    """Whether it also values the boards after the opponent's moves."""
    one_table: ClassVar[bool] = False
    """Whether two such players share one table."""
    is_off_policy: ClassVar[bool] = False
    """Whether it learns the value of greedy play, from exploratory moves too."""
    is_saved: ClassVar[bool] = False
    """Whether its values come from a file."""
    is_asked: ClassVar[bool] = False
    """Whether it is an external agent, asked on every board before the first game."""
    estimates: ClassVar[bool] = True
    """Whether its numbers estimate the result (beads do not)."""
    shares_error: ClassVar[bool] = False
    """Whether all backups of one turn use the error of the first (traces)."""
    tables: ClassVar[int] = 1
    """Number of values per entry."""

    choose = epsilon_greedy
    choose_frozen = epsilon_greedy
    """How a learner chooses when frozen."""
    after_step = no_op
    """Called when the player's next time step is known: steps[t] after steps[t - 1]."""
    after_game = no_op
    """Called when the game is over: steps[0] .. steps[t], the last being terminal."""

    @classmethod
    def check_side(cls, side: int) -> None:
        """Refuse a side, 0 for X and 1 for O, that the player did not learn."""

    @classmethod
    def rewards(cls, settings: Mapping[str, Any]) -> tuple[float, float, float]:
        """Return the worth of a win, a draw and a loss."""
        win, loss = settings.get("win", 1.0), settings.get("loss", 0.0)
        return float(win), float(settings.get("draw", 0.5)), float(loss)

    @classmethod
    def exploration(cls, side: int, settings: Mapping[str, Any]) -> tuple[str, tuple[float, ...]]:
        """Return epsilon over the games for this side, as in `options.RateOption`."""
        kind, rates = settings.get("epsilon", ("constant", (0.0,)))
        return kind, rates

    @classmethod
    def entries(cls, side: int, settings: Mapping[str, Any]) -> Entries:
        """Return the entries of this side's table."""
        from afterstate_lab.learners.engine.entries import pair_entries, state_entries

        symmetry = settings.get("symmetry") == "on"
        if not cls.by_state:
            return pair_entries(side, symmetry)
        return state_entries(side, symmetry, cls.all_plies or settings.get("plies") == "all")

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> Floats:
        """Return float64[len(entries)]: the initial values, except of terminal boards."""
        import numpy as np

        return np.full(len(entries.boards), float(settings.get("initial", 0.5)))

    @staticmethod
    def preferences(values: Floats) -> Floats:
        """Float64[...]: the number that ranks each entry, the mean of `values` [tables, entries].

        It is not a hook: the engine ranks two tables by their sum, whatever the rule.
        """
        mean: Floats = values.sum(axis=0) / len(values)
        return mean

    @classmethod
    def as_played(cls, values: Floats, entries: Entries) -> Floats | None:
        """Return float64[16167]: the probability of each move, for a rule that draws its moves.

        A position whose moves sum to less than 1 can be resigned. None for a player that is greedy
        except for exploration.
        """
        return None
