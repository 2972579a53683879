"""Save a film as one HTML file: a picture and its sentences for every step, moved by arrow keys.

The file holds each different row, style and sentence once. It opens from a disk, offline: its
policy allows only its own style and script, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from importlib.resources import files
from typing import Any

from afterstate_lab.tui.pictures import Footage, Shot, hexed, rules_of


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
        f".i{number}{{{rules_of(ink, 'color')}"
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
