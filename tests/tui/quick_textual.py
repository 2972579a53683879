"""Textual without what costs time in tests alone: sleeping, and parsing the same styles again."""

import asyncio
from math import inf
from typing import Any

from textual._context import active_app
from textual._wait import SLEEP_GRANULARITY, wait_for_idle
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

SOON = 0.005
"""What is due so soon is waited for even where a busy machine took longer than Textual sleeps."""
_parse = Stylesheet._parse_rules
_parsed: dict[Any, list[RuleSet]] = {}


async def idle(min_sleep: float = SLEEP_GRANULARITY, max_sleep: float = 1.0) -> None:
    """Textual's `wait_for_idle`, which sleeps 20 ms at a time, 40 ms a key, and so does not.

    Only callbacks that are ready, timers that run out and threads that end change an app. So this
    runs all that is ready, waits for the timers that Textual would have slept past, and leaves an
    app with something in the background to Textual.
    """
    loop: Any = asyncio.get_running_loop()
    begun = loop.time()
    until = begun + max(min_sleep, SLEEP_GRANULARITY)
    while loop.time() < begun + 5 * max_sleep:
        await asyncio.sleep(0)
        if loop._ready:
            continue
        app: Any = active_app.get()
        if any(screen.pending for screen in app.screen_stack if hasattr(screen, "pending")):
            await wait_for_idle(min_sleep, max_sleep)
            return
        due = [timer.when() for timer in loop._scheduled if not timer.cancelled()]
        if min(due, default=inf) >= max(until, loop.time() + SOON):
            return
        await asyncio.sleep(min(due) - loop.time())


def parse_rules_once(sheet: Stylesheet, *source: Any, **options: Any) -> list[RuleSet]:
    """`Stylesheet._parse_rules`, once for all apps of the process that have the same colours."""
    key = source, tuple(options.items()), frozenset(sheet._variables.items())
    if key not in _parsed:
        _parsed[key] = _parse(sheet, *source, **options)
    return _parsed[key]
