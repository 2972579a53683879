"""Lines as cells: what two drawings of a pane are compared by."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rich.cells import get_character_cell_size
from rich.segment import Segment
from rich.style import Style

from tui.theme.glyphs import Glyphs
from tui.theme.look import Line

Cell = tuple[str, Style]
Span = tuple[int, int]
"""From this column (inclusive) to that one (exclusive)."""

GAP: Final = 6
"""Changed cells closer than this are sent as one piece: a jump costs as much."""

UNKNOWN: Final = "·"
"""Stands for a character that is no single visible column."""


def to_cells(line: Line, columns: int, ground: Style, glyphs: Glyphs) -> list[Cell]:
    """Exactly `columns` cells: the line over the ground, cropped or padded.

    A character that is invisible, a control or two columns wide becomes one visible character.
    """
    cells: list[Cell] = []
    for text, style in line:
        full = _over(ground, style)
        empty = (" ", _unwritten(full))
        cells.extend(
            empty if character == " " else (_visible(character, glyphs), full) for character in text
        )
    if len(cells) < columns:
        cells.extend([(" ", _unwritten(ground))] * (columns - len(cells)))
    return cells[:columns]


def changed(old: list[Cell], new: list[Cell]) -> list[Span]:
    """The spans in which two rows of one length differ, close ones merged."""
    spans: list[Span] = []
    for column, (before, after) in enumerate(zip(old, new, strict=True)):
        if before is not after and before != after:
            spans.append((column, column + 1))
    return merged(spans)


def merged(spans: list[Span]) -> list[Span]:
    """The spans in order, those closer than `GAP` joined."""
    result: list[Span] = []
    for first, last in sorted(spans):
        if result and first - result[-1][1] < GAP:
            result[-1] = (result[-1][0], max(last, result[-1][1]))
        else:
            result.append((first, last))
    return result


def to_segments(cells: list[Cell]) -> list[Segment]:
    """The cells as few segments: a blank joins its neighbour where it looks the same."""
    segments: list[Segment] = []
    run: list[str] = []
    style = Style.null()
    for character, own in cells:
        if run and own != style and not (character == " " and own == _unwritten(style)):
            if (
                own != style
                and own != _unwritten(style)
                and _unwritten(own) == style
                and _blank(run)
            ):
                style = own
            else:
                segments.append(Segment("".join(run), style))
                run, style = [], own
        elif not run:
            style = own
        run.append(character)
    if run:
        segments.append(Segment("".join(run), style))
    return segments


def _blank(run: list[str]) -> bool:
    return all(character == " " for character in run)


@lru_cache(4096)
def _over(ground: Style, style: Style) -> Style:
    return ground + style


@lru_cache(4096)
def _unwritten(style: Style) -> Style:
    """What of a style a blank shows: the background, or all of a reversed or underlined one."""
    if style.reverse or style.underline or style.strike:
        return style
    return Style(bgcolor=style.bgcolor)


@lru_cache(4096)
def _visible(character: str, glyphs: Glyphs) -> str:
    if not character.isprintable() or get_character_cell_size(character) != 1:
        character = UNKNOWN
    return glyphs.cell(character)
