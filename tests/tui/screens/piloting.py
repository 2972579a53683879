"""What tests of screens do with a pilot: wait, and answer the question on the screen."""

from __future__ import annotations

from typing import Any, TypeVar

from textual.pilot import Pilot
from textual.widgets import Input

from afterstate_lab.learners.judge.curve import History
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.blocks.block import Block
from afterstate_lab.tui.screens.page import PageScreen, shown

B = TypeVar("B", bound=Block)


async def settled(pilot: Pilot[None]) -> None:
    """Wait for what goes on in the background, and for what that leads to."""
    for _ in range(2):
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
    return page_screen(pilot).line


def proposed(pilot: Pilot[None]) -> str:
    """The answer that a question proposes."""
    return line(pilot).value


def refusal(pilot: Pilot[None]) -> str:
    """What a question says is wrong with the answer."""
    screen = page_screen(pilot)
    return screen.note or ("" if screen.page is None else screen.page.note)


def page_screen(pilot: Pilot[None]) -> PageScreen:
    """The page in front."""
    screen = pilot.app.screen
    assert isinstance(screen, PageScreen)
    return screen


def block(app: Any, kind: type[B], which: int = 0) -> B:
    """A block of the page in front."""
    return [one for one in app.screen.page.blocks if isinstance(one, kind)][which]


def footer(app: Any) -> list[str]:
    """The keys that the footer of the page in front names."""
    return [shown(key) for key in app.screen.page.keys if not key.hidden and key.word]


def state(pilot: Pilot[None]) -> Any:
    """The state of the page in front: whose method makes it."""
    return page_screen(pilot).make.__self__  # type: ignore[attr-defined]


def painted(pilot: Pilot[None]) -> str:
    """What the page in front shows."""
    return "\n".join(line.text for line in page_screen(pilot).paper.lines)


def saved(name: str, x: str = "td", o: str = "td", games: int = 20, note: str = "") -> Run:
    """A run in the store, with a learning curve."""
    run, history = Run(parse_player(x), parse_player(o), 3), History()
    history.add(0, (0, 0, 0), run.layout, run.memory)
    run.train(games)
    history.add(games, (games, 0, 0), run.layout, run.memory)
    with Store.open() as store:
        store.save(run, name=name, note=note, history=history.points)
    return run
