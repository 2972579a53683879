"""Lessons are gone through by doing what their steps say, in the real lab and in plain mode."""

from __future__ import annotations

from typing import Any

import pytest
from piloting import settled

from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.timeline import WRITE
from afterstate_lab.tui.blocks.lesson import LessonCard
from afterstate_lab.tui.cli.lesson import plain_lab
from afterstate_lab.tui.lab.microscope.equation import Equation
from afterstate_lab.tui.lab.scripts.check import walk
from afterstate_lab.tui.lab.scripts.guide import keep_progress, read_progress
from afterstate_lab.tui.lab.scripts.script import NAMES, keys_of, packaged_lesson
from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.theme.numerals import decimals, signed

STEPS = packaged_lesson("tour").steps
PRESSED = {
    "Enter": "enter", "Esc": "escape", "→": "right", "←": "left", "↓": "down",
    "]": "right_square_bracket", "[": "left_square_bracket", "}": "right_curly_bracket",
}  # fmt: skip


class Tourist:
    """Does in a lab what the lessons say."""

    def __init__(self, app, pilot) -> None:
        self.app, self.pilot, self.screen = app, pilot, app.screen
        assert isinstance(app.screen, LabScreen)
        self.guide = app.controller.lessons
        self.verbs: Any = walk(app.controller)
        """What is still to be done."""

    @property
    def lesson(self) -> str:
        """The title of the current step."""
        return self.guide.step.title

    @property
    def card(self) -> str:
        """What the card says."""
        rows = slice(self.place.y + 1, self.place.y + 1 + self.place.rows)
        return "\n".join(line.text for line in self.screen.paper.lines[rows])

    @property
    def place(self):
        """Where the card is."""
        return next(p for p in self.screen.places if isinstance(p.block, LessonCard))

    async def type(self, key: str) -> None:
        """Press a key as it is named in a lesson, or write a word."""
        if self.screen.asked is not None and key not in ("Enter", "Esc"):
            self.screen.line.value = key
            return
        await self.pilot.press(PRESSED.get(key, key))
        await settled(self.pilot)

    async def do(self, title: str) -> None:
        """Do the verbs of the steps by their keys, until a step of this title is reached."""
        while self.lesson != title:
            await self.do_verb(next(self.verbs))

    async def do_verb(self, verb: str) -> None:
        for key in keys_of(verb):
            await self.type(key)
        while self.app.screen is not self.screen or self.screen.asked is not None:
            await self.type("Esc")


def moment(session) -> tuple[Any, ...]:
    """Where a lab is, and what its learners know."""
    timeline, memory = session.timeline, session.run.memory.tobytes()
    return timeline.game, timeline.row, timeline.phase, session.run.games, memory


