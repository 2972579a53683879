"""`afterstate film`: save a run or a lesson as one page that moves.

The lab runs without a terminal, and pictures of it are taken. The page has a picture and its
sentences for every step, moved by arrow keys. It holds each different row, style and sentence once,
and opens from a disk, offline: its policy allows only its own style and script, by their hashes.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from html import escape
from importlib.resources import files
from itertools import count
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from rich.segment import Segment
from rich.style import Style

from afterstate_lab.learners.ask.marks import Film, find_marks
from afterstate_lab.learners.errors import UsageError, printable, shown_path
from afterstate_lab.learners.files import SHARED_FILE, is_file, replace_file
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.runs import is_address
from afterstate_lab.learners.runs.replay import OpenedRun
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.blocks.span import alike
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.saved import saved_run
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.scripts import NAMES
from afterstate_lab.tui.lab.scripts.script import Script, find_script
from afterstate_lab.tui.plain import say
from afterstate_lab.tui.progress import abandonable
from afterstate_lab.tui.screens.lab import FILM_PICTURES
from afterstate_lab.tui.theme.numerals import games_text
from afterstate_lab.tui.theme.palette import DARK, DEFAULT, Look

if TYPE_CHECKING:
    from textual.pilot import Pilot

SIZE = 80, 24
"""Columns and rows of a film."""
POLL_SECONDS = 0.01
"""Seconds between two checks of whether a moment is reached."""

Row = tuple[tuple[str, Style], ...]
"""The texts of a row, and their styles."""
Moment = tuple[float, tuple[str, str] | None]
"""When to take a picture: the part of the film that is done, and the question that stops it there,
with its answer."""
Goes = Callable[["FilmedLab", "Pilot[Any]"], AsyncIterator[Moment]]
"""Moves through the film; yields the moment of each frame."""


class Shot(NamedTuple):
    """A whole screen."""

    rows: tuple[Row, ...]
    said: tuple[str, ...] = ()
    """The picture in sentences."""
    question: tuple[str, str] | None = None
    """The question that stops the film here, and its answer."""


def painted(line: Iterable[Segment]) -> Row:
    """Return a painted line as texts, with adjacent cells of one style as one text."""
    shown = (one for one in line if one.text and not one.control)
    return alike((one.text, DARK.ground + one.style) for one in shown)


def numbers() -> dict[Any, int]:
    """Return an empty mapping that numbers values from 0, in the order of their first use."""
    return defaultdict(count().__next__)


def html(title: str, shots: list[Shot]) -> str:
    """Return the film as a page."""
    inks, rows, sentences = numbers(), numbers(), numbers()
    steps = [
        {
            "rows": [
                rows[tuple(cell for text, style in row for cell in (text, inks[style]))]
                for row in shot.rows
            ],
            "said": [sentences[sentence] for sentence in shot.said],
            "ask": shot.question,
        }
        for shot in shots
    ]
    film = {"rows": list(rows), "sentences": list(sentences), "steps": steps}
    rules = {"body": DARK.ground} | {f".i{number}": ink for ink, number in inks.items()}
    style = part("film.css") + "".join(
        f"{name}{{{ink.get_html_style()}}}" for name, ink in rules.items()
    )
    script = part("film.js")
    return Template(part("film.html")).substitute(
        policy=f"default-src 'none'; style-src {hashed(style)}; script-src {hashed(script)}",
        title=escape(title),
        style=style,
        sentences="".join(f"<p>{escape(sentence)}</p>" for sentence in sentences),
        film=json.dumps(film, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        script=script,
    )


def part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def hashed(text: str) -> str:
    """Return the source expression of a content security policy that allows this text."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


class FilmedLab(Afterstate):
    """A lab in true colour and Unicode on any machine; it saves nothing."""

    def __init__(self, x: PlayerSpec, o: PlayerSpec, seed: int = 0, **more: Any) -> None:
        super().__init__(Settings(x, o, seed), **more)
        self.controller.autosave = None
        self._is_saved = True

    @property
    def look(self) -> Look:
        return DEFAULT


def of_lesson(text: str, files: tuple[Path, ...] = ()) -> tuple[str, FilmedLab, Goes]:
    """Return the title of a lesson, a lab, and what goes through the lesson in it.

    Args:
        text: a lesson or its file.
        files: files of players.
    """
    if text not in NAMES and not is_file(text):
        raise UsageError(
            f"cannot film {shown_path(text)}. Give an ADDRESS, --run NAME, a lesson or the "
            "FILE of one"
        )
    lesson, td = find_script(text), PlayerSpec.parse("td")
    return printable(lesson.title), FilmedLab(td, td, files=files), partial(teach, lesson=lesson)


