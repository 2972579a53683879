"""What plain mode says of what a command opens, lists a few lines at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from afterstate_lab.tui.blocks.speech import spoken
from afterstate_lab.tui.lab.commands import Screen
from afterstate_lab.tui.lab.outcomes import Open, sentence

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.marks import Film
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.session import Session

PAGE: Final = 5
"""Items told at once."""


class Pages:
    """What is left to tell of the list that was told last."""

    def __init__(self) -> None:
        self._left: list[str] = []

    def begin(self, heading: Sequence[str], lines: Sequence[str]) -> list[str]:
        """Tell a heading and the first lines of a list."""
        self._left = list(lines)
        return [*heading, *self._next()]

    def more(self) -> list[str]:
        """The next lines of the list."""
        return self._next() or ["There is no more of a list to tell."]

    def _next(self) -> list[str]:
        told, self._left = self._left[:PAGE], self._left[PAGE:]
        return [*told, f"{len(self._left):,} more: m goes on."] if self._left else told


def opened(controller: LabController, pages: Pages, what: Open, text: str) -> list[str]:
    """What is on a screen that a command opens.

    Args:
        controller: the lab.
        pages: takes long lists.
        what: the screen.
        text: what stands behind the word.
    """
    session = controller.session
    if what.screen is Screen.HOME:
        return home(session)
    if what.screen is Screen.EXPLAIN:
        return explanation(session, text)
    if what.screen is Screen.FILM:
        return film_marks(pages, what.data)
    if what.screen is Screen.QUIZ:
        from afterstate_lab.tui.plain.quiz import question_lines

        controller.current_quiz = what.data
        return question_lines(what.data)
    if what.screen is Screen.WHAT_IF:
        from afterstate_lab.tui.lab.lockstep import Lockstep
        from afterstate_lab.tui.plain.what_if import differing, what_if

        return differing(what.data) if isinstance(what.data, Lockstep) else what_if(what.data)
    raise AssertionError(what.screen)


def home(session: Session) -> list[str]:
    """What the lab is, and the ways into it."""
    from afterstate_lab.tui.pages.home import ABOUT, WAYS, place_of
    from afterstate_lab.tui.plain.words import word_of

    ways = [
        f"{word_of('lessons' if name == 'lesson' else name)}: {says}"
        for name, (_, says) in WAYS.items()
    ]
    return [ABOUT, place_of(session), *ways, "runs: continue an earlier run."]


def explanation(session: Session, text: str) -> list[str]:
    """What a word of the lab means."""
    from afterstate_lab.tui.lab.glossary import asked_for, explain, not_found

    if not text:
        return ["what is rms, what is alpha, what is a backup: any word of the lab has a sentence."]
    words = asked_for(text)
    if not words:
        return [not_found(text)]
    says, *more = explain(words[0], session)
    others = ", ".join(word.word for word in words[1:6])
    lines = [f"{words[0].word}: {says}", *map(sentence, more)]
    return [spoken(line) for line in (*lines, f"See also {others}." if others else "") if line]


def film_marks(pages: Pages, film: Film) -> list[str]:
    """What happened first in a run, in the order of the games."""
    from afterstate_lab.tui.lab.film import mark_sentence

    lines = [spoken(mark_sentence(film, mark)) for mark in film.marks.in_order]
    return pages.begin([f"In {film.run.games:,} games, in their order:"], lines)
