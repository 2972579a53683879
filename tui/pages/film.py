"""The milestones of the film, and their games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterstate_lab.tui.blocks.block import Window
from afterstate_lab.tui.blocks.table import Column, Table
from afterstate_lab.tui.lab.film import mark_sentence
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.marks import Film
    from afterstate_lab.tui.lab.controller import LabController


class FilmPage:
    """The milestones of a film, in the order of the games."""

    def __init__(self, film: Film) -> None:
        self.film = film
        self.at = Window()

    def page(self) -> Page:
        marks = self.film.marks.in_order
        table = Table(
            (Column("", 76),), marks, lambda mark: (mark_sentence(self.film, mark),), self.at,
            heads=False, title="what happened when", right="in their order",
        )  # fmt: skip
        there = Key(
            "enter g", "go there", lambda: Leave(marks[self.at.cursor].place), "step from there"
        )
        title = (("games", f"{self.film.run.games:,}"),)
        return Page("FILM", table, (there, BACK), title, of_run=True)


def open_on(lab: LabController, data: Film, text: str) -> Opened:
    return FilmPage(data).page, lab.step_to
