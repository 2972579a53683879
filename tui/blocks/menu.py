"""A menu of two-line items, and a question with choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from afterstate_lab.tui.blocks.block import NO_END, Block, Room, Window
from afterstate_lab.tui.blocks.meaning import POINTER
from afterstate_lab.tui.blocks.span import EMPTY, Line, Pen, Words, blank, crop, width, wrap
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.theme.glyphs import UNICODE

MEASURE: Final = 76
"""Maximum number of columns of a line."""


class Item(NamedTuple):
    key: str
    name: str
    """The name, one to three words."""
    says: str
    """One inviting line."""
    aside: str = ""
    """Text after the name."""


@dataclass(frozen=True, kw_only=True)
class Menu(Block):
    items: Sequence[Item]
    at: Window
    about: str = ""
    """Text above the items."""
    remark: Words = ""
    """Text in the last rows."""

    def __post_init__(self) -> None:
        self.at.hold(len(self.items))

    @property
    def window(self) -> Window:
        return self.at

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        about, remark = self._texts(columns, pen)
        first, height = self._places(rows, about, remark)
        body: list[Line] = [EMPTY] * max(rows, first + height * len(self.items))
        if first:
            body[: len(about)] = about
        for number, item in enumerate(self.items):
            mark = pen.glyphs.text("›") if number == self.at.cursor else " "
            at = first + number * height
            name, aside = pen.piece(f"  {item.name}", "strong"), pen.piece(f"  {item.aside}", "dim")
            body[at] = ((mark, "key"), pen.piece(item.key, "key"), name, aside)
            body[at + 1] = (pen.piece(f"    {item.says}"),)
        body = body[:rows]
        remark = remark[: max(1, len(body) - first - height * len(self.items))]
        body[max(0, len(body) - len(remark)) :] = remark[: len(body)]
        margin = blank(1 + max(0, columns - 2 - MEASURE) // 2)
        return [crop((*margin, *line), columns - 1) for line in body]

    def say(self) -> Iterator[str]:
        if self.about:
            yield self.about
        for number, item in enumerate(self.items, 1):
            aside = f" ({item.aside})" if item.aside else ""
            yield spoken(f"{number}. {item.name}: {item.says}{aside}")
        if self.remark:
            yield spoken(joined(self.remark))

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        first, height = self._places(rows, *self._texts(columns, Pen(UNICODE)))
        number, row = divmod(y - first, height)
        return number if first <= y < rows and number < len(self.items) and row < 2 else None

    def choose(self, row: int) -> Any:
        self.at.cursor = row
        return super().choose(row)

    def _texts(self, columns: int, pen: Pen) -> tuple[list[Line], list[Line]]:
        """Return the rows of the introduction, and of the remark."""
        about = wrap(pen.line(self.about), min(columns - 2, MEASURE)) if self.about else []
        return about, wrap(pen.line(self.remark), columns - 2) if self.remark else []

    def _places(self, rows: int, about: Sequence[Any], remark: Sequence[Any]) -> tuple[int, int]:
        """Return the row of the first item, and the rows of each item."""
        room, many = rows - max(1, len(remark)), len(self.items)
        first = len(about) + 1 if about and len(about) + 1 + 2 * many <= room else 0
        height = next((n for n in (6, 4, 3) if first + n * many <= room), 2)
        air = (room - first - height * many) // 3 if height >= 4 else 0
        return first + air, height


WIDEST: Final = 80
"""Maximum number of columns of its frame."""
WIDEST_LABEL: Final = 30
STEADY: Final = 11
"""Minimum rows of a question, so that what is above it stays in place."""
WIDE_CHOICE: Final = 6
"""Shorter choices share one row."""


class Choice(NamedTuple):
    """A possible answer."""

    key: str
    text: str
    is_right: bool | None = None
    """Whether it is right; None until revealed."""


@dataclass(frozen=True, kw_only=True)
class Question(Block):
    prompt: str
    before: Words = ""
    """The verdict on the previous answer."""
    facts: Sequence[tuple[str, str]] = ()
    """Facts as label and text."""
    choices: Sequence[Choice] = ()
    wanted: str = ""
    """The valid answers, in words."""
    cursor: int | None = None
    guess: str = ""
    """The number at the cursor."""
    verdict: Words = ""
    why: str = ""

    def room(self, columns: int, pen: Pen) -> Room:
        many = max(STEADY, len(self._lines(columns, NO_END, pen)))
        return Room(many, many)

    def wide(self, columns: int) -> int:
        return min(columns, WIDEST)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        inside, body = columns - 2, self._lines(columns, rows, pen)
        while len(body) > rows and EMPTY in body:
            body.remove(EMPTY)
        return [(*blank(1), *crop(line, inside)) for line in body]

    def _lines(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        inside = columns - 2
        body = [*self._known(inside, pen), *self._choices(inside, pen)]
        if self.guess:
            body.append((pen.piece("your guess ", "dim"), pen.piece(self.guess, "strong")))
        if self.verdict:
            body += [EMPTY, pen.line(self.verdict), *wrap(pen.line(self.why), inside)]
        return [EMPTY, *body] if rows - len(body) > 1 else body

    def say(self) -> Iterator[str]:
        yield spoken(self.prompt)
        facts = "; ".join(spoken(f"{label} {text}".lstrip()) for label, text in self.facts)
        if facts:
            yield f"{facts}."
        if self.verdict:
            yield f"{joined(self.verdict).capitalize()}. {spoken(self.why)}"
        elif self.wanted:
            offered = "; ".join(f"{choice.key}. {choice.text}" for choice in self.choices)
            yield spoken(f"Answer {self.wanted}{f': {offered}' if offered else ''}.")

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

    def _known(self, inside: int, pen: Pen) -> list[Line]:
        """Return the prompt and the facts."""
        column = min(max((len(label) for label, _ in self.facts), default=0), WIDEST_LABEL)
        facts: list[Line] = []
        for label, text in self.facts:
            if not label:
                facts += wrap(pen.line(text, "key"), inside)
                continue
            name = pen.line(label, "dim")
            facts.append((*name, *blank(max(2, column + 2 - width(name))), pen.piece(text)))
        before = wrap(pen.line(self.before), inside) if self.before else []
        return [*before, *wrap(pen.line(self.prompt, "strong"), inside), EMPTY, *facts, EMPTY]

    def _choices(self, inside: int, pen: Pen) -> list[Line]:
        """Return the choices, in one row if they are short."""
        lines = [
            self._choice(choice, n == self.cursor, pen) for n, choice in enumerate(self.choices)
        ]
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
