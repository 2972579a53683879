"""Lessons as text: each done to its end by the lines that it says to type."""

from __future__ import annotations

import pytest

from tui.lab.lessons import NAMES
from tui.lab.lessons.lesson_file import packaged_lesson
from tui.plain.rehearsal import rehearse_plain


def heading(told: list[str]) -> str:
    """The line with which a step begins; empty where none does."""
    return next((line for line in told if line.startswith("Step ")), "")


@pytest.mark.quick("tour")
@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_is_gone_through_to_its_end(name: str):
    told = rehearse_plain(packaged_lesson(name))
    steps = packaged_lesson(name).steps
    headings = [line for line in told if line.startswith("Step ")]
    assert [line.partition(",")[0] for line in headings] == [
        f"Step {number}/{len(steps)}" for number in range(1, len(steps) + 1)
    ]
    assert all(line.isascii() for line in told)
    assert not any("{" in line or "('" in line for line in headings)


def test_one_can_turn_to_another_step_and_end_a_lesson(sit):
    dialogue = sit()
    assert dialogue.answer("tour back") == ["No lesson goes on: tour begins the tour."]
    assert dialogue.answer("tour")[0] == "The tour, in a run of its own; tour ends it."
    assert heading(dialogue.answer("tour next")).startswith("Step 2/")
    assert heading(dialogue.answer("tour back")).startswith("Step 1/")
    assert len(dialogue.answer("tour de force")) == 1
    assert dialogue.answer("tour") == ["The lesson is over; lessons lists them all."]
    assert not heading(dialogue.answer("stats"))


def test_the_lessons_are_listed_and_begun_by_number_and_by_name(sit):
    dialogue = sit()
    assert len(dialogue.answer("lessons")) == len(NAMES) + 1
    for asked in ("lessons 1", "lessons tour"):
        told = dialogue.answer(asked)
        assert "The tour, in a run of its own; tour ends it." in told
        assert heading(told).startswith("Step 1/")
    assert dialogue.answer("lessons 99") == [
        f"There is no lesson '99': {', '.join(NAMES)}, or 1 to {len(NAMES)}."
    ]
