"""One backup as a picture: the boards of a game, with the arrows by which its result walks back,
and the values of those boards over all games, as strips of heat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from afterstate_lab.game import space
from afterstate_lab.game.exact import Floats
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.rules.equation import TargetKind, TermRole
from afterstate_lab.learners.tape.recording import Backup, Learning, NoBackup, mover_values
from afterstate_lab.learners.tape.timeline import Sweep
from afterstate_lab.tui.blocks.block import POINTER, Block, Quantity, Room
from afterstate_lab.tui.blocks.cells import LETTERS, Grid, Size, art, is_thin, winning
from afterstate_lab.tui.blocks.span import Canvas, Line, Pen, Piece, Words, width, wrap
from afterstate_lab.tui.blocks.speech import board_words, figure, spoken
from afterstate_lab.tui.lab.labels import owner_of
from afterstate_lab.tui.lab.microscope.choice import beads
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Step, Update
from afterstate_lab.tui.lab.microscope.words import (
    Term,
    fate,
    other,
    rule_words,
    sentence,
    short_name,
    terms_of,
    told_terms,
    value_name,
)
from afterstate_lab.tui.theme.numerals import compact, decimals, short

SIZES: Final = ((180, 50, Size(11, 5)), (110, 34, Size(7, 3)), (0, 0, Size()))
"""The columns and rows of a terminal from which marks have a size."""
EDGE: Final = 2
LABEL: Final = 14
"""Columns of a board's name and value."""
LEAST_GAP, MOST_GAP = 4, 16
"""Columns between two boards."""
LOW, TALL = 24, 34
"""Rows from which there is a blank row below the sentence, and air between the parts."""
HELD: Final = (TermRole.NEW, TermRole.OLD, TermRole.REWARD, TermRole.READ, TermRole.ENTRY)
"""The roles of an entry, with its current value first."""
PAST, NOW = "dim", "now"
"""The roles of an arrow that was written, and of the current one."""
STROKES: Final = {PAST: "─", NOW: "━"}


class Arc(NamedTuple):
    """An arrow to a step from the later one that its backup read."""

    to: int
    source: int
    role: str = PAST


class Shown(NamedTuple):
    """A board of the picture, with its label and its value."""

    label: str
    cells: str
    position: int
    value: float | None
    """None where the current move is not made yet."""
    means: Quantity | None


