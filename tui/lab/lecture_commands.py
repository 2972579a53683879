"""The commands about lectures: one is followed, left aside and returned to; one is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.lab.modes import Mode
from tui.lab.outcomes import Message, Outcome, Question, refusal, sentence

if TYPE_CHECKING:
    from learners.runs.lecture import LectureStop
    from learners.runs.replay import OpenedAddress
    from tui.lab.current_run import CurrentRun
    from tui.lab.lectures import Follower


class LectureCommands:
    """The lecture that is followed, and remarks on what is recorded.

    Args:
        current: the run of the lab.
    """

    def __init__(self, current: CurrentRun) -> None:
        self._current = current
        self.follower: Follower | None = None
        """The lecture that is followed."""

    @property
    def is_aside(self) -> bool:
        """Whether the user has left the lecture for a while."""
        return self.follower is not None and self.follower.is_aside

    def step_aside(self) -> None:
        """Leave the lecture that is followed, until `come_back`."""
        if self.follower is not None and not self.follower.is_aside:
            self.follower.is_aside = True
            self._current.session.follows = self.follower.words

    def come_back(self) -> Outcome:
        """Come back to the lecture; or go on to its next place without waiting."""
        follower = self.follower
        if follower is None:
            return refusal("No lecture is followed: afterstate follow FILE follows one.")
        if not follower.is_aside:
            follower.skip()
            return self.follow()
        follower.is_aside = False
        self._current.session.follows = follower.words
        return None if follower.stop is None else self.go_to(follower.stop)

    def follow(self) -> Outcome:
        """Go where the lecture is by now; None where that is the place before.

        A message of what is said there may be empty.
        """
        follower = self.follower
        if follower is None:
            return None
        stop, wrong = follower.advance()
        if follower.is_aside:
            return None
        if stop is not None:
            return self.go_to(stop)
        return refusal(sentence(wrong)) if wrong else None

    def go_to(self, stop: LectureStop) -> Outcome:
        """Go to a place of a lecture, and say its remark."""

        def take(opened: OpenedAddress) -> Outcome:
            if self.is_aside:
                return None
            outcome = self._current.take_address(opened, Mode(stop.mode) if stop.mode else None)
            if self.follower is not None:
                self._current.session.follows = self.follower.words
            return Message(stop.remark) if outcome is None else outcome

        return self._current.go_to_stop(stop.address, take)

    def remark(self) -> Outcome:
        """Ask for a remark to record with the place."""
        recorder = self._current.recorder
        if recorder is None:
            return refusal("Nothing is recorded here: afterstate --record FILE records a lecture.")

        def answer(text: str) -> Outcome:
            is_trouble = recorder.remark(self._current.session, text)
            return refusal(sentence(recorder.trouble)) if is_trouble else Message("Recorded.")

        return Question(
            "remark",
            "what those who follow are told here",
            answer,
            usage="remark TEXT: those who follow are told it here.",
        )
