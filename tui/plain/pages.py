"""A page in sentences, and its commands in words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.blocks.block import Block
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.blocks.table import Table
from afterstate_lab.tui.lab.outcomes import Copy, Key, Open, Running, Work, sentence
from afterstate_lab.tui.pages.page import Leave, Page

ROWS = 5
"""Rows of a table that are printed at a time."""


def say(page: Page, start: int = 0) -> Iterator[str]:
    """Yield a page in sentences, its tables from row `start`."""
    title = " ".join(f"{label} {value}" for label, value in page.title)
    yield sentence(spoken(f"{page.name.lower()}: {title} {joined(page.right)}").rstrip(": "))
    for block in (block for block in page.blocks if not block.is_silent):
        head = ", ".join(text for text in (joined(block.title), joined(block.right)) if text)
        head = head.replace("?,", "?")
        if head and head != page.name.lower():
            yield sentence(spoken(head))
        yield from said(block, start)
    if page.note:
        yield sentence(page.note)
    words = [f"{key.word} {'...' if key.asks else ''}".strip() for key in page.keys if key.word]
    chooses = "; a number chooses a row" if page.window is not None else ""
    yield f"You can say {', '.join(words)}{chooses}."


def said(block: Block, start: int = 0) -> Iterator[str]:
    """Yield a block in sentences, of a table a few rows."""
    if not isinstance(block, Table) or block.message:
        yield from block.say()
        return
    end = min(start + ROWS, block.count)
    yield from (f"{n + 1}. {block.said(n)}" for n in range(start, end))
    if end < block.count:
        yield f"{block.count - end:,} more: m shows them."


class Reader:
    """A page in plain mode: takes a line, returns sentences.

    Args:
        make: makes the page of the current state.
        tell: prints progress while something is still running.
    """

    def __init__(self, make: Callable[[], Page], tell: Callable[[str], None]) -> None:
        self.make, self.tell = make, tell
        self.asked: Key | None = None
        """The key that waits for an answer."""
        self.behind: list[Callable[[], Page]] = []
        """The pages to go back to."""
        self.start = 0
        self.left: Leave | None = None
        """The answer of the page, once it was left."""
        self._before: set[str] = set()

    def begin(self) -> list[str]:
        """Return the whole page, after its work."""
        return [*self.finish(), *say(self.make())]

    def do(self, line: str) -> list[str] | None:
        """Do what a line asks for; return the reply, or None for an unknown word."""
        page, text = self.make(), " ".join(line.split())
        self._before = set(say(page))
        key, self.asked = self.asked, None
        try:
            if key is not None:
                return self.take(key.do(text))
            if text in ("", "m", "more"):
                self.start = self.start + ROWS if text else 0
                return list(say(page, self.start)) if not text else self._rows(page)
            if text.isdecimal() and page.window is not None:
                self._choose(page, text)
                return [self._chosen(self.make())]
            return self._word(page, text)
        except UsageError as error:
            return [sentence(error)]

    def _rows(self, page: Page) -> list[str]:
        blocks = [block for block in page.blocks if isinstance(block, Table)]
        rows = [
            line for block in blocks for line in said(block, self.start) if self.start < block.count
        ]
        return rows or ["The list has no more rows."]

    def _choose(self, page: Page, number: str) -> None:
        window = page.window
        assert window is not None
        if not 0 < int(number[:9]) <= window.count:
            raise UsageError(f"choose a row from 1 to {window.count:,}")
        window.cursor = int(number) - 1

    def _word(self, page: Page, text: str) -> list[str] | None:
        found = [key for key in page.keys if key.word and f"{text} ".startswith(f"{key.word} ")]
        key = max(found, key=lambda key: len(key.word), default=None)
        if key is None:
            return None
        rest = text[len(key.word) :].strip()
        if rest.isdecimal() and not key.asks and page.window is not None:
            self._choose(page, rest)
        elif rest and not key.asks:
            return None
        if key.asks and not rest:
            self.asked = key
            return [f"{sentence(key.word)} {sentence(key.asks)}"]
        return self.take(key.do(rest) if key.asks else key.do())

    def take(self, outcome: Any) -> list[str]:
        """Return the reply to an outcome."""
        if isinstance(outcome, Leave):
            if not self.behind:
                self.left = outcome
                return []
            self.make = self.behind.pop()
            return list(say(self.make()))
        if isinstance(outcome, Open):
            self.left = Leave(outcome)
            return []
        if isinstance(outcome, Copy):
            return [outcome.text]
        if isinstance(outcome, str):
            return [sentence(outcome)] if outcome else self._news()
        if isinstance(outcome, Key):
            self.asked = outcome
            return [sentence(outcome.asks)]
        if isinstance(outcome, Work):
            return self.take(outcome.taken(outcome.do(Running(outcome))))
        if callable(outcome):
            self.behind.append(self.make)
            self.make, self.start = outcome, 0
            return self.begin()
        return [*self.finish(), *self._news()]

    def _news(self) -> list[str]:
        """Return the page's sentences that the previous page did not have."""
        news = [one for one in say(self.make()) if one not in self._before]
        return news or ["Nothing changed."]

    def finish(self) -> list[str]:
        """Wait for the page's work, and report progress; return its result."""
        told, said = "", []
        while (work := self.make().work) is not None:
            time.sleep(work.after)
            outcome = work.taken(work.do(Running(work)))
            said = [sentence(outcome)] if isinstance(outcome, str) and outcome else []
            if (now := joined(self.make().right)) != told and now:
                told = now
                self.tell(sentence(spoken(now)))
        return said

    def _chosen(self, page: Page) -> str:
        block = next(block for block in page.blocks if block.window is not None)
        window = block.window
        assert window is not None
        return next(islice(block.say(), window.cursor, None))
