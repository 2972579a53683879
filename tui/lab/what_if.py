"""What if: two games side by side, as played and under another rule."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from afterstate_lab.learners.tape.events import Backup, GameOver, Move
from afterstate_lab.learners.tape.timeline import CHOICE, TARGET, VALUES, WRITE, Timeline
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.lab.labels import board_label
from afterstate_lab.tui.lab.log import event_line
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.theme.numerals import decimals, signed
from afterstate_lab.tui.views.words import Words, length

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.what_if import EventPair
    from afterstate_lab.learners.tape.events import Event
    from afterstate_lab.tui.lab.session import WhatIfSummary

NO_FURTHER = "No further difference in this game."
LEFT = 41
"""Columns of the first game's event, to the left of the other's."""


class Lockstep:
    """Both games of a what-if at one pair of events and one phase.

    Args:
        asked: the two games.
    """

    def __init__(self, asked: WhatIfSummary) -> None:
        result = asked.result
        self.asked = asked
        self.timelines = Timeline(asked.run), Timeline(result.run)
        self.timelines[0].show(result.original)
        self.timelines[1].show(result.other)
        self.pairs, self.differences = result.pairs, result.differences
        self._phase = 0
        self.go_to(self.differences[0] if self.differences else 0)

    @property
    def pair(self) -> EventPair:
        return self.pairs[self.at]

    @property
    def events(self) -> tuple[Event | None, Event | None]:
        return self.pair.one, self.pair.other

    @property
    def phases(self) -> tuple[int, ...]:
        if any(isinstance(event, Backup) for event in self.events):
            return TARGET, WRITE
        return (VALUES, CHOICE) if isinstance(self.pair.event, Move) else (WRITE,)

    @property
    def phase(self) -> int:
        return self.phases[self._phase]

    def go_to(self, at: int, *, first_phase: bool = False) -> bool:
        """Go to a pair of events, by default to its last phase; return False past the ends."""
        if not 0 <= at < len(self.pairs):
            return False
        self.at = at
        self._phase = 0 if first_phase else len(self.phases) - 1
        return True

    def step(self, by: int) -> bool:
        """Step a phase forward (1) or back (-1); return False at the ends."""
        if 0 <= self._phase + by < len(self.phases):
            self._phase += by
            return True
        return self.go_to(self.at + by, first_phase=by > 0)

    def to_difference(self, by: int) -> bool:
        """Go to the next (1) or previous (-1) pair that differs; return False without one."""
        there = [n for n in self.differences if (n > self.at if by > 0 else n < self.at)]
        return self.go_to(there[0 if by > 0 else -1]) if there else False

    def microscope(self, which: int) -> Microscope | None:
        """Return the microscope on one of the two games; None without such an event."""
        if self.events[which] is None:
            return None
        timeline = self.timelines[which]
        row = (self.pair.one_row, self.pair.other_row)[which]
        timeline.seek(row)
        while timeline.step_phase() and timeline.row == row and timeline.phase < self.phase:
            pass
        return Microscope.at(timeline)


@lru_cache(maxsize=1)
def lockstep_of(asked: WhatIfSummary) -> Lockstep:
    """Return the two games of a what-if where they were left."""
    return Lockstep(asked)


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
    return (*left, (" " * max(1, LEFT - length(left)), "text"), ("≠ ", "key"), *right)


def value_lines(summary: WhatIfSummary) -> list[Words]:
    """Return a heading, and the player's values after both games, step by step."""
    result, player = summary.result, summary.player
    lines: list[Words] = [(
        (f"{player} after it    ", "dim"), (f"{summary.was[:10]:<11}", "text"),
        (f"{str(summary.spec)[:18]:<19}", "key"), ("difference", "dim"),
    )]  # fmt: skip
    for t, (before, after) in enumerate(result.steps(player)):
        known, differs = before or after, t in result.different_steps(player)
        label = "" if known is None else board_label(known.board, known.cell)
        was, now = (decimals(None if step is None else step.new, 5) for step in (before, after))
        change = signed(after.new - before.new, 5) if before and after else "one only"
        lines.append((
            (f"S{t} {label:<11} ", "dim"), (f"{was:<11}", "text"),
            (f"{now:<19}", "strong" if differs else "text"), (change * differs, "text"),
        ))  # fmt: skip
    return lines


@lru_cache(maxsize=1)
def summary_lines(summary: WhatIfSummary) -> tuple[Words, ...]:
    """Return the first event that differs, then the player's time steps from there."""
    result = summary.result
    differing = (pair_line(result.pairs[n]) for n in result.differences)
    head, *steps = value_lines(summary)
    first = min(result.different_steps(summary.player), default=0)
    return (next(differing, (("every event is the same", "truth"),)), head, *steps[first:])


def summary_view(summary: WhatIfSummary) -> Log:
    """Return the first lines of a what-if, as many as fit next to other panes."""
    return Log(
        lines=summary_lines(summary), jump=1, right="same game, same seed",
        title=f"what if {summary.player} were {summary.spec}",
    )  # fmt: skip
