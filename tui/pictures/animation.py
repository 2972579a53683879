"""An animated SVG: one file, moved by SMIL, without scripts and without fonts of its own.

Each word is in it once for as long as successive pictures show it. A viewer that does not animate
shows the last picture.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from afterstate_lab.tui.pictures.frames import Footage, Ink, Rgb

WIDTH, HEIGHT = 8, 16
"""A cell."""
BASELINE = 12
"""Below the top of a cell."""
FONT = "13.75px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
"""So large that the lines of a frame meet: these fonts are 1.16 times as high as their size."""
ROUND = 6
"""Radius of the picture's corners."""
WORDS = re.compile(r"\S+(?: \S+)*")


class Mark(NamedTuple):
    """A text in its colours somewhere in the picture."""

    row: int
    column: int
    text: str
    ink: Ink


def animation(footage: Footage) -> str:
    """The film as an SVG that repeats forever."""
    width, height = WIDTH * footage.size[0], HEIGHT * footage.size[1]
    ground = footage.ink(footage.ground).back
    classes: dict[str, str] = {}
    layers = [
        timed("".join(drawn(mark, ground, classes) for mark in marks), *lifetime, footage)
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


def lifetimes(footage: Footage, ground: Rgb) -> dict[tuple[int, int], list[Mark]]:
    """The marks by the first picture that has them and the first after it that does not."""
    alive: dict[Mark, int] = {}
    found: dict[tuple[int, int], list[Mark]] = defaultdict(list)
    for number in range(len(footage.shots) + 1):
        now = dict.fromkeys(marks(footage, number, ground), number)
        for mark in alive.keys() - now.keys():
            found[alive[mark], number].append(mark)
        alive = now | {mark: first for mark, first in alive.items() if mark in now}
    for same in found.values():
        same.sort()
    return found


def marks(footage: Footage, number: int, ground: Rgb) -> Iterator[Mark]:
    """What a picture shows: words, and whole pieces where they have a background."""
    for row, pieces in enumerate(footage.shots[number].rows if number < len(footage.shots) else ()):
        for column, text, style in pieces:
            ink = footage.ink(style)
            if ink.back != ground:
                yield Mark(row, column, text, ink)
                continue
            for word in WORDS.finditer(text):
                yield Mark(row, column + word.start(), word[0], ink)


def drawn(mark: Mark, ground: Rgb, classes: dict[str, str]) -> str:
    """A mark's background and words; as wide as their cells in any font."""
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
    """Content that is visible from one picture until another."""
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
