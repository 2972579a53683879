"""Bars that grow by eighths of a cell, and stacked bars that can be read without colours."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style

from tui.theme.glyphs import Glyphs
from tui.theme.look import Line, Look


def bar(share: float | None, columns: int, style: Style, glyphs: Glyphs) -> Line:
    """A bar of `share` (0…1, clipped) of `columns`."""
    if share is None or columns <= 0:
        return ()
    parts = len(glyphs.eighths) + 1
    whole, part = divmod(round(max(0.0, min(1.0, share)) * columns * parts), parts)
    text = glyphs.cell("█") * whole + (glyphs.eighths[part - 1] if part else "")
    return ((text, style),) if text else ()


def stacked(shares: Sequence[tuple[str, float, str]], columns: int, look: Look) -> Line:
    """One bar of several parts.

    Args:
        shares: The letter, the amount and the role of each part. Where nothing is painted, the
            letters themselves fill the bar.
        columns: The whole length.
        look: The palette and characters.
    """
    total = sum(amount for _, amount, _ in shares)
    if not total or columns <= 0:
        return ()
    pieces: list[tuple[str, Style]] = []
    done, start = 0.0, 0
    for letter, amount, role in shares:
        done += amount
        end = round(done / total * columns)
        fill = look.glyphs.cell("█") if look.palette.paints else letter
        if end > start:
            pieces.append((fill * (end - start), look.palette.style(role)))
        start = end
    return tuple(pieces)
