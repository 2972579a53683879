"""What if: one game under another rule, its events next to the original's."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from afterstate_lab.learners.ask.what_if import EventDifference, EventPair
from afterstate_lab.learners.tape.events import Backup, Event, GameOver, Move
from afterstate_lab.tui.blocks.lists import Log
from afterstate_lab.tui.blocks.span import Words, width
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.lab.labels import result_sentence
from afterstate_lab.tui.lab.log import event_line
from afterstate_lab.tui.lab.session import WhatIfSummary
from afterstate_lab.tui.theme.numerals import decimals

LEFT: Final = 41
"""Columns of the first game's event, to the left of the other's."""
NAMES: Final = {
    EventDifference.CHOICE: "another move",
    EventDifference.MISSING: "nothing is backed up",
    EventDifference.EXTRA: "backed up only here",
    EventDifference.TARGET: "another target",
    EventDifference.STEP: "another step size",
    EventDifference.NEW: "another number is written",
    EventDifference.RESULT: "another result",
}
"""Each difference in words, for the second game."""


Pieces = tuple[tuple[str, str], ...]
NOTHING: Final[Pieces] = (("  nothing", "dim"),)


def sides(pair: EventPair) -> tuple[Pieces, Pieces]:
    """Return the events of a pair that differs; short for two backups of one entry."""
    one, other = pair.one, pair.other
    right = NOTHING
    if isinstance(one, Backup) and isinstance(other, Backup):
        right = ((decimals(other.new, 5), "strong"),)
    elif isinstance(other, Backup | Move | GameOver):
        right = event_line(other)
        if isinstance(one, Move) and isinstance(other, Move) and one.board != other.board:
            right = (*right, (", another board", "dim"))
    return NOTHING if one is None else event_line(one), right


def pair_line(pair: EventPair) -> Words:
    """Return the events of a pair: once if they agree, else side by side."""
    if pair.difference is None:
        return event_line(pair.event)
    left, ((text, role), *rest) = sides(pair)
    gap = (" " * max(1, LEFT - width(left)), "text")
    return (*left, gap, ("≠ ", "key"), (text.lstrip(), role), *rest)


@lru_cache(maxsize=1)
def both_games(summary: WhatIfSummary) -> Log:
    """Return the events of both games from the first that differs."""
    result = summary.result
    first, *_ = result.differences or [0]
    return Log(
        lines=tuple(map(pair_line, result.pairs[first:])),
        jump=1,
        cursor=0,
        right="same game, same seed",
        title=f"what if {summary.player} were {summary.spec}",
    )


def sentences(asked: WhatIfSummary) -> list[str]:
    """Describe where two games differ first, and how each ends."""
    result = asked.result
    if not result.differences:
        return ["Every event is the same."]
    first = result.differences[0]
    same = "event is" if first == 1 else f"{first} events are"
    lines = [f"The first {same} the same." if first else "No event is the same."]
    pair = result.pairs[first]
    assert pair.difference is not None
    was, would_be = (spoken(joined(side)) for side in sides(pair))
    lines.append(f"First difference: {NAMES[pair.difference]}.")
    lines.append(f"Was: {was}. Would be: {would_be}.")
    ends: list[Event] = [each.events()[-1] for each in (result.original, result.other)]
    told = [result_sentence(event) for event in ends if isinstance(event, GameOver)]
    if len(told) == 2:
        lines.append(f"In the end: {told[0]} Would be: {told[1]}")
    if any(result.learned_anew):
        lines.append("It knows here what it would have learned from the start.")
    return lines
