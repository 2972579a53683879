"""Make the pictures of the documentation from the program itself.

`python docs/stills.py` makes them anew, `--check` compares them with what the program shows now.
Training has a clock that counts instead of measuring, and a turned knob waits for all of its
seeds, so that every machine makes the same.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import re
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir
from html import escape
from multiprocessing import get_context
from pathlib import Path

from click.testing import CliRunner
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.training import Training
from afterstate_lab.tui.cli.film import (
    POLL_SECONDS,
    FilmedLab,
    Row,
    numbers,
    painted,
    settled,
)
from afterstate_lab.tui.cli.group import afterstate
from afterstate_lab.tui.pages import turn
from afterstate_lab.tui.theme.palette import DARK

HERE = Path(__file__).parent
SIZE = 80, 24
WIDE, HIGH = 8, 16
"""Pixels of a character."""
LOOKS = {
    "start": "",
    "step": "t 6 0 enter s",
    "train": "t 1 0 0 k enter",
    "map": "t 1 0 0 k enter : m a p enter down down down",
    "turn": "t 2 0 0 0 0 enter : t u r n space a l p h a enter right",
    "lessons": "T",
}
"""The keys of a fresh lab that lead to each picture; what a key begins is over before the next."""
FONT = "font:13.75px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre"
TICK = 1e-3
"""Seconds between two looks at the clock of a training run."""
JUDGED = 15
"""Lines of the verdict on an agent."""


async def look(keys: str) -> list[Row]:
    """Return the lab after these keys."""
    td = PlayerSpec.parse("td")
    lab = FilmedLab(td, td, 5, at_home=True)
    async with lab.run_test(size=SIZE) as pilot:
        for key in ["", *keys.split()]:
            if key:
                await pilot.press("colon" if key == ":" else key)
            while lab.controller.is_started and lab.session.is_training:
                await asyncio.sleep(POLL_SECONDS)
            await settled(lab, pilot)
            while lab.lab_screen.page.work is not None:
                await settled(lab, pilot)
        return [painted(line) for line in lab.lab_screen.paper.lines]


def verdict() -> list[Row]:
    """Return what `judge` prints about the agent of its page."""
    page = (HERE / "judge.md").read_text(encoding="utf-8")
    (agent,) = re.findall(r"^```python\n(# agent\.py\n.*?)^```$", page, re.M | re.S)
    words = ["judge", "agent.py:move", "--as", "O"]
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path("agent.py").write_text(agent, encoding="utf-8")
        told = CliRunner().invoke(afterstate, words).output.splitlines()[:JUDGED]
    lines = ["", f"$ afterstate {' '.join(words)}", *told, "  …", ""]
    return [painted([Segment(f" {line} ")]) for line in lines]


def fill_of(ink: Style) -> str:
    """Return the CSS of a text."""
    bold, line = ";font-weight:bold" * bool(ink.bold), ";text-decoration:underline"
    return f"fill:{ink.color.name}{bold}{line * bool(ink.underline)}"


def svg(rows: list[Row], title: str) -> str:
    """Return a picture, with adjacent cells of one style as one text."""
    inks, ground = numbers(), Style(bgcolor=DARK.ground.bgcolor)
    width = WIDE * max(sum(len(text) for text, _ in row) for row in rows)
    height = HIGH * len(rows)
    grounds, texts = [], []
    for y, row in zip(range(0, height, HIGH), rows, strict=True):
        x = 0
        for text, style in row:
            length = WIDE * cell_len(text)
            if style.bgcolor != ground.bgcolor:
                place = f'x="{x}" y="{y}" width="{length}" height="{HIGH}"'
                grounds.append(f'<rect {place} fill="{style.bgcolor.name}"/>')
            if text.strip():
                number = inks[style + ground]
                place = f'class="a{number}" x="{x}" y="{y + 12}" textLength="{length}"'
                texts.append(f'<text {place} lengthAdjust="spacingAndGlyphs">{escape(text)}</text>')
            x += WIDE * len(text)
    rules = "".join(f".a{n}{{{fill_of(ink)}}}" for ink, n in inks.items())
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(title)}</title><style>text{{{FONT}}}{rules}</style>",
            f'<rect width="{width}" height="{height}" rx="6" fill="{ground.bgcolor.name}"/>',
            *grounds,
            *texts,
            "</svg>\n",
        ]
    )


def made(name: str) -> str:
    """Return a picture of the program."""
    ticks = itertools.count()
    (Training.__init__.__kwdefaults__ or {})["clock"] = lambda: TICK * next(ticks)
    turn.SECONDS = math.inf  # all seeds play, however slow the machine
    rows = verdict() if name == "judge" else asyncio.run(look(LOOKS[name]))
    return svg(rows, f"Afterstate: {name}")


def main(check: bool) -> int:
    """Make or compare every picture, one a process; return how many differ."""
    differ, names = 0, (*LOOKS, "judge")
    with ProcessPoolExecutor(4, get_context("spawn"), max_tasks_per_child=1) as pool:
        pictures = [*pool.map(made, names)]
    for name, picture in zip(names, pictures, strict=True):
        path = HERE / f"{name}.svg"
        if not check:
            path.write_text(picture, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != picture:
            print(f"{path.name} is not what the program shows: run docs/stills.py and look at it")
            differ += 1
    return differ


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv))
