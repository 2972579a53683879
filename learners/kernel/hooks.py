"""The functions of two rules that the engine calls, and the engine specialized to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from afterstate_lab.learners.engine import play
from afterstate_lab.learners.engine.backups import STEP_SIZES, constant_step, decaying_step
from afterstate_lab.learners.engine.choices import EXPLORATION_RATES
from afterstate_lab.learners.engine.dice import dice_word, game_key
from afterstate_lab.learners.engine.specialize import Bindings, Specializer, WithHooks
from afterstate_lab.learners.kernel.checked import CHECKED
from afterstate_lab.learners.rules.base import Rule


class DiceAhead(dict[int, list[int]]):
    """The random words of a block of games: for each counter (4 ply + purpose), a word for every
    game.

    The words of a counter are computed on first use.

    Args:
        seed_low: first word of the seed.
        seed_high: second word of the seed.
        first: number of the first game.
        last: number after the last game.
    """

    def __init__(self, seed_low: int, seed_high: int, first: int, last: int) -> None:
        super().__init__()
        self._low, self._high = game_key(seed_low, seed_high, np.arange(first, last))

    def __missing__(self, counter: int) -> list[int]:
        words: list[int] = dice_word(self._low, self._high, 0, counter).tolist()
        self[counter] = words
        return words


def word_ahead(dice: DiceAhead, place: int, ply: int, purpose: int) -> int:
    """Replace `dice_word`, for the game at an index of the block."""
    return dice[4 * ply + purpose][place]


def key_ahead(dice: DiceAhead, first: int, game: int) -> tuple[DiceAhead, int]:
    """Replace `game_key`: return the block's words and the game's index in it."""
    return dice, game - first


AHEAD: Final[dict[str, Any]] = {"dice_word": word_ahead, "game_key": key_ahead}
"""Replacements of the engine's functions of these names."""


@dataclass(frozen=True)
class Hooks:
    """The hooks of one side; equal for players that choose alike and do not learn."""

    choose: Callable[..., Any]
    after_step: Callable[..., Any]
    after_game: Callable[..., Any]
    step_size: Callable[..., Any]
    exploration_rate: Callable[..., Any]
    counts_moves: bool
    is_trusted: bool = True
    """Whether its writes are unchecked."""

    @classmethod
    def of(cls, rule: type[Rule], frozen: bool, me: Any) -> Hooks:
        """Return the hooks of a rule, without learning if the player is frozen.

        Args:
            rule: the player's rule.
            frozen: whether it chooses greedily and does not learn.
            me: its parameters, which name its schedules of step size and epsilon.
        """
        rate = EXPLORATION_RATES[me.epsilon_kind]
        if frozen or not rule.learns:
            choose = rule.choose_frozen if frozen and rule.learns else rule.choose
            return cls(choose, play.no_op, play.no_op, constant_step, rate, False)
        step = STEP_SIZES[me.schedule]
        hooks = rule.choose, rule.after_step, rule.after_game
        return cls(*hooks, step, rate, step is decaying_step, rule.is_trusted)

    def names(self) -> dict[str, Any]:
        """Return the hooks by the names that the engine and the rules call."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return named if self.is_trusted else named | CHECKED


def engine_with_hooks(x: Hooks, o: Hooks, others: Bindings = MappingProxyType({})) -> WithHooks:
    """Return `play.play_games` with the hooks of both sides.

    Args:
        x: the hooks of X.
        o: the hooks of O.
        others: what else is bound in the whole engine, by name.
    """
    of_x = {**x.names(), **others}
    of_o = of_x if x == o else {**o.names(), **others}
    return WithHooks(
        play.play_games,
        {
            **others,
            "turn_x": WithHooks(play.turn, of_x),
            "turn_o": WithHooks(play.turn, of_o),
            "conclude_x": WithHooks(play.conclude, of_x),
            "conclude_o": WithHooks(play.conclude, of_o),
            "rate_x": x.exploration_rate,
            "rate_o": o.exploration_rate,
        },
    )


@cache
def interpreted(x: Hooks, o: Hooks, *, ahead: bool = False) -> Callable[..., int]:
    """Return the engine for two sides, in plain Python.

    Args:
        x: the hooks of X.
        o: the hooks of O.
        ahead: it gets, in place of the words of the seed, `DiceAhead` and its first game.
    """
    return Specializer().specialize(engine_with_hooks(x, o, AHEAD if ahead else {}))
