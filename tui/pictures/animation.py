"""An animated SVG: one file, moved by SMIL, without scripts and without fonts of its own.

What pictures have in common is there once: each word of a row is shown as long as pictures have it,
and words of the same time share an animation. A viewer that moves nothing shows the last picture.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from tui.pictures.shapes import HEIGHT, WIDTH, box, shapes

if TYPE_CHECKING:
    from tui.pictures.frames import Footage, Ink, Piece, Rgb
    from tui.pictures.shapes import Polygon

FONT_SIZE = 13.3
BASELINE = 12
"""Below the top of a cell."""
FONTS = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
ROUND = 6
"""How far the corners of the picture are rounded."""

Lifetime = tuple[int, int]
"""The first picture that has something, and the first after it that has it no more."""


class DrawnText(NamedTuple):
    """Something drawn in a row."""

    row: int
    column: int
    text: str
    ink: Ink


def animation(footage: Footage) -> str:
    """The film as an SVG that repeats for ever."""
    columns, rows = footage.size
    width, height = WIDTH * columns, HEIGHT * rows
    ground = footage.ink(footage.ground).back
    styles = StyleClasses()
    found = sorted(lifetimes(footage).items())
    layers = [
        layer(drawn, lifetime, footage)
        for draw in (backgrounds, foregrounds)
        for lifetime, marks in found
        if (drawn := "".join(draw(marks, styles)))
    ]
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(footage.title)}</title>",
            f"<style>text{{font:{FONT_SIZE}px {FONTS};white-space:pre}}{styles.css}</style>",
            f'<rect width="{width}" height="{height}" rx="{ROUND}" fill="{hexed(ground)}"/>',
            *layers,
            "</svg>\n",
        ]
    )


class StyleClasses:
    """The classes of an SVG, made as they are needed."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, rules: str) -> str:
        """The class that has these rules."""
        return self._names.setdefault(rules, f"a{len(self._names)}")

    @property
    def css(self) -> str:
        """All of them."""
        return "".join(f".{name}{{{rules}}}" for rules, name in self._names.items())


def lifetimes(footage: Footage) -> dict[Lifetime, list[DrawnText]]:
    """What is drawn, by the pictures that have it."""
    alive: dict[DrawnText, int] = {}
    found: dict[Lifetime, list[DrawnText]] = defaultdict(list)
    for number, shot in enumerate(footage.shots):
        now = {
            mark: alive.get(mark, number)
            for row, pieces in enumerate(shot.rows)
            for piece in pieces
            for mark in marks_of(row, piece, footage)
        }
        for mark, first in alive.items():
            if mark not in now:
                found[first, number].append(mark)
        alive = now
    for mark, first in alive.items():
        found[first, len(footage.shots)].append(mark)
    return found


def marks_of(row: int, piece: Piece, footage: Footage) -> Iterator[DrawnText]:
    """The marks of a piece: its background, its words, and each row of equal shapes."""
    ink = footage.ink(piece.style)
    if ink.back != footage.ink(footage.ground).back:
        yield DrawnText(row, piece.column, " " * len(piece.text), ink._replace(fore=ink.back))
    for column, text in parts(piece):
        yield DrawnText(row, column, text, ink._replace(back=(0, 0, 0)))


def parts(piece: Piece) -> Iterator[tuple[int, str]]:
    """The words of a piece with their columns, and its runs of one shape."""
    begins, text = 0, piece.text
    while begins < len(text):
        first = text[begins]
        end = begins + 1
        if first == " ":
            begins = end
            continue
        if shapes(first) is not None:
            while end < len(text) and text[end] == first:
                end += 1
        else:
            while end < len(text) and shapes(text[end]) is None and text[end - 1 : end + 1] != "  ":
                end += 1
        yield piece.column + begins, text[begins:end].rstrip()
        begins = end