def of_run(seconds: int, **named: Any) -> tuple[str, FilmedLab, Goes]:
    """Return the title of a run, its lab, and what plays its film there.

    Args:
        seconds: length of the film.
        named: arguments of `saved_run`.
    """
    found = saved_run(**named, with_points=True)
    run = found.run
    if run.games < 2:
        raise UsageError("a film needs at least two games")
    lab = FilmedLab(run.x, run.o, run.seed, opened=OpenedRun(run, found.history))
    marks = abandonable(lambda line: find_marks(run, progress=line.told("milestones")))
    assert marks is not None
    goes = partial(play, film=Film(run, marks), seconds=seconds)
    return f"{run.x} v {run.o}, {games_text(run.games)}", lab, goes


async def play(
    lab: FilmedLab, pilot: Pilot[Any], film: Film, seconds: float
) -> AsyncIterator[Moment]:
    """Play the film of the lab's run."""
    many = round(seconds * FILM_PICTURES)
    lab.session.film = film
    lab.session.look_back()
    film.play(seconds)
    for number in range(many + 1):
        lab.session.tick_film(seconds * number / many)
        lab.lab_screen.redraw()
        await pilot.pause()
        yield number / many, None


async def teach(lab: FilmedLab, pilot: Pilot[Any], lesson: Script) -> AsyncIterator[Moment]:
    """Go through a lesson."""
    screen = lab.lab_screen
    screen.take(lab.controller.begin_lesson(lesson))
    lessons = lab.controller.guide
    assert lessons is not None
    await settled(lab, pilot)
    many = len(lesson.steps)
    for verb in lessons.walk():
        question = None
        if lessons.step.question is not None:
            asked, answer = lessons.step.question
            question = f"{asked[:1].upper()}{asked[1:]}?", lessons.filled(answer)
        yield lessons.number / many, question
        if lessons.question is not None:
            screen.take(lessons.question.do(verb.removeprefix("answer ")))
        else:
            screen.go_on(verb)
        await settled(lab, pilot)
        while not screen.is_in_lab:
            yield lessons.number / many, None
            await pilot.press("escape")
            await settled(lab, pilot)
        screen.redraw()
        await settled(lab, pilot)
    yield 1.0, None


async def settled(lab: FilmedLab, pilot: Pilot[Any]) -> None:
    """Wait until nothing runs in the background, and the screen shows it."""
    for _ in range(2):
        while lab.lab_screen.pending:
            await asyncio.sleep(POLL_SECONDS)
        await pilot.pause()


async def shoot(lab: FilmedLab, goes: Goes, told: Callable[[float], None]) -> list[Shot]:
    """Take a picture at every moment, if it differs from the latest picture."""
    shots: list[Shot] = []
    async with lab.run_test(size=SIZE) as pilot:
        async for part, question in goes(lab, pilot):
            screen = lab.lab_screen
            said = tuple(say(screen.page))
            rows = tuple(painted(line) for line in screen.paper.lines)
            if not shots or rows != shots[-1].rows:
                shots.append(Shot(rows, said, question))
            told(part)
    return shots


@click.command
@parameters.address_or_run
@parameters.force
@parameters.option("--out", "New file: FILE.html.", "FILE", required=True, type=parameters.OUT_FILE)
@parameters.number("--seconds", 1, 300, 20, "Length of the film of a run in seconds.")
def film(out: Path, seconds: int, **named: Any) -> None:
    """Save a run or lesson as one page that moves.

    The film runs from the first game to the last, with the early ones slowest. An ADDRESS with a
    moment stops there. You mail FILE.html: arrow keys move it, questions stop it. Instead of an
    ADDRESS, name a lesson or the FILE of one.
    """
    if out.suffix.lower() != ".html":
        raise UsageError(f"--out: use a name that ends in .html, not {shown_path(out)}")

    text = named["text"]
    if text is None or named["run_name"] is not None or is_address(text):
        title, lab, goes = of_run(seconds, **named)
    else:
        title, lab, goes = of_lesson(text, named["files"])
    shots = abandonable(lambda line: asyncio.run(shoot(lab, goes, line.told("frames"))))
    data = html(title, shots).encode()
    replace_file(out, data, mode=SHARED_FILE)
    click.echo(f"{shown_path(out)}: {len(shots)} frames, {len(data) / 1000:,.0f} kB")
