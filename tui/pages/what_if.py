"""What if: one game under another rule, both in lockstep; and the whole run again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.learners.ask.what_if import rerun
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.judge.figures import RMS_MINIMAX
from afterstate_lab.tui.blocks.block import Beside, Part, Stack
from afterstate_lab.tui.blocks.curve import Curve
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.stats import Stats
from afterstate_lab.tui.lab.lockstep import NO_FURTHER, Lockstep
from afterstate_lab.tui.lab.panes import sides_stats
from afterstate_lab.tui.lab.what_if import comparison, overlay
from afterstate_lab.tui.pages.page import Key, Leave, Page, Work
from afterstate_lab.tui.theme.numerals import count

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.session import WhatIfSummary

PAGE: Final = 10
"""Events of a page."""


class BothGames:
    """A game as it was and as it would have been: both updates, moved together.

    Args:
        asked: both games.
    """

    def __init__(self, asked: WhatIfSummary) -> None:
        self.asked = asked
        self.lockstep = Lockstep(asked)
        self.runs: tuple[Curve, Stats] | None = None
        """Both whole runs, once the other one was played."""
        self.shows_runs = False
        self._part = 0.0
        """Of the other run, what is played."""

    def move(self, by: int) -> None:
        """To another event; past the ends to the last one there."""
        last = len(self.lockstep.pairs) - 1
        self.lockstep.go_to(min(max(self.lockstep.at + by, 0), last))

    def to_difference(self, by: int) -> str | None:
        return None if self.lockstep.to_difference(by) else NO_FURTHER

    def toggle_runs(self) -> Work | None:
        """Show the two runs, playing the other one where that was not done yet; or the games."""
        if self.runs is None:
            return Work(self._play, says="Playing the whole run again…", then=self._take)
        self.shows_runs = not self.shows_runs
        return None

    def _play(self, stop: Callable[[], bool]) -> tuple[Curve, Stats] | None:
        """Rerun; lay the curves over each other, and judge the other run exactly."""
        asked = self.asked

        def tell(part: float) -> None:
            self._part = part

        others: dict[str, Any] = {asked.player.lower(): asked.spec}
        other = rerun(asked.run, **others, progress=tell, stop=stop)
        if other is None:
            return None
        sides = sides_stats(evaluate_memory(other.layout, other.memory))
        label = RMS_MINIMAX.error_label
        stats = Stats(sides=sides, rms_label=label, title="if so, at the end", rank=1)
        return overlay(asked.run, other, asked.was, str(asked.spec)), stats

    def _take(self, runs: tuple[Curve, Stats] | None) -> str:
        self.runs, self.shows_runs = runs, runs is not None
        return ""

    def page(self) -> Page:
        lockstep, asked = self.lockstep, self.asked
        many = len(lockstep.differences)
        told = "every event is the same"
        if many:
            values = "" if lockstep.differs_in_value else ", no value does"
            told = f"{many} of {len(lockstep.pairs)} events differ{values}"
        body: Part = Stack((*(self._update(which) for which in (0, 1)), self._games()))
        if self.shows_runs and self.runs is not None:
            body, told = Stack(self.runs), ""
        elif self._part and self.runs is None:
            told = f"▶ the whole run {self._part:.0%}"
        return Page(
            "WHAT IF",
            body,
            keys=self._keys(),
            title=(
                ("game", count(asked.result.original.first + 1)),
                ("seed", str(asked.run.seed)),
            ),
            right=told,
            of_run=True,
        )

    def _keys(self) -> tuple[Key, ...]:
        lockstep = self.lockstep
        many = len(lockstep.pairs)

        def step(by: int) -> None:
            lockstep.step(by)

        return (
            Key("left", "", lambda: step(-1), "both to the previous phase"),
            Key("right", "phase", lambda: step(1), "both to the next phase"),
            Key("left_square_bracket comma up k", "", lambda: self.move(-1),
                "both to the previous event"),
            Key("right_square_bracket full_stop down j", "event", lambda: self.move(1),
                "both to the next event"),
            Key("c", "difference", lambda: self.to_difference(1), "to the next difference"),
            Key("C", "", lambda: self.to_difference(-1), "to the previous difference"),
            Key("home", "", lambda: self.move(-many), "to the first event"),
            Key("end", "", lambda: self.move(many), "to the last event"),
            Key("pageup", "", lambda: self.move(-PAGE), "ten events back"),
            Key("pagedown", "", lambda: self.move(PAGE), "ten events on"),
            Key("tab", "games" if self.shows_runs else "the whole run", self.toggle_runs,
                "both whole runs; again: the game"),
            Key("escape q", "back", Leave, "back to the lab"),
        )  # fmt: skip

    def _update(self, which: int) -> Beside:
        lockstep = self.lockstep
        update = replace(lockstep.update_view(which), rank=1)
        return Beside((update, replace(lockstep.board_view(which), rank=1, least_columns=0)))

    def _games(self) -> Log:
        """The events of both games, and what the player knows after them."""
        return Log(
            lines=(*self.lockstep.lines(), *comparison(self.asked)),
            cursor=self.lockstep.at,
            jump=1,
            title=f"what if {self.asked.player} were {self.asked.spec}",
            right="same game, same dice",
            clicked=self._choose,
            spot=True,
        )

    def _choose(self, row: int) -> None:
        self.lockstep.go_to(row)


def open_on(lab: LabController, asked: WhatIfSummary, text: str) -> tuple[Callable[[], Page], None]:
    return BothGames(asked).page, None