@lean_dataclass(kw_only=True)
class Hero(Block):
    """One sentence, the last boards of the game in a row, and one line of numbers."""

    update: Update
    rows: int = 0
    """Rows of the terminal."""
    is_full: bool = False
    """Whether marks are letters, and the numbers have six places, their symbols and the code."""
    title: Words = "the update"
    chosen: Quantity | None = None
    """The number that was chosen last, here or at another update."""
    framed = False

    @property
    def words(self) -> str:
        return sentence(self.update)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        is_still = isinstance(self.update.learned, NoBackup)
        return () if is_still else terms_of(self.update, 6 if self.is_full else 3)

    @cached_property
    def boards(self) -> list[Shown]:
        """The boards of the game, up to the one that the current move leads to; where the target
        reads another move than the one made, with that.
        """
        u, found = self.update, list[Shown]()
        reads = (one for one in u.numbers if one is not None and one.cell is not None)
        read = next(reads, None) if isinstance(u.event, Backup) else None
        for number, step in enumerate(u.steps):
            position, value, means = step.position, float(u.after[step.entry]), u.meaning_at(step)
            if step.entry == NO_ENTRY and step.move is not None:  # the colour of a forced move
                value = mover_values(u.table, u.after, step.board)[step.move.cell]
            label = value_name(u, number)
            if step.is_end:
                label = f"{other(u)} resigned" if u.is_resigned else fate(u)
            if not u.is_decided and (
                step.is_end or step.place >= u.event.ply - (not u.rule.by_state)
            ):
                position = u.path[u.event.ply - 1]
                label = f"{u.moves[u.event.ply - 1].player} to move"
                return [*found, Shown(label, space().text(position), position, None, None)]
            if read is not None and read.cell is not None and number == u.looks_at:
                value, means = read.number, read.means
                is_reply = u.kind is TargetKind.BEST_REPLY
                position = int(space().successor[(u.step if is_reply else step).board, read.cell])
                reply = f"{'XO'[u.step.place % 2]}→{read.cell + 1}"
                label = reply if is_reply else value_name(u, number, read.cell)
            found.append(Shown(label, space().text(position), position, value, means))
        return found

    def has(self, means: Quantity | None) -> bool:
        """Return whether a number of this meaning is selected."""
        return means is not None and self.selected == means

    def role(self, role: str, means: Quantity | None) -> str:
        """Return a role of text with a meaning; the selection is underlined."""
        return f"picked {role}" if self.has(means) else role

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The selectable numbers, in reading order."""
        found = [term.quantity for term in self.terms]
        if self.update.rule.learns:
            found += [board.means for board in self.boards]
        return tuple(one for one in dict.fromkeys(found) if one is not None)

    @cached_property
    def selected(self) -> Quantity | None:
        """The chosen quantity among those on screen.

        One of the formula is selected again as soon as it appears, None until then. An entry that
        is not on screen stays selected.
        """
        chosen, shown = self.chosen, self.quantities
        if chosen is None or chosen in shown:
            return chosen
        if chosen.role is TermRole.ENTRY:
            same = [one for one in shown if one.entry == chosen.entry and one.role in HELD]
            return min(same, key=lambda one: HELD.index(one.role), default=chosen)
        return next((one for one in shown if one.role is chosen.role), None)

    def say(self) -> Iterator[str]:
        """Yield the sentence, the selected number, each board by its value, and the numbers."""
        yield spoken(self.words)
        named = [(one.means, f"{one.label} {figure(one.value, 6)}") for one in self.boards]
        named += [(one.quantity, f"{one.symbol} {one.words}") for one in self.terms]
        if told := next((told for means, told in named if self.has(means)), ""):
            yield f"Selected: {spoken(told)}."
        u = self.update
        for board in self.boards:
            yield spoken(f"{board.label}: {board_words(board.cells)}")
        if self.is_full:
            yield f"Rule: {rule_words(u.equation.symbols)}."
        if told := told_terms(self.terms, u.equation.floor):
            yield told
        if self.is_full and u.code is not None:
            yield f"Code: {u.code.text}  ({u.code.place})."

    def room(self, columns: int, pen: Pen) -> Room:
        high = self._size(columns).high + 4 + 2 * self.is_full
        high += 4 if self.rows >= TALL else 1 + (self.rows >= LOW)
        return Room(high, high)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        canvas, air, size = Canvas(columns, rows), int(self.rows >= TALL), self._size(columns)
        for row, line in enumerate(wrap(pen.line(self.words, "strong"), columns - 2 * EDGE)):
            canvas.line(EDGE, air + row, line)
        places, top = self._places(columns), 1 + (self.rows >= LOW) + air
        if not places:
            return canvas.lines()
        for number, x in places.items():
            self._board(canvas, number, Grid(x, top, *size, int(size.rows > 1)), pen)
            if number > min(places) and number - 1 not in places:
                canvas.line(x - 3, top + size.high // 2, (pen.piece("…", "dim"),))
        top += size.high
        centres = {number: x + size.wide // 2 for number, x in places.items()}
        self._arrows(canvas, centres, top)
        for number, centre in centres.items() if self.update.rule.learns else ():
            for row, line in enumerate(self._below(number, pen), top + 1):
                canvas.line(centre - width(line) // 2, row, line)
        lines, top = self._numbers(columns, pen), top + 3 + air
        for row, line in enumerate(lines, top):
            left = (columns - width(line if row > top + 1 else lines[0])) // 2
            canvas.line(max(1, left), row, line)
        return canvas.lines()

    # the boards

    def _size(self, columns: int) -> Size:
        if self.is_full and self.rows < TALL:
            return LETTERS
        return next(size for wide, high, size in SIZES if columns >= wide and self.rows >= high)

    def _places(self, columns: int) -> dict[int, int]:
        """Return the left column of each board: what is written, what it reads, what is selected,
        and the latest others.
        """
        u, size, many = self.update, self._size(columns), len(self.boards)
        inside, wide = columns - 2 * EDGE, max(size.wide, LABEL)
        most = (inside + LEAST_GAP) // (wide + LEAST_GAP)
        if not many or most < 2:
            return {}
        last = u.index if u.looks_at is None else u.looks_at
        stop = min(many, max(last + 1, most))
        chosen = [number for number in range(many) if self.has(self.boards[number].means)]
        wanted = [*(n for n in (u.index, last) if n < stop), *chosen, *reversed(range(stop))]
        shown = sorted([*dict.fromkeys(wanted)][:most])
        room = min(most, len(u.steps))
        gap = min(MOST_GAP, (inside - room * wide) // (room - 1)) if room > 1 else 0
        left = (columns - room * wide - (room - 1) * gap + wide - size.wide) // 2
        return {number: left + place * (wide + gap) for place, number in enumerate(shown)}

    def _board(self, canvas: Canvas, number: int, grid: Grid, pen: Pen) -> None:
        u, cells = self.update, self.boards[number].cells
        before = self.boards[number - 1].cells if number else "." * 9
        is_bright = number == u.index or (u.knows_target and number == u.looks_at)
        won, size = winning(cells), Size(grid.columns, grid.rows)
        grid.draw(canvas)
        for cell, sign in enumerate(cells):
            mark, is_lit = sign.lower(), cell in won or (not won and before[cell] == ".")
            role = f"{mark}_old" if is_bright else f"{mark}_far"
            if is_bright and is_lit:
                role = f"{mark}_strong"
            elif is_thin(size, pen):
                role = mark if is_bright else "dim"
            left, top = grid.corner(cell)
            for row, text in enumerate(art(sign, size, pen) if sign != "." else (), top):
                canvas.put(left, row, text, role)

    def _below(self, number: int, pen: Pen) -> Iterator[Line]:
        """Yield a board's name and value, and its value under current play."""
        u, step, (label, _, position, value, means) = (
            self.update,
            self.update.steps[number],
            self.boards[number],
        )
        if value is None:
            yield ((label, "text"),)
            return
        is_own = number == u.index
        role, strong = (NOW, NOW) if is_own else ("text", "strong")
        text = compact(value) if step.is_end else decimals(value, 0 if u.is_beads else 3)
        yield (
            (POINTER if self.has(means) else "", "key"),
            pen.piece(f"{label} ", role),
            (text, self.role(strong, means)),
        )
        if not u.is_beads and not step.is_end:
            now = float(u.v_pi[position])
            if u.rule.one_table and owner_of(u.table, position) != u.player:
                win, _, loss = u.table.spec.rewards
                now = win + loss - now  # one table for both values boards for the last mover
            yield pen.piece(f"{'exact ' * is_own}vπ ", "dim"), (decimals(now), "truth")

    # the arrows

    @cached_property
    def arcs(self) -> list[Arc]:
        """The arrows, each from the step that a backup read; the current one first."""
        u = self.update
        found = [
            Arc(number, u.step_read(event), NOW if event is u.event else PAST)
            for number, (at, event) in u.lessons.items()
            if isinstance(event, Backup) and at <= u.at
        ]
        forward = (arc for arc in found if arc.to < arc.source)
        return sorted(forward, key=lambda arc: arc.role != NOW)

    def _arrows(self, canvas: Canvas, at: dict[int, int], y: int) -> None:
        """Draw the arrows that fit next to the current one."""
        u, shown = self.update, list[Arc]()
        for arc in self.arcs:
            is_apart = all(
                one.source <= arc.to or arc.source <= one.to or arc.source == one.source
                for one in shown
            )
            if arc.to in at and arc.source in at and is_apart:
                shown.append(arc)
        ends = sorted({at[end] for arc in shown for end in (arc.to, arc.source)})
        for arc in sorted(shown, key=lambda arc: arc.role == NOW):
            long = at[arc.source] - at[arc.to]
            canvas.put(at[arc.to], y, STROKES[arc.role] * long, arc.role)
        for arc in shown:
            x = at[arc.to]
            canvas.put(x, y, "◂", arc.role)
            text, room = brought(u, *u.lessons[arc.to]), ends[ends.index(x) + 1] - x - 3
            centred(canvas, x + 2, y, room, (f" {text} " if text else "", arc.role))
        for number, (when, event) in u.lessons.items():
            if isinstance(event, NoBackup) and when <= u.at and at.keys() >= {number, number + 1}:
                x = at[number] + 1
                room = at[number + 1] - x
                if canvas.is_blank(x, y, room):
                    role = PAST if when < u.at else NOW
                    centred(canvas, x, y, room, ("explored: no news", role))

    # the numbers

    def _numbers(self, columns: int, pen: Pen) -> list[Line]:
        """Return the backup in one line: the name, what it is made of, and the result or `?`; in
        full, also the rule in symbols, and its code.
        """
        u, backup = self.update, self.update.backup
        name = value_name(u, u.index), "strong"
        if not self.terms:
            return []
        new, *terms = self.terms
        rule = [(pen.glyphs.text(f"{new.symbol:<{len(name[0])}} "), "dim")]
        line = [name, (" ", "")]
        for term in terms:
            symbol, number = pen.glyphs.text(term.symbol), pen.glyphs.text(term.number)
            if self.is_full:
                symbol, number = symbol.ljust(len(number)), number.ljust(len(symbol))
            role = "dim" if term.is_sign else "strong" if term.role == "text" else term.role
            rule.append((f" {symbol}", "dim"))
            sign = POINTER if self.has(term.quantity) else " "
            line.append((f"{sign}{number}", self.role(role, term.quantity)))
        way = "now"
        if u.is_written and backup is not None:
            way = u.role_of_change(backup).replace("text", "now")
        box = f"{POINTER if self.has(new.quantity) else ' '}{new.number} "
        line += [("  = ", "dim"), (box, self.role(f"tag {way}", new.quantity))]
        if not self.is_full:
            return [tuple(line)]
        source = u.rule.source
        if u.code is not None:
            source = f"{source}  {u.code.place}"
            whole = f"{source}  {u.code.text}"
            source = whole if len(whole) <= columns - 2 * EDGE else source
        return [tuple(line), tuple(rule), (pen.piece(source, "dim"),)]


