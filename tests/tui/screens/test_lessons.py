"""Lessons are gone through by doing what their steps say, in the real lab and in plain mode."""

from typing import Any

import pytest
from piloting import Desk

from afterstate_lab.learners.tape.recording import Backup
from afterstate_lab.learners.tape.timeline import TARGET
from afterstate_lab.tui.cli.play import plain_lab
from afterstate_lab.tui.lab.scripts import NAMES
from afterstate_lab.tui.lab.scripts.script import command_of, find_script


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
