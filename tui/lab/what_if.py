"""What if: two games on one place, moved together: as they were, and under another rule."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from afterstate_lab.learners.ask.what_if import EventPair, WhatIf, event_pairs
from afterstate_lab.learners.tape.events import Backup, GameOver, Move
from afterstate_lab.learners.tape.timeline import CHOICE, TARGET, VALUES, WRITE, Timeline
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.lab.labels import board_label
from afterstate_lab.tui.lab.log import event_line
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.theme.numerals import decimals, signed
from afterstate_lab.tui.views.words import Words, length

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.events import Event
    from afterstate_lab.tui.lab.session import WhatIfSummary

NO_FURTHER = "No further difference in this game."
LEFT = 41
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
        """The phases of the current pair."""
        if any(isinstance(event, Backup) for event in self.events):
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
        if self.events[which] is None:
            return None
        timeline = self.timelines[which]
        row = (self.pair.one_row, self.pair.other_row)[which]
        timeline.seek(row)
        while timeline.step_phase() and timeline.row == row and timeline.phase < self.phase:
            pass
        return Microscope.at(timeline)


def event_words(event: Event) -> tuple[tuple[str, str], ...]:
    words = event_line(event)
    return ((words, "text"),) if isinstance(words, str) else words


def pair_line(pair: EventPair) -> Words:
    """The events of a pair: once where they agree, else side by side; in short for one entry."""
    one, other = pair.one, pair.other
    if pair.difference is None:
        return event_words(pair.event)
    left = (("  nothing", "dim"),) if one is None else event_words(one)
    right: tuple[tuple[str, str], ...] = (("nothing", "strong"),)
    if isinstance(one, Backup) and isinstance(other, Backup):
        right = (("→", "dim"), (decimals(other.new, 5), "strong"))
    elif isinstance(other, Backup | Move | GameOver):
        (text, role), *rest = event_words(other)
        right = ((text.lstrip(), role), *rest)
        if isinstance(one, Move) and isinstance(other, Move) and one.board != other.board:
            right = (*right, (", another board", "dim"))
    return (*left, (" " * max(1, LEFT - length(left)), "text"), ("≠ ", "key"), *right)


def value_lines(summary: WhatIfSummary, *, in_short: bool = False) -> tuple[Words, ...]:
    """The player's values after both games, step by step; in short from the first that differs."""
    result, player = summary.result, summary.player
    differing = set(result.different_steps(player))
    board, was, other = (12, 11, 9) if in_short else (21, 20, 15)
    spec = str(summary.spec)
    lines: list[Words] = [(
        (f"{player + ' after it':<{board + 3}}", "dim"),
        (f"{summary.was[: was - 1]:<{was}}", "text"),
        (spec[:18] if in_short else f"{spec[: other - 1]:<{other}}", "key"),
        ("" if in_short else "difference", "dim"),
    )]  # fmt: skip
    for t, (before, after) in enumerate(result.steps(player)):
        known = before or after
        label = "" if known is None else board_label(known.board, known.cell)
        numbers = [decimals(None if step is None else step.new, 5) for step in (before, after)]
        change = signed(after.new - before.new, 5) if before and after else "one only"
        lines.append((
            (f"S{t} {label:<{board}}", "dim"), (f"{numbers[0]:<{was}}", "text"),
            (f"{numbers[1]:<{other}}", "strong" if t in differing else "text"),
            (change if t in differing else "", "text"),
        ))  # fmt: skip
    first = min(differing, default=0) if in_short else 0
    return (lines[0], *lines[1 + first :])


def first_line(result: WhatIf, row: int) -> Words:
    """The first event that differs, in both games."""
    pieces: list[tuple[str, str]] = []
    for label, recording in (("differs first  ", result.original), ("  ◂▸  ", result.other)):
        events = recording.events()
        words = event_words(events[row]) if row < len(events) else (("it is over", "text"),)
        pieces += [(label, "key"), (words[0][0].lstrip(), words[0][1]), *words[1:]]
    return tuple(pieces)


@lru_cache(maxsize=1)
def summary_lines(summary: WhatIfSummary) -> tuple[Words, ...]:
    """The first event that differs, then the player's time steps from the first that does."""
    row = summary.result.first_difference
    same: Words = (("every event is the same", "truth"),)
    head, *steps = value_lines(summary, in_short=True)
    return (head, same if row is None else first_line(summary.result, row), *steps)


def summary_view(summary: WhatIfSummary) -> Log:
    """The first lines of a what-if, as many as there is room for beside other panes."""
    return Log(
        lines=summary_lines(summary), jump=1, right="same game, same dice",
        title=f"what if {summary.player} were {summary.spec}",
    )  # fmt: skip
