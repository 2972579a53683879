"""The milestones of the film, and their games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterstate_lab.tui.blocks.block import Window
from afterstate_lab.tui.blocks.lists import Column, Table
from afterstate_lab.tui.lab.film import mark_sentence
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.marks import Film
    from afterstate_lab.tui.lab.controller import LabController


def open_on(lab: LabController, data: Film, text: str) -> Opened:
    marks, at = data.marks.in_order, Window()

    def page() -> Page:
        table = Table(
            (Column("", 76),),
            marks,
            lambda mark: (mark_sentence(data, mark),),
            at,
            heads=False,
            title="what happened when",
            right="in their order",
        )
        there = Key("enter g", "go there", lambda: Leave(marks[at.cursor].place), "step from there")
        title = (("games", f"{data.run.games:,}"),)
        return Page("FILM", table, (there, BACK), title, of_run=True)

    return page, lab.step_to
