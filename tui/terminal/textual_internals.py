"""Private names of Textual that the lab overrides or uses, under public names.

The driver overrides some more. A new release of Textual may change any of them:
`tests/tui/terminal/test_textual_internals.py` tests each, and explains in one sentence what changed
and what the lab loses.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

from textual import events
from textual._queue import Queue
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.app import App, ReturnType
from textual.screen import Screen, ScreenResultType

if TYPE_CHECKING:
    from rich.segment import Segment
    from textual.message import Message
    from textual.message_pump import MessagePump

__all__ = [
    "BRACKETED_PASTE_END",
    "BRACKETED_PASTE_START",
    "FailingApp",
    "HoldableScreen",
    "InOrderApp",
    "TerminalParser",
    "driver_of",
    "painted_lines",
]


class TerminalParser(XTermParser):
    """Textual's parser of terminal input; it knows whether a sequence has begun."""

    @property
    def is_within_sequence(self) -> bool:
        return self._timeout_time is not None


PROMPT_PASSES, MOST_PASSES = 200, 1_000
"""Passes of the loop to wait for a key to be handled; later passes pause."""
PAUSE = 0.002


class InOrderApp(App[ReturnType]):
    """An app that handles keys, clicks and pastes one after the other.

    Textual chooses a key's receiver when the key arrives. For several keys in one packet, it would
    choose before the first key has opened a screen or moved the focus.
    """

    def __init__(self) -> None:
        super().__init__()
        self._waiting: deque[Message] = deque()
        self._in_hand: Message | None = None
        self._handing_on: asyncio.Task[None] | None = None

    def post_message(self, message: Message) -> bool:
        """Queue a message; user input waits its turn."""
        is_typed = isinstance(message, events.InputEvent | events.Paste)
        if not is_typed or message.is_forwarded or message is self._in_hand:
            return super().post_message(message)
        self._waiting.append(message)
        if not self.is_handling_input:
            self._handing_on = asyncio.create_task(self._hand_on())
        return True

    @property
    def is_handling_input(self) -> bool:
        """Whether user input is being handled, or waits."""
        return self._handing_on is not None

    async def _hand_on(self) -> None:
        while self._waiting and not self._exit:
            self._in_hand = self._waiting.popleft()
            self.post_message(self._in_hand)
            await self._handled()
        self._handing_on = None

    async def _handled(self) -> None:
        """Wait until the app, its screens and widgets are idle."""
        idle_passes = 0
        for passes in range(MOST_PASSES):
            await asyncio.sleep(0 if passes < PROMPT_PASSES else PAUSE)
            is_idle = not any(is_busy(pump) for pump in (self, *self._registry))
            idle_passes = idle_passes + 1 if is_idle else 0
            if idle_passes == 2:
                return


def is_busy(pump: MessagePump) -> bool:
    """Return whether an app, screen or widget has a message to handle."""
    task = pump._task
    queue: Queue[Any] = pump._message_queue
    if not isinstance(pump, App) and (task is None or task.done()):
        return False
    waits: Any = queue.ready_event
    return not (queue.empty() and waits._waiters)


class FailingApp(App[ReturnType]):
    """An app that reports a failure in a sentence instead of a traceback."""

    failure_text = ""
    """The text to print after the app; empty without a failure."""
    _failure: Exception | None = None

    def sentence_of(self, error: Exception) -> str:
        """Return the message about an uncaught error."""
        raise NotImplementedError

    def _handle_exception(self, error: Exception) -> None:
        self._failure = error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self.panic()

    def panic(self, *renderables: Any) -> None:
        """Leave the app; only the first failure is reported."""
        if self._failure is None:
            super().panic(*renderables)
            return
        self.failure_text = self.failure_text or self.sentence_of(self._failure)
        self._close_messages_no_wait()


class HoldableScreen(Screen[ScreenResultType]):
    """A screen whose painting can be held back."""

    def paint(self) -> None:
        """Paint the changes; a timer calls it."""
        super()._on_timer_update()

    def _on_timer_update(self) -> None:
        self.paint()

    @property
    def needs_painting(self) -> bool:
        """Whether anything must be repainted or laid out."""
        return bool(self._dirty_widgets or self._layout_required or self._repaint_required)

    def pause_painting(self) -> None:
        """Paint nothing until `resume_painting`."""
        self._update_timer.pause()

    def resume_painting(self) -> None:
        """Paint at the next tick."""
        self._update_timer.resume()


def driver_of(app: App[Any]) -> Any:
    """Return the app's driver; None before it runs."""
    return app._driver


def painted_lines(screen: Screen[Any]) -> list[list[Segment]]:
    """Return what a screen shows, line by line."""
    return [list(line) for line in screen._compositor.render_strips()]
