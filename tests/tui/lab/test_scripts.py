"""Lessons are scripts: those of the package hold, and a mistake is one sentence with its line.

They are gone through by doing what their steps say, in plain mode and in the real lab.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from piloting import Desk

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.tape.recording import Backup
from afterstate_lab.learners.tape.timeline import TARGET
from afterstate_lab.tui.cli.play import plain_lab, rehearse
from afterstate_lab.tui.lab.scripts import NAMES
from afterstate_lab.tui.lab.scripts.script import Script, command_of, find_script

PAGE = Path(__file__).parents[3] / "docs" / "lessons.md"
EXAMPLE = re.findall(r"```\n(title: .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
FEW = EXAMPLE.replace("/2000@", "/20@")
"""The same of so few games that they take no time."""
LESSONS = Path(__file__).parents[2] / "scenarios" / "lessons"


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


def keys_of(verb: str) -> list[str]:
    """The keys in the lab, and the text to type, for a line of plain mode."""
    command, rest = command_of(verb), verb.partition(" ")[2]
    if verb.isdecimal():
        return [verb]
    if not command.keys:
        return [":", *("space" if one == " " else one for one in verb), "Enter"]
    if not rest or rest in command.line:
        return [command.shown]
    return [command.shown, *(["→"] * (command.name == "predict")), rest, "Enter"]


async def do_verb(desk: Desk, verb: str) -> None:
    """Press the keys of a verb as they are named in a lesson, or write its words."""
    for key in keys_of(verb):
        if desk.front.asked is not None and key != "Enter":
            desk.screen.line.value = key
        else:
            await desk.finish(key)
    while not desk.in_lab or desk.front.asked is not None:
        await desk.finish("Esc")


def moment(session) -> tuple[Any, ...]:
    timeline, memory = session.timeline, session.run.memory.tobytes()
    return timeline.game, timeline.row, timeline.phase, session.run.games, memory


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
async def test_a_lesson_is_done_by_its_keys_as_in_plain_mode(desk: Desk, name: str):
    plain = plain_lab()
    plain.begin(find_script(name))
    await desk.finish(f"> {NAMES.index(name) + 1}")
    guide = desk.app.controller.guide
    for verb in guide.walk():
        await do_verb(desk, verb)
        plain.answer(verb)
        is_there = plain.controller.guide.number == guide.number
        if is_there and verb != "swap":  # opposite one that learns nothing, a new run begins
            assert moment(plain.session) == moment(desk.session), (guide.step.title, verb)
    assert guide.step.title == find_script(name).steps[-1].title


async def test_the_tour_is_of_two_td_learners_whoever_played_before(lab):
    for spec in ("q", "menace", "human", "td:draw=0"):
        app = lab(spec)
        app.controller.perform("tour")
        app.controller.perform("step")
        event = app.session.timeline.event
        assert isinstance(event, Backup)
        rule = app.session.run.layout.table_of(event.entry).rule.name
        assert (rule, event.old, abs(event.error)) == ("td", 0.5, 0.5)


def test_whatever_the_dice_do_the_first_backup_that_is_shown_changes_something(lab):
    for seed in range(12):
        app = lab(seed=seed)
        app.controller.perform("step")
        timeline = app.session.timeline
        assert isinstance(timeline.event, Backup)
        assert timeline.event.old != timeline.event.new
        assert timeline.phase == TARGET, "it is shown before the write"
        later = [timeline.event_at(row) for row in timeline.rows if row > timeline.row]
        assert not any(isinstance(one, Backup) and one.old != one.new for one in later)
