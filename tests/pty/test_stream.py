"""What the lab really writes: the cells that changed against the one that Textual made."""

from __future__ import annotations

import pyte
import pytest

RECORDER = """
import os
from afterstate_lab.tui.terminal.picture import PictureStream
rewrite = PictureStream.rewrite
raw = open(os.environ["RAW_STREAM"], "w", encoding="utf-8", newline="", buffering=1)
def recorded(self, data):
    raw.write(data)
    raw.flush()
    return rewrite(self, data)
PictureStream.rewrite = recorded
"""


def picture(data: bytes) -> list[tuple[str, ...]]:
    """What is seen of each cell."""
    screen = pyte.Screen(80, 24)
    pyte.ByteStream(screen).feed(data)
    cells = [screen.buffer[y][x] for y in range(24) for x in range(80)]
    return [
        (cell.bg,) if cell.data == " " and not cell.reverse else (cell.data, cell.fg, cell.bg)
        for cell in cells
    ]


@pytest.mark.slow
def test_a_session_looks_as_textual_drew_it_in_fewer_bytes(lab, tmp_path):
    file = tmp_path / "raw"
    terminal = lab(before=RECORDER, env={"RAW_STREAM": str(file)})
    for key in (
        ".",
        ".",
        "s",
        "right",
        "right",
        "]",
        "[",
        "left",
        "w",
        "?",
        "escape",
        "d",
        "d",
        "p",
    ):
        terminal.press(key)
        terminal.read_until_quiet(0.15)
        terminal.read_until(lambda: picture(bytes(terminal.written)) == picture(file.read_bytes()))
    assert len(terminal.written) < 0.75 * file.stat().st_size