def centred(canvas: Canvas, x: int, y: int, room: int, piece: Piece) -> None:
    """Write a text in the middle of a gap, if it fits."""
    if len(piece[0]) <= room:
        canvas.line(x + (room - len(piece[0])) // 2, y, (piece,))


def brought(u: Update, at: int, event: Learning) -> str:
    """Return what came along an arrow: step size, trace and error; nothing while hidden."""
    is_hidden = u.event is event and (u.is_masked or not u.knows_target)
    if not isinstance(event, Backup) or is_hidden:
        return ""
    change = event.new - event.old
    if u.is_beads:
        return f"{'−' if change < 0 else '+'}{beads(abs(change))}"
    if not change and u.event is not event:
        return "no news yet"
    error = float(u.errors[at])
    trace = "" if event.trace == 1.0 else f" × {compact(event.trace, 2)}"
    sign = "−" if error < 0 else "+"
    return f"{sign}{compact(event.step, 3)}{trace} × {decimals(abs(error))}"


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
SHADES: Final = 5
"""Shades on each side of a draw."""
ONE_BOARD: Final = "The result is known at once. What it is worth walks back one board a game."
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
    if not u.rule.learns:
        return ""
    return CHAIN if u.equation.is_backward else MORALS.get(u.kind, ONE_BOARD)


class Strip(NamedTuple):
    """A step of the stairs."""

    step: Step
    name: str
    values: Floats
    """[columns] after the game of each; nothing until the run is replayed."""


@lean_dataclass(kw_only=True)
class Stairs(Block):
    """The same boards, game by game: the front of colour goes down like a staircase."""

    update: Update
    sweep: Sweep | None
    """None until the run is replayed."""
    rows: int
    """Rows of the terminal."""
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
            return 0.0, max([1.0, *(float(strip.values.max()) for strip in self.strips)])
        win, _, loss = u.table.spec.rewards
        return loss, win

    @cached_property
    def strips(self) -> Sequence[Strip]:
        """The steps with a value, the end first; exact in the current game's columns."""
        u, found = self.update, list[Strip]()
        known = None if self.sweep is None else self.sweep.values
        for number, step in enumerate(u.steps):
            if step.entry == NO_ENTRY or (u.is_beads and step.is_end):
                continue
            values = np.empty(0)
            if known is not None:
                values = known[:, step.entry].copy()
                values[slice(*self.own)] = u.after[step.entry]
            name = "end" if step.is_end else short_name(u, number)
            found.append(Strip(step, name, values))
        return found[::-1]

    def say(self) -> Iterator[str]:
        """Yield the game in which each board first moved, and the idea of the rule."""
        told, sweep = list[str](), self.sweep
        for step, name, _ in self.strips:
            if not step.is_end and sweep is not None and sweep.values is not None:
                first = sweep.first_change(step.entry)
                when = "not yet"
                if first is not None:
                    when = f"{'in' if first[1] else 'by'} game {first[0]:,}"
                told.append(f"{name} {when}")
        if told:
            yield spoken(f"First moved: {', '.join(told)}.")
        yield from filter(None, (moral(self.update),))

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        canvas, air, is_low = Canvas(columns, rows), int(self.rows >= TALL), rows < LEAST_ROWS
        u, sweep, top = self.update, self.sweep, air
        table = "" if u.rule.tables == 1 else f" in Q{'₁₂'[u.which]}"
        head = f"{u.player}'s boards{table}, game by game"
        if sweep is None or sweep.values is None:
            canvas.line(LEFT, top, (pen.piece(f"{head}: replaying the run …", "dim"),))
            return canvas.lines()
        if sweep.is_log:
            head = f"{u.player}'s boards{table} over all games (log)"
        if not is_low:
            low, high = self.scale
            legend: Line = ()
            for value in (low, high) if u.is_beads else (low, (low + high) / 2, high):
                parts = (0.03, 0.1, 0.2) if low < value < high else (0.0, 0.0)
                cells = [self._cell(value + part * (high - low), False, pen) for part in parts]
                legend = (*legend, (f" {compact(value)} ", "dim"), *cells)
            canvas.line(LEFT, top, ((head, "text"),))
            canvas.line(columns - RIGHT - width(legend), top, legend)
            top += 1
        room = rows - top - 1 - (not is_low)
        strips = self.strips  # those that fit, around the board that is written
        own = next((n for n, one in enumerate(strips) if one.step is u.step), 0)
        first = max(0, min(len(strips) - room, own - room // 2))
        shown = strips[first : first + room]
        most = 1 if pen.glyphs.name == "ascii" else 5 if self.rows >= 50 else 2
        thick = max(1, min(most, (room - air) // max(1, len(shown))))
        for strip in shown:
            self._strip(canvas, strip, top, thick, pen)
            top += thick
        self._axis(canvas, sweep, top)
        if not is_low:
            line = pen.line(moral(u), "dim")
            canvas.line(LEFT if LEFT + width(line) < columns else 1, top + 1 + air, line)
        return canvas.lines()

    def _strip(self, canvas: Canvas, strip: Strip, top: int, thick: int, pen: Pen) -> None:
        u, (step, text, values) = self.update, strip
        is_own, label = step is u.step, top + (thick - 1) // 2
        canvas.put(LEFT - 1 - len(text), label, text, "now" if is_own else "dim")
        for column, value in enumerate(values.tolist()):
            is_later = column >= self.own[1]
            if not (is_later and u.is_masked):
                for row in range(thick):
                    canvas.put(LEFT + column, top + row, *self._cell(value, is_later, pen))
        held = float(u.after[step.entry])
        told = compact(held) if step.is_end else decimals(held, 0 if u.is_beads else 3)
        canvas.put(LEFT + len(values) + 1, label, told, "now" if is_own else "text")

    def _cell(self, value: float, is_later: bool, pen: Pen) -> Piece:
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
        return (DIGITS if pen.glyphs.name == "ascii" else INK)[SHADES + level], role

    def _axis(self, canvas: Canvas, sweep: Sweep, y: int) -> None:
        at = LEFT + (sum(self.own) - 1) // 2
        told = f"game {self.here:,}, you are here"
        if at + len(told) + 2 > canvas.columns - 2:
            canvas.put(at - len(told) - 1, y, f"{told} ▲", "now")
        else:
            canvas.put(at, y, f"▲ {told}", "now")
        ticks = {1: "1", sweep.games: short(sweep.games) if sweep.is_log else f"{sweep.games}"}
        if sweep.is_log:
            ticks |= {10**n: short(10**n) for n in range(1, len(str(sweep.games - 1)))}
        for game, text in ticks.items():
            x = min(LEFT + sweep.column_of(game), LEFT + sweep.columns - len(text))
            if canvas.is_blank(x - 1, y, len(text) + 2):
                canvas.put(x, y, text, "dim")
