"""Save pictures of the lab as an asciinema cast or an animated SVG.

The SVG is one file, animated by SMIL, without scripts and fonts. Each word is in it once for as
long as successive frames show it. A viewer that does not animate shows the last frame. The cast is
of version 2: https://docs.asciinema.org/manual/asciicast/v2/
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from rich.color import ColorSystem
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


class Piece(NamedTuple):
    """Adjacent cells of a row in one style."""

    row: int
    column: int
    text: str
    style: Style


class Mark(NamedTuple):
    """A text in its colours, at a place in the SVG."""

    row: int
    column: int
    text: str
    ink: Ink


class Shot(NamedTuple):
    """A whole screen, and when it appears."""

    begins: float
    """Seconds since the first frame."""
    pieces: tuple[Piece, ...]
    said: tuple[str, ...] = ()
    """The picture in sentences."""
    question: tuple[str, str] | None = None
    """The question that stops the film here, and its answer."""


@dataclass(frozen=True)
class Footage:
    """The frames of a film."""

    title: str
    size: tuple[int, int]
    ground: Style
    """The default text colour and background."""
    shots: tuple[Shot, ...]
    seconds: float
    """When the last frame ends."""


def shot_of(begins: float, lines: Iterable[Sequence[Segment]], *more: Any) -> Shot:
    """Return a picture of painted lines, with adjacent cells of one style as one piece."""
    pieces: list[Piece] = []
    for row, line in enumerate(lines):
        column = 0
        for text, style, _ in Segment.simplify(s for s in line if s.text and not s.control):
            pieces.append(Piece(row, column, text, style or Style.null()))
            column += len(text)
    return Shot(begins, tuple(pieces), *more)


def cast(footage: Footage) -> str:
    """Return the film as a cast that contains only changed cells."""
    columns, rows = footage.size
    header = {
        "version": 2, "width": columns, "height": rows, "title": footage.title,
        "env": {"TERM": "xterm-256color"},
    }  # fmt: skip
    stream = PictureStream(columns, rows)
    sent = [(shot.begins, stream.rewrite(painted(shot, footage.ground))) for shot in footage.shots]
    events = [(0.0, BEGIN), *sent, (footage.seconds, "")]
    lines = [header, *([round(begins, 3), "o", text] for begins, text in events)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def painted(shot: Shot, ground: Style) -> str:
    """Return the terminal output of a whole picture, in true colours."""
    return "".join(
        f"\x1b[{row + 1};{column + 1}H"
        + (ground + style).render(text, color_system=ColorSystem.TRUECOLOR)
        for row, column, text, style in shot.pieces
    )


def animation(footage: Footage) -> str:
    """Return the film as an SVG that repeats forever."""
    width, height = WIDTH * footage.size[0], HEIGHT * footage.size[1]
    ground = ink_of(footage.ground, footage.ground).back
    classes: dict[str, str] = {}
    layers = [
        timed("".join(drawn(mark, ground, classes) for mark in sorted(marks)), *lifetime, footage)
        for lifetime, marks in sorted(lifetimes(footage, ground).items())
    ]
    css = "".join(f".{name}{{{rules}}}" for rules, name in classes.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{escape(footage.title)}</title>"
        f"<style>text{{font:{FONT};white-space:pre}}{css}</style>"
        f'<rect width="{width}" height="{height}" rx="{ROUND}" fill="{hexed(ground)}"/>'
        f"{''.join(layers)}</svg>\n"
    )


@lru_cache(4096)
def ink_of(style: Style, ground: Style) -> Ink:
    """Return the colours of a style over a ground that has both."""
    style = ground + style
    assert style.color is not None
    assert style.bgcolor is not None
    fore, back = (tuple(one.get_truecolor()) for one in (style.color, style.bgcolor))
    if style.reverse:
        fore, back = back, fore
    if style.dim:
        pairs = zip(fore, back, strict=True)
        fore = tuple(round(DIMMED * own + (1 - DIMMED) * behind) for own, behind in pairs)
    return Ink(fore, back, bool(style.bold), bool(style.underline))


def lifetimes(footage: Footage, ground: Rgb) -> dict[tuple[int, int], list[Mark]]:
    """Return the marks by their first frame and the first frame without them."""
    alive: dict[Mark, int] = {}
    found: dict[tuple[int, int], list[Mark]] = defaultdict(list)
    for number, pieces in enumerate((*(shot.pieces for shot in footage.shots), ())):
        now = dict.fromkeys(marks_of(pieces, footage.ground, ground), number)
        for mark in alive.keys() - now.keys():
            found[alive[mark], number].append(mark)
        alive = now | {mark: first for mark, first in alive.items() if mark in now}
    return found


def marks_of(pieces: Iterable[Piece], style: Style, ground: Rgb) -> Iterator[Mark]:
    """Yield the marks of a picture: words, and whole pieces if they have a background."""
    for row, column, text, own in pieces:
        ink = ink_of(own, style)
        if ink.back != ground:
            yield Mark(row, column, text, ink)
        else:
            for word in WORDS.finditer(text):
                yield Mark(row, column + word.start(), word[0], ink)


def drawn(mark: Mark, ground: Rgb, classes: dict[str, str]) -> str:
    """Return a mark's background and words, stretched to their cells in any font."""
    row, column, text, ink = mark

    def styled(rules: str) -> str:
        return classes.setdefault(rules, f"a{len(classes)}")

    rules = f"fill:{hexed(ink.fore)}{';font-weight:bold' * ink.bold}"
    name = styled(f"{rules}{';text-decoration:underline' * ink.underline}")
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
    return "#" + "".join(f"{part:02x}" for part in colour)
