"""Any page in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from afterstate_lab.tui.blocks import Block, Cells, Log, Table, joined, spoken
from afterstate_lab.tui.lab.outcomes import sentence
from afterstate_lab.tui.pages.page import Page

ROWS: Final = 5
"""Rows of a table that are printed at a time."""
LATEST: Final = 12
"""Lines of the log that are news at most."""
Said = list[tuple[str, ...]]
"""The fields of a title, then paragraphs: a board is one, of other blocks each sentence."""


def say(page: Page) -> Iterator[str]:
    """Yield a whole page in sentences."""
    return news(told(page, asked=True), [])


def told(page: Page, *, asked: bool = False) -> Said:
    """Return what a page says, with the blocks that are read out only when asked for, or without.

    Args:
        page: the page.
        asked: whether the user asked for the whole page.
    """
    fields = [page.name.lower(), *(f"{label} {value}" for label, value in page.title)]
    right = joined(page.right).strip("‖▶ ")
    blocks = [block for block in page.blocks if asked or not block.is_asked]
    found = [tuple(field for field in (*fields, right) if field)]
    for block in blocks:
        latest = None
        if isinstance(block, Log) and not asked:
            block, latest = replace(block, lines=block.lines[block.earlier :]), -LATEST
        head = ", ".join(text for text in (joined(block.title), joined(block.right)) if text)
        lines = [sentence(spoken(head.replace("?,", "?")))] * (head not in ("", page.name.lower()))
        if isinstance(block, Table):
            found += [*((line,) for line in lines), tuple(said(block))]
            continue
        lines += said(block)
        found += (
            [tuple(lines)] if isinstance(block, Cells) else [(line,) for line in lines][latest:]
        )
    return [*found, *[(sentence(page.note),)] * bool(page.note)]


def news(now: Said, before: Said) -> Iterator[str]:
    """Yield what a page says now and did not say before."""
    fields = [field for field in now[0] if not before or field not in before[0]]
    if fields:
        yield sentence(spoken(", ".join(fields)))
    known = Counter(before[1:])
    for paragraph in now[1:]:
        known[paragraph] -= 1
        if known[paragraph] < 0:
            yield from filter(None, paragraph)


def said(block: Block, start: int = 0) -> Iterator[str]:
    """Yield a block in sentences, of a table a few rows."""
    if not isinstance(block, Table) or block.window is None or block.message:
        yield from block.say()
        return
    end = min(start + ROWS, block.count)
    yield from (f"{n + 1}. {block.said(n)}" for n in range(start, end))
    if end < block.count:
        yield f"{block.count - end:,} more: m shows them."
