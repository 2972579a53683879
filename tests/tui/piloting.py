"""A lab without a terminal: what is pressed and typed at it, and what its page shows."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from reading import compare
from textual.app import App
from textual.pilot import Pilot

from afterstate_lab.learners.judge.curve import History
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.screens.lab import LabScreen, Sheet
from afterstate_lab.tui.terminal.driver import TerminalInput

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
    def screen(self) -> LabScreen:
        screen = self.app.screen
        assert isinstance(screen, LabScreen)
        return screen

    @property
    def front(self) -> Sheet:
        return self.screen.front

    @property
    def in_lab(self) -> bool:
        return bool(self.screen.is_in_lab)

    @property
    def text(self) -> str:
        """What the page in front shows."""
        return "\n".join(line.text for line in self.screen.paper.lines)

    @property
    def state(self) -> Any:
        """The state of the page in front: whose method makes it."""
        return self.front.make.__self__  # type: ignore[attr-defined]

    async def press(self, keys: str) -> str:
        """Press keys by their names, and say what the lab notes."""
        await self.pilot.press(*(KEYS.get(key, key) for key in keys.split()))
        return str(self.session.note)

    async def settle(self) -> None:
        """Wait for background work, which may fail, and for what that leads to."""
        for _ in range(3):
            await self.pilot.pause()
            if pending := self.screen.pending:
                await asyncio.wait(pending)
        await self.pilot.pause()

    async def finish(self, keys: str = "") -> str:
        """Press keys, and wait for what each begins: till then only Esc counts."""
        for key in keys.split():
            await self.press(key)
            if key not in ("Esc", "escape") and getattr(self.app.screen, "busy", None) is not None:
                await self.settle()
        await self.settle()
        return str(self.session.note)

    async def answer(self, text: str) -> None:
        self.screen.line.value = text
        await self.press("Enter")
        await self.pilot.pause()

    async def ask(self, keys: str, text: str) -> None:
        await self.finish(keys)
        await self.answer(text)
        await self.finish()

    async def until(self, done: Callable[[], object]) -> None:
        async with asyncio.timeout(20):
            while not done():
                await self.pilot.pause(0.02)

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
        lines = self.painted.split("\n")
        ((x, y),) = ((line.index(words), y) for y, line in enumerate(lines) if words in line)
        await self.feed(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")

    @property
    def painted(self) -> str:
        lines = self.screen._compositor.render_strips()
        return "\n".join("".join(s.text for s in line).rstrip() for line in lines) + "\n"

    def compare(self, name: str) -> None:
        """The screen is as it is kept."""
        compare(self.painted, KEPT / f"{name}.txt")


@asynccontextmanager
async def at(app: App[None], size: tuple[int, int] = WINDOW) -> AsyncIterator[Desk]:
    async with app.run_test(size=size) as pilot:
        yield Desk(pilot)


def desk_of(**made: Any) -> pytest.MarkDecorator:
    """A desk at a lab that is made with this."""
    return pytest.mark.parametrize(
        "desk", [made], indirect=True, ids=["-".join(map(str, made.values()))]
    )


def saved(name: str, x: str = "td", o: str = "td", games: int = 20, note: str = "") -> Run:
    """A run in the store, with a learning curve."""
    run, history = Run(parse_player(x), parse_player(o), 3), History()
    history.add(0, (0, 0, 0), run.layout, run.memory)
    run.train(games)
    history.add(games, (games, 0, 0), run.layout, run.memory)
    Store.open().save(run, name=name, history=history.points)
    Store.open().set_note(name, note)
    return run
