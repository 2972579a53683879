"""Lessons are scripts: those of the package hold, and a mistake is one sentence with its line."""

import re
from pathlib import Path

import pytest

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import data_folder
from afterstate_lab.tui.cli.play import rehearse
from afterstate_lab.tui.lab.scripts.guide import FILE, keep_progress, progress_of, read_progress
from afterstate_lab.tui.lab.scripts.script import NAMES, Script, packaged_lesson

PAGE = Path(__file__).parents[3] / "docs" / "lessons.md"
EXAMPLE = re.findall(r"```\n(title: .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
FEW = EXAMPLE.replace("/2000@", "/20@")
"""The same of so few games that they take no time."""
LESSONS = Path(__file__).parents[2] / "scenarios" / "lessons"
TOML = (LESSONS / "mine.toml").read_text("utf-8")


@pytest.mark.quick("tour")
@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_of_the_package_holds_and_is_gone_through_to_its_end(name: str):
    told, steps = rehearse(packaged_lesson(name)), packaged_lesson(name).steps
    headings = [line for line in told if line.startswith("Step ")]
    assert list(dict.fromkeys(line.partition(",")[0] for line in headings)) == [
        f"Step {number}/{len(steps)}" for number in range(1, len(steps) + 1)
    ]
    assert all(line.isascii() for line in told)
    assert not any(sign in line for line in headings for sign in ("{", "`", "('"))


def test_a_lesson_in_toml_is_the_same_lesson():
    ours, theirs = Script("mine.script", FEW), Script("mine.toml", TOML)
    assert (ours.title, ours.about, ours.minutes) == (theirs.title, theirs.about, theirs.minutes)
    for one, other in zip(ours.steps, theirs.steps, strict=True):
        assert one.condition == other.condition
        shown = ("title", "text", "address", "claims", "look", "question")
        assert [vars(one)[name] for name in shown] == [vars(other)[name] for name in shown]
        assert one.question or one.verbs == other.verbs
    rehearse(Script("mine.script", EXAMPLE))
    rehearse(theirs)


MISTAKES = [
    (mistake, name, lesson)
    for file, name, lesson in (
        ("mistakes.txt", "mine.script", FEW), ("mistakes-in-toml.txt", "mine.toml", TOML),
    )
    for mistake in (LESSONS / file).read_text("utf-8").rstrip("\n").split("\n\n")
]  # fmt: skip
"""What is said of a lesson in which a text stands instead of another."""


@pytest.mark.parametrize(("mistake", "name", "lesson"), MISTAKES)
def test_a_mistake_is_one_sentence_with_file_and_line(mistake: str, name: str, lesson: str):
    said, was, now = (line[2:] if line[0] in "-+" else line for line in mistake.split("\n"))
    assert was in lesson
    now = re.sub(r"\\(x..|u....)", lambda code: chr(int(code[1][1:], 16)), now)
    with pytest.raises(UsageError) as error:
        rehearse(Script(name, lesson.replace(was, now, 1)))
    begins, _, says = said.partition("… ")
    told = str(error.value)
    assert told.startswith(f"{name}, {begins}" if begins else name), told
    assert says in told and told.isprintable()


@pytest.mark.parametrize(("text", "lacks"), [("", "a title"), ("title: x", "steps")])
def test_what_is_no_lesson_is_refused(text, lacks):
    with pytest.raises(UsageError, match=f"a lesson needs {lacks}"):
        Script("mine.script", text)
    with pytest.raises(UsageError, match="there is no lesson 'mine'"):
        packaged_lesson("mine")


def test_progress_is_kept_only_forwards_and_only_of_known_lessons():
    assert read_progress() == {}
    for name, step in (("tour", 3), ("tour", 2), ("mine", 2)):
        keep_progress(name, step)
    assert read_progress() == {"tour": 3}


@pytest.mark.parametrize("data", [b"", b"\xff", b"tour = -1", b"tour = 'a'", b"x = [", b"x = 1"])
def test_progress_that_cannot_be_read_is_no_progress(data: bytes):
    assert progress_of(data) == {}
    data_folder().mkdir(parents=True, exist_ok=True)
    (data_folder() / FILE).write_bytes(data)
    keep_progress("tour", 1)
    assert read_progress() == {"tour": 1}
