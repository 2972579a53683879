"""Two games on one place, moved together: as they were, and under another rule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.ask.what_if import EventDifference, EventPair, event_pairs
from afterstate_lab.learners.tape.events import Backup, GameOver, Move
from afterstate_lab.learners.tape.timeline import CHOICE, TARGET, VALUES, WRITE, Timeline
from afterstate_lab.tui.blocks.equation import Equation
from afterstate_lab.tui.blocks.small_board import SmallBoard
from afterstate_lab.tui.lab.log import event_line
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.theme.numerals import decimals
from afterstate_lab.tui.views.words import Words, length

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.events import Event
    from afterstate_lab.tui.lab.session import WhatIfSummary

NAMES: Final = {
    EventDifference.CHOICE: "another move",
    EventDifference.MISSING: "nothing is backed up",
    EventDifference.EXTRA: "backed up here alone",
    EventDifference.TARGET: "another target",
    EventDifference.STEP: "another step size",
    EventDifference.NEW: "another number is written",
    EventDifference.RESULT: "another result",
}
"""Each difference in words, said of the second game."""
NO_FURTHER: Final = "No further difference in this game."
LEFT: Final = 41
"""Columns of the first game's event, where the other's stands beside it."""


class Lockstep:
    """Both games of a what-if at one pair of events, and at one phase of it.

    Args:
        asked: the two games.
    """

    def __init__(self, asked: WhatIfSummary) -> None:
        result = asked.result
        self.asked = asked
        self.timelines = Timeline(asked.run), Timeline(result.run)
        self.timelines[0].show(result.original)
        self.timelines[1].show(result.other)
        self.pairs = event_pairs(result.original, result.other, result.original.first)
        self.differences = [n for n, pair in enumerate(self.pairs) if pair.difference is not None]
        self.at = self.differences[0] if self.differences else 0
        self._phase = 0
        self.go_to(self.at)

    @property
    def pair(self) -> EventPair:
        return self.pairs[self.at]

    @property
    def differs_in_value(self) -> bool:
        """Whether an entry has another value after one of the differences."""
        return any(pair.differs_in_value for pair in self.pairs)

    @property
    def phases(self) -> tuple[int, ...]:
        """The phases of the current pair."""
        events = self.pair.one, self.pair.other
        if any(isinstance(event, Backup) for event in events):
            return TARGET, WRITE
        return (VALUES, CHOICE) if isinstance(self.pair.event, Move) else (WRITE,)

    @property
    def phase(self) -> int:
        return self.phases[self._phase]

    def go_to(self, at: int, *, first_phase: bool = False) -> bool:
        """Go to a pair of events, to its last phase unless told otherwise; False past the ends."""
        if not 0 <= at < len(self.pairs):
            return False
        self.at = at
        self._phase = 0 if first_phase else len(self.phases) - 1
        return True

    def step(self, by: int) -> bool:
        """A phase on (1) or back (-1); False at the ends."""
        if 0 <= self._phase + by < len(self.phases):
            self._phase += by
            return True
        return self.go_to(self.at + by, first_phase=by > 0)

    def to_difference(self, by: int) -> bool:
        """To the next pair that differs (1), or the one before (-1); False if there is none."""
        there = [n for n in self.differences if (n > self.at if by > 0 else n < self.at)]
        return self.go_to(there[0 if by > 0 else -1]) if there else False

    def microscope(self, which: int) -> Microscope | None:
        """The microscope on one of the two games here; None where it has no such event."""
        event = (self.pair.one, self.pair.other)[which]
        if event is None:
            return None
        timeline = self.timelines[which]
        row = (self.pair.one_row, self.pair.other_row)[which]
        timeline.seek(row)
        while timeline.step_phase() and timeline.row == row and timeline.phase < self.phase:
            pass
        return Microscope.at(timeline)

    def update_view(self, which: int) -> Equation:
        """The update of one of the two games."""
        scope = self.microscope(which)
        title: list[tuple[str, str]] = [(self.name(which), "title")]
        if which and self.pair.difference is not None:
            title.append((f"  ≠ {NAMES[self.pair.difference]}", "key"))
        if scope is None:
            return Equation(words=self.nothing(), title=tuple(title))
        return replace(scope.equation(), title=tuple(title))

    def board_view(self, which: int) -> SmallBoard:
        """The board that is backed up in one of the two games, or in the other."""
        scope = self.microscope(which) or self.microscope(1 - which)
        view = SmallBoard("." * 9) if scope is None else scope.afterstate()
        return replace(view, values=()) if self.microscope(which) is None else view

    def nothing(self) -> str:
        """What is said of a game that has no such event."""
        if isinstance(self.pair.event, Move | GameOver):
            return "The game is over by then."
        return "Nothing is backed up here."

    def name(self, which: int) -> str:
        """Who plays: as it was, or as it would be."""
        return str(self.asked.spec) if which else self.asked.was

    def lines(self) -> tuple[Words, ...]:
        """A line for each pair: an event of both, or what each did."""
        return tuple(pair_line(pair) for pair in self.pairs)


def pair_line(pair: EventPair) -> Words:
    """The events of a pair: once where they agree, else side by side."""
    words = event_words(pair.event)
    if pair.difference is None:
        return words
    left = event_words(pair.one) if pair.one is not None else (("  nothing", "dim"),)
    gap = " " * max(1, LEFT - length(left))
    return (*left, (gap, "text"), ("≠ ", "key"), *other_words(pair))


def other_words(pair: EventPair) -> tuple[tuple[str, str], ...]:
    """What the second game has instead, in short where both write the same entry."""
    if pair.other is None or not isinstance(pair.other, Backup | Move | GameOver):
        return (("nothing", "strong"),)
    if isinstance(pair.one, Backup) and isinstance(pair.other, Backup):
        return (("→", "dim"), (decimals(pair.other.new, 5), "strong"))
    first, *rest = event_words(pair.other)
    words = ((first[0].lstrip(), first[1]), *rest)
    one, other = pair.one, pair.other
    if isinstance(one, Move) and isinstance(other, Move) and one.board != other.board:
        return (*words, (", another board", "dim"))
    return words


def event_words(event: Event) -> tuple[tuple[str, str], ...]:
    words = event_line(event)
    return ((words, "text"),) if isinstance(words, str) else words
