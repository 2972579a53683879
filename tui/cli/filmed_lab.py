"""Film a run or a lesson: run the lab without a terminal and take pictures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from afterstate_lab.learners.ask.marks import Film, Marks, find_marks
from afterstate_lab.learners.errors import UsageError, printable, shown_path
from afterstate_lab.learners.files import is_file
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.runs import is_address
from afterstate_lab.learners.runs.replay import OpenedRun
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.cli.parameters import Named
from afterstate_lab.tui.cli.saved import saved_run
from afterstate_lab.tui.lab.film import show, tick
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.resume_hint import games_text
from afterstate_lab.tui.lab.scripts.check import walk
from afterstate_lab.tui.lab.scripts.script import NAMES, Script, find_script
from afterstate_lab.tui.pages.map import MapPage
from afterstate_lab.tui.pictures import Footage, Shot, ink_of, shot_of
from afterstate_lab.tui.plain.says import say
from afterstate_lab.tui.screens.lab import FILM_PICTURES
from afterstate_lab.tui.theme.glyphs import UNICODE
from afterstate_lab.tui.theme.look import Look
from afterstate_lab.tui.theme.palette import DARK, LIGHT

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from afterstate_lab.tui.lab.scripts.guide import Lessons
    from afterstate_lab.tui.progress import ProgressLine

POLL_SECONDS = 0.01
"""Seconds between two checks of whether a moment is reached."""
READING_SECONDS = 0.35
"""How long a word of a lesson stays."""
LAST_SECONDS = 3.0
"""How long the last frame stays."""

Shooting = Callable[["ProgressLine"], Footage]
"""Films, and reports progress."""


class Moment(NamedTuple):
    """When to take a picture."""

    begins: float
    """Seconds since the first frame."""
    part: float
    """The part of the film that is done."""
    question: tuple[str, str] | None = None
    """The question that stops the film, and its answer."""


Goes = Callable[["FilmedLab", "Pilot[Any]"], AsyncIterator[Moment]]
"""Moves through the film; yields the moment of each frame."""


class FilmedLab(Afterstate):
    """A lab in true colour and Unicode on any machine; it saves nothing."""

    def __init__(self, x: Any, o: Any, seed: int = 0, *, is_light: bool, **more: Any) -> None:
        self._is_light = is_light
        super().__init__(Settings(x, o, seed), **more)
        self.controller.autosave = None

    @property
    def look(self) -> Look:
        return Look(LIGHT if self._is_light else DARK, UNICODE)

    def save_once(self) -> None:
        """Save nothing."""


def film_of(
    named: Named, size: tuple[int, int], seconds: int, *, is_light: bool, of_map: bool = False
) -> Shooting:
    """Return what films a run or a lesson, after every check that can fail.

    Args:
        named: an address, a saved run, a lesson or its file.
        size: columns and rows.
        seconds: length of the film of a run.
        is_light: dark text on a light background.
        of_map: show the map, not the games.
    """
    text, files = named.one("an ADDRESS"), named.files
    if named.run is None and not is_address(text):
        if text not in NAMES and not is_file(text):
            raise UsageError(
                f"cannot film {shown_path(text)}. Give an ADDRESS, --run NAME, a lesson or the "
                "FILE of one"
            )
        if of_map:
            raise UsageError("--map shows a run. Give an ADDRESS or --run NAME")
        lesson = find_script(text)
        title, goes = printable(lesson.title), partial(teach, lesson=lesson)
        td = PlayerSpec.parse("td")
        lab = FilmedLab(td, td, files=files, is_light=is_light)
        return lambda line: asyncio.run(shoot(lab, title, size, goes, line.told("frames")))
    found = up_to_place(saved_run(text, files))
    run = found.run
    if run.games < 2:
        raise UsageError("a film needs at least two games")
    lab = FilmedLab(run.x, run.o, run.seed, is_light=is_light, opened=found)

    def shooting(line: ProgressLine) -> Footage:
        marks = Marks() if of_map else find_marks(run, progress=line.told("milestones"))
        assert marks is not None
        goes = partial(play, film=Film(run, marks), seconds=seconds, of_map=of_map)
        title = f"{run.x} v {run.o}, {games_text(run.games)}"
        return asyncio.run(shoot(lab, title, size, goes, line.told("frames")))

    return shooting


def up_to_place(opened: OpenedRun) -> OpenedRun:
    """Return a run without the games after its moment, and without its place in the store."""
    place, run = opened.place, opened.run
    if place is None:
        return replace(opened, stored=None)
    if place.game < run.games:
        run = run.fork(place.game)
    history = tuple(point for point in opened.history if point.games <= run.games)
    return OpenedRun(run, history)


async def play(
    lab: FilmedLab, pilot: Pilot[Any], film: Film, seconds: float, *, of_map: bool
) -> AsyncIterator[Moment]:
    """Play the film of the lab's run, or the run on the map."""
    session, screen = lab.session, lab.lab_screen
    page, many = MapPage(session), round(seconds * FILM_PICTURES)
    if of_map:
        screen.push(page.page)
    else:
        session.film = film
        show(session)
    film.play(seconds)
    for number in range(many + 1):
        begins = seconds * number / many
        if of_map:
            game = film.game_at(begins) + 1
            page.take((film.run.memory_at(game), game))
        else:
            tick(session, begins)
        screen.redraw()
        await pilot.pause()
        yield Moment(begins, number / many)


