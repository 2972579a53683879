"""Take pictures of the lab, and save them as one HTML page.

The page has a picture and its sentences for every step, moved by arrow keys. It holds each
different row, style and sentence once, and opens from a disk, offline: its policy allows only its
own style and script, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple

from rich.segment import Segment
from rich.style import Style

DIMMED = 0.6
"""Share of a dim text's own colour."""

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


def rules_of(ink: Ink) -> str:
    """Return the CSS of a text."""
    bold, line = ";font-weight:bold" * ink.bold, ";text-decoration:underline" * ink.underline
    return f"color:{hexed(ink.fore)}{bold}{line}"


def hexed(colour: Rgb) -> str:
    return f"#{bytes(colour).hex()}"


# the page


class Numbered(dict[Any, int]):
    """Numbers for values in the order of their first use, from 0."""

    def __missing__(self, value: Any) -> int:
        return self.setdefault(value, len(self))


def html(footage: Footage) -> str:
    """Return the film as a page."""
    inks, rows, sentences = Numbered(), Numbered(), Numbered()
    steps = [
        {
            "rows": [rows[cells_of(shot, row, inks)] for row in range(footage.size[1])],
            "said": [sentences[sentence] for sentence in shot.said],
            "ask": shot.question,
        }
        for shot in footage.shots
    ]
    film = {"rows": list(rows), "sentences": list(sentences), "steps": steps}
    ground = footage.ground
    ink_rules = (
        f".i{number}{{{rules_of(ink)}"
        f"{f';background:{hexed(ink.back)}' * (ink.back != ground.back)}}}"
        for ink, number in inks.items()
    )
    style = part("film.css").replace("@GROUND@", hexed(ground.back))
    style = style.replace("@INK@", hexed(ground.fore)) + "".join(ink_rules)
    script = part("film.js")
    told = "".join(f"<p>{escape(str(sentence))}</p>" for sentence in sentences)
    filled = {
        "POLICY": f"default-src 'none'; style-src {hashed(style)}; script-src {hashed(script)}",
        "TITLE": escape(footage.title),
        "STYLE": style,
        "SENTENCES": told,
        "FILM": json.dumps(film, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "SCRIPT": script,
    }
    pieces = part("film.html").split("@")
    return "".join(filled.get(piece, piece) for piece in pieces)


def part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def hashed(text: str) -> str:
    """Return the source expression of a content security policy that allows this text."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def cells_of(shot: Shot, row: int, inks: Numbered) -> tuple[str | int, ...]:
    """Return a row as texts, each with the number of its ink."""
    marks = [mark for mark in shot.marks if mark.row == row]
    return tuple(cell for mark in marks for cell in (mark.text, inks[mark.ink]))
