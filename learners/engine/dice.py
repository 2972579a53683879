"""Counter-based dice: every random number is a pure hash of (seed, game, ply, purpose).

Nothing is drawn from a stream: any single game can be replayed, a run does not depend on how it is
sliced, and two rules can be compared on identical dice. All arithmetic stays inside 64 signed bits
after masking, so the interpreter and the compiler give the same words.
"""

from __future__ import annotations

from typing import Final

MASK: Final = 0xFFFFFFFF
WORDS: Final = 4294967296.0
"""Number of different dice words, as a float: ``word / WORDS`` is uniform in [0, 1)."""

LARGEST_SEED: Final = 2**63 - 1
"""The largest seed that a user may give."""

EXPLORE: Final = 0
"""Purpose: is this move drawn at random? Compared with epsilon."""
PICK: Final = 1
"""Purpose: which of the candidate moves (ties, all legal moves, or beads)?"""
COIN: Final = 2
"""Purpose: which of two tables is written? (double Q-learning)"""


def dice_word(low, high, ply, purpose):
    """The word in [0, 2^32) for a key (low, high), a ply and a purpose.

    A keyed lowbias32 finaliser: for every key a permutation of the counter.
    """
    x = low + (4 * ply + purpose) * 0x9E3779B9 & MASK
    x ^= x >> 16
    x = x * 0x7FEB352D & MASK
    x ^= high
    x ^= x >> 15
    x = x * 0x846CA68B & MASK
    return x ^ x >> 16


def game_key(seed_low, seed_high, game):
    """The key of one game: two 32-bit words from which all its dice are hashed."""
    low = dice_word(seed_low, seed_high, game, 0)
    high = dice_word(seed_high, seed_low + (game >> 30) & MASK, game, 1)
    return low, high


def seed_words(seed: int) -> tuple[int, int]:
    """Hash a seed of any size into two 32-bit words; neighbouring seeds share nothing.

    Args:
        seed: any integer >= 0.
    """
    import numpy as np

    low, high = np.random.SeedSequence(seed).generate_state(2, np.uint32)
    return int(low), int(high)
