"""One backup as a picture: the boards of a game, with the arrows by which its result walks back,
and the values of those boards over all games, as strips of heat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from afterstate_lab.game import Board, space
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.recording import Backup, NoBackup
from afterstate_lab.tui.blocks.block import Quantity, Room, Selectable
from afterstate_lab.tui.blocks.cells import LETTERS, Size, draw_board, is_thin, winning
from afterstate_lab.tui.blocks.span import Canvas, Line, Pen, Piece, Words, width, wrap
from afterstate_lab.tui.blocks.speech import board_words, spoken
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Step, Update
from afterstate_lab.tui.lab.microscope.words import (
    Term,
    fate,
    other,
    rule_words,
    terms_of,
    told_terms,
)
from afterstate_lab.tui.theme.numerals import compact, decimals, short, signed, subscript

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.tape.timeline import Sweep


SIZES: Final = ((180, 50, Size(11, 5, 1)), (110, 34, Size(7, 3)), (0, 0, Size()))
"""The columns and rows of a terminal from which marks have a size."""
EDGE: Final = 2
LABEL: Final = 14
"""Columns of a board's name and value."""
LEAST_GAP, MOST_GAP = 4, 16
"""Columns between two boards."""
LOW, TALL = 24, 34
"""Rows from which there is a blank row below the sentence, and air between the parts."""
LANES: Final = (1, 3)
"""Most rows of arrows in a small and in a tall terminal."""
NEXT, PAST, NOW = "faint", "dim", "now"
"""The roles of an arrow that is to come, that was written, and of the current one."""
STROKES: Final = {NEXT: "· ", PAST: "─", NOW: "━"}


class Arc(NamedTuple):
    """An arrow to a step from the later one that its backup read."""

    to: int
    source: int
    role: str = PAST


