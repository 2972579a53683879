"""A lab without a terminal: what is pressed and typed at it, and what its page shows."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input
from textual.worker import WorkerFailed

from afterstate_lab.learners.judge.curve import History
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.blocks.block import Block
from afterstate_lab.tui.screens.lab import LabScreen, Sheet
from afterstate_lab.tui.screens.page import shown
from afterstate_lab.tui.terminal.driver import TerminalInput

B = TypeVar("B", bound=Block)
KEPT = Path(__file__).parent / "screens" / "snapshots"
WINDOW = (80, 24)
SIZES = {"80x24": WINDOW, "120x40": (120, 40)}
KEYS = {"→": "right", "←": "left", "↓": "down", "↑": "up", "Esc": "escape", "Enter": "enter"}
ESCAPE = "\x1b[27u"
"""Esc as terminals with the newer key protocol send it: nothing has to be waited for."""


class Desk:
    """A lab that runs, and who sits at it."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        self.app: Any = pilot.app
        self._reader = TerminalInput(pilot.app.post_message)

    @property
    def session(self) -> Any:
        return self.app.session

    @property
    def event(self) -> Any:
        return self.session.timeline.event

    @property
    def screen(self) -> Any:
        return self.app.screen

    @property
    def front(self) -> Sheet:
        """The page in front."""
        return front(self.pilot)

    @property
    def in_lab(self) -> bool:
        """Whether no page is in front of the lab."""
        return bool(self.screen.is_in_lab)

    @property
    def text(self) -> str:
        """What the page in front shows."""
        return painted(self.pilot)

    @property
    def state(self) -> Any:
        return state(self.pilot)

    def block(self, kind: type[B], which: int = 0) -> B:
        return block(self.app, kind, which)

    async def press(self, keys: str) -> str:
        """Press keys by their names, and say what the lab notes."""
        await self.pilot.press(*(KEYS.get(key, key) for key in keys.split()))
        return str(self.session.note)

    async def finish(self, keys: str = "") -> str:
        """Press keys, and wait for what they start."""
        await self.press(keys)
        await settled(self.pilot)
        return str(self.session.note)

    async def ask(self, keys: str, text: str) -> str:
        """Press keys that lead to a question, answer it, and say why the answer is refused."""
        await self.finish(keys)
        await answer(self.pilot, text)
        await settled(self.pilot)
        return refusal(self.pilot)

    async def feed(self, *packets: str) -> None:
        """Type bytes as a terminal sends them."""
        for packet in packets:
            self._reader.feed(packet.encode())
            await self.pilot.pause()

    async def resize(self, *sizes: tuple[int, int]) -> None:
        for size in sizes:
            await self.pilot.resize_terminal(*size)
            await self.pilot.pause()

    async def go_home(self) -> None:
        """Back to the lab, in a window of 80×24."""
        await self.resize(WINDOW)
        for _ in range(12):
            if not self.in_lab:
                await self.feed(ESCAPE)
        assert self.in_lab

    async def click(self, words: str) -> None:
        """Click on words that are shown once."""
        lines = text_of(self.app).split("\n")
        ((x, y),) = ((line.index(words), y) for y, line in enumerate(lines) if words in line)
        await self.feed(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")


@asynccontextmanager
async def at(app: App[None], size: tuple[int, int] = WINDOW) -> AsyncIterator[Desk]:
    """Sit down at a lab."""
    async with app.run_test(size=size) as pilot:
        yield Desk(pilot)


def desk_of(**made: Any) -> pytest.MarkDecorator:
    """A desk at a lab that is made with this."""
    return pytest.mark.parametrize(
        "desk", [made], indirect=True, ids=["-".join(map(str, made.values()))]
    )


def text_of(app: App[None]) -> str:
    """The characters of the screen, line by line."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(s.text for s in line).rstrip() for line in lines) + "\n"


def compare(app: App[None], name: str) -> None:
    """The screen is as it is kept; AFTERSTATE_NEW_SNAPSHOTS=1 keeps it as it is now."""
    path = KEPT / f"{name}.txt"
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        path.write_text(text_of(app), encoding="utf-8")
    assert text_of(app) == path.read_text(encoding="utf-8")


async def settled(pilot: Pilot[None]) -> None:
    """Wait for background work, and for what that leads to; the page says what failed."""
    for _ in range(3):
        await pilot.pause()
        with suppress(WorkerFailed):
            await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def play_to_end(pilot: Pilot[None], which: int = 0) -> None:
    """Play the game to its end; a person marks the first free cell, or the last one (-1)."""
    session = pilot.app.session  # type: ignore[attr-defined]
    while session.game_goes_on:
        await pilot.press(str(session.board.legal_cells[which] + 1))


async def answer(pilot: Pilot[None], text: str) -> None:
    """Answer the question on the screen."""
    line(pilot).value = text
    await pilot.press("enter")
    await pilot.pause()


def line(pilot: Pilot[None]) -> Input:
    """The line of a question."""
    return screen_of(pilot).line


def proposed(pilot: Pilot[None]) -> str:
    """The answer that a question proposes."""
    return line(pilot).value


def refusal(pilot: Pilot[None]) -> str:
    """What a question says is wrong with the answer."""
    sheet = front(pilot)
    return sheet.note or ("" if sheet.page is None else sheet.page.note)


def screen_of(pilot: Pilot[None]) -> LabScreen:
    """The one screen."""
    screen = pilot.app.screen
    assert isinstance(screen, LabScreen)
    return screen


def front(pilot: Pilot[None]) -> Sheet:
    """The page in front."""
    return screen_of(pilot).front


def block(app: Any, kind: type[B], which: int = 0) -> B:
    """A block of the page in front."""
    return [one for one in app.screen.page.blocks if isinstance(one, kind)][which]


def footer(app: Any) -> list[str]:
    """The keys that the footer of the page in front names."""
    return [shown(key) for key in app.screen.page.keys if not key.hidden and key.word]


def state(pilot: Pilot[None]) -> Any:
    """The state of the page in front: whose method makes it."""
    return front(pilot).make.__self__  # type: ignore[attr-defined]


def painted(pilot: Pilot[None]) -> str:
    """What the page in front shows."""
    return "\n".join(line.text for line in screen_of(pilot).paper.lines)


def saved(name: str, x: str = "td", o: str = "td", games: int = 20, note: str = "") -> Run:
    """A run in the store, with a learning curve."""
    run, history = Run(parse_player(x), parse_player(o), 3), History()
    history.add(0, (0, 0, 0), run.layout, run.memory)
    run.train(games)
    history.add(games, (games, 0, 0), run.layout, run.memory)
    Store.open().save(run, name=name, note=note, history=history.points)
    return run
