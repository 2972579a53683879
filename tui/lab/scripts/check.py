"""Check a lesson by going through it: `--check`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Generator
from typing import Final

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.scripts.guide import Lessons, by_keys
from afterstate_lab.tui.lab.scripts.script import CLAIM, LIVE, MARK, check_holds
from afterstate_lab.tui.theme.glyphs import ASCII

CARD: Final = 56
"""Columns inside the card of the smallest terminal, for two lines of text."""
TEXT_ROWS: Final = 2
NAMED: Final = re.compile(r"(?:S&B|Section|Chapter|Figure|[Ee]xercise) [0-9.]+")
"""A reference to the book, whose number is not a claim."""
DIGITS: Final = re.compile(r"(?<![\w.])[−-]?(?:[0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+)", re.ASCII)
MOST_TYPED: Final = 60
"""Maximum number of times to repeat a step's last verb."""


def walk(lab: LabController) -> Generator[str, object]:
    """Yield what to type, or which keys to press, to go through a lesson.

    Each step is checked at its start, and must be done after its verbs.
    """
    lesson = lab.lessons.lesson
    for number, step in enumerate(lesson.steps):
        kind = "@"
        try:
            if lab.lessons.since is None and step.address is not None:
                opened = open_address(step.address)
                assert opened is not None
                lab.resume(opened)
            for kind in step.claims:
                check_holds(kind, lab.session)
            claimed = {found[3] for claim in step.claims if (found := CLAIM.fullmatch(claim))}
            kind = ""
            check_text(lab.lessons, step.text, TEXT_ROWS, CARD, claimed)
            kind = "?" if step.question else ">"
            check_text(lab.lessons, step.to_do, 1, CARD - 2, claimed)
        except UsageError as error:
            raise lesson.error(step.lines.get(kind, step.lines["=="]), error) from None
        if step is lesson.steps[-1]:
            return
        verbs = [verb for verb, _ in step.solution or step.verbs] or ["tour next"]
        if step.question is not None:
            verbs = [f"answer {lab.lessons.filled(step.question[1])}"]
        for verb in (*verbs, *[verbs[-1]] * MOST_TYPED):
            if lab.lessons.number == number:
                yield verb
        if lab.lessons.number == number:
            why = f"{step.condition} is not met by {' and '.join(verbs)}"
            raise lesson.error(step.lines.get("until:", step.lines["=="]), why)


def check_text(lessons: Lessons, text: str, most: int, columns: int, claimed: set[str]) -> None:
    """Check that a text fits the card, and that its numbers are claimed."""
    shown = ASCII.text(by_keys(lessons.filled(text)))
    rows = len(textwrap.wrap(shown, columns, break_on_hyphens=False))
    if rows > most:
        raise UsageError(
            f"it takes {rows} lines of {columns} characters; the card has room for {most}"
        )
    said = " ".join(text.split(MARK)[::2])
    for found in DIGITS.finditer(LIVE.sub("", NAMED.sub("", said))):
        number = found[0].rstrip(",")
        if not {number, number.replace(",", "")} & claimed:
            raise UsageError(f"it names {number}, but no claim covers it")
