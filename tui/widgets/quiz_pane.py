"""A question of a quiz: what is known, the choices or the number line, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message

from tui.blocks.meaning import POINTER
from tui.blocks.number_line import NumberLine
from tui.blocks.quiz import ChoiceLine, QuizView
from tui.theme.look import EMPTY, Line, blank, crop, width, wrap
from tui.widgets.block_pane import pen_of, styled
from tui.widgets.pane import Pane

WIDEST_LABEL = 30
WIDE_CHOICE = 6
"""Choices of fewer characters stand in one row."""


class QuizPane(Pane[QuizView]):
    """A click on a choice posts `ChoiceClicked`."""

    @dataclass
    class ChoiceClicked(Message):
        number: int

    def lines(self, view: QuizView, columns: int, rows: int) -> list[Line]:
        inside = columns - 4
        body = self._question(view, inside)
        body += self._choices(view, inside)
        if view.scale is not None:
            guess = (self.look.piece("your guess ", "dim"), self.look.piece(view.guess, "strong"))
            line = NumberLine(view.marks, view.scale).draw(inside, 2, pen_of(self.look))
            body += [guess, EMPTY, *styled(line, self.look)]
        if view.verdict:
            why = self.look.line(((view.why, "text"),))
            body += [EMPTY, (*self.look.line(view.verdict), *blank(2)), *wrap(why, inside)]
        if rows - 2 - len(body) > 1:
            body = [EMPTY, *body]
        while len(body) > rows - 2 and EMPTY in body:
            body.remove(EMPTY)
        return self.framed(view, columns, rows, [crop(line, inside) for line in body])

    def _question(self, view: QuizView, inside: int) -> list[Line]:
        """The prompt and what is known."""
        prompt = wrap(self.look.line(((view.prompt, "strong"),)), inside)
        column = min(max((len(label) for label, _ in view.facts), default=0), WIDEST_LABEL)
        facts = []
        for label, text in view.facts:
            if not label:
                facts += wrap(self.look.line(((text, "key"),)), inside)
                continue
            name = (*self.look.line(((label, "dim"),)),)
            gap = blank(max(2, column + 2 - width(name)))
            facts.append((*name, *gap, self.look.piece(text, "text")))
        return [*prompt, EMPTY, *facts, EMPTY]

    def _choices(self, view: QuizView, inside: int) -> list[Line]:
        """The choices, in one row where they are short."""
        lines = [self._choice(choice, n == view.cursor) for n, choice in enumerate(view.choices)]
        if not lines or any(len(choice.text) >= WIDE_CHOICE for choice in view.choices):
            return lines
        row: Line = ()
        for line in lines:
            row = (*row, *line, *blank(2))
        return [row] if width(row) <= inside else lines

    def _choice(self, choice: ChoiceLine, here: bool) -> Line:
        mark = self.look.glyphs.text(POINTER) if here else " "
        role = "strong" if here else "text"
        sign = ""
        if choice.is_right is not None:
            sign = "✓" if choice.is_right else ("✗" if here else "")
            role = "better" if choice.is_right else "worse" if here else "dim"
        key = (self.look.piece(f"{choice.key} ", "key"),) if choice.key else ()
        end = (self.look.piece(f" {sign}", role),) if sign else ()
        return (
            (mark, self.look.palette.key), *key, self.look.piece(choice.text, role), *end,
        )  # fmt: skip

    def on_click(self, event: events.Click) -> None:
        if self.view is None or not self.view.choices:
            return
        text = self.render_line(event.y).text
        found = [
            (text.find(choice.text, 2), number)
            for number, choice in enumerate(self.view.choices)
            if choice.text in text
        ]
        before = [number for at, number in sorted(found) if at <= event.x + 2]
        if before:
            event.prevent_default()
            self.post_message(self.ChoiceClicked(before[-1]))
