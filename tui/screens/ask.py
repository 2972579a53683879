"""A question with one line for the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from afterstate_lab.tui.lab.commands import key_of
from afterstate_lab.tui.lab.outcomes import Message, MessageKind, Outcome, Question
from afterstate_lab.tui.screens.base import DismissOnce, Overlay
from afterstate_lab.tui.theme.look import Look


class AnswerField(Input):
    """Takes Enter at once: Textual would first add the keys that came in the same packet."""

    async def on_key(self, event: events.Key) -> None:
        """Take the answer as it is."""
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            await self.action_submit()


class Ask(DismissOnce, Overlay, ModalScreen[None]):
    """Asks until an answer is not refused, or Esc.

    Args:
        question: what is asked.
        take: shows what came of the answer.
        look: colours and characters.
        above: stay above a card of so many rows over the footer; 0 covers the footer.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "cancel")]

    def __init__(
        self,
        question: Question,
        take: Callable[[Outcome], None],
        *,
        look: Look,
        above: int = 0,
    ) -> None:
        super().__init__()
        self.question = question
        self._take = take
        self._look = look
        self._above = above
        self.add_class(look.glyphs.name)

    def compose(self) -> ComposeResult:
        """The question, the line, and what may be answered."""
        text = self._look.glyphs.text
        with Vertical(id="dialog") as dialog:
            dialog.styles.margin = (0, 0, self._above + 1 if self._above else 0, 0)
            dialog.border_title = self.question.title
            dialog.border_subtitle = "Enter takes it, Esc leaves"
            yield AnswerField(self.question.default, id="answer")
            yield Label(text(self.question.prompt), id="wrong", markup=False)

    def on_mount(self) -> None:
        """Stand still: a blinking cursor would write to the line for ever."""
        for field in self.query(Input):
            field.cursor_blink = False
            field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the answer, once, or say what is wrong with it."""
        if not self.is_active:
            return
        outcome = self.question.answer(event.value)
        if isinstance(outcome, Message) and outcome.kind is MessageKind.REFUSAL:
            wrong = outcome.named(key_of).text or self.question.refused(event.value)
            self.query_one("#wrong", Label).update(self._look.glyphs.text(wrong))
            return
        self._take(outcome)
        self.dismiss()
