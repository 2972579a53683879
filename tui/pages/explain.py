"""Explain a word, a symbol or a number on the screen, or any other word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from afterstate_lab.tui.blocks.speech import spoken
from afterstate_lab.tui.blocks.text import Text
from afterstate_lab.tui.lab.glossary import (
    GlossaryWord,
    asked_for,
    explain,
    glossary,
    look_up,
    not_found,
    selected_word,
    words_in,
)
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import sentence
from afterstate_lab.tui.pages.page import Key, Leave, Page, Typing

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.session import Session

Written = Callable[[str], str]
"""Returns a text in the terminal's characters."""
POINTER = "▸"


class Explain:
    """Explains one word; arrows go through the screen's words, typing finds any other.

    Args:
        words: the words on the screen.
        first: the first word to explain.
        session: has the current numbers; None before the first move.
    """

    def __init__(
        self,
        words: Sequence[GlossaryWord],
        first: GlossaryWord | None = None,
        session: Session | None = None,
    ) -> None:
        self.of_screen = self.words = tuple(words) or glossary()
        self.at = self.words.index(first) if first in self.words else 0
        self.session = session
        self.text = ""

    def turn(self, by: int) -> None:
        self.at = (self.at + by) % max(1, len(self.words))

    def type(self, text: str) -> None:
        """Explain the typed word; an empty text brings the screen's words back."""
        self.text, self.at = text, 0
        self.words = tuple(look_up(text)) if text.strip() else self.of_screen

    def page(self) -> Page:
        title, right, said = "?", "", not_found(self.text.strip())
        if self.words:
            word = self.words[self.at]
            title, said = word.word, "\n".join(explain(word, self.session))
            right = f"{self.at + 1} of {len(self.words)}"
        keys = (
            Key("down", "next", lambda: self.turn(1), "the next word"),
            Key("up", "previous", lambda: self.turn(-1), "the previous word"),
            Key("enter escape f1", "close", Leave, "back to where you were", signs="Esc"),
        )
        typing = Typing("another word", self.text, True, self.type, self.type)
        card = Text(said.split("\n"), title=title, right=right, spot=True)
        return Page("EXPLAIN", card, keys=keys, typing=typing, is_over=True)


def word_at(line: str, column: int, written: Written) -> GlossaryWord | None:
    """Return the word at a column of a line."""
    found = (one for one in words_in(line, written) if one.start <= column < one.stop)
    return next((one.word for one in found), None)


def explain_screen(
    lines: Sequence[str],
    session: Session | None,
    written: Written,
    mouse: tuple[int, int] = (0, 0),
    word: GlossaryWord | None = None,
) -> Explain:
    """Explain the words on screen, first the given, hovered, selected or focused word.

    With nothing chosen, explain the page first, in three sentences.

    Args:
        lines: the text of the screen.
        session: has the current numbers; None before the first move.
        written: returns a text in the terminal's characters.
        mouse: where it is, if it was moved.
        word: the word that you asked for.
    """
    found = [one.word for line in lines[1:-1] for one in words_in(line, written)]
    words = list(dict.fromkeys(found))
    x, y = mouse
    if word is None and (x or y) and y < len(lines):
        word = word_at(lines[y], x, written)
    if word is None and session is not None and Mode.STEP.name in lines[0]:
        word = selected_word(session)
    if word is None:
        told = ((one, lines[0][one.start : one.stop]) for one in words_in(lines[0], written))
        word = next((one.word for one, name in told if name.isupper() and len(name) > 1), None)
    if word is None:
        rows = (line.partition(written(POINTER))[2] for line in lines)
        word = next((one.word for row in rows for one in words_in(row, written)), None)
    if word is not None and word not in words:
        words.insert(0, word)
    return Explain(words, word, session)


def explanation(session: Session, text: str) -> list[str]:
    """Return the sentences about a word of the lab, for plain mode."""
    if not text:
        return ["what is rms, what is alpha, what is a backup: any word of the lab has a sentence."]
    words = asked_for(text)
    if not words:
        return [not_found(text)]
    says, *more = explain(words[0], session)
    others = ", ".join(word.word for word in words[1:6])
    lines = [f"{words[0].word}: {says}", *map(sentence, more)]
    return [spoken(line) for line in (*lines, f"See also {others}." if others else "") if line]
