"""The commands about lessons and lectures: one is begun or followed, left, and returned to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterstate_lab.tui.lab.autosave import is_worth_saving
from afterstate_lab.tui.lab.commands import Screen
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import (
    Message,
    Open,
    Outcome,
    Question,
    command_key,
    refusal,
    sentence,
)

if TYPE_CHECKING:
    from afterstate_lab.learners.runs.address import Address
    from afterstate_lab.learners.runs.replay import OpenedAddress
    from afterstate_lab.tui.lab.current_run import CurrentRun
    from afterstate_lab.tui.lab.lectures import Follower, LectureStop
    from afterstate_lab.tui.lab.lessons.guide import LessonGuide
    from afterstate_lab.tui.lab.lessons.lesson_file import Lesson


class LessonCommands:
    """The lesson that goes on.

    Args:
        current: the run of the lab.
    """

    def __init__(self, current: CurrentRun) -> None:
        self._current = current
        self.guide: LessonGuide | None = None
        """Where the user is in it; None where none goes on."""

    def note(self, name: str) -> None:
        """Tell the lesson of a command that was asked for."""
        if self.guide is not None:
            self.guide.note(name)

    def follow(self) -> Outcome:
        """Go on to the next step where the current one is done."""
        return self.turn(1) if self.guide is not None and self.guide.is_done else None

    def tour(self) -> Outcome:
        """Begin the tour, or end the lesson that goes on."""
        return self.begin("tour") if self.guide is None else self.end()

    def begin(self, lesson: Lesson | str, step: int = 0) -> Outcome:
        """Begin a lesson, in a run of its own.

        Args:
            lesson: the lesson, or the name of one of the package.
            step: the number of the step, from 0.
        """
        from afterstate_lab.tui.lab.lessons.guide import LessonGuide
        from afterstate_lab.tui.lab.lessons.lesson_file import packaged_lesson

        if isinstance(lesson, str):
            lesson = packaged_lesson(lesson)
        lazy = self._current.lazy
        was_played = lazy.is_started and is_worth_saving(lazy.session)
        self.guide = LessonGuide(lesson, lazy)
        outcome = self.turn(step)
        if outcome is not None or not was_played or self._current.autosave is None:
            return outcome
        return Message(f"A run of the lesson; yours is saved, {command_key('runs')} lists it.")

    def resume(self, name: str) -> Outcome:
        """Begin a lesson at the step that was reached, or at its first.

        A step that needs what was done before it is not begun alone.
        """
        from afterstate_lab.tui.lab.lessons.guide import read_progress
        from afterstate_lab.tui.lab.lessons.lesson_file import packaged_lesson

        steps = packaged_lesson(name).steps
        reached = min(read_progress().get(name, 1), len(steps)) - 1
        if reached == len(steps) - 1:
            return self.begin(name)
        return self.begin(name, max(n for n in range(reached + 1) if steps[n].address is not None))

    def end(self) -> Outcome:
        """End the lesson that goes on."""
        if self.guide is None:
            return self.turn(0)
        self.guide = None
        return None

    def next(self) -> Outcome:
        """Turn to the next step; where no lesson goes on, list the lessons."""
        return Open(Screen.LESSONS) if self.guide is None else self.turn(1)

    def turn(self, by: int) -> Outcome:
        """Turn so many steps on, or back, and play the run of that step."""
        guide = self.guide
        if guide is None:
            return refusal(f"No lesson goes on: {command_key('tour')} begins the tour.")
        guide.turn_to(guide.number + by)
        if self._current.autosave is not None:
            from afterstate_lab.tui.lab.lessons.guide import keep_progress

            keep_progress(guide.lesson.name, guide.number + 1)
        address = guide.step.address
        if address is None or (address.games == 0 and self._is_untouched(address)):
            self._begin_step(guide)
            return None
        number = guide.number

        def take(opened: OpenedAddress) -> Outcome:
            if self.guide is not guide or guide.number != number:
                return None
            outcome = self._current.take_address(opened)
            self._begin_step(guide)
            return outcome

        return self._current.go_to_stop(address, take)

    def _is_untouched(self, address: Address) -> bool:
        """Whether the lab has the run of an address, and nothing was done in it."""
        lazy = self._current.lazy
        settings = lazy.session.settings if lazy.is_started else lazy.settings
        mine = (str(settings.x), str(settings.o), settings.seed)
        is_same = mine == (address.x, address.o, address.seed) and lazy.mode is not Mode.PLAY
        return is_same and not (
            lazy.is_started and (lazy.session.run.games or lazy.session.timeline.recording.size)
        )

    def _begin_step(self, guide: LessonGuide) -> None:
        guide.begin()
        recorder = self._current.recorder
        if recorder is not None:
            recorder.remark(self._current.session, f"{guide.step.title}: {guide.text}")

    def answer(self) -> Outcome:
        """Ask for the answer to the question of the lesson."""
        guide = self.guide
        if guide is None or not guide.step.ask:
            return refusal("Only a lesson asks questions, and none is asked now.")
        return Question(
            "answer", guide.step.ask, guide.take_answer, usage=f"{guide.step.ask}: answer ..."
        )


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
