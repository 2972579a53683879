"""Save pictures of the lab as an asciinema cast or an animated SVG.

The SVG is one file, animated by SMIL, without scripts and fonts. Each word is in it once for as
long as successive frames show it. A viewer that does not animate shows the last frame. The cast is
of version 2: https://docs.asciinema.org/manual/asciicast/v2/
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from rich.segment import Segment
from rich.style import Style

from afterstate_lab.tui.terminal.picture import PictureStream

DIMMED = 0.6
"""Share of a dim text's own colour."""
WIDTH, HEIGHT = 8, 16
BASELINE = 12
"""Distance of the baseline from the top of a cell."""
FONT = "13.75px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
"""The size at which box lines meet: these fonts are 1.16 times as high as their size."""
ROUND = 6
"""Radius of the picture's corners."""
WORDS = re.compile(r"\S+(?: \S+)*")
BEGIN = "\x1b[?25l\x1b[2J"
"""Hides the cursor and clears the screen."""

Rgb = tuple[int, ...]


class Ink(NamedTuple):
    """The style of a text."""

    fore: Rgb
    back: Rgb
    bold: bool = False
    underline: bool = False


class Mark(NamedTuple):
    """Adjacent cells of a row in one ink."""

    row: int
    column: int
    text: str
    ink: Ink


class Shot(NamedTuple):
    """A whole screen, and when it appears."""

    begins: float
    """Seconds since the first frame."""
    marks: tuple[Mark, ...]
    said: tuple[str, ...] = ()
    """The picture in sentences."""
    question: tuple[str, str] | None = None
    """The question that stops the film here, and its answer."""


@dataclass(frozen=True)
class Footage:
    """The frames of a film."""

    title: str
    size: tuple[int, int]
    ground: Ink
    """The default text colour and background."""
    shots: tuple[Shot, ...]
    seconds: float
    """When the last frame ends."""


def shot_of(begins: float, lines: Iterable[Iterable[Segment]], ground: Style, *more: Any) -> Shot:
    """Return a picture of painted lines, with adjacent cells of one ink as one mark."""
    marks: list[Mark] = []
    for row, line in enumerate(lines):
        column = 0
        for text, style, _ in (one for one in line if one.text and not one.control):
            ink = ink_of(ground + style if style else ground)
            if column and marks[-1].ink == ink:
                marks[-1] = marks[-1]._replace(text=marks[-1].text + text)
            else:
                marks.append(Mark(row, column, text, ink))
            column += len(text)
    return Shot(begins, tuple(marks), *more)


@lru_cache(4096)
def ink_of(style: Style) -> Ink:
    """Return the colours of a style that has both."""
    assert style.color is not None
    assert style.bgcolor is not None
    fore, back = (tuple(one.get_truecolor()) for one in (style.color, style.bgcolor))
    if style.reverse:
        fore, back = back, fore
    if style.dim:
        pairs = zip(fore, back, strict=True)
        fore = tuple(round(DIMMED * own + (1 - DIMMED) * behind) for own, behind in pairs)
    return Ink(fore, back, bool(style.bold), bool(style.underline))


