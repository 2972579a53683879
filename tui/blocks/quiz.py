"""A question: what is known, the choices or the number line, and what came of the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from afterstate_lab.tui.blocks.block import Block
from afterstate_lab.tui.blocks.meaning import POINTER
from afterstate_lab.tui.blocks.number_line import Mark, NumberLine
from afterstate_lab.tui.blocks.span import EMPTY, Line, Pen, blank, crop, width, wrap
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.theme.glyphs import UNICODE
from afterstate_lab.tui.views.words import Words

WIDEST: Final = 80
"""Columns of its frame, however wide the page is."""
WIDEST_LABEL: Final = 30
WIDE_CHOICE: Final = 6
"""Choices of fewer characters stand in one row."""
BOARD: Final = 9
"""Characters of a board, which is not said twice: it is listed with its number."""


class Choice(NamedTuple):
    """Something that may be answered."""

    key: str
    text: str
    is_right: bool | None = None
    """None as long as that is not told."""


@dataclass(frozen=True, kw_only=True)
class Question(Block):
    """A click on a choice is `chosen`."""

    prompt: str
    facts: Sequence[tuple[str, str]] = ()
    """A label and a number, or words."""
    choices: Sequence[Choice] = ()
    wanted: str = ""
    """What may be answered, in words."""
    cursor: int | None = None
    """The selected choice."""
    marks: tuple[Mark, ...] = ()
    """On the number line, where a number is asked for."""
    scale: tuple[float, float] | None = None
    guess: str = ""
    """The number that the cursor on the line is at."""
    verdict: Words = ""
    """Once it is answered."""
    why: str = ""
    chosen: Callable[[int], Any] | None = None

    def wide(self, columns: int) -> int:
        return min(columns, WIDEST)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        inside = columns - 2
        body = [*self._known(inside, pen), *self._choices(inside, pen)]
        if self.scale is not None:
            guess = (pen.piece("your guess ", "dim"), pen.piece(self.guess, "strong"))
            body += [guess, EMPTY, *NumberLine(self.marks, self.scale).draw(inside, 2, pen)]
        if self.verdict:
            body += [EMPTY, pen.line(self.verdict), *wrap(pen.line(self.why), inside)]
        if rows - len(body) > 1:
            body = [EMPTY, *body]
        while len(body) > rows and EMPTY in body:
            body.remove(EMPTY)
        return [(*blank(1), *crop(line, inside)) for line in body]

    def say(self) -> Iterator[str]:
        yield spoken(self.prompt)
        facts = "; ".join(spoken(f"{label} {text}".lstrip()) for label, text in self.facts)
        if facts:
            yield f"{facts}."
        if self.verdict:
            yield f"{joined(self.verdict).capitalize()}. {spoken(self.why)}"
        elif self.wanted:
            names = [choice.text for choice in self.choices]
            is_board = any(len(name) == BOARD or "@" in name for name in names)
            offered = "; ".join(f"{n}. {name}" for n, name in enumerate(names, 1))
            yield f"Answer {self.wanted}{f': {offered}' if is_board else ''}."

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        lines = self.draw(columns, rows, Pen(UNICODE))
        text = "".join(text for text, _ in lines[y]) if y < len(lines) else ""
        found = [
            (text.find(choice.text), number)
            for number, choice in enumerate(self.choices)
            if choice.text in text
        ]
        before = [number for at, number in sorted(found) if at <= x + 2]
        return before[-1] if before else None

    def choose(self, row: int) -> Any:
        return None if self.chosen is None else self.chosen(row)

    def _known(self, inside: int, pen: Pen) -> list[Line]:
        """The prompt and what is known."""
        column = min(max((len(label) for label, _ in self.facts), default=0), WIDEST_LABEL)
        facts: list[Line] = []
        for label, text in self.facts:
            if not label:
                facts += wrap(pen.line(text, "key"), inside)
                continue
            name = pen.line(label, "dim")
            facts.append((*name, *blank(max(2, column + 2 - width(name))), pen.piece(text)))
        return [*wrap(pen.line(self.prompt, "strong"), inside), EMPTY, *facts, EMPTY]

    def _choices(self, inside: int, pen: Pen) -> list[Line]:
        """The choices, in one row where they are short."""
        lines = [self._choice(choice, n == self.cursor, pen) for n, choice in
                 enumerate(self.choices)]  # fmt: skip
        if not lines or any(len(choice.text) >= WIDE_CHOICE for choice in self.choices):
            return lines
        row: Line = ()
        for line in lines:
            row = (*row, *line, *blank(2))
        return [row] if width(row) <= inside else lines

    def _choice(self, choice: Choice, here: bool, pen: Pen) -> Line:
        role, sign = "strong" if here else "text", ""
        if choice.is_right is not None:
            sign = "✓" if choice.is_right else ("✗" if here else "")
            role = "better" if choice.is_right else "worse" if here else "dim"
        key = (pen.piece(f"{choice.key} ", "key"),) if choice.key else ()
        end = (pen.piece(f" {sign}", role),) if sign else ()
        return pen.piece(POINTER if here else " ", "key"), *key, pen.piece(choice.text, role), *end
