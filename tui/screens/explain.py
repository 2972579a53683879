"""Explain a word, a symbol or a number on the screen, or any other word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Label

from afterstate_lab.tui.lab.glossary import (
    GlossaryWord,
    explain,
    glossary,
    look_up,
    not_found,
    selected_word,
    words_in,
)
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.screens.base import DismissOnce, Overlay
from afterstate_lab.tui.screens.page import PageScreen
from afterstate_lab.tui.theme.look import Look

if TYPE_CHECKING:
    from typing import Any

    from afterstate_lab.tui.lab.session import Session


class AnswerField(Input):
    """Takes Enter at once; Textual would first add later keys of the same packet."""

    async def on_key(self, event: events.Key) -> None:
        """Take the answer as it is."""
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            await self.action_submit()


class ExplainScreen(DismissOnce, Overlay, ModalScreen[None]):
    """Explains one term; arrows go through the screen's terms, typing finds any other.

    Args:
        words: the terms on the screen.
        first: the first term to explain.
        session: has the current numbers; None before the first move.
        look: colours and characters.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1", "dismiss", "close"),
        Binding("down", "turn(1)", "next"),
        Binding("up", "turn(-1)", "before"),
    ]

    def __init__(
        self,
        words: Sequence[GlossaryWord],
        first: GlossaryWord | None,
        session: Session | None,
        look: Look,
    ) -> None:
        super().__init__()
        self._of_screen = tuple(words) or glossary()
        self._words = self._of_screen
        self._at = self._words.index(first) if first in self._words else 0
        self._session = session
        self._look = look
        self.add_class(look.glyphs.name)

    @property
    def word(self) -> GlossaryWord:
        return self._words[self._at]

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog") as dialog:
            dialog.border_title = "what it means"
            dialog.border_subtitle = self._look.glyphs.text("↑ ↓ other words here, Esc closes")
            yield Label("", id="word", markup=False)
            yield Label("", id="said", markup=False)
            yield AnswerField(placeholder="type another word", id="answer")

    def on_mount(self) -> None:
        """Explain the first word, without animation."""
        for field in self.query(Input):
            field.cursor_blink = False
            field.focus()
        self.show()

    def show(self) -> None:
        """Explain the current word."""
        place = f"   {self._at + 1} of {len(self._words)}"
        self._say(self.word.word + place, "\n".join(explain(self.word, self._session)))

    def _say(self, word: str, text: str) -> None:
        # None of them is there where the screen was left before it was shown.
        for name, told in (("#word", word), ("#said", text)):
            for label in self.query(name).results(Label):
                label.update(self._look.glyphs.text(told))

    def action_turn(self, by: int) -> None:
        self._at = (self._at + by) % len(self._words)
        self.show()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Explain the typed word; an empty text brings the screen's words back."""
        found = tuple(look_up(event.value)) if event.value.strip() else self._of_screen
        if not found:
            self._say("?", not_found(event.value.strip()))
        elif found != self._words:
            self._words, self._at = found, 0
            self.show()

    def on_input_submitted(self) -> None:
        """Close on Enter, as on Esc."""
        self.dismiss()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss()


def words_of(screen: Screen[Any], look: Look) -> list[GlossaryWord]:
    """Return the glossary's words on a page, in reading order."""
    lines = (
        [line.text for line in screen.paper.lines[1:-1]] if isinstance(screen, PageScreen) else []
    )
    return list(
        dict.fromkeys(one.word for line in lines for one in words_in(line, look.glyphs.text))
    )


def word_under_mouse(screen: Screen[Any], look: Look) -> GlossaryWord | None:
    """Return the word under the mouse, if the mouse was moved."""
    x, y = screen.app.mouse_position
    if isinstance(screen, PageScreen) and (x or y) and y < len(screen.paper.lines):
        return word_at(screen.paper.lines[y].text, x, look)
    return None


def word_in_focus(screen: Screen[Any], look: Look) -> GlossaryWord | None:
    """Return the first word in the row under the cursor."""
    pointer = look.glyphs.cell("▸")
    lines = screen.paper.lines if isinstance(screen, PageScreen) else ()
    rows = [line.text.partition(pointer)[2] for line in lines]
    return next((one.word for row in rows for one in words_in(row, look.glyphs.text)), None)


def word_at(line: str, column: int, look: Look) -> GlossaryWord | None:
    for found in words_in(line, look.glyphs.text):
        if found.start <= column < found.stop:
            return found.word
    return None


def explain_screen(
    screen: Screen[Any], session: Session | None, look: Look, word: GlossaryWord | None = None
) -> ExplainScreen:
    """Return the screen that explains terms, first the given, hovered, selected or focused term.

    Args:
        screen: the screen with the terms.
        look: colours and characters.
        word: the term that you asked for.
    """
    words = words_of(screen, look)
    if word is None:
        word = word_under_mouse(screen, look)
    if word is None and session is not None and session.mode is Mode.STEP:
        word = selected_word(session)
    if word is None:
        word = word_in_focus(screen, look)
    if word is not None and word not in words:
        words.insert(0, word)
    return ExplainScreen(words, word, session, look)
