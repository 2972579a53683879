"""The lines around the panes: mode, players and speed on top, keys at the bottom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.message import Message

from afterstate_lab.tui.blocks.span import Line, blank, crop, on, spread, width
from afterstate_lab.tui.views.lab import KeysView, ModeView
from afterstate_lab.tui.widgets.pane import Pane

SHORT = 100
"""Below this width only the current phase is named."""


class ModeLine(Pane[ModeView]):
    """`afterstate [WATCH]  X td α.1 ε.1  O td α.1 ε.1   game 424  seed 7   ▶ 2/s`."""

    DEFAULT_CSS: ClassVar[str] = "ModeLine { height: 1; }"
    NAME: ClassVar[str] = "afterstate"
    can_zoom = False

    def lines(self, view: ModeView, columns: int, rows: int) -> list[Line]:
        """One line; the last fields, the name, the players' options, then the rest give way."""
        right = self._right(view, columns)
        head = self._head(view, name=True)
        players = self._players(view.x, view.o)
        fields = [self._field(label, value) for label, value in view.fields]
        room = columns - width(right) - 1
        while width(head) + width(players) + sum(map(width, fields)) > room and len(fields) > 1:
            fields.pop()
        if width(head) + width(players) + sum(map(width, fields)) > room:
            head = self._head(view, name=False)
            free = room - width(head) - sum(map(width, fields))
            players = self._players(*shortened(view.x, view.o, free))
        if width(head) + width(players) + sum(map(width, fields)) > room:
            fields.clear()
        if width(head) + width(players) + sum(map(width, fields)) > room:
            right = ()
        left = (*head, *players, *(piece for line in fields for piece in line))
        return [on(spread(crop(left, columns), right, columns), "bar")]

    def _head(self, view: ModeView, name: bool) -> Line:
        tag = (f" {view.mode} ", f"tag {view.mode}")
        return (*self.pen.line(f" {self.NAME} ", "strong"), tag) if name else (tag,)

    def _players(self, x: str, o: str) -> Line:
        pen = self.pen
        pieces: list[tuple[str, str]] = []
        for mark, role, spec in (("X", "x_strong", x), ("O", "o_strong", o)):
            if spec:
                pieces += [("  ", "dim"), (mark, role), (f" {spec}", "dim")]
        return pen.line(tuple(pieces))

    def _field(self, label: str, value: str) -> Line:
        return (*blank(2), *self.pen.line(((f"{label} ", "dim"), (value, "text"))))

    def _right(self, view: ModeView, columns: int) -> Line:
        pen = self.pen
        if not view.phases:
            return (*pen.line(view.status, "better"), *blank(1)) if view.status else ()
        if columns < SHORT and view.phase is not None:
            now = f" {view.phase + 1} {pen.glyphs.text(view.phases[view.phase])} "
            return ((now, "tag STEP"),)
        line: Line = ()
        for place, phase in enumerate(view.phases):
            if place == view.phase:
                line = (*line, (f" {pen.glyphs.text(phase)} ", "tag STEP"))
            else:
                after = ((phase, "text"), ("›", "dim"))[: 1 + (place + 1 < len(view.phases))]
                line = (*line, *blank(1), *pen.line(after))
        return line


BESIDE = len("  X ")
"""What stands before a player."""
LEAST = len("menace…")
"""Columns of a player that is worth naming."""


def shortened(x: str, o: str, columns: int) -> tuple[str, str]:
    """Two players in so many columns: the longer loses its folders, options, then letters."""
    named = [BESIDE for player in (x, o) if player]
    if columns < sum(named) + LEAST * len(named):
        return "", ""
    while len(x) + len(o) + sum(named) > columns:
        x, o = (shorter(x), o) if len(x) >= len(o) else (x, shorter(o))
    return x, o


def shorter(player: str) -> str:
    """A player without its folders, else without its last option, else without a letter."""
    name = player.removesuffix("…")
    if "/" in name:
        return name.rpartition("/")[2]
    before = max(name.rfind(" "), name.rfind(","))
    return f"{name[: before if before > 0 else -1]}…"


class KeyBar(Pane[KeysView]):
    """`space pause  + − speed  …  ? help  q quit`; a click on a hint chooses its key.

    On a narrow line arrows stand together, and `i explain  ? help` is `i ? help`.
    """

    DEFAULT_CSS: ClassVar[str] = "KeyBar { height: 1; }"
    can_zoom = False

    @dataclass
    class KeyChosen(Message):
        key: str
        """The key as shown."""

    def lines(self, view: KeysView, columns: int, rows: int) -> list[Line]:
        """One line; hints give way from the right, except those kept."""
        line: Line = ()
        for start, key, label in self._places(view, columns):
            line = (*line, *blank(start - width(line)))
            line = (*line, *self.pen.line(((key, "key"), (f" {label}", "dim"))))
        return [line]

    def on_click(self, event: events.Click) -> None:
        if self.view is None:
            return
        for start, key, label in self._places(self.view, self.size.width):
            if start <= event.x <= start + len(key) + len(label):
                event.prevent_default()
                self.post_message(self.KeyChosen(key))

    def _places(self, view: KeysView, columns: int) -> list[tuple[int, str, str]]:
        """Where each hint that fits starts, its key and its label, as written."""
        text = self.pen.glyphs.text
        hints = [(key, text(key), text(label)) for key, label in view.keys]

        def long(chosen: list[tuple[str, str, str]]) -> int:
            return sum(wide(key, label) for _, key, label in chosen) - 1

        if columns < SHORT and long(hints) > columns:
            hints = [
                (key, together(shown), "" if key == "i" else label) for key, shown, label in hints
            ]
        kept = [hint for hint in hints if hint[0] in view.kept]
        free = [hint for hint in hints if hint[0] not in view.kept]
        while free and long(free + kept) > columns:
            free.pop()
        while kept and long(free + kept) > columns:
            kept.pop(0)
        places: list[tuple[int, str, str]] = []
        start = 1
        for _, key, label in free + kept:
            places.append((start, key, label))
            start += wide(key, label)
        return places


def wide(key: str, label: str) -> int:
    """The columns from a hint to the next; a key without a word is close to it."""
    return len(key) + (len(label) + 3 if label else 1)


def together(keys: str) -> str:
    """Two arrows without the blank between them."""
    return keys.replace("← →", "←→").replace("↑ ↓", "↑↓")
