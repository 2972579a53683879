"""Going through a lesson in plain mode, by the lines that it says to type."""

from __future__ import annotations

from typing import Final

from learners.rules.spec import PlayerSpec
from tui.lab.lessons.lesson_file import Lesson, LessonStep
from tui.lab.lessons.numbers import filled
from tui.plain.dialogue import Dialogue, seated_run

MOST_TYPED: Final = 60
"""A step is done after its last line was typed fewer times."""


def rehearse_plain(lesson: Lesson) -> list[str]:
    """Go through a lesson by its lines; all that was told.

    Raises:
        UsageError: a line of it does not do what it should.
    """
    human, td = PlayerSpec.parse("human"), PlayerSpec.parse("td")
    dialogue = Dialogue(seated_run(human, td, 0), "none")
    told = dialogue.begin(lesson)
    guide = dialogue.controller.lessons.guide
    assert guide is not None
    for number, step in enumerate(lesson.steps):
        if step.done.kind == "never":
            break
        lines = lines_of_step(step, dialogue)
        for line in (*lines, *[lines[-1]] * MOST_TYPED):
            if guide.number == number:
                told += dialogue.answer(line)
        if guide.number == number:
            raise step.error("type", f"typing {' and '.join(lines)} does not do the step")
    return told


def lines_of_step(step: LessonStep, dialogue: Dialogue) -> tuple[str, ...]:
    """What does a step in plain mode."""
    if step.answer:
        return (f"answer {filled(step.answer, dialogue.session)}",)
    return step.solution or step.lines