@dataclass(frozen=True, kw_only=True)
class Hero(Selectable):
    """One sentence, the last boards of the game in a row, and one line of numbers."""

    update: Update
    words: str = ""
    rows: int = 0
    """Rows of the terminal."""
    is_full: bool = False
    """Whether marks are letters, and the numbers have six places, their symbols and the code."""
    title: Words = "the update"
    selection: str = ""
    """The selected number in words."""
    framed = False

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        u = self.update
        return () if isinstance(u.learned, NoBackup) else terms_of(u, 6 if self.is_full else 3)

    @property
    def is_tall(self) -> bool:
        return self.rows >= TALL

    def quantities(self) -> Iterator[Quantity | None]:
        u = self.update
        yield from (term.quantity for term in self.terms)
        if u.spec.rule.learns:
            yield from (self._means(u, number) for number in range(len(u.steps)))

    def _means(self, u: Update, number: int) -> Quantity | None:
        """Return the meaning of a board's value: what the target reads there, or the step's."""
        read = is_read(u, number)
        return u.step_meaning(u.steps[number]) if read is None else u.looked_meaning()

    def _is_chosen(self, u: Update, number: int) -> bool:
        step = u.steps[number]
        is_about = u.is_known(step) and self.points_at(step.entries)
        return is_about or self.has(self._means(u, number))

    def say(self) -> Iterator[str]:
        """Yield the sentence, the selected number, each board by its value, and the numbers."""
        yield spoken(self.words)
        if self.selection:
            yield f"{spoken(self.selection)}."
        u = self.update
        end = undecided(u)
        for number in range(len(u.steps) if end is None else end + 1):
            name = f"{u.moves[u.ply - 1].player} to move" if number == end else name_of(u, number)
            yield spoken(f"{name}: {board_words(Board.parse(cells_of(u, number)))}")
        if self.is_full:
            yield f"Rule: {rule_words(u.equation.symbols)}."
        if told := told_terms(self.terms, u.equation.floor):
            yield told
        if self.is_full and u.code is not None:
            yield f"Code: {u.code.text}  ({u.code.place})."

    def room(self, columns: int, pen: Pen) -> Room:
        high = self._size(columns).high + len(self._shown) + 3 + 2 * self.is_full
        high += 4 if self.is_tall else 1 + (self.rows >= LOW)
        return Room(high, high)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        canvas, air = Canvas(columns, rows), int(self.is_tall)
        for row, line in enumerate(wrap(pen.line(self.words, "strong"), columns - 2 * EDGE)):
            canvas.line(EDGE, air + row, line)
        u = self.update
        if self._places(columns):
            top = self._picture(canvas, u, 1 + (self.rows >= LOW) + air, self._shown, pen)
            lines = self._numbers(u, columns, pen)
            for row, line in enumerate(lines, top + 2 + air):
                left = (columns - width(line if row > top + 3 + air else lines[0])) // 2
                canvas.line(max(1, left), row, line)
        return canvas.lines()

    @property
    def _shown(self) -> list[list[Arc]]:
        return self._lanes[: LANES[self.is_tall]]

    # the boards

    def _size(self, columns: int) -> Size:
        if self.is_full and not self.is_tall:
            return LETTERS
        return next(size for wide, high, size in SIZES if columns >= wide and self.rows >= high)

    def _picture(
        self, canvas: Canvas, u: Update, top: int, lanes: list[list[Arc]], pen: Pen
    ) -> int:
        """Draw the boards, the arrows and the values; return the row of the values."""
        size, places = self._size(canvas.columns), self._places(canvas.columns)
        for number, x in places.items():
            self._board(canvas, u, number, (x, top), size, pen)
            if number and number - 1 not in places and x > places[min(places)]:
                canvas.line(x - 3, top + size.high // 2, (pen.piece("…", "dim"),))
        top += size.high
        centres = {number: x + size.wide // 2 for number, x in places.items()}
        for lane in lanes:
            self._arrows(canvas, u, lane, centres, top, pen)
            top += 1
        for number, centre in centres.items() if u.spec.rule.learns else ():
            for row, line in enumerate(self._below(u, number, pen), top):
                canvas.line(centre - width(line) // 2, row, line)
        return top

    def _places(self, columns: int) -> dict[int, int]:
        """Return the left column of each board: what is written, what it reads, what is selected,
        and the latest others.
        """
        u, size = self.update, self._size(columns)
        inside = columns - 2 * EDGE
        wide = max(size.wide, LABEL)
        most = (inside + LEAST_GAP) // (wide + LEAST_GAP)
        if not u.steps or most < 2:
            return {}
        last, end = u.index if u.looks_at is None else u.looks_at, undecided(u)
        stop = min(len(u.steps) if end is None else end + 1, max(last + 1, most))
        wanted = [n for n in (u.index, last) if n < stop]
        wanted += [n for n in range(len(u.steps)) if self._is_chosen(u, n)]
        shown = sorted([*dict.fromkeys([*wanted, *reversed(range(stop))])][:most])
        many = min(most, len(u.steps))
        gap = min(MOST_GAP, (inside - many * wide) // (many - 1)) if many > 1 else 0
        left = (columns - many * wide - (many - 1) * gap + wide - size.wide) // 2
        return {number: left + place * (wide + gap) for place, number in enumerate(shown)}

    def _board(
        self, canvas: Canvas, u: Update, number: int, place: tuple[int, int], size: Size, pen: Pen
    ) -> None:
        cells, before = cells_of(u, number), cells_of(u, number - 1) if number else "." * 9
        is_bright = number in (u.index, u.looks_at if u.knows_target else u.index)
        won = winning(cells)

        def role(cell: int) -> str:
            is_lit = cell in won or (not won and before[cell] == ".")
            mark = cells[cell].lower()
            if is_bright and is_lit:
                return f"{mark}_strong"
            if is_thin(size, pen):
                return mark if is_bright else "dim"
            return f"{mark}_old" if is_bright else f"{mark}_far"

        draw_board(canvas, *place, cells, size, pen, role)

    def _below(self, u: Update, number: int, pen: Pen) -> Iterator[Line]:
        """Yield a board's name and value, and its value under current play."""
        if number == undecided(u):
            yield (pen.piece(f"{u.moves[u.ply - 1].player} to move", "text"),)
            return
        step = u.steps[number]
        event = u.backup if number == u.index and u.is_written and not u.is_beads else None
        old = "" if event is None or event.new == event.old else f"{decimals(event.old)} → "
        was = pen.piece(old)[0], self.role("dim", u.old_meaning())
        yield self._value(u, number, name_of(u, number), 3, pen, was)
        if not u.is_beads and not step.is_end:
            exact = "exact " if number == u.index else ""
            yield pen.piece(f"{exact}vπ ", "dim"), pen.piece(decimals(u.now_of(step)), "truth")

    def _value(
        self, u: Update, number: int, name: str, places: int, pen: Pen, was: Piece = ("", "")
    ) -> Line:
        step, means = u.steps[number], self._means(u, number)
        role, strong = (NOW, NOW) if number == u.index else ("text", "strong")
        value, read = u.held(step, u.after, u.which if u.spec.rule.tables > 1 else -1), u.looked
        if is_read(u, number) is not None and read is not None:
            value = read.number
        text = decimals(value, 0 if u.is_beads else places)
        text = compact(value or 0.0) if step.is_end else text
        pointer = pen.glyphs.text("›") if self._is_chosen(u, number) else ""
        return (
            (pointer, "key"),
            pen.piece(f"{name} ", role),
            was,
            pen.piece(text, self.role(strong, means)),
        )

    # the arrows

    @cached_property
    def _lanes(self) -> list[list[Arc]]:
        """The arrows, each from the step that a backup read, in rows without overlaps."""
        u = self.update
        arcs = [
            Arc(number, step.looks_at, role_of(u, step))
            for number, step in enumerate(u.steps)
            if isinstance(step.learned, Backup) and step.looks_at > number
        ]
        lanes: list[list[Arc]] = []
        for arc in arcs:
            for lane in lanes:
                if all(before.source <= arc.to or before.source == arc.source for before in lane):
                    lane.append(arc)
                    break
            else:
                lanes.append([arc])
        return sorted(lanes, key=lambda lane: all(arc.role != NOW for arc in lane)) or [[]]

    def _arrows(
        self, canvas: Canvas, u: Update, lane: list[Arc], at: dict[int, int], y: int, pen: Pen
    ) -> None:
        shown = [arc for arc in lane if arc.to in at and arc.source in at]
        for arc in sorted(shown, key=lambda arc: (NEXT, PAST, NOW).index(arc.role)):
            long = at[arc.source] - at[arc.to]
            stroke = pen.piece(STROKES[arc.role] * long)[0]
            canvas.put(at[arc.to], y, stroke[: long - (arc.role == NEXT)], arc.role)
        ends = sorted({at[end] for arc in shown for end in (arc.to, arc.source)})
        for arc in shown:
            x = at[arc.to]
            canvas.put(x, y, pen.glyphs.cell("◂"), arc.role)
            text = brought(u, u.steps[arc.to])
            line = (pen.piece(f" {text} ", arc.role),)
            room = ends[ends.index(x) + 1] - x - 3
            if text and width(line) <= room:
                canvas.line(x + 2 + (room - width(line)) // 2, y, line)
        for number, x in at.items():
            step = u.steps[number]
            if isinstance(step.learned, NoBackup) and step.at <= u.at and number + 1 in at:
                said = pen.piece("explored: no news", "dim" if step.at < u.at else NOW)
                room = at[number + 1] - x - 1
                if len(said[0]) <= room and canvas.is_blank(x + 1, y, room):
                    canvas.line(x + 1 + (room - len(said[0])) // 2, y, (said,))

    # the numbers

    def _numbers(self, u: Update, columns: int, pen: Pen) -> list[Line]:
        """Return the backup in one line: the name, what it is made of, and the result or `?`; in
        full, also the rule in symbols, and its code.
        """
        name = pen.piece(name_of(u, u.index), "strong")
        if isinstance(u.learned, NoBackup):
            stays = pen.piece(decimals(u.old, 0 if u.is_beads else 3), "strong")
            return [(name, pen.piece(" stays ", "dim"), stays)]
        if not self.terms:
            return [()]
        new, *terms = self.terms
        rule, line = [(pen.glyphs.text(f"{new.symbol:<{len(name[0])}}"), "dim")], [name]
        for place, term in enumerate(terms):
            selected = term.quantity is not None and self.has(term.quantity)
            sign = pen.glyphs.text("›") if selected else " "
            symbol, number = pen.glyphs.text(term.symbol), pen.glyphs.text(term.number)
            gap = " " * (not place)
            if self.is_full:
                symbol, number = symbol.ljust(len(number)), number.ljust(len(symbol))
            role = "dim" if term.is_sign else "strong" if term.role == "text" else term.role
            rule.append((f"{gap} {symbol}", "dim"))
            line += [(gap, ""), (f"{sign}{number}", self.role(role, term.quantity))]
        way = "now"
        if u.is_written and u.backup is not None:
            way = {"text": "now"}.get(u.role_of_change(u.backup), u.role_of_change(u.backup))
        box = f"{'›' if self.has(new.quantity) else ' '}{new.number} "
        line += [pen.piece("  = ", "dim"), pen.piece(box, self.role(f"tag {way}", new.quantity))]
        lines: list[Line] = [tuple(line)]
        if self.is_full:
            source, code = u.spec.rule.source, u.code
            if code is not None:
                source = f"{source}  {code.place}"
                whole = f"{source}  {code.text}"
                source = whole if len(whole) <= columns - 2 * EDGE else source
            lines += [tuple(rule), (pen.piece(source, "dim"),)]
        return lines


def name_of(u: Update, number: int) -> str:
    """Return the name of a step's value: `V(S₂)`, `Q(S₂,5)`; of the end, the result."""
    step, read = u.steps[number], is_read(u, number)
    if read is not None and u.kind is TargetKind.BEST_REPLY:
        return f"{'XO'[u.step.place % 2]}→{read + 1}"
    if step.is_end:
        return f"{other(u)} resigned" if u.is_resigned else fate(u)
    if u.spec.rule.by_state or not u.spec.rule.learns:
        return f"V(S{subscript(number)})"
    played = step.move.cell if step.move is not None and u.is_revealed(step) else None
    move = played if read is None else read
    cell = "" if move is None else f",{move + 1}"
    table = "" if u.spec.rule.tables == 1 else "₂" if u.which else "₁"
    return f"{'beads' if u.is_beads else f'Q{table}'}(S{subscript(number + 1)}{cell})"


def cells_of(u: Update, number: int) -> str:
    """Return the board of a step, with its move; where the target reads another move, with that."""
    step, read = u.steps[number], is_read(u, number)
    board = step.board
    if number == undecided(u):
        board = u.path[u.ply - 1]
    elif read is not None:
        origin = u.step.board if u.kind is TargetKind.BEST_REPLY else board
        board = int(space().successor[origin, read])
    elif step.move is not None and not u.spec.rule.by_state and not step.is_end:
        board = step.move.afterstate if u.is_revealed(step) else board
    return space().text(board)


def undecided(u: Update) -> int | None:
    """Return the step that the current move leads to, if it is not made yet."""
    if u.is_decided:
        return None
    is_before = not u.spec.rule.by_state
    later = (n for n, step in enumerate(u.steps) if step.is_end or step.place >= u.ply - is_before)
    return next(later, None)


def is_read(u: Update, number: int) -> int | None:
    """Return the move that the target reads at a step, instead of the move made there."""
    read = u.looked if number == u.looks_at and u.at_work else None
    return None if read is None else read.cell


def role_of(u: Update, step: Step) -> str:
    """Return the role of the arrow to a step."""
    if u.event is step.learned:
        return NOW
    return PAST if step.at < u.at else NEXT


def brought(u: Update, step: Step) -> str:
    """Return what came along an arrow: step size times error, and trace; nothing if to come."""
    event = step.learned
    if not isinstance(event, Backup) or step.at > u.at or (u.is_masked and u.event is event):
        return ""
    if u.event is event and not u.knows_target:
        return ""
    change = event.new - event.old
    if u.is_beads:
        return f"{signed(change, 0)} {'bead' if abs(change) == 1 else 'beads'}"
    if not change and u.event is not event:
        return "no news yet"
    error, trace = event.error, ""
    if u.kind is TargetKind.TRACE:
        error = change / ((event.step * event.trace) or 1.0)
        trace = "" if event.trace == 1.0 else f" × {compact(event.trace, 2)}"
    sign = "−" if error < 0 else "+"
    return f"{sign}{compact(event.step, 3)}{trace} × {decimals(abs(error))}"


def names(u: Update) -> Sequence[str]:
    """Return the short names of the steps: `S₂`; of the last, `end`."""
    first = 0 if u.spec.rule.by_state else 1
    return ["end" if one.is_end else f"S{subscript(n + first)}" for n, one in enumerate(u.steps)]


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
        u = self.update
        yield from (u.step_meaning(u.steps[n]) for n in self.numbers)

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
        means = u.step_meaning(step)
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
