"""The tour as text: the lab's lessons, done to the end by what each says to type."""

from __future__ import annotations

import pytest

from tui.lab.tour import LESSONS
from tui.plain.dialogue import Dialogue
from tui.plain.narrator import TYPE_THIS
from tui.plain.speech import spoken
from tui.plain.words import WORDS

MOST = 60
"""A lesson is done after fewer lines."""
TYPED = {
    "a value": ("step",),
    "an afterstate": ("back",),
    "a backup": ("next",),
    "experience": ("train 2000",),
    "the microscope": ("step",),
    "five phases": ("next",),
    "the error": ("back",),
    "exploration": ("break exploratory", "C"),
    "no backup": ("next event",),
    "the truth": ("table",),
    "you against it": ("play", "5"),
    "help while you play": ("show exact",),
}
"""By the lesson's title, what is typed, the last again until the lesson is done."""


def heading(told: list[str]) -> str:
    """The line with which a lesson begins; empty where none does."""
    return next((line for line in told if line.startswith("Lesson ")), "")


def do(dialogue: Dialogue, lines: tuple[str, ...]) -> str:
    """Type what a lesson says until another one begins; the heading of that."""
    for line in lines[:-1]:
        assert not heading(dialogue.answer(line))
    for _ in range(MOST):
        if found := heading(dialogue.answer(lines[-1])):
            return found
    raise AssertionError(f"{lines} does not end the lesson")


def test_every_lesson_says_what_to_type_and_nothing_else_does():
    assert set(TYPE_THIS) == {lesson.title for lesson in LESSONS}
    assert set(TYPED) == set(TYPE_THIS) - {LESSONS[-1].title}


@pytest.mark.parametrize("title", list(TYPED))
def test_what_a_lesson_says_is_what_there_is_to_type(title: str):
    words = {plain.line for plain in WORDS} | {"C"}
    for line in TYPED[title]:
        assert line in TYPE_THIS[title]
        assert line.split()[0] in words | {"5"}


def test_the_tour_is_gone_through_to_its_end(sit):
    dialogue = sit(o="q", train=20)
    told = heading(dialogue.answer("tour"))
    for number, lesson in enumerate(LESSONS[:-1], 1):
        assert told.startswith(f"Lesson {number}/{len(LESSONS)} {lesson.title}. ")
        if isinstance(lesson.text, str):
            assert told.endswith(spoken(lesson.text))
        told = do(dialogue, TYPED[lesson.title])
    assert told.startswith(f"Lesson {len(LESSONS)}/{len(LESSONS)} {LESSONS[-1].title}. ")
    assert dialogue.answer("tour") == ["The tour is over; tour begins it again."]
    assert not heading(dialogue.answer("stats"))


def test_one_can_turn_to_another_lesson(sit):
    dialogue = sit()
    assert dialogue.answer("tour back") == ["No tour goes on: tour begins one."]
    dialogue.answer("tour")
    assert heading(dialogue.answer("tour next")).startswith("Lesson 2/")
    assert heading(dialogue.answer("tour back")).startswith("Lesson 1/")
    assert len(dialogue.answer("tour de force")) == 1
