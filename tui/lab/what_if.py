"""What if: one game under another rule, its events next to the original's."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from afterstate_lab.game import Board
from afterstate_lab.learners.ask.what_if import EventDifference, EventPair
from afterstate_lab.learners.tape.events import Backup, Event, GameOver, Move, NoBackup
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.span import Words, width
from afterstate_lab.tui.blocks.speech import board_words, figure, places_for
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


def nothing(event: Event) -> str:
    """Describe a game without this event."""
    if isinstance(event, Move | GameOver):
        return "The game is over by then."
    return "Nothing is backed up here."


def pair_line(pair: EventPair) -> Words:
    """Return the events of a pair: once if they agree, else side by side; short for one entry."""
    one, other = pair.one, pair.other
    if pair.difference is None:
        return event_line(pair.event)
    left = (("  nothing", "dim"),) if one is None else event_line(one)
    right: tuple[tuple[str, str], ...] = (("nothing", "strong"),)
    if isinstance(one, Backup) and isinstance(other, Backup):
        right = (("→", "dim"), (decimals(other.new, 5), "strong"))
    elif isinstance(other, Backup | Move | GameOver):
        (text, role), *rest = event_line(other)
        right = ((text.lstrip(), role), *rest)
        if isinstance(one, Move) and isinstance(other, Move) and one.board != other.board:
            right = (*right, (", another board", "dim"))
    return (*left, (" " * max(1, LEFT - width(left)), "text"), ("≠ ", "key"), *right)


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


# in sentences


def game_sentences(asked: WhatIfSummary) -> list[str]:
    """Describe where two games differ, how each ends, and what the player learns."""
    result, player = asked.result, asked.player
    if not result.differences:
        return ["Every event is the same."]
    first = result.differences[0]
    same = "event is" if first == 1 else f"{first} events are"
    lines = [f"The first {same} the same." if first else "No event is the same."]
    ends = [
        event_sentence(events[-1])
        for events in (result.original.events(), result.other.events())
        if isinstance(events[-1], GameOver)
    ]
    if len(ends) == 2:
        lines.append(f"In the end: {ends[0]} Would be: {ends[1]}")
    differ = len(result.different_steps(player))
    verb = "differs" if differ == 1 else "differ"
    lines.append(f"{differ} of the {len(result.steps(player))} time steps of {player} {verb}.")
    if any(result.learned_anew):
        lines.append("It knows here what it would have learned from the start.")
    return lines


def difference_sentences(asked: WhatIfSummary) -> list[str]:
    """Describe the first difference; nothing if both games agree."""
    if not asked.result.differences:
        return []
    pair = asked.result.pairs[asked.result.differences[0]]
    one, other = pair.one, pair.other
    told = [
        nothing(pair.event) if event is None else event_sentence(event) for event in (one, other)
    ]
    if told[0] == told[1] and isinstance(one, Backup) and isinstance(other, Backup):
        told = [
            f"{said} Its step size is {figure(event.step)}, its trace {figure(event.trace)}."
            for said, event in zip(told, (one, other), strict=True)
        ]
    assert pair.difference is not None
    return [
        f"First difference: {NAMES[pair.difference]}.",
        f"Was: {told[0]}",
        f"Would be: {told[1]}",
    ]


def event_sentence(event: Event) -> str:
    if isinstance(event, GameOver):
        return result_sentence(event)
    assert isinstance(event, Move | Backup | NoBackup)
    board = board_words(Board.from_id(event.board))
    if isinstance(event, Move):
        how = "explores" if event.exploratory else "takes"
        return f"{event.player} {how} {event.cell + 1}. {board}"
    move = "" if event.cell is None else f" Its move is {event.cell + 1}."
    if isinstance(event, NoBackup):
        return f"No backup of {event.player}: the move was {event.reason}. {board}{move}"
    places = places_for(event.old, event.new)
    old, new = figure(event.old, places), figure(event.new, places)
    return f"{event.player} writes {old} to {new}, towards {figure(event.target)}. {board}{move}"
