"""What the log pane shows."""

from __future__ import annotations

from dataclasses import dataclass

from tui.views.words import Words


@dataclass(frozen=True, slots=True)
class LogView:
    """Lines in the order they came, of which a window is seen."""

    lines: tuple[Words, ...]
    first: int = 0
    """The number of `lines[0]` in the whole log, if older ones were dropped."""
    cursor: int | None = None
    """The number of the line where the tape stands."""
    offset: int = 0
    """Lines scrolled back from the newest."""
    jump: int | None = None
    """Lines the window moves by when it is full; None is half a window, 1 scrolls smoothly."""
    ring: bool = False
    """New lines overwrite the oldest in place, below a moving rule: no scrolling at all."""
    title: Words = "log"
    right: Words = ""
    focused: bool = False


def window(view: LogView, rows: int) -> list[int | None]:
    """The numbers of the lines seen in `rows` rows, top to bottom; None is a blank row.

    A window that moves by one repaints every row for each new line, a window that moves by half its
    height only once in many lines. So it moves by `jump`, except where the reader scrolled back.
    """
    first, count = view.first, view.first + len(view.lines)
    if rows <= 0:
        return []
    if view.ring and not view.offset and view.cursor is None:
        newest = range(max(first, count - rows + 1), count)
        seats: list[int | None] = [None] * rows
        for number in newest:
            seats[number % rows] = number
        return seats
    jump = max(1, rows // 2 if view.jump is None else view.jump)
    if view.offset:
        top = count - view.offset - rows
    else:
        top = -(-(count - rows) // jump) * jump
        if view.cursor is not None and view.cursor < top:
            top = view.cursor // jump * jump
    top = max(first, top)
    return [number if number < count else None for number in range(top, top + rows)]
