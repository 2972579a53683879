"""One update four ways: rule, numbers, code and words; and on the number line."""

from __future__ import annotations

from rich.style import Style

from tui.look import Line, blank, crop, width, wrap
from tui.numerals import signed
from tui.views.update import TermView, UpdateView
from tui.widgets.number_line import number_line
from tui.widgets.pane import Pane

HEAD = 9
"""Columns of the row heads."""


class UpdatePane(Pane[UpdateView]):
    """The backup under the microscope; each term stands above its number."""

    def lines(self, view: UpdateView, columns: int, rows: int) -> list[Line]:
        """The frame and what fits: rule and numbers, then the number line, code, words."""
        inside, room = columns - 4, rows - 2
        top = [self._terms(view, symbols=True), self._numbers(view, inside)] if view.terms else []
        words = self._words(view, inside) if view.words else []
        room -= len(top)
        labelled = room >= len(words) + 3
        line = number_line(self.look, view.marks, view.scale, inside, labelled=labelled)
        room -= len(line)
        code = [self._code(view, inside)] if view.terms and room > len(words) else []
        words = words[: max(0, room - len(code))]
        return self.framed(view, columns, rows, top + code + words + line)

    def _head(self, name: str) -> Line:
        return (self.look.piece(f"{name:<{HEAD}}", "dim"),)

    def _terms(self, view: UpdateView, symbols: bool) -> Line:
        """Rule or numbers, in columns wide enough for both."""
        line = self._head("RULE" if symbols else "NUMBERS")
        for place, term in enumerate(view.terms, 1):
            pair = [self.look.glyphs.text(text) for text in (term.symbol, term.number)]
            text = pair[0] if symbols else pair[1]
            style = self._term_style(term, symbols)
            gap = 1 if place < len(view.terms) else 0
            line = (*line, (text, style), *blank(max(map(len, pair)) + gap - len(text)))
        return line

    def _term_style(self, term: TermView, symbols: bool) -> Style:
        palette = self.look.palette
        style = palette.text if symbols else palette.style(term.role)
        return palette.selected(style + Style(bold=True)) if term.lit else style

    def _numbers(self, view: UpdateView, inside: int) -> Line:
        line = self._terms(view, symbols=False)
        step = self._signed("step ", view.step, view.places)
        tails = [step] if view.delta is None else [self._signed("δ ", view.delta, view.places)]
        if view.delta is not None and view.step is not None:
            tails.insert(0, (*tails[0], *blank(3), *step))
        for tail in tails if view.step is not None else []:
            gap = inside - width(line) - width(tail)
            if gap >= 1:
                return (*line, *blank(min(gap, 8)), *tail)
        return line

    def _signed(self, label: str, number: float | None, places: int) -> Line:
        """A number with its sign, in the colour of it."""
        look = self.look
        role = "worse" if (number or 0.0) < 0 else "better"
        style = look.palette.style(role) + Style(bold=True)
        return (look.piece(label, "dim"), (look.glyphs.text(signed(number, places)), style))

    def _code(self, view: UpdateView, inside: int) -> Line:
        if not view.code:
            return (*self._head("CODE"), self.look.piece("nothing is written now", "dim"))
        line = (*self._head("CODE"), self.look.piece(view.code))
        for text in (view.place, view.place.rpartition("/")[2]):
            place = self.look.line(text, "dim")
            gap = inside - width(line) - width(place)
            if gap >= 2:
                return (*line, *blank(min(gap, 12)), *place)
        room = inside - width(place) - 3
        cut = (self.look.glyphs.cell("…"), self.look.palette.dim)
        return (*crop(line, room), cut, *blank(2), *place)

    def _words(self, view: UpdateView, inside: int) -> list[Line]:
        rows = wrap(self.look.line(view.words), inside - HEAD)
        return [
            (*(blank(HEAD) if row else self._head("WORDS")), *line) for row, line in enumerate(rows)
        ]
