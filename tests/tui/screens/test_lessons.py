"""Lessons are gone through by doing what their steps say, in the real lab."""

from __future__ import annotations

import pytest

from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.timeline import WRITE
from afterstate_lab.tui.blocks.lesson import LessonCard
from afterstate_lab.tui.lab.lessons.guide import keep_progress, read_progress
from afterstate_lab.tui.lab.lessons.lesson_file import NAMES, packaged_lesson
from afterstate_lab.tui.lab.lessons.numbers import filled
from afterstate_lab.tui.lab.microscope.equation import Equation
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.theme.numerals import decimals, signed

SHORT = ("tour", "menace", "credit")
"""Those of few games; the tour has tests of its own."""
STEPS = packaged_lesson("tour").steps
PRESSED = {
    ".": "full_stop", "Enter": "enter", "Esc": "escape", "→": "right", "←": "left",
    "]": "right_square_bracket", "↓": "down", "↑": "up", "{": "left_curly_bracket",
    "}": "right_curly_bracket", "[": "left_square_bracket",
}  # fmt: skip


class Tourist:
    """Does in a lab what the lessons say."""

    def __init__(self, app, pilot) -> None:
        self.app = app
        self.pilot = pilot
        assert isinstance(app.screen, LabScreen)
        self.screen = app.screen

    @property
    def lesson(self) -> str:
        """The title of the current lesson."""
        return self.screen.controller.lessons.guide.step.title

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
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    async def do_step(self) -> None:
        """Do the current step."""
        guide = self.screen.controller.lessons.guide
        now, step = guide.number, guide.step
        keys = step.solution or step.keys
        if step.answer:
            keys = (*keys, filled(step.answer, self.app.session), "Enter")
        for key in (*keys, *[keys[-1]] * 40):
            if guide.number == now:
                await self.type(key)
        while self.app.screen is not self.screen:
            await self.type("Esc")
        assert guide.number == now + 1, step.title

    async def do(self, title: str) -> None:
        """Do steps until one of this title is reached."""
        while self.lesson != title:
            await self.do_step()


@pytest.fixture
async def tourist(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("T")
        yield Tourist(app, pilot)


@pytest.mark.slow
async def test_every_lesson_is_done_by_the_keys_that_it_names(tourist):
    session = tourist.app.session
    await tourist.do("a backup")
    assert isinstance(session.timeline.event, Backup)
    assert session.timeline.event.old != session.timeline.event.new
    await tourist.do("experience")
    await tourist.do("the microscope")
    assert session.run.games >= 2000
    await tourist.do("exploration")
    assert isinstance(session.timeline.event, Backup)
    assert session.timeline.phase == WRITE
    await tourist.do("no backup")
    assert session.timeline.event.exploratory
    await tourist.do("a challenge")
    assert session.mode is Mode.WATCH
    await tourist.do(STEPS[-1].title)
    assert session.mode is Mode.PLAY
    assert session.timeline.event.result == "X"
    assert tourist.app.screen is tourist.screen
    await tourist.type("T")
    assert tourist.screen.controller.lessons.guide is None
    assert not any(isinstance(one, LessonCard) for one in tourist.screen.page.blocks)


async def test_the_numbers_of_a_lesson_are_those_of_the_backup_that_is_looked_at(tourist):
    await tourist.do("the error")
    event = tourist.app.session.timeline.event
    said = f"δ = target − old = {decimals(event.target, 6)} − {decimals(event.old, 6)} = "
    assert said + signed(event.error, 6) in tourist.card


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
    assert tourist.screen.controller.lessons.guide is None


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
    assert tourist.screen.controller.lessons.guide is None
    await tourist.type("T")
    assert tourist.app.session.run is not before
    assert "yours is saved, R lists it" in tourist.app.session.note
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


async def test_the_card_is_whole_after_every_change_of_size(tourist):
    for columns, rows in ((120, 40), (40, 12), (80, 24)):
        await tourist.pilot.resize_terminal(columns, rows)
        await tourist.pilot.pause()
    assert "1/20 a value" in tourist.card
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


@pytest.mark.quick("credit")
@pytest.mark.parametrize(
    "name",
    [
        "menace",
        "credit",
        *(pytest.param(n, marks=pytest.mark.slow) for n in NAMES if n not in SHORT),
    ],
)
async def test_a_lesson_of_the_list_is_done_to_its_end_by_its_own_keys(lab, name):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("greater_than_sign")
        await pilot.press(str(NAMES.index(name) + 1))
        await app.workers.wait_for_complete()
        await pilot.pause()
        tourist = Tourist(app, pilot)
        await tourist.do(packaged_lesson(name).steps[-1].title)
        assert read_progress() == {name: len(packaged_lesson(name).steps)}


async def test_a_step_lights_the_pane_that_it_talks_of_and_no_other(tourist):
    await tourist.do("a backup")
    lit = [type(one) for one in tourist.screen.page.blocks if one.spot]
    assert lit == [Equation, LessonCard]
    await tourist.type("T")
    assert not any(one.spot for one in tourist.screen.page.blocks)


async def test_progress_is_kept_and_gone_on_with_where_a_step_begins_a_run(lab):
    keep_progress("tour", 12)
    app = lab(at_home=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("greater_than_sign")
        await pilot.press("1")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, LabScreen)
        assert app.controller.lessons.guide.step.title == "whence"
        assert app.session.run.games == 2000
    assert read_progress()["tour"] == 12
