"""What a block draws, what of it is marked as selected, and places of a run to draw."""

import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from made import run_of

from afterstate_lab.learners.tape.recording import Backup
from afterstate_lab.learners.tape.timeline import WRITE, Timeline
from afterstate_lab.tui.blocks.block import Block, Part, Quantity, pasted, placed
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.lab.microscope.choice import choice_of
from afterstate_lab.tui.lab.microscope.picture import Hero
from afterstate_lab.tui.lab.microscope.reading import Update, update_at
from afterstate_lab.tui.screens.paper import visible
from afterstate_lab.tui.theme.glyphs import UNICODE

PEN = Pen(UNICODE)
NUMBER = re.compile(r"[\d.,]*\d[\d.,]*")
MORE = re.compile(r"\d+ more")
"""Tells how many rows are left out."""


def framed(part: Part, columns: int, rows: int, pen: Pen = PEN) -> list[str]:
    """The lines of a block, or of several, in their frames."""
    lines = pasted(list(placed(part, columns, rows, pen)), rows, pen)
    return [visible(joined(line), pen.glyphs) for line in lines]


def numbers(lines: Sequence[str]) -> set[str]:
    return set(NUMBER.findall(MORE.sub("", "\n".join(lines))))


def cut_numbers(part: Part, *widths: int) -> Iterator[tuple[int, int, str]]:
    """What is drawn in rooms of these widths and is a part of a number that a large one shows."""
    whole = numbers(framed(part, 400, 100))
    for columns in widths:
        for rows in (6, 7, 9, 11, 24):
            for found in numbers(framed(part, columns, rows)) - whole:
                if any(found in other for other in whole):
                    yield columns, rows, found


def compare(found: str, kept: Path) -> None:
    """Compare a text with a file; with `AFTERSTATE_NEW_SNAPSHOTS=1` keep it there, to be read."""
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        kept.write_text(found, encoding="utf-8")
    assert found == kept.read_text(encoding="utf-8")


def picked(block: Block, columns: int = 118, rows: int = 28) -> list[str]:
    """The texts that are underlined."""
    pieces = (piece for line in block.draw(columns, rows, PEN) for piece in line)
    return [text for text, role in pieces if role.startswith("picked ")]


def lines_of(block: Block, columns: int = 118, rows: int = 28) -> list[str]:
    return ["".join(text for text, _ in line) for line in block.draw(columns, rows, PEN)]


def at_backup(x: str, phase: int = WRITE, games: int = 60, game: int = 30) -> Timeline:
    """A backup of X in the middle of a game against chance, at a phase."""
    timeline = Timeline(run_of(x, "random", games, 3))
    timeline.go_to(game)
    while not (
        isinstance(timeline.event, Backup)
        and timeline.event.ply >= 3
        and timeline.phase == phase
        and timeline.event.player == "X"
    ):
        assert timeline.step_phase()
    return timeline


@cache
def update_of(x: str, phase: int = WRITE) -> Update:
    return update_at(at_backup(x, phase))


def panes_at(x: str, chosen: Quantity | None = None) -> tuple[Block, ...]:
    u = update_of(x)
    return choice_of(u), Hero(update=u, chosen=chosen, rows=24, is_full=True)


def walk(x: str, o: str, games: int = 40, phases: int = 110) -> Iterator[Update]:
    """Go through the first games of a trained run, phase by phase."""
    timeline = Timeline(run_of(x, o, games, 3))
    timeline.go_to(3)
    timeline.seek(timeline.rows.start)
    for _ in range(phases):
        if not timeline.step_phase():
            return
        if (update := update_at(timeline)) is not None:
            yield update
