"""One update four ways: rule, numbers, code and words; and on the number line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from afterstate_lab.tui.blocks.block import Room
from afterstate_lab.tui.blocks.meaning import POINTER, Quantity, Role, Selectable
from afterstate_lab.tui.blocks.number_line import Mark, NumberLine, Stretch
from afterstate_lab.tui.blocks.span import EMPTY, Line, Meant, Pen, blank, crop, on, width, wrap
from afterstate_lab.tui.blocks.speech import spoken, trimmed
from afterstate_lab.tui.theme.numerals import signed
from afterstate_lab.tui.views.words import Words, length

UNKNOWN: Final = "?"
HEAD: Final = 9
"""Columns of the row heads."""
FIRST_GAP, GAP = 7, 2
"""Blanks before the error and before the step, besides that in which the pointer stands."""
WIDE: Final = 110
"""Columns from which on it leaves room for a board beside it."""
BOARD_COLUMNS: Final = 26
NAMED: Final = (Role.OLD, Role.NEW)
"""What the source code has one name for: the entry."""
FLOORS: Final = {"max(0,": "0", "max(1,": "1"}
"""Signs that keep what follows them from going below a number."""
OPERATORS: Final = {"+": "plus", "−": "minus", "×": "times"}


class Term(NamedTuple):
    """One term of an update: the symbol above, its number below."""

    symbol: str
    number: str
    role: str = "text"
    lit: bool = False
    """Read or written in the current phase."""
    quantity: Quantity | None = None
    """What the number stands for."""
    wholes: tuple[Quantity, ...] = ()
    """What the term is a part of, the least first."""
    spoken: str = ""
    """The number in words, where it is more than a number."""

    @property
    def means(self) -> tuple[Quantity | None, ...]:
        return (self.quantity, *self.wholes)

    @property
    def words(self) -> str:
        """The number, which may be an expression, as it is spoken."""
        return spoken(self.spoken) if self.spoken else trimmed(self.number.strip().strip("()"))


class CodePart(NamedTuple):
    """A part of the line of code."""

    start: int
    """Its first column."""
    stop: int
    quantity: Quantity


class Sum(NamedTuple):
    """What is added up from the terms: the error, or the step that was taken."""

    label: str
    number: float
    role: str
    """`better` where the step leads nearer to the truth, `worse` where it leads away."""
    quantity: Quantity


@dataclass(frozen=True)
class Equation(Selectable):
    """The backup under the microscope; each term stands above its number."""

    terms: tuple[Term, ...] = ()
    title: Words = field(default="the update, four ways", kw_only=True)
    error: Sum | None = None
    step: Sum | None = None
    code: str = ""
    parts: tuple[CodePart, ...] = ()
    """Of the code, those that stand for a number."""
    place: str = ""
    """The file and line of the code."""
    words: Words = ""
    marks: tuple[Mark, ...] = ()
    """Later ones lie over earlier ones."""
    stretches: tuple[Stretch, ...] = ()
    scale: tuple[float, float] = (0.0, 1.0)
    places: int = 6
    """Decimals of the step."""
    selection: tuple[Words, ...] = ()
    """What is selected, in pieces; the last give way where there is no room."""
    notice: str = ""
    """What there is to say of the last command, on a line of its own."""

    @property
    def sums(self) -> list[Sum]:
        return [each for each in (self.error, self.step) if each is not None]

    @property
    def is_known(self) -> bool:
        """Whether all that the update reads is known."""
        return not any(term.number.startswith(UNKNOWN) for term in self.terms[1:])

    def quantities(self) -> Iterator[Quantity | None]:
        yield from (term.quantity for term in self.terms)
        yield from (whole for term in self.terms for whole in term.wholes)
        yield from (each.quantity for each in self.sums)
        yield from (quantity for mark in self.marks for quantity in mark.quantities)

    def say(self) -> Iterator[str]:
        """The update in numbers: V of S t: .5, plus .1 times (1 minus .5), gives .55."""
        words: list[str] = []
        floor, depth, is_factor = "", 0, False
        for term in self.terms[2:]:
            symbol = term.symbol
            if symbol in FLOORS:
                floor = FLOORS[symbol]
            elif symbol in OPERATORS or symbol == "±":
                words.append(OPERATORS[symbol if symbol == "×" else term.number])
                is_factor = False
            elif symbol in ("[", "("):
                words += ["times"] * is_factor + ["("]
                depth, is_factor = depth + 1, False
            elif symbol in ("]", ")"):
                words += [")"] * (depth > 0)
                depth, is_factor = depth - 1, True
            else:
                words += ["times"] * is_factor + [term.words]
                is_factor = True
        first, _, rest = closed(" ".join(words)).partition(" ")
        kept = f", never below {floor}" if floor else ""
        new, name = self.terms[0].number.strip(), spoken(self.terms[0].symbol)
        gives = "" if new == UNKNOWN else f", gives {trimmed(new)}"
        yield f"{name[:1].upper()}{name[1:]}: {first}, {rest}{kept}{gives}."

    def head(self, columns: int, rows: int, pen: Pen) -> Words:
        """With the error, where the row of the numbers is full."""
        if self.error is None or self._tails(self._terms(columns - 2, False, pen)[-1], columns - 2):
            return self.title
        title = ((self.title, "title"),) if isinstance(self.title, str) else self.title
        is_chosen = self.error.quantity == self.chosen
        sign = (f" {POINTER}δ ", "key") if is_chosen else ("  δ ", "dim")
        return (*title, sign, (signed(self.error.number, self.places), "strong"))

    def foot(self, columns: int, rows: int, pen: Pen) -> Words:
        """What is selected, behind a short notice."""
        footer = fitting(self.selection, columns - 4)
        if not self._is_short(columns) or not self.notice:
            return footer
        beside: tuple[Words, ...] = (((self.notice, "key"),), (("  ", "dim"), *pieces(footer)))
        return fitting(beside[: 1 + bool(footer)], columns - 4)

    def _is_short(self, columns: int) -> bool:
        """Whether the notice has room in the border."""
        return len(self.notice) <= columns - 4

    def room(self, columns: int, pen: Pen) -> Room:
        return Room(5, 7, 0.24)

    def wide(self, columns: int) -> int:
        """All, or what it leaves to a board."""
        return columns if columns < WIDE else columns - BOARD_COLUMNS

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        """What fits: rule and numbers, then the number line, code, words."""
        inside = columns - 2
        rules, numbers = (self._terms(inside, symbols, pen) for symbols in (True, False))
        for gap, each in self._tails(numbers[-1], inside):
            numbers[-1] = (*numbers[-1], *blank(gap), *self._sum(each, pen))
        top = [row for both in zip(rules, numbers, strict=True) for row in both]
        top = top if self.terms else []
        words = self._told("WORDS", self.words, inside, pen)
        has_notice = self.notice and not self._is_short(columns)
        notice = self._told("NOTE", ((self.notice, "key"),), inside, pen) if has_notice else []
        room = rows - len(top) - len(notice)
        line = NumberLine(
            marks=self.marks, scale=self.scale, stretches=self.stretches, chosen=self.chosen
        ).draw(inside, 2 if room >= len(words) + 3 else 1, pen)
        room -= len(line)
        code = [self._code(inside, pen)] if self.terms and room > len(words) else []
        words = words[: max(0, room - len(code))]
        return [(*blank(1), *row) for row in top + code + words + notice + line]

    def _head(self, name: str, pen: Pen) -> Line:
        return (pen.piece(f"{name:<{HEAD}}", "dim"),)

    def _seats(self, inside: int, pen: Pen) -> Iterator[tuple[int, int, Term]]:
        """Row and first column of each term, wide enough for its symbol and its number.

        Where one row has no room for all, the heads give way to them, and then there are more rows.
        """
        longs = [
            max(len(pen.glyphs.text(text)) for text in (term.symbol, term.number))
            for term in self.terms
        ]
        left = HEAD if HEAD + sum(longs) + len(longs) - 1 <= inside else 1
        row, start = 0, left
        for term, long in zip(self.terms, longs, strict=True):
            if start + long > inside and start > left:
                row, start = row + 1, left
            yield row, start, term
            start += long + 1

    def _terms(self, inside: int, symbols: bool, pen: Pen) -> list[Line]:
        """Rule or numbers; a pointer stands in the blank before what is selected."""
        seats = list(self._seats(inside, pen))
        name = f"{'RULE' if symbols else 'NUMBERS':<{HEAD - 1}}"
        has_head = not seats or seats[0][1] == HEAD
        rows: list[Line] = [(pen.piece(name, "dim"),) if has_head else EMPTY]
        was_selected, before = False, tuple[Quantity | None, ...]()
        for row, start, term in seats:
            rows += [EMPTY] * (row + 1 - len(rows))
            selected = self.chosen is not None and self.chosen in term.means
            text = pen.glyphs.text(term.symbol if symbols else term.number)
            role = ("bold " if term.lit else "") + ("text" if symbols else term.role)
            bare = text.rstrip()
            cells: Line = (
                (bare, self.role(role, *term.means)),
                (text[len(bare) :], Meant(role, term.means)),
            )
            cells = on(cells, "selection") if term.lit else cells
            gap = " " * (start - 1 - width(rows[row])), Meant("", before)
            pointer = self.pointer(pen, selected and not was_selected)
            rows[row] = (*rows[row], gap, pointer, *cells)
            was_selected, before = selected, term.means
        return rows

    def _tails(self, line: Line, inside: int) -> list[tuple[int, Sum]]:
        """The error and the step taken, or the first of them, as far as there is room, each behind
        so many blanks."""
        sums = self.sums
        longs = [len(self._told_sum(each)) + 1 for each in sums]
        room = inside - width(line)
        while sums and sum(longs) + GAP * (len(sums) - 1) > room:
            sums, longs = sums[:-1], longs[:-1]
        free = room - sum(longs) - GAP * (len(sums) - 1)
        return list(zip([min(free, FIRST_GAP), *[GAP] * len(sums)], sums, strict=False))

    def _told_sum(self, each: Sum) -> str:
        return f"{each.label} {signed(each.number, self.places)}"

    def _sum(self, each: Sum, pen: Pen) -> Line:
        """A number with its sign, after a blank for the pointer."""
        means = (each.quantity,)
        number = pen.glyphs.text(signed(each.number, self.places))
        return (
            self.pointer(pen, each.quantity == self.chosen),
            pen.piece(f"{each.label} ", Meant("dim", means)),
            (number, self.role(f"bold {each.role}", each.quantity)),
        )

    def _code(self, inside: int, pen: Pen) -> Line:
        if not self.code:
            return (*self._head("CODE", pen), pen.piece("nothing is written now", "dim"))
        line = (*self._head("CODE", pen), *self._source(pen))
        for text in (self.place, self.place.rpartition("/")[2]):
            place = pen.line(text, "dim")
            gap = inside - width(line) - width(place)
            if gap >= 2:
                return (*line, *blank(min(gap, 12)), *place)
        room = inside - width(place) - 3
        return (*crop(line, room), (pen.glyphs.cell("…"), "dim"), *blank(2), *place)

    def _source(self, pen: Pen) -> Line:
        """The line of code, its selected parts marked."""
        line: Line = ()
        at = 0
        for part in self.parts:
            if not self._names(part.quantity):
                continue
            before = self.code[at : part.start]
            has_blank = before.endswith(" ")
            line = (*line, pen.piece(before[:-1] if has_blank else before))
            line = (*line, self.pointer(pen, True)) if has_blank else line
            line = (*line, pen.piece(self.code[part.start : part.stop], "picked text"))
            at = part.stop
        return (*line, pen.piece(self.code[at:]))

    def _names(self, quantity: Quantity) -> bool:
        """Whether the code has the name of this for what is selected."""
        chosen = self.chosen
        same = chosen is not None and chosen.role in NAMED and quantity.role in NAMED
        return quantity == chosen or same

    def _told(self, name: str, words: Words, inside: int, pen: Pen) -> list[Line]:
        """Sentences, wrapped, behind the head of their rows; no row where there are none."""
        rows = wrap(pen.line(words), inside - HEAD) if words else []
        return [
            (*(blank(HEAD) if row else self._head(name, pen)), *line)
            for row, line in enumerate(rows)
        ]


def closed(words: str) -> str:
    """Words whose parentheses stand close to what they hold."""
    return re.sub(r" +\)", ")", re.sub(r"\( +", "(", words))


def pieces(words: Words) -> tuple[tuple[str, str], ...]:
    return ((words, "text"),) if isinstance(words, str) else tuple(words)


def fitting(told: tuple[Words, ...], columns: int) -> Words:
    """As many of the first pieces as there is room for, at least one."""
    line: tuple[tuple[str, str], ...] = ()
    for piece in told:
        if line and length((*line, *pieces(piece))) > columns:
            break
        line = (*line, *pieces(piece))
    return line
