"""What tests of screens do with a pilot: wait, and answer the question on the screen."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widgets import Input, Label


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
    pilot.app.screen.query_one("#answer", Input).value = text
    await pilot.press("enter")
    await pilot.pause()


def proposed(pilot: Pilot[None]) -> str:
    """The answer that a question proposes."""
    return pilot.app.screen.query_one("#answer", Input).value


def refusal(pilot: Pilot[None]) -> str:
    """What a question says is wrong with the answer."""
    return str(pilot.app.screen.query_one("#wrong", Label).render())
