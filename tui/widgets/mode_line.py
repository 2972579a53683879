"""The top line: mode, players, where the tape stands, speed."""

from __future__ import annotations

from typing import ClassVar

from tui.look import Line, blank, crop, on, spread, width
from tui.views.mode import ModeView
from tui.widgets.pane import Pane

SHORT = 100
"""Below so many columns only the present phase is named."""


class ModeLine(Pane[ModeView]):
    """`afterstate [WATCH]  X td α.1 ε.1  O td α.1 ε.1   game 424  seed 7   ▶ 2/s`."""

    DEFAULT_CSS: ClassVar[str] = "ModeLine { height: 1; }"
    NAME: ClassVar[str] = "afterstate"

    def lines(self, view: ModeView, columns: int, rows: int) -> list[Line]:
        """One line; the name, then the last fields, then the players give way."""
        right = self._right(view, columns)
        head = self._head(view, name=True)
        players = self._players(view)
        fields = [self._field(label, value) for label, value in view.fields]
        room = columns - width(right) - 1
        while width(head) + width(players) + sum(map(width, fields)) > room and len(fields) > 1:
            fields.pop()
        if width(head) + width(players) + sum(map(width, fields)) > room:
            head = self._head(view, name=False)
        if width(head) + width(players) + sum(map(width, fields)) > room:
            players = ()
        left = (*head, *players, *(piece for line in fields for piece in line))
        return [on(spread(crop(left, columns), right, columns), self.look.palette.bar)]

    def _head(self, view: ModeView, name: bool) -> Line:
        tag = (f" {view.mode} ", self.look.palette.tag(view.mode))
        return (*self.look.line(f" {self.NAME} ", "strong"), tag) if name else (tag,)

    def _players(self, view: ModeView) -> Line:
        look = self.look
        pieces: list[tuple[str, str]] = []
        for mark, role, spec in (("X", "x_strong", view.x), ("O", "o_strong", view.o)):
            if spec:
                pieces += [("  ", "dim"), (mark, role), (f" {spec}", "dim")]
        return look.line(tuple(pieces))

    def _field(self, label: str, value: str) -> Line:
        return (*blank(2), *self.look.line(((f"{label} ", "dim"), (value, "text"))))

    def _right(self, view: ModeView, columns: int) -> Line:
        look = self.look
        if not view.phases:
            return (*look.line(view.status, "better"), *blank(1)) if view.status else ()
        if columns < SHORT and view.phase is not None:
            now = f" {view.phase + 1} {look.glyphs.text(view.phases[view.phase])} "
            return ((now, look.palette.tag("STEP")),)
        line: Line = ()
        for place, phase in enumerate(view.phases):
            if place == view.phase:
                line = (*line, (f" {look.glyphs.text(phase)} ", look.palette.tag("STEP")))
            else:
                after = ((phase, "text"), ("›", "dim"))[: 1 + (place + 1 < len(view.phases))]
                line = (*line, *blank(1), *look.line(after))
        return line