@pytest.fixture
async def tourist(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("T")
        yield Tourist(app, pilot)


@pytest.mark.quick("menace", "credit")
@pytest.mark.parametrize("name", NAMES)
async def test_a_lesson_is_done_by_its_keys_as_in_plain_mode(lab, name):
    app, plain = lab(), plain_lab()
    plain.begin(packaged_lesson(name))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("greater_than_sign", str(NAMES.index(name) + 1))
        await app.workers.wait_for_complete()
        await pilot.pause()
        tourist = Tourist(app, pilot)
        for verb in tourist.verbs:
            await tourist.do_verb(verb)
            plain.answer(verb)
            is_there = plain.controller.lessons.number == tourist.guide.number
            if is_there and verb != "swap":  # opposite one that learns nothing, a new run begins
                assert moment(plain.session) == moment(app.session), (tourist.lesson, verb)
        steps = packaged_lesson(name).steps
        assert tourist.lesson == steps[-1].title
        assert read_progress() == {name: len(steps)}


async def test_a_step_has_the_numbers_of_its_backup_and_lights_its_pane_and_no_other(tourist):
    await tourist.do("the error")
    lit = [type(one) for one in tourist.screen.page.blocks if one.spot]
    assert lit == [Equation, LessonCard]
    event = tourist.app.session.timeline.event
    said = f"δ = target − old = {decimals(event.target, 6)} − {decimals(event.old, 6)} = "
    assert said + signed(event.error, 6) in tourist.card
    await tourist.type("T")
    assert not any(one.spot for one in tourist.screen.page.blocks)


@pytest.mark.slow
async def test_a_lesson_that_one_turned_back_to_waits_for_its_own_keys(tourist):
    await tourist.do("five phases")
    await tourist.type("<")
    assert tourist.lesson == "the microscope"
    await tourist.type("g")
    await tourist.type("Esc")
    assert tourist.lesson == "the microscope"
    await tourist.type("s")
    assert tourist.lesson == "five phases"


@pytest.mark.slow
async def test_one_turns_to_any_lesson_but_to_none_before_the_first_or_after_the_last(tourist):
    await tourist.type("<")
    assert tourist.lesson == STEPS[0].title
    for number in range(1, len(STEPS)):
        await tourist.type(">")
        assert f"{number + 1}/{len(STEPS)} {STEPS[number].title}" in tourist.card
    await tourist.type(">")
    assert tourist.lesson == STEPS[-1].title
    await tourist.type("T")
    assert tourist.guide.guide is None
    assert not any(isinstance(one, LessonCard) for one in tourist.screen.page.blocks)


async def test_in_another_mode_the_card_says_how_to_come_back(tourist):
    await tourist.do("a backup")
    assert "s first" not in tourist.card
    await tourist.type("w")
    assert "s first: this goes on in STEP" in tourist.card
    await tourist.type("s")
    assert "s first" not in tourist.card
    assert tourist.lesson == "a backup"


@pytest.mark.slow
async def test_the_tour_begins_again_wherever_one_is_in_a_run_of_its_own(tourist):
    await tourist.do("you against it")
    before = tourist.app.session.run
    await tourist.type("T")
    assert tourist.guide.guide is None
    await tourist.type("T")
    tourist.verbs = walk(tourist.app.controller)
    assert tourist.app.session.run is not before
    assert "Yours is saved; press R to find it" in tourist.app.session.note
    await tourist.do("the microscope")


async def test_the_card_stays_in_sight_below_a_question_and_behind_other_screens(tourist):
    await tourist.do("experience")
    await tourist.type("t")
    assert tourist.screen.asked is not None
    assert "experience" in tourist.card
    await tourist.type("Esc")
    await tourist.type("?")
    await tourist.type("Esc")
    assert tourist.lesson == "experience"
    for columns, rows in ((120, 40), (40, 12), (80, 24)):
        await tourist.pilot.resize_terminal(columns, rows)
        await tourist.pilot.pause()
    assert "5/20 experience" in tourist.card
    assert tourist.place.y + tourist.place.rows == 22


@pytest.mark.parametrize("spec", ["q", "menace", "human", "td:draw=0"])
async def test_the_tour_is_of_two_td_learners_whoever_played_before(lab, spec):
    app = lab(x=spec)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("T")
        await pilot.press("s")
        event = app.session.timeline.event
        assert isinstance(event, Backup)
        assert (event.rule, event.old, abs(event.error)) == ("td", 0.5, 0.5)


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_the_dice_do_the_first_backup_that_is_shown_changes_something(lab, seed):
    app = lab(seed=seed)
    app.controller.perform("step")
    event, session = app.session.timeline.event, app.session
    assert isinstance(event, Backup)
    assert event.old != event.new
    assert session.timeline.phase == WRITE
    rest = session.timeline.events_of_game()[session.timeline.row - session.timeline.rows.start :]
    assert not any(isinstance(later, Backup) and later.old != later.new for later in rest[1:])


async def test_progress_is_kept_and_gone_on_with_where_a_step_begins_a_run(lab):
    keep_progress("tour", 12)
    app = lab(at_home=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("greater_than_sign")
        await pilot.press("1")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, LabScreen)
        assert app.controller.lessons.guide.step.title == "where it came from"
        assert app.session.run.games == 2000
    assert read_progress()["tour"] == 12
