"""What a block draws, and what of it is marked as selected."""

from __future__ import annotations

from afterstate_lab.tui.blocks.meaning import POINTER, Selectable
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.theme.glyphs import UNICODE

PEN = Pen(UNICODE)


def picked(block: Selectable, columns: int = 118, rows: int = 28) -> list[str]:
    """The texts that are underlined."""
    pieces = (piece for line in block.draw(columns, rows, PEN) for piece in line)
    return [text for text, role in pieces if role.startswith("picked ")]


def pointed(block: Selectable, columns: int = 118, rows: int = 28) -> list[str]:
    """The rows that are pointed at."""
    lines = ("".join(text for text, _ in line) for line in block.draw(columns, rows, PEN))
    return [line for line in lines if line.startswith(POINTER)]
