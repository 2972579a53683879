"""Dice that the interpreter throws for many games at once; the words are those of the engine."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from learners.engine.dice import dice_word, game_key


class DiceAhead(dict[int, list[int]]):
    """The dice of a block of games: for each counter (4 ply + purpose) the word of every game.

    The words of a counter are made when the first of them is asked for.

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
    """`dice_word` of the game at a place of the block."""
    return dice[4 * ply + purpose][place]


def key_ahead(dice: DiceAhead, first: int, game: int) -> tuple[DiceAhead, int]:
    """`game_key` as `word_ahead` takes it: the dice of the block, and the game's place in it."""
    return dice, game - first


AHEAD: Final[dict[str, Any]] = {"dice_word": word_ahead, "game_key": key_ahead}
"""What replaces the engine's own functions of these names."""