async def teach(lab: FilmedLab, pilot: Pilot[Any], lesson: Script) -> AsyncIterator[Moment]:
    """Go through a lesson; a frame lasts as long as its text takes to read."""
    screen, lessons = lab.lab_screen, lab.controller.lessons
    screen.take(lessons.begin(lesson))
    await settled(lab, pilot)
    begins, many = 0.0, len(lesson.steps)
    for verb in walk(lab.controller):
        yield Moment(begins, lessons.number / many, asked(lessons))
        begins += READING_SECONDS * len(f"{lessons.text} {lessons.step.to_do}".split())
        if lessons.question is not None:
            screen.take(lessons.question.do(verb.removeprefix("answer ")))
        else:
            screen.go_on(verb)
        await settled(lab, pilot)
        while not screen.is_in_lab:
            yield Moment(begins, lessons.number / many)
            begins += LAST_SECONDS
            await pilot.press("escape")
            await settled(lab, pilot)
        screen.redraw()
        await settled(lab, pilot)
    yield Moment(begins, 1)


def asked(lessons: Lessons) -> tuple[str, str] | None:
    """Return the question of a lesson's step, and its answer."""
    if lessons.step.question is None:
        return None
    question, answer = lessons.step.question
    return f"{question[:1].upper()}{question[1:]}?", lessons.filled(answer)


async def settled(lab: FilmedLab, pilot: Pilot[Any]) -> None:
    """Wait until nothing runs in the background, and the screen shows it."""
    for _ in range(2):
        while not all(worker.is_finished for worker in lab.workers):
            await asyncio.sleep(POLL_SECONDS)
        await pilot.pause()


async def shoot(
    lab: FilmedLab, title: str, size: tuple[int, int], goes: Goes, told: Callable[[float], None]
) -> Footage:
    """Take a picture at every moment; of two at the same time, keep the later."""
    shots: list[Shot] = []
    begins, ground = 0.0, lab.look.palette.ground
    async with lab.run_test(size=size) as pilot:
        async for moment in goes(lab, pilot):
            begins = moment.begins
            if shots and shots[-1].begins == begins:
                shots.pop()
            screen = lab.lab_screen
            said = tuple(say(screen.page))
            shot = shot_of(begins, screen.paper.lines, ground, said, moment.question)
            if not shots or shot.marks != shots[-1].marks:
                shots.append(shot)
            told(moment.part)
    return Footage(title, size, ink_of(ground), tuple(shots))
