"""One update four ways: rule, numbers, code and words; and on the number line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rich.style import Style

from tui.theme.canvas import Canvas
from tui.theme.look import EMPTY, Line, Look, blank, crop, width, wrap
from tui.theme.numerals import decimals, signed
from tui.views.update import MarkView, Quantity, SpanView, TermView, UpdateView
from tui.views.words import Words, length
from tui.widgets.pane import PICKED, POINTER, SelectablePane, Zone

HEAD = 9
"""Columns of the row heads."""
FIRST_GAP, GAP = 7, 2
"""Blanks before the error and before the step, besides that in which the pointer stands."""


class UpdatePane(SelectablePane[UpdateView]):
    """The backup under the microscope; each term stands above its number."""

    def lines(self, view: UpdateView, columns: int, rows: int) -> list[Line]:
        """The frame and what fits: rule and numbers, then the number line, code, words."""
        inside, room = columns - 4, rows - 2
        numbers, is_told = self._numbers(view, inside)
        rules = self._terms(view, inside, symbols=True)
        top = [row for both in zip(rules, numbers, strict=True) for row in both]
        top = top if view.terms else []
        words = self._told("WORDS", view.words, inside)
        footer = fitting(view.selection, columns - 6)
        notice: list[Line] = []
        if view.notice:
            beside = ((view.notice, "key"),), (("  ", "dim"), *footer)
            is_short = len(view.notice) <= columns - 6
            footer = fitting(beside[: 1 + bool(footer)], columns - 6) if is_short else footer
            notice = [] if is_short else self._told("NOTE", ((view.notice, "key"),), inside)
        room -= len(top) + len(notice)
        labelled = room >= len(words) + 3
        line = number_line(
            self.look, view.marks, view.scale, inside, spans=view.spans, labelled=labelled
        )
        room -= len(line)
        code = [self._code(view, inside)] if view.terms and room > len(words) else []
        words = words[: max(0, room - len(code))]
        shown = view if is_told else with_error_in_title(view)
        body = top + code + words + notice + line
        return self.framed(shown, columns, rows, body, footer=footer)

    def zones(self, view: UpdateView, columns: int, rows: int) -> list[Zone]:
        """The terms, in the rows of both, and what is added up from them."""
        inside = columns - 4
        found = [
            Zone(y + 2 * row, 2 + start, 2 + start + long, first_of(term))
            for y in (1, 2)
            for row, start, long, term in self._places(view, inside)
        ]
        numbers = self._terms(view, inside, symbols=False)
        line = numbers[-1]
        for tail, quantity in self._tails(view, line, inside):
            line = (*line, *tail)
            stop = 2 + width(line)
            start = stop - len("".join(text for text, _ in tail).lstrip())
            found.append(Zone(2 * len(numbers), start, stop, quantity))
        return found

    def _head(self, name: str) -> Line:
        return (self.look.piece(f"{name:<{HEAD}}", "dim"),)

    def _places(self, view: UpdateView, inside: int) -> Iterator[tuple[int, int, int, TermView]]:
        """Row, first column and length of each term, wide enough for its symbol and its number.

        Where one row has no room for all, the heads give way to them, and then there are more rows.
        """
        longs = [
            max(len(self.look.glyphs.text(text)) for text in (term.symbol, term.number))
            for term in view.terms
        ]
        left = HEAD if HEAD + sum(longs) + len(longs) - 1 <= inside else 1
        row, start = 0, left
        for term, long in zip(view.terms, longs, strict=True):
            if start + long > inside and start > left:
                row, start = row + 1, left
            yield row, start, long, term
            start += long + 1

    def _terms(self, view: UpdateView, inside: int, symbols: bool) -> list[Line]:
        """Rule or numbers; a pointer stands in the blank before what is selected."""
        places = list(self._places(view, inside))
        name = f"{'RULE' if symbols else 'NUMBERS':<{HEAD - 1}}"
        has_head = not places or places[0][1] == HEAD
        rows: list[Line] = [(self.look.piece(name, "dim"),) if has_head else EMPTY]
        was_selected = False
        for row, start, _, term in places:
            rows += [EMPTY] * (row + 1 - len(rows))
            text = self.look.glyphs.text(term.symbol if symbols else term.number)
            line = (*rows[row], *blank(start - 1 - width(rows[row])))
            before = self.pointer(term.selected and not was_selected)
            rows[row] = (*line, before, *self._term(text, self._term_style(term, symbols), term))
            was_selected = term.selected
        return rows

    def _term(self, text: str, style: Style, term: TermView) -> Line:
        bare = text.rstrip()
        return ((bare, self.picked(style, term.selected)), (text[len(bare) :], style))

    def _term_style(self, term: TermView, symbols: bool) -> Style:
        palette = self.look.palette
        style = palette.text if symbols else palette.style(term.role)
        return palette.selected(style + Style(bold=True)) if term.lit else style

    def _numbers(self, view: UpdateView, inside: int) -> tuple[list[Line], bool]:
        """The numbers and what they add up to; and whether the error found room among them."""
        rows = self._terms(view, inside, symbols=False)
        tails = self._tails(view, rows[-1], inside)
        for tail, _ in tails:
            rows[-1] = (*rows[-1], *tail)
        return rows, view.delta is None or bool(tails)

    def _tails(
        self, view: UpdateView, line: Line, inside: int
    ) -> list[tuple[Line, Quantity | None]]:
        """The error and the step taken, or the first of them, as far as there is room."""
        tails = [(self._error(view), view.delta_quantity), (self._step(view), view.step_quantity)]
        tails = [tail for tail in tails if tail[0]]
        room = inside - width(line)
        while tails and sum(width(tail) for tail, _ in tails) + GAP * (len(tails) - 1) > room:
            tails.pop()
        free = room - sum(width(tail) for tail, _ in tails) - GAP * (len(tails) - 1)
        gaps = [min(free, FIRST_GAP), *[GAP] * len(tails)]
        return [
            ((*blank(gap), *tail), quantity)
            for gap, (tail, quantity) in zip(gaps, tails, strict=False)
        ]

    def _error(self, view: UpdateView) -> Line:
        if view.delta is None:
            return EMPTY
        return self._signed("δ ", view.delta, view.places, view.delta_selected, "text")

    def _step(self, view: UpdateView) -> Line:
        if view.step is None:
            return EMPTY
        return self._signed("step ", view.step, view.places, view.step_selected, view.step_role)

    def _signed(self, label: str, number: float, places: int, selected: bool, role: str) -> Line:
        """A number with its sign, after a blank for the pointer."""
        look = self.look
        style = look.palette.style(role) + Style(bold=True)
        text = look.glyphs.text(signed(number, places))
        return (
            self.pointer(selected),
            look.piece(label, "dim"),
            (text, self.picked(style, selected)),
        )

    def _code(self, view: UpdateView, inside: int) -> Line:
        if not view.code:
            return (*self._head("CODE"), self.look.piece("nothing is written now", "dim"))
        line = (*self._head("CODE"), *self._source(view))
        for text in (view.place, view.place.rpartition("/")[2]):
            place = self.look.line(text, "dim")
            gap = inside - width(line) - width(place)
            if gap >= 2:
                return (*line, *blank(min(gap, 12)), *place)
        room = inside - width(place) - 3
        cut = (self.look.glyphs.cell("…"), self.look.palette.dim)
        return (*crop(line, room), cut, *blank(2), *place)

    def _source(self, view: UpdateView) -> Line:
        """The line of code, its selected parts marked."""
        line: Line = ()
        at = 0
        for part in view.parts:
            if not part.selected:
                continue
            before = view.code[at : part.start]
            has_blank = before.endswith(" ")
            line = (*line, self.look.piece(before[:-1] if has_blank else before))
            line = (*line, self.pointer(True)) if has_blank else line
            style = self.picked(self.look.palette.text, True)
            line = (*line, (self.look.glyphs.text(view.code[part.start : part.stop]), style))
            at = part.stop
        return (*line, self.look.piece(view.code[at:]))

    def _told(self, name: str, words: Words, inside: int) -> list[Line]:
        """Sentences, wrapped, behind the head of their rows; no row where there are none."""
        rows = wrap(self.look.line(words), inside - HEAD) if words else []
        return [
            (*(blank(HEAD) if row else self._head(name)), *line) for row, line in enumerate(rows)
        ]


def first_of(term: TermView) -> Quantity | None:
    """What a click on a term selects."""
    return next(
        (quantity for quantity in (term.quantity, *term.wholes) if quantity is not None), None
    )


def with_error_in_title(view: UpdateView) -> UpdateView:
    """The error beside the title, where the row of the numbers is full."""
    title = ((view.title, "title"),) if isinstance(view.title, str) else view.title
    sign = (f" {POINTER}δ ", "key") if view.delta_selected else ("  δ ", "dim")
    return replace(view, title=(*title, sign, (signed(view.delta, view.places), "strong")))


def fitting(pieces: tuple[Words, ...], columns: int) -> Words:
    """As many of the first pieces as there is room for, at least one."""
    line: tuple[tuple[str, str], ...] = ()
    for piece in pieces:
        more = ((piece, "text"),) if isinstance(piece, str) else piece
        if line and length((*line, *more)) > columns:
            break
        line = (*line, *more)
    return line


LEGEND: Final = 27
"""Columns of the legend."""


def number_line(
    look: Look,
    marks: tuple[MarkView, ...],
    scale: tuple[float, float],
    columns: int,
    *,
    spans: tuple[SpanView, ...] = (),
    labelled: bool = True,
) -> list[Line]:
    """Two lines: the marks' labels, and the line itself. Nothing without marks or room.

    Not `labelled` it is one line, with a legend at its right. Equal values have one mark that names
    all; others that would share a column stand side by side, in the order of their values.
    """
    low, high = scale
    marks = merged(marks)
    if not labelled and columns >= LEGEND + 16:
        line = number_line(look, marks, scale, columns - LEGEND, spans=spans)
        return [(*line[1], *_legend(look, marks))] if line else []
    ends = [_end(look, value) for value in scale]
    left, right = len(ends[0]) + 1, columns - len(ends[1]) - 2
    if not marks or right - left < 10 or high <= low:
        return []
    palette = look.palette
    canvas = Canvas(columns, 2)
    canvas.put(0, 1, ends[0], palette.dim)
    canvas.put(left, 1, look.glyphs.cell("─") * (right - left + 1), palette.faint)
    canvas.put(right + 2, 1, ends[1], palette.dim)

    def column(value: float) -> int:
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        return left + round(share * (right - left))

    for span in spans:
        if span.selected:
            first, last = sorted((column(span.first), column(span.last)))
            stretch = "=" * (last - first + 1)
            canvas.put(first, 1, stretch, palette.key)
    ordered = sorted(marks, key=lambda mark: mark.value)
    exact = [column(mark.value) for mark in ordered]
    labels = [look.glyphs.text(_label(mark)) for mark in ordered]
    places = _apart([(place, 0) for place in exact], right)
    starts = _apart(
        [(place, len(label)) for place, label in zip(places, labels, strict=True)], columns
    )
    for mark, label, place, start in zip(ordered, labels, places, starts, strict=True):
        style = palette.style(mark.role)
        canvas.put(start, 0, label, style + PICKED if mark.selected else style)
        bold = PICKED if mark.selected else Style(bold=True)
        canvas.put(place, 1, look.glyphs.cell(mark.glyph), style + bold)
    return canvas.lines()


def merged(marks: tuple[MarkView, ...]) -> tuple[MarkView, ...]:
    """One mark for each value; it names all that are there, and looks like the last."""
    found: dict[float, MarkView] = {}
    for mark in marks:
        same = found.get(mark.value)
        if same is not None:
            label, selected = f"{same.label}={mark.label}", same.selected or mark.selected
            mark = replace(mark, label=label, selected=selected)
        found[mark.value] = mark
    return tuple(found.values())


def _label(mark: MarkView) -> str:
    return POINTER + mark.label if mark.selected else mark.label


def _legend(look: Look, marks: tuple[MarkView, ...]) -> Line:
    line: Line = ()
    for mark in marks:
        glyph = (look.glyphs.cell(mark.glyph), look.palette.style(mark.role) + Style(bold=True))
        before = (look.glyphs.text(POINTER) if mark.selected else " ", look.palette.key)
        label, style = look.piece(mark.label, "dim")
        style = style + PICKED if mark.selected else style
        line = (*line, before, glyph, *blank(1), (label, style))
    return line


def _apart(places: list[tuple[int, int]], columns: int) -> list[int]:
    """Where texts start, centred on their places as far as they leave each other a blank.

    Args:
        places: The wanted place and the length of each, in order.
        columns: Where the last may end.
    """
    starts: list[int] = []
    free = 0
    for place, long in places:
        starts.append(max(place - long // 2, free))
        free = starts[-1] + long + 1
    limit = columns
    for index in range(len(starts) - 1, -1, -1):
        starts[index] = min(starts[index], limit - places[index][1])
        limit = starts[index] - 1
    return starts


def _end(look: Look, value: float) -> str:
    text = f"{value:.0f}" if value == round(value) else decimals(value, 2)
    return look.glyphs.text(text)