def layer(drawn: str, lifetime: Lifetime, footage: Footage) -> str:
    """What is drawn for a lifetime, with the animation that shows it for it."""
    first, end = lifetime
    last = len(footage.shots)
    if lifetime == (0, last):
        return drawn
    changes = [(0.0, "hidden")] if first else []
    changes.append((footage.shots[first].begins, "visible"))
    if end < last:
        changes.append((footage.shots[end].begins, "hidden"))
    values = ";".join(value for _, value in changes)
    times = ";".join(f"{time / footage.seconds:.4g}" for time, _ in changes)
    hidden = ' visibility="hidden"' if end < last else ""
    return (
        f'<g{hidden}>{drawn}<animate attributeName="visibility" values="{values}" '
        f'keyTimes="{times}" calcMode="discrete" dur="{footage.seconds:g}s" '
        'repeatCount="indefinite"/></g>'
    )


def backgrounds(marks: Sequence[DrawnText], styles: StyleClasses) -> Iterator[str]:
    """The cells that have another background than the ground."""
    paths: dict[Rgb, list[str]] = defaultdict(list)
    for row, column, text, ink in marks:
        if text.isspace():
            wide = len(text) * WIDTH
            polygon = box(0, 0, wide, HEIGHT)
            paths[ink.fore].append(outline(column * WIDTH, row * HEIGHT, polygon))
    yield from filled(paths, styles)


def foregrounds(marks: Sequence[DrawnText], styles: StyleClasses) -> Iterator[str]:
    """Shapes by colour, then words."""
    paths: dict[Rgb, list[str]] = defaultdict(list)
    words: list[str] = []
    for row, column, text, ink in marks:
        x, y = column * WIDTH, row * HEIGHT
        if text.isspace():
            continue
        if (found := shapes(text[0])) is None:
            words.append(worded(x, y, text, ink, styles))
        else:
            for polygon in found:
                paths[ink.fore].extend(repeated(x, y, polygon, len(text)))
    yield from filled(paths, styles)
    yield from words


def filled(paths: Mapping[Rgb, Sequence[str]], styles: StyleClasses) -> Iterator[str]:
    """Outlines, filled with their colours."""
    for colour, outlines in paths.items():
        yield f'<path class="{styles.name(f"fill:{hexed(colour)}")}" d="{"".join(outlines)}"/>'


def repeated(x: float, y: float, polygon: Polygon, many: int) -> Iterator[str]:
    """A polygon in so many cells; one from edge to edge is stretched."""
    if many > 1 and {px for px, _ in polygon} == {0, WIDTH}:
        yield outline(x, y, tuple((px * many, py) for px, py in polygon))
        return
    for number in range(many):
        yield outline(x + WIDTH * number, y, polygon)


def outline(x: float, y: float, polygon: Polygon) -> str:
    """A polygon as a path, in relative steps."""
    (px, py), *others = polygon
    said = [f"M{x + px:g} {y + py:g}"]
    for qx, qy in others:
        dx, dy = round(qx - px, 2), round(qy - py, 2)
        px, py = qx, qy
        said.append(f"h{dx:g}" if not dy else f"v{dy:g}" if not dx else f"l{dx:g} {dy:g}")
    return "".join(said) + "z"


def worded(x: int, y: int, text: str, ink: Ink, styles: StyleClasses) -> str:
    """Words in a font, as wide as their cells in any."""
    rules = f"fill:{hexed(ink.fore)}"
    if ink.bold:
        rules += ";font-weight:bold"
    if ink.underline:
        rules += ";text-decoration:underline"
    wide = WIDTH * len(text)
    return (
        f'<text class="{styles.name(rules)}" x="{x}" y="{y + BASELINE}" '
        f'textLength="{wide}">{escape(text)}</text>'
    )


def hexed(colour: Rgb) -> str:
    """A colour as CSS has it."""
    long = "#" + "".join(f"{part:02x}" for part in colour)
    short = "#" + long[1::2]
    return short if long[1::2] == long[2::2] else long
