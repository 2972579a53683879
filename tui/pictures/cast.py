"""An asciinema cast, version 2: a header, then what a terminal is sent, with its time.

https://docs.asciinema.org/manual/asciicast/v2/
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rich.color import ColorSystem

from afterstate_lab.tui.terminal.picture import PictureStream

if TYPE_CHECKING:
    from afterstate_lab.tui.pictures.frames import Footage, Shot

BEGIN = "\x1b[?25l\x1b[2J"
"""Hides the cursor and clears the screen."""


def cast(footage: Footage) -> str:
    """The film as a cast; of each picture it has the cells that change."""
    columns, rows = footage.size
    header = {
        "version": 2,
        "width": columns,
        "height": rows,
        "title": footage.title,
        "env": {"TERM": "xterm-256color"},
    }
    stream = PictureStream(columns, rows)
    sent = [(shot.begins, stream.rewrite(painted(shot, footage))) for shot in footage.shots]
    events = [(0.0, BEGIN), *sent, (footage.seconds, "")]
    lines = [header, *([round(begins, 3), "o", text] for begins, text in events)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def painted(shot: Shot, footage: Footage) -> str:
    """What shows a picture whole, in true colours."""
    out = []
    for number, row in enumerate(shot.rows, 1):
        out.append(f"\x1b[{number};1H")
        for _, text, style in row:
            whole = footage.ground + style
            out.append(whole.render(text, color_system=ColorSystem.TRUECOLOR))
    return "".join(out)
