"""The cage: the monkey's strokes go to the lab, and what comes of them is watched and counted.

After each stroke all queues are waited for; nothing sleeps.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import sys
import time
import traceback
from collections import Counter, deque
from collections.abc import Iterable
from typing import Any
from unittest import mock

from monkey_lab import WINDOW, MonkeyLab, Sink, Terminal
from monkey_strokes import CLEAR, ESCAPE, Stroke
from textual._context import message_hook as message_hook_context
from textual.app import App
from textual.geometry import Size
from textual.message import Message
from textual.message_pump import MessagePump
from textual.worker import Worker, WorkerState

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.screens.page import PageScreen

STUCK = 60.0
"""Seconds in which everything must have been taken in: a bound for a busy machine, not a budget."""
IMPATIENCE = 1.0
"""Seconds that the monkey waits for what goes on in the background."""
REMEMBERED = 50
"""Strokes that are told when something goes wrong."""
TOOLTIP = "tooltip-timer"
"""What Textual names the task that waits a moment after the pointer has moved."""
ENOUGH = 12
"""So often Esc is pressed to come back to the lab."""


class Stuck(AssertionError):
    """Something was not taken in, or no way led back to the lab."""


class Cage:
    """Opens the lab for a monkey, does what it does, and counts what is seen.

    To be used as an asynchronous context manager.
    """

    def __init__(self) -> None:
        self.visits: Counter[str] = Counter()
        """Strokes by what was in front."""
        self.strokes = 0
        self.resizes = 0
        self.training = 0
        """Strokes during which a training went on."""
        self.opened = 0
        self.slowest = 0.0
        """Seconds in which a stroke was taken in."""
        self.taken = 0
        """Keys, mouse events and pastes that the labs before took in."""
        self.failures: list[str] = []
        """What was raised where nobody is waiting for it."""
        self.last: deque[Stroke] = deque(maxlen=REMEMBERED)
        self._patches = contextlib.ExitStack()

    async def __aenter__(self) -> Cage:
        self.sink = Sink()
        """What the terminal gets."""
        self._patches.enter_context(mock.patch.object(App, "get_driver_class", lambda _: Terminal))
        self._patches.enter_context(mock.patch("sys.unraisablehook", self._raised))
        self._patches.enter_context(mock.patch("threading.excepthook", self._raised))
        asyncio.get_running_loop().set_exception_handler(self._unhandled)
        message_hook_context.set(self._look)
        await self._open()
        # Only a first lab has imports to freeze; later ones would freeze labs that are gone.
        self._patches.enter_context(mock.patch("afterstate_lab.tui.app.start_collector"))
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with contextlib.suppress(*(() if kind is None else (AssertionError,))):
            await self._close()
        faulthandler.cancel_dump_traceback_later()
        asyncio.get_running_loop().set_exception_handler(None)
        self._patches.close()

    async def _open(self) -> None:
        self.lab = MonkeyLab()
        self.opened += 1
        with mock.patch("sys.__stdout__", self.sink), mock.patch("sys.__stdin__", None):
            self._running = asyncio.create_task(self.lab.run_async(size=WINDOW))
            await asyncio.wait_for(self.lab.is_ready.wait(), STUCK)
        await self.settle()

    async def _close(self) -> None:
        self.lab.may_leave = True
        if not self._running.done():
            self.lab.leave()
        await asyncio.wait_for(self._running, STUCK)
        self.taken, self.lab.taken = self.taken + self.lab.taken, 0
        self._check_end()

    def _check_end(self) -> None:
        lab = self.lab
        if lab._exception is not None:
            raise AssertionError(f"the lab ended with {lab._exception!r}") from lab._exception
        assert lab.return_code == 0, f"the lab ended with status {lab.return_code}"
        assert not lab.autosave.trouble, lab.autosave.trouble

    def _raised(self, what: Any) -> None:
        self.failures.append(f"{what.exc_type.__name__}: {what.exc_value}")

    def _unhandled(self, _: object, context: dict[str, Any]) -> None:
        self.failures.append(f"{context['message']}: {context.get('exception')!r}")

    def _look(self, message: Message) -> None:
        """See a worker that failed, other than by a mistake of the user's."""
        if isinstance(message, Worker.StateChanged) and message.state is WorkerState.ERROR:
            error = message.worker.error
            if not isinstance(error, UsageError):
                told = "".join(traceback.format_exception(error))
                self.failures.append(f"worker {message.worker.group}: {told}")

    async def do(self, stroke: Stroke) -> None:
        """Do one thing, and see that it was taken in."""
        if self.strokes % 50 == 0:
            faulthandler.dump_traceback_later(2 * STUCK, exit=True, file=sys.__stderr__)
        self.last.append(stroke)
        self.strokes += 1
        self._count()
        began = time.perf_counter()
        self.lab.may_leave = stroke.leaves
        if stroke.size is not None:
            self.lab.terminal.resize(Size(*stroke.size))
            self.resizes += 1
        if b"/" in stroke.data:
            await self.settle()
        self.lab.incoming.feed(self._harmless(stroke.data))
        if stroke.settles or self.strokes % 50 == 0:
            await self.settle()
            self.slowest = max(self.slowest, time.perf_counter() - began)
        if stroke.waits:
            await self.wait_for("search", "default", "store", "history", "saving", "loading")
        if self.lab._exit or self._running.done():
            await self._close()
            await self._open()
        if self.failures:
            raise AssertionError(f"raised in the background: {'; '.join(self.failures)}")

    def _harmless(self, data: bytes) -> bytes:
        """Nothing is exported to another folder than the one of the test."""
        front = self.lab.screen
        if isinstance(front, PageScreen) and front.asked and front.asked.word == "export":
            return data.replace(b"/", b"").replace(b"~", b"")
        return data

    def _count(self) -> None:
        self.visits[self.front] += 1
        lazy = self.lab.lazy
        if lazy.is_started:
            self.training += lazy.session.is_training
        lab = self.lab.screen_stack[0] if self.lab.screen_stack else None
        if isinstance(lab, LabScreen):
            self.visits["searching"] += lab.search is not None
            self.visits["tour"] += lab.controller.lessons.guide is not None
            experiments = lab.controller.experiments
            running = experiments is not None and experiments.running is not None
            self.visits["experiment running"] += running

    @property
    def events(self) -> int:
        """Keys, mouse events, pastes and resizes so far."""
        return self.taken + self.lab.taken + self.resizes

    @property
    def front(self) -> str:
        """What the user looks at."""
        front = self.lab.screen
        if isinstance(front, LabScreen) and front.asked is None:
            return f"lab, {self.lab.lazy.mode.value}"
        if isinstance(front, PageScreen) and front.page is not None:
            return f"question, {front.asked.word}" if front.asked else front.page.name.lower()
        return type(front).__name__

    async def settle(self) -> None:
        """Wait until the app, its screens and all that is on them have nothing left to do."""
        try:
            async with asyncio.timeout(STUCK):
                while not self._running.done():
                    await self._answered([self.lab])
                    stack = list(self.lab.screen_stack)
                    await self._answered(stack)
                    pumps = [pump for screen in stack for pump in screen.walk_children()]
                    await self._answered(pumps)
                    is_quiet = not any(p.message_queue_size for p in (self.lab, *stack, *pumps))
                    if is_quiet and not self.lab.is_handling_input:
                        break
        except TimeoutError:
            raise Stuck(f"not taken in within {STUCK} s, before {self.front}") from None

    async def _answered(self, pumps: Iterable[MessagePump]) -> None:
        """Wait until each has come to a message of ours, or is gone."""
        waiting: set[MessagePump] = set()
        answered = asyncio.Event()

        def answer(pump: MessagePump) -> None:
            waiting.discard(pump)
            if not waiting:
                answered.set()

        for pump in pumps:
            if pump.call_later(answer, pump):
                waiting.add(pump)
        while waiting and not self._running.done():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(answered.wait(), 0.05)
            waiting.intersection_update(pump for pump in list(waiting) if pump.is_running)

    async def wait_for(self, *groups: str) -> None:
        """Wait for what these groups of workers do, but not for ever: the user would not either."""
        workers = [w for w in self.lab.workers if w.group in groups and not w.is_finished]
        tasks = [worker._task for worker in workers if worker._task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=IMPATIENCE)
        await self.settle()

    async def go_home(self) -> None:
        """Esc leads back to the lab from wherever this is, and the lab is painted as it should be.

        Raises:
            Stuck: it does not.
        """
        for _ in range(ENOUGH):
            await self.do(Stroke(ESCAPE))
        if not isinstance(self.lab.screen, LabScreen):
            raise Stuck(f"Esc does not lead back to the lab from {self.front}")
        if self.lab.screen.controller.lessons.guide is not None:
            await self.do(Stroke(b"T"))
        await self.do(Stroke(b"w"))
        await self.do(Stroke(size=(WINDOW[0] - 1, WINDOW[1])))
        await self._shown("WATCH", "board", "log", "stats", "home")

    async def _shown(self, *words: str) -> None:
        """Have everything painted by a resize, and wait until a terminal shows these words."""
        stream, text = self.sink.blank(), ""
        await self.do(Stroke(size=WINDOW))
        try:
            async with asyncio.timeout(STUCK):
                while not all(word in text for word in words):
                    await self.sink.changed.wait()
                    text = self.sink.drawn(stream)
        except TimeoutError:
            raise Stuck(f"back in the lab, of {words} some are missing:\n{text}") from None

    async def rest(self) -> None:
        """Come home, end all that goes on, and begin a run that has played nothing and is paused.

        Raises:
            Stuck: something does not end.
        """
        await self.go_home()
        lab = self.lab.screen
        assert isinstance(lab, LabScreen)
        if lab.controller.experiments is not None:
            lab.controller.experiments.stop()
        tasks = [worker._task for worker in self.lab.workers if worker._task is not None]
        if tasks and (await asyncio.wait(tasks, timeout=STUCK))[1]:
            raise Stuck(f"still at work: {list(self.lab.workers)}")
        typed = (CLEAR, b"td", ESCAPE, b"\t")
        for key in (b"o", *typed, *typed, CLEAR, b"7", b"\r"):
            await self.do(Stroke(key))
        settings = lab.session.settings
        if (str(settings.x), str(settings.o), settings.seed) != ("td", "td", 7):
            raise Stuck(f"no new run: {settings}, {self.front}")
        await self.do(Stroke(b"w", waits=True))
        if lab.session.is_running:
            await self.do(Stroke(b" "))
        if tooltips := [t for t in asyncio.all_tasks() if t.get_name() == TOOLTIP]:
            await asyncio.wait(tooltips, timeout=STUCK)
        await self.settle()
