"""Credit stairs: the values of the boards of one game over all games, as strips of heat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.tui.blocks.block import Quantity, Selectable
from afterstate_lab.tui.blocks.span import Canvas, Line, Pen, width
from afterstate_lab.tui.blocks.speech import spoken
from afterstate_lab.tui.lab.microscope import meanings
from afterstate_lab.tui.lab.microscope.hero import TALL, names
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Update
from afterstate_lab.tui.theme.numerals import compact, decimals, short

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.tape.sweep import Sweep

LEFT, RIGHT = 7, 7
"""Columns of the names and of the values."""
INK: Final = "≡═─╌  ░░▒▓█"
"""Values on the terminal's own ground, from a loss to a win; blank for a draw."""
DIGITS: Final = "01234.56789"
"""The same in ASCII."""
LEAST: Final = 1e-9
"""Any change from a draw is shaded, however small."""
LEAST_ROWS: Final = 7
"""Fewer rows are all for strips and the axis."""
FEW: Final = 3
"""Strips that leave no room for the end of the game."""
SHADES: Final = 5
"""Shades on each side of a draw."""
ONE_BOARD: Final = "The result is known at once. What it is worth walks back one board a game."
SHARED: Final = "Other games share these boards, and their results walked back over them first."
MORALS: Final = {
    TargetKind.END: "The result is known at once, and every board of the game learns it at once.",
    TargetKind.HORIZON: "What the result is worth walks back several boards a game.",
    TargetKind.TRACE: "What the result is worth walks back along the trace, fading.",
    TargetKind.BEST_REPLY: "What the best replies are worth walks back one board a game.",
    TargetKind.BEST_PAIR: "What the best move is worth walks back one turn a game.",
    TargetKind.NEXT_PAIR: "What the move made is worth walks back one turn a game.",
    TargetKind.EXPECTED_PAIR: "What its turn is worth on average walks back one turn a game.",
}
CHAIN: Final = "Each board reads the next one just updated: the result walks all the way, fading."
BEADS: Final = "The result adds or takes beads of every move that was made, all at once."


def moral(u: Update) -> str:
    """Return the idea of the rule in a sentence."""
    if u.is_beads:
        return BEADS
    if not u.spec.rule.learns:
        return ""
    return CHAIN if u.equation.is_backward else MORALS.get(u.kind, ONE_BOARD)


