"""X's values of the nine opening moves while two `td` learners play each other, recorded.

The home screen shows it before the first move; playing it would need the engine, numpy and 25 MB.
A test replays it and compares every number.
"""

from __future__ import annotations

from typing import Final, NamedTuple

SEED: Final = 0


class Frame(NamedTuple):
    games: int
    values: tuple[int, ...]
    """V after each opening move, by cell, in thousandths."""
    beatable: str
    """The players whose greedy play can be beaten: `XO`, `O` or nobody."""


FRAMES: Final = (
    Frame(0, (500, 500, 500, 500, 500, 500, 500, 500, 500), "XO"),
    Frame(20, (500, 500, 500, 500, 500, 502, 500, 500, 500), "XO"),
    Frame(50, (500, 500, 500, 500, 500, 530, 500, 500, 500), "XO"),
    Frame(100, (500, 500, 500, 500, 500, 569, 500, 500, 500), "XO"),
    Frame(200, (500, 505, 500, 500, 500, 578, 518, 504, 500), "XO"),
    Frame(500, (500, 504, 520, 505, 520, 552, 512, 524, 510), "XO"),
    Frame(1_000, (526, 508, 544, 523, 619, 550, 538, 517, 546), "XO"),
    Frame(2_000, (598, 521, 591, 577, 605, 581, 582, 551, 566), "O"),
    Frame(3_000, (583, 528, 586, 613, 583, 579, 585, 565, 583), "XO"),
    Frame(5_000, (627, 531, 565, 553, 566, 548, 546, 538, 548), "O"),
    Frame(10_000, (574, 553, 570, 538, 572, 545, 560, 634, 565), "XO"),
    Frame(20_000, (563, 544, 580, 553, 593, 564, 565, 569, 572), "O"),
    Frame(40_000, (570, 533, 561, 554, 560, 562, 553, 551, 596), "O"),
    Frame(76_675, (598, 527, 571, 552, 654, 581, 633, 577, 571), ""),
)