def cast(footage: Footage) -> str:
    """Return the film as a cast that contains only changed cells."""
    columns, rows = footage.size
    header = {
        "version": 2, "width": columns, "height": rows, "title": footage.title,
        "env": {"TERM": "xterm-256color"},
    }  # fmt: skip
    stream = PictureStream(columns, rows)
    sent = [(shot.begins, stream.rewrite(painted(shot))) for shot in footage.shots]
    events = [(0.0, BEGIN), *sent, (footage.seconds, "")]
    lines = [header, *([round(begins, 3), "o", text] for begins, text in events)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def painted(shot: Shot) -> str:
    """Return the terminal output of a whole picture, in true colours."""
    return "".join(
        f"\x1b[{row + 1};{column + 1}H\x1b[0{';1' * ink.bold}{';4' * ink.underline}"
        f";38;2;{';'.join(map(str, ink.fore))};48;2;{';'.join(map(str, ink.back))}m{text}"
        for row, column, text, ink in shot.marks
    )


def animation(footage: Footage) -> str:
    """Return the film as an SVG that repeats forever."""
    width, height = WIDTH * footage.size[0], HEIGHT * footage.size[1]
    ground = footage.ground.back
    classes: dict[str, str] = {}
    layers = [
        timed("".join(drawn(mark, ground, classes) for mark in sorted(marks)), *lifetime, footage)
        for lifetime, marks in sorted(lifetimes(footage).items())
    ]
    css = "".join(f".{name}{{{rules}}}" for rules, name in classes.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{escape(footage.title)}</title>"
        f"<style>text{{font:{FONT};white-space:pre}}{css}</style>"
        f'<rect width="{width}" height="{height}" rx="{ROUND}" fill="{hexed(ground)}"/>'
        f"{''.join(layers)}</svg>\n"
    )


def lifetimes(footage: Footage) -> dict[tuple[int, int], list[Mark]]:
    """Return the marks by their first frame and the first frame without them."""
    alive: dict[Mark, int] = {}
    found: dict[tuple[int, int], list[Mark]] = defaultdict(list)
    for number, marks in enumerate((*(shot.marks for shot in footage.shots), ())):
        now = dict.fromkeys(marks, number)
        for mark in alive.keys() - now.keys():
            found[alive[mark], number].append(mark)
        alive = now | {mark: first for mark, first in alive.items() if mark in now}
    return found


def drawn(mark: Mark, ground: Rgb, classes: dict[str, str]) -> str:
    """Return a mark's background and words, stretched to their cells in any font."""
    row, column, text, ink = mark

    def styled(rules: str) -> str:
        return classes.setdefault(rules, f"a{len(classes)}")

    name = styled(rules_of(ink, "fill"))
    parts = []
    if ink.back != ground:
        parts.append(
            f'<path class="{styled(f"fill:{hexed(ink.back)}")}" d="M{column * WIDTH} '
            f'{row * HEIGHT}h{len(text) * WIDTH}v{HEIGHT}h-{len(text) * WIDTH}z"/>'
        )
    for word in WORDS.finditer(text):
        adjusted = "" if word[0].isascii() else ' lengthAdjust="spacingAndGlyphs"'
        parts.append(
            f'<text class="{name}" x="{(column + word.start()) * WIDTH}" '
            f'y="{row * HEIGHT + BASELINE}" textLength="{len(word[0]) * WIDTH}"{adjusted}>'
            f"{escape(word[0])}</text>"
        )
    return "".join(parts)


def rules_of(ink: Ink, paint: str) -> str:
    """Return the CSS of a text, painted by this property."""
    bold, line = ";font-weight:bold" * ink.bold, ";text-decoration:underline" * ink.underline
    return f"{paint}:{hexed(ink.fore)}{bold}{line}"


def timed(content: str, first: int, end: int, footage: Footage) -> str:
    """Return content that is visible from one frame until another."""
    last = len(footage.shots)
    if (first, end) == (0, last) or not content:
        return content
    changes = [(0.0, "hidden")] if first else []
    changes.append((footage.shots[first].begins, "visible"))
    if end < last:
        changes.append((footage.shots[end].begins, "hidden"))
    values = ";".join(value for _, value in changes)
    times = ";".join(f"{time / footage.seconds:.4g}" for time, _ in changes)
    hidden = ' visibility="hidden"' * (end < last)
    return (
        f'<g{hidden}>{content}<animate attributeName="visibility" values="{values}" '
        f'keyTimes="{times}" calcMode="discrete" dur="{footage.seconds:g}s" '
        'repeatCount="indefinite"/></g>'
    )


def hexed(colour: Rgb) -> str:
    return f"#{bytes(colour).hex()}"
