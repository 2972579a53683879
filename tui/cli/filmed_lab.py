"""The lab, run without a terminal, and its pictures taken while the film of a run is played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from tui.app import Afterstate
from tui.lab import filming
from tui.lab.resume_hint import games_text
from tui.pictures.frames import Footage, Shot, shot_of
from tui.screens.lab import FILM_PICTURES
from tui.terminal.textual_internals import painted_lines
from tui.theme.glyphs import UNICODE
from tui.theme.look import Look
from tui.theme.palette import DARK, LIGHT

if TYPE_CHECKING:
    from learners.addresses.lecture import LectureStop
    from tui.lab.film import Film
    from tui.screens.lab import LabScreen

POLL_SECONDS = 0.01
"""Between two looks at whether a place of a lecture is reached."""
LAST_SECONDS = 3.0
"""How long the last picture stays."""


class FilmedLab(Afterstate):
    """A lab in true colours and all characters, wherever it runs, that saves nothing."""

    CSS_PATH = "../app.tcss"
    is_light = False

    @property
    def look(self) -> Look:
        """What any browser can show."""
        return Look(LIGHT if self.is_light else DARK, UNICODE)

    def save_once(self) -> None:
        """A film changes nothing."""


async def shoot(
    lab: FilmedLab,
    film: Film,
    size: tuple[int, int],
    seconds: float,
    *,
    told: Callable[[float], None],
    stopped: Callable[[], bool],
) -> Footage | None:
    """Play the film of the lab's run, and take its pictures; None where that was stopped.

    Args:
        lab: looks at the run of the film.
        film: of the run.
        size: columns and rows.
        seconds: how long all games take.
        told: called with the part that is done.
        stopped: asked before each picture.
    """
    shots: list[Shot] = []
    async with lab.run_test(size=size) as pilot:
        lab.controller.current.autosave = None
        session, screen = lab.session, cast("LabScreen", lab.screen)
        session.film = film
        filming.show(session)
        film.play(seconds)
        many = round(seconds * FILM_PICTURES)
        for number in range(many + 1):
            if stopped():
                return None
            begins = seconds * number / many
            filming.tick(session, begins)
            screen.redraw()
            await pilot.pause()
            shot = shot_of(begins, painted_lines(screen))
            if not shots or shot.rows != shots[-1].rows:
                shots.append(shot)
            told(number / many)
    run = film.run
    title = f"{run.x} v {run.o}, {games_text(run.games)}"
    return Footage(title, size, lab.look.palette.ground, tuple(shots), seconds + LAST_SECONDS)


async def shoot_lecture(
    lab: FilmedLab,
    stops: Sequence[LectureStop],
    title: str,
    size: tuple[int, int],
    *,
    told: Callable[[float], None],
    stopped: Callable[[], bool],
) -> Footage | None:
    """Go where a lecture goes, and take a picture of each place; None where that was stopped.

    Args:
        lab: looks at nothing yet.
        stops: the places, at least one; a lecture after another one begins at an earlier time.
        title: what the film is called.
        size: columns and rows.
        told: called with the part that is done.
        stopped: asked before each picture.
    """
    shots: list[Shot] = []
    begins, before = 0.0, stops[0].seconds
    async with lab.run_test(size=size) as pilot:
        lab.controller.current.autosave = None
        screen = cast("LabScreen", lab.screen)
        for number, stop in enumerate(stops):
            screen.show_stop(lab.controller.lectures.go_to(stop))
            for _ in range(2):
                while not (stopped() or all(worker.is_finished for worker in lab.workers)):
                    await asyncio.sleep(POLL_SECONDS)
                await pilot.pause()
            if stopped():
                return None
            pause, before = stop.seconds - before, stop.seconds
            begins += pause if pause >= 0 else LAST_SECONDS
            if shots and shots[-1].begins == begins:
                shots.pop()
            shots.append(shot_of(begins, painted_lines(lab.screen)))
            told((number + 1) / len(stops))
    return Footage(title, size, lab.look.palette.ground, tuple(shots), begins + LAST_SECONDS)
