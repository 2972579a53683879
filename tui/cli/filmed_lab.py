"""Film a run or a walkthrough: run the lab without a terminal and take pictures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from afterstate_lab.learners.ask.marks import Film, find_marks
from afterstate_lab.learners.errors import UsageError, printable, shown_path
from afterstate_lab.learners.files import is_file
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.runs import is_address
from afterstate_lab.learners.runs.replay import OpenedAddress
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.cli.saved import Named, saved_run
from afterstate_lab.tui.lab.film import show, tick
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.resume_hint import games_text
from afterstate_lab.tui.lab.scripts.recording import OURS, whole_walkthrough
from afterstate_lab.tui.lab.scripts.script import Step
from afterstate_lab.tui.pictures import Footage, Shot, shot_of
from afterstate_lab.tui.screens.lab import FILM_PICTURES
from afterstate_lab.tui.terminal.textual_internals import painted_lines
from afterstate_lab.tui.theme.glyphs import UNICODE
from afterstate_lab.tui.theme.look import Look
from afterstate_lab.tui.theme.palette import DARK, LIGHT

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from afterstate_lab.tui.progress import ProgressLine
    from afterstate_lab.tui.screens.lab import LabScreen

POLL_SECONDS = 0.01
"""Seconds between two checks of whether a moment is reached."""
LAST_SECONDS = 3.0
"""How long the last frame stays."""

Shooting = Callable[["ProgressLine"], Footage]
"""Films, and reports progress."""
Goes = Callable[["FilmedLab", "Pilot[Any]"], AsyncIterator[tuple[float, float]]]
"""Moves through the film; yields the seconds of each frame, and the part done."""


class FilmedLab(Afterstate):
    """A lab in true colour and Unicode on any machine; it saves nothing."""

    CSS_PATH = "../app.tcss"

    def __init__(self, x: Any, o: Any, seed: int = 0, *, is_light: bool, **more: Any) -> None:
        self._is_light = is_light
        super().__init__(Settings(x, o, seed), **more)
        self.controller.current.autosave = None

    @property
    def look(self) -> Look:
        return Look(LIGHT if self._is_light else DARK, UNICODE)

    def save_once(self) -> None:
        """Save nothing."""


def film_of(named: Named, size: tuple[int, int], seconds: int, *, is_light: bool) -> Shooting:
    """Return what films a run or a walkthrough, after every check that can fail.

    Args:
        named: an address, a saved run, or the file of a walkthrough.
        size: columns and rows.
        seconds: length of the film of a run.
        is_light: dark text on a light background.
    """
    text, files = named.one("an ADDRESS"), named.files
    if named.run is None and not is_address(text):
        if text != OURS and not is_file(text):
            raise UsageError(
                f"cannot film {shown_path(text)}. Give an ADDRESS, --run NAME or the FILE of a "
                "walkthrough"
            )
        stops, td, path = whole_walkthrough(text), PlayerSpec.parse("td"), Path(text)
        if not stops:
            raise UsageError(f"the walkthrough {shown_path(path)} has no moments to film")
        lab, title = FilmedLab(td, td, files=files, is_light=is_light), printable(path.stem)
        goes = partial(follow, stops=stops)
        return lambda line: asyncio.run(shoot(lab, title, size, goes, line.told("frames")))
    found = saved_run(text, files)
    found = up_to_place(found) if isinstance(found, OpenedAddress) else found
    run = found.run
    if run.games < 2:
        raise UsageError("a film needs at least two games")
    more: dict[str, Any] = {"opened" if isinstance(found, OpenedAddress) else "loaded": found}
    lab = FilmedLab(run.x, run.o, run.seed, is_light=is_light, **more)

    def shooting(line: ProgressLine) -> Footage:
        marks = find_marks(run, progress=line.told("milestones"))
        assert marks is not None
        goes = partial(play, film=Film(run, marks), seconds=seconds)
        title = f"{run.x} v {run.o}, {games_text(run.games)}"
        return asyncio.run(shoot(lab, title, size, goes, line.told("frames")))

    return shooting


def up_to_place(opened: OpenedAddress) -> OpenedAddress:
    """Return the run of an address without the games after its moment."""
    place, run = opened.address.place, opened.run
    if place is None:
        return opened
    if place.game < run.games:
        run = run.fork(place.game)
    address = replace(
        opened.address, games=run.games, scripts=dict(run.scripts), place=None, what_if=None
    )
    points = tuple(point for point in opened.points if point.games <= run.games)
    return replace(opened, address=address, run=run, points=points, what_if=None)


async def play(
    lab: FilmedLab, pilot: Pilot[Any], film: Film, seconds: float
) -> AsyncIterator[tuple[float, float]]:
    """Play the film of the lab's run; yield the time of each frame, and the part done."""
    session, screen = lab.session, cast("LabScreen", lab.screen)
    session.film = film
    show(session)
    film.play(seconds)
    many = round(seconds * FILM_PICTURES)
    for number in range(many + 1):
        begins = seconds * number / many
        tick(session, begins)
        screen.redraw()
        await pilot.pause()
        yield begins, number / many


async def follow(
    lab: FilmedLab, pilot: Pilot[Any], stops: Sequence[Step]
) -> AsyncIterator[tuple[float, float]]:
    """Follow a walkthrough; yield the time of each moment, and the part done.

    Where a second walkthrough in the file starts, the time jumps back.
    """
    screen = cast("LabScreen", lab.screen)
    begins, before = 0.0, stops[0].seconds
    for number, stop in enumerate(stops, 1):
        screen.show_stop(lab.controller.lectures.go_to(stop))
        for _ in range(2):
            while not all(worker.is_finished for worker in lab.workers):
                await asyncio.sleep(POLL_SECONDS)
            await pilot.pause()
        pause, before = stop.seconds - before, stop.seconds
        begins += pause if pause >= 0 else LAST_SECONDS
        yield begins, number / len(stops)


async def shoot(
    lab: FilmedLab, title: str, size: tuple[int, int], goes: Goes, told: Callable[[float], None]
) -> Footage:
    """Take a picture at every moment; of two at the same time, keep the later."""
    shots: list[Shot] = []
    begins = 0.0
    async with lab.run_test(size=size) as pilot:
        async for begins, part in goes(lab, pilot):
            if shots and shots[-1].begins == begins:
                shots.pop()
            shot = shot_of(begins, painted_lines(lab.screen))
            if not shots or shot.pieces != shots[-1].pieces:
                shots.append(shot)
            told(part)
    return Footage(title, size, lab.look.palette.ground, tuple(shots), begins + LAST_SECONDS)
