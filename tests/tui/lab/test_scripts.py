"""Lessons are scripts: those of the package hold, and a mistake is one sentence with its line."""

import re
from pathlib import Path

import pytest

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.cli.play import rehearse
from afterstate_lab.tui.lab.scripts import NAMES
from afterstate_lab.tui.lab.scripts.script import Script, find_script

PAGE = Path(__file__).parents[3] / "docs" / "lessons.md"
EXAMPLE = re.findall(r"```\n(title: .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
FEW = EXAMPLE.replace("/2000@", "/20@")
"""The same of so few games that they take no time."""
LESSONS = Path(__file__).parents[2] / "scenarios" / "lessons"
WALKTHROUGH = """title: a walkthrough
== the first game
afterstate:1/td/td/4/20@1
Two learners know nothing.
== a win
@1.5
X sees a line of three.
== the end
@
All the games.
"""


@pytest.mark.quick("tour")
@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_of_the_package_holds_and_is_gone_through_to_its_end(name: str):
    told, steps = rehearse(find_script(name)), find_script(name).steps
    headings = [line for line in told if line.startswith("Step ")]
    assert list(dict.fromkeys(" ".join(line.split()[:2]) for line in headings)) == [
        f"Step {number}/{len(steps)}" for number in range(1, len(steps) + 1)
    ]
    assert all(line.isascii() or line.startswith("Code: ") for line in told)
    assert not any(sign in line for line in headings for sign in ("{", "`", "('"))


MISTAKES = (LESSONS / "mistakes.txt").read_text("utf-8").rstrip("\n").split("\n\n")
"""What is said of a lesson in which a text stands instead of another."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_with_file_and_line(mistake: str):
    said, was, now = (line[2:] if line[0] in "-+" else line for line in mistake.split("\n"))
    assert was in FEW
    now = re.sub(r"\\(x..|u....)", lambda code: chr(int(code[1][1:], 16)), now)
    with pytest.raises(UsageError) as error:
        rehearse(Script("mine.script", FEW.replace(was, now, 1)))
    begins, _, says = said.partition("… ")
    told = str(error.value)
    assert told.startswith(f"mine.script, {begins}" if begins else "mine.script"), told
    assert says in told and told.isprintable()


def test_a_walkthrough_asks_for_nothing_and_enter_leads_through_it():
    script = Script("talk.script", WALKTHROUGH)
    told = rehearse(script)
    assert [step.to_do for step in script.steps] == ["`tour next` continues"] * 3
    assert any("X sees a line of three." in line for line in told)
    assert "Type: tour next continues." in told


@pytest.mark.parametrize(("text", "lacks"), [("", "a title"), ("title: x", "steps")])
def test_what_is_no_lesson_is_refused(text, lacks):
    with pytest.raises(UsageError, match=f"a lesson needs {lacks}"):
        Script("mine.script", text)
    with pytest.raises(UsageError, match="there is no lesson 'mine'"):
        find_script("mine")