@dataclass(frozen=True, kw_only=True)
class Stairs(Selectable):
    """The same boards, game by game: the front of colour goes down like a staircase."""

    update: Update
    sweep: Sweep | None
    """None until the run is replayed."""
    rows: int
    """Rows of the terminal."""
    words: str = ""
    """The idea of the rule."""
    framed = False

    @property
    def here(self) -> int:
        """The current game, from 1."""
        return self.update.event.game + 1

    @cached_property
    def own(self) -> tuple[int, int]:
        """The columns of the current game: the first, and the one after the last."""
        assert self.sweep is not None
        first = self.sweep.column_of(self.here)
        same = int(np.count_nonzero(self.sweep.shown == self.here))
        return first, first + max(1, same)

    @cached_property
    def scale(self) -> tuple[float, float]:
        """The values of a loss and of a win; for beads, none and the most."""
        u = self.update
        if u.is_beads:
            return 0.0, max(1.0, *(value for row in self.lines for value in row))
        win, _, loss = u.spec.rule.rewards(u.spec.settings)
        return loss, win

    @cached_property
    def numbers(self) -> Sequence[int]:
        """The steps with a value, the end first."""
        u = self.update
        with_value = [n for n, step in enumerate(u.steps) if u.entry_of(step) != NO_ENTRY]
        return [n for n in reversed(with_value) if not (u.is_beads and u.steps[n].is_end)]

    @cached_property
    def lines(self) -> Sequence[NDArray[np.float64]]:
        """The values of each step in each column; exact in the current game's."""
        u, sweep, found = self.update, self.sweep, []
        if sweep is None or sweep.values is None:
            return []
        for number in self.numbers:
            entry = u.entry_of(u.steps[number])
            line = sweep.values[:, entry].copy()
            line[slice(*self.own)] = u.after[entry]
            found.append(line)
        return found

    @property
    def idea(self) -> str:
        """The idea of the rule, or why these boards did not move one after another, end first."""
        u = self.update
        if self.words != ONE_BOARD:
            return self.words
        fresh, first = u.recording.layout.fresh(), []
        for number, line in zip(self.numbers, self.lines, strict=False):
            moved = line[: self.own[1]] != fresh[u.entry_of(u.steps[number])]
            first.append(-1 if u.steps[number].is_end else int(np.argmax([*moved, True])))
        return ONE_BOARD if first == sorted(first) else SHARED

    def quantities(self) -> Iterator[Quantity | None]:
        yield from (meanings.of_step(self.update, self.update.steps[n]) for n in self.numbers)

    def say(self) -> Iterator[str]:
        """Yield the game in which each board first moved, and the idea."""
        u, told, still = self.update, [], []
        if self.lines and self.sweep is not None:
            for number in self.numbers:
                if u.steps[number].is_end:
                    continue
                first = self.sweep.first_change(u.entry_of(u.steps[number]))
                name = names(u)[number]
                if first is None:
                    still.append(name)
                else:
                    told.append(f"{name} {'in' if first[1] else 'by'} game {first[0]:,}")
        if told:
            yield spoken(", ".join([told[0].replace(" ", " first moved ", 1), *told[1:]])) + "."
        if still:
            named = f" and {still.pop()}" if len(still) > 1 else " has"
            have = " have" if named != " has" else ""
            yield spoken(f"{', '.join(still)}{named}{have} not moved.")
        if self.idea:
            yield self.idea

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        canvas, air = Canvas(columns, rows), int(self.rows >= TALL)
        top, is_low = air, rows < LEAST_ROWS
        u = self.update
        table = "" if u.spec.rule.tables == 1 else f" in Q{'₁₂'[u.which]}"
        head = f"{u.player}'s boards{table}, game by game"
        if self.sweep is None or not self.lines:
            canvas.line(LEFT, top, (pen.piece(f"{head}: replaying the run …", "dim"),))
            return canvas.lines()
        if self.sweep.is_log:
            head = f"{u.player}'s boards{table} over all games (log)"
        if not is_low:
            canvas.line(LEFT, top, (pen.piece(head),))
            legend = self._legend(pen)
            canvas.line(columns - RIGHT - width(legend), top, legend)
            top += 1
        room = rows - top - 1 - (not is_low)
        shown = self._shown(room)
        most = 1 if pen.glyphs.name == "ascii" else 5 if self.rows >= 50 else 2
        thick = max(1, min(most, (room - air) // max(1, len(shown))))
        for place in shown:
            self._strip(canvas, place, top, thick, pen)
            top += thick
        self._axis(canvas, top, columns, pen)
        if is_low:
            return canvas.lines()
        line = pen.line(self.idea, "dim")
        left = LEFT if LEFT + width(line) < columns else 1
        canvas.line(left, top + 1 + air, line)
        return canvas.lines()

    def _shown(self, most: int) -> list[int]:
        """Return which lines fit: the end, and those around the board that is written."""
        many = len(self.numbers)
        if many <= most:
            return list(range(many))
        at = next((n for n, step in enumerate(self.numbers) if step == self.update.index), 0)
        ends = [0] * (most > FEW)
        first = max(1, min(many - most + len(ends), at - most + 1 + len(ends)))
        return [*ends, *range(first, first + most - len(ends))]

    def _strip(self, canvas: Canvas, place: int, top: int, thick: int, pen: Pen) -> None:
        u, number = self.update, self.numbers[place]
        step, line = u.steps[number], self.lines[place]
        role = "now" if number == u.index else "dim"
        means = meanings.of_step(u, step)
        label = top + (thick - 1) // 2
        name = pen.piece(names(u)[number], role)
        canvas.line(LEFT - 1 - len(name[0]), label, (name,))
        for column, value in enumerate(line):
            is_later = column >= self.own[1]
            if is_later and u.is_masked:
                continue
            text, heat = self._cell(float(value), is_later, pen)
            for row in range(thick):
                canvas.put(LEFT + column, top + row, text, heat)
        held = float(line[self.own[0]])
        told = compact(held) if step.is_end else decimals(held, 0 if u.is_beads else 3)
        ink = "now" if number == u.index else "text"
        canvas.line(LEFT + len(line) + 1, label, (pen.piece(told, self.role(ink, means)),))

    def _cell(self, value: float, is_later: bool, pen: Pen) -> tuple[str, str]:
        """Return the sign and the role of a value: by the root, so that a first step is seen."""
        low, high = self.scale
        share = (value - low) / ((high - low) or 1.0)
        away = share if self.update.is_beads else min(1.0, max(-1.0, 2 * share - 1))
        level = 0
        if abs(away) >= LEAST:
            level = 1 + round((SHADES - 1) * abs(away) ** 0.5)
        level = level if away > 0 else -level
        role = f"{'heatlater' if is_later else 'heat'} {level / SHADES:.1f}"
        if pen.paints:
            return " ", role
        if pen.glyphs.name == "ascii":
            return DIGITS[SHADES + level], role
        return pen.glyphs.cell(INK[SHADES + level]), role

    def _legend(self, pen: Pen) -> Line:
        low, high = self.scale
        line: Line = ()
        for value in (low, high) if self.update.is_beads else (low, (low + high) / 2, high):
            parts = (0.03, 0.1, 0.2) if low < value < high else (0.0, 0.0)
            cells = [self._cell(value + part * (high - low), False, pen) for part in parts]
            line = (*line, pen.piece(f" {compact(value)} ", "dim"), *cells)
        return line

    def _axis(self, canvas: Canvas, y: int, columns: int, pen: Pen) -> None:
        sweep = self.sweep
        assert sweep is not None
        at = LEFT + (sum(self.own) - 1) // 2
        told = f"{pen.glyphs.cell('▲')} game {self.here:,}, you are here"
        start = at
        if at + len(told) > columns - 2:
            told = f"game {self.here:,}, you are here {pen.glyphs.cell('▲')}"
            start = at - len(told) + 1
        ticks = {1: "1", sweep.games: short(sweep.games) if sweep.is_log else f"{sweep.games}"}
        if sweep.is_log:
            ticks |= {10**n: short(10**n) for n in range(1, len(str(sweep.games - 1)))}
        canvas.line(start, y, ((told, "now"),))
        for game, text in ticks.items():
            x = min(LEFT + sweep.column_of(game), LEFT + sweep.columns - len(text))
            if canvas.is_blank(x - 1, y, len(text) + 2):
                canvas.line(x, y, ((text, "dim"),))
