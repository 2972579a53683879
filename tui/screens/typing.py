"""The line that is typed: the answer to a question, or what a page lets type."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding
from textual.widgets import Input
from textual.widgets.input import Selection

from afterstate_lab.tui.blocks.span import Line, Pen, blank, fit, on
from afterstate_lab.tui.lab.outcomes import Key

EDITING: Final = {
    key: binding.action
    for binding in Input.BINDINGS
    if isinstance(binding, Binding) and binding.action != "submit"
    for key in binding.key.split(",")
}
"""Keys that edit the line, with their actions."""


class TypedLine(Input):
    """A text with its cursor and its selection; the paper shows it."""

    def propose(self, question: Key) -> None:
        """Begin with the given answer, selected if it is a proposal."""
        end = len(question.given)
        self.value = question.given
        self.selection = Selection(0 if question.is_proposal else end, end)

    async def edit(self, text: str, key: str) -> None:
        """Replace the selection with a text, or do what a key does to the line."""
        if text:
            self.replace(text, *sorted(self.selection))
        else:
            await self.run_action(EDITING[key])

    def drawn(self, label: str, text: str, columns: int, pen: Pen) -> Line:
        """Return the line with this text, scrolled to its cursor."""
        if self.value != text:
            self.value = text
            self.cursor_position = len(text)
        label, at = f" {label}: ", self.cursor_position
        start, stop = sorted(self.selection)
        stop = max(stop, start + 1)
        first = max(0, at + 2 - (columns - len(label)))
        start, text = max(first, start), f"{text} "
        pieces = (
            (label, "key on bar"),
            (text[first:start], "text on bar"),
            (text[start:stop], "tag STEP"),
            (text[stop:], "text on bar"),
        )
        return fit((*pen.line(pieces), *on(blank(columns), "bar")), columns)
