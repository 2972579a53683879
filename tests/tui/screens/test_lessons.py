"""Lessons are gone through by doing what their steps say, in the real lab and in plain mode."""

from typing import Any

import pytest
from piloting import Desk, at

from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.timeline import TARGET
from afterstate_lab.tui.blocks.text import LessonCard
from afterstate_lab.tui.cli.play import plain_lab
from afterstate_lab.tui.lab.microscope.equation import Equation
from afterstate_lab.tui.lab.scripts.check import walk
from afterstate_lab.tui.lab.scripts.guide import keep_progress, read_progress
from afterstate_lab.tui.lab.scripts.script import NAMES, command_of, packaged_lesson
from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.theme.numerals import decimals, signed


def keys_of(verb: str) -> list[str]:
    """The keys in the lab, and the text to type, for a line of plain mode."""
    command, rest = command_of(verb), verb.partition(" ")[2]
    if verb.isdecimal():
        return [verb]
    if not command.keys:
        return [":", *("space" if one == " " else one for one in verb), "Enter"]
    if not rest or rest in command.line or command.name == "help_level":
        return [command.shown]
    return [command.shown, *(["→"] * (command.name == "predict")), rest, "Enter"]


class Tourist:
    """Does in a lab what the lessons say."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.session, self.lab = desk, desk.session, desk.screen
        assert isinstance(self.lab, LabScreen)
        self.guide = desk.app.controller.lessons
        self.verbs: Any = walk(desk.app.controller)
        """What is still to be done."""

    @property
    def lesson(self) -> str:
        """The title of the current step."""
        return self.guide.step.title

    @property
    def card(self) -> str:
        """What the card says."""
        rows = slice(self.place.y + 1, self.place.y + 1 + self.place.rows)
        return "\n".join(line.text for line in self.lab.paper.lines[rows])

    @property
    def place(self):
        """Where the card is."""
        return next(p for p in self.lab.places if isinstance(p.block, LessonCard))

    async def type(self, key: str) -> None:
        """Press a key as it is named in a lesson, or write a word."""
        if self.lab.front.asked is not None and key not in ("Enter", "Esc"):
            self.lab.line.value = key
        else:
            await self.desk.finish(key)

    async def do(self, title: str) -> None:
        """Do the verbs of the steps by their keys, until a step of this title is reached."""
        while self.lesson != title:
            await self.do_verb(next(self.verbs))

    async def do_verb(self, verb: str) -> None:
        for key in keys_of(verb):
            await self.type(key)
        while not self.desk.in_lab or self.lab.front.asked is not None:
            await self.type("Esc")


def moment(session) -> tuple[Any, ...]:
    """Where a lab is, and what its learners know."""
    timeline, memory = session.timeline, session.run.memory.tobytes()
    return timeline.game, timeline.row, timeline.phase, session.run.games, memory


@pytest.fixture
async def tourist(lab):
    async with at(lab()) as desk:
        await desk.press("T")
        yield Tourist(desk)


@pytest.mark.quick("credit")
@pytest.mark.parametrize("name", NAMES)
async def test_a_lesson_is_done_by_its_keys_as_in_plain_mode(desk: Desk, name: str):
    plain = plain_lab()
    plain.session.details = False  # plain mode opens at the write, the lab just before it
    plain.begin(packaged_lesson(name))
    await desk.finish(f"> {NAMES.index(name) + 1}")
    tourist = Tourist(desk)
    for verb in tourist.verbs:
        await tourist.do_verb(verb)
        plain.answer(verb)
        is_there = plain.controller.lessons.number == tourist.guide.number
        if is_there and verb != "swap":  # opposite one that learns nothing, a new run begins
            assert moment(plain.session) == moment(desk.session), (tourist.lesson, verb)
    steps = packaged_lesson(name).steps
    assert tourist.lesson == steps[-1].title
    assert read_progress() == {name: len(steps)}


async def test_the_card_is_whole_at_any_size_and_stays_by_questions_and_other_screens(tourist):
    await tourist.desk.resize((120, 40), (40, 12), (80, 24))
    assert "1/14 a value" in tourist.card
    assert tourist.place.y + tourist.place.rows == 22
    await tourist.do("a backup")
    lit = [type(place.block) for place in tourist.lab.places if place.block.spot]
    assert lit == [Equation, LessonCard], "what a step talks of, and nothing else"
    for mode, is_away in (("s", False), ("w", True), ("s", False)):
        await tourist.type(mode)
        assert ("s first: this step is in STEP" in tourist.card) is is_away
        assert ("s first" in tourist.card) is is_away
    assert tourist.lesson == "a backup"
    await tourist.do("the error")
    event = tourist.desk.event
    said = f"δ = target − old = {decimals(event.target, 6)} − {decimals(event.old, 6)} = "
    assert said + signed(event.error, 6) in tourist.card
    await tourist.do("experience")
    await tourist.type("t")
    assert tourist.lab.front.asked is not None
    assert "experience" in tourist.card
    for key in ("Esc", "?", "Esc"):
        await tourist.type(key)
    assert tourist.lesson == "experience"
    await tourist.type("T")
    assert not any(one.spot for one in tourist.lab.page.blocks)


@pytest.mark.slow
async def test_one_turns_to_any_lesson_and_one_turned_back_to_waits_for_its_own_keys(tourist):
    steps = packaged_lesson("tour").steps
    await tourist.type("<")
    assert tourist.lesson == steps[0].title
    for number, step in enumerate(steps[1:], 2):
        await tourist.type(">")
        assert f"{number}/{len(steps)} {step.title}" in tourist.card
    await tourist.type(">")
    assert tourist.lesson == steps[-1].title
    while tourist.lesson != "an afterstate":
        await tourist.type("<")
    for key in "<h":
        await tourist.type(key)
        assert tourist.lesson == "a value"
    for back, key in (("", "s"), ("<", "Enter")):
        await tourist.type(back)
        await tourist.type(key)
        assert tourist.lesson == "an afterstate"


async def test_the_tour_is_of_two_td_learners_whoever_played_before(lab):
    for spec in ("q", "menace", "human", "td:draw=0"):
        app = lab(spec)
        app.controller.perform("tour")
        app.controller.perform("step")
        event = app.session.timeline.event
        assert isinstance(event, Backup)
        assert (event.rule, event.old, abs(event.error)) == ("td", 0.5, 0.5)


async def test_progress_is_kept_and_gone_on_with_where_a_step_begins_a_run(lab):
    keep_progress("tour", 9)
    async with at(lab(at_home=True)) as desk:
        await desk.finish("> 1")
        assert desk.in_lab
        assert desk.app.controller.lessons.guide.step.title == "where it came from"
        assert desk.session.run.games == 2000
    assert read_progress()["tour"] == 9


def test_whatever_the_dice_do_the_first_backup_that_is_shown_changes_something(lab):
    for seed in range(12):
        app = lab(seed=seed)
        app.controller.perform("step")
        timeline = app.session.timeline
        assert isinstance(timeline.event, Backup)
        assert timeline.event.old != timeline.event.new
        assert timeline.phase == TARGET, "it is shown before the write"
        later = timeline.events_of_game()[timeline.row - timeline.rows.start + 1 :]
        assert not any(isinstance(one, Backup) and one.old != one.new for one in later)


async def test_the_tour_is_gone_through_with_enter(desk: Desk):
    """Enter does what the step asks for; only a prediction and opened pages want another key."""
    guide = desk.app.controller.lessons
    desk.screen.take(guide.begin("tour"))
    await desk.finish()
    pressed = 0
    while guide.number < len(guide.lesson.steps) - 1:
        if not desk.in_lab:
            await desk.finish("Esc")
        if desk.front.asked is not None:
            await desk.feed("+")
        await desk.finish("Enter")
        pressed += 1
        assert pressed < 40, guide.step.title
