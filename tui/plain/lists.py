"""Plain mode's lists for commands that open something other than a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterstate_lab.tui.lab.commands import Screen
from afterstate_lab.tui.lab.outcomes import Open

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.session import Session


def opened(controller: LabController, what: Open) -> list[str]:
    """Return the content of a screen that a command opens."""
    session = controller.session
    if what.screen is Screen.HOME:
        return home(session)
    if what.screen is Screen.EXPLAIN:
        from afterstate_lab.tui.pages.explain import explanation

        return explanation(session, what.text)
    if what.screen is Screen.QUIZ:
        from afterstate_lab.tui.pages.quiz import Quiz

        controller.current_quiz = quiz = Quiz(what.data)
        return quiz.lines()
    raise AssertionError(what.screen)


def home(session: Session) -> list[str]:
    """Describe the lab, and the ways into it."""
    from afterstate_lab.tui.pages.home import ABOUT, WAYS, place_of
    from afterstate_lab.tui.pages.line import word_of

    ways = [
        f"{word_of('lessons' if name == 'lesson' else name)}: {says}"
        for name, (_, says) in WAYS.items()
    ]
    return [ABOUT, place_of(session), *ways, "runs: continue an earlier run."]
