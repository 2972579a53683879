"""Marks every place of a view that shows the selected thing, or that tells of its entry."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tui.views.quantity import Role, Thing
from tui.views.update import (
    AfterstateView,
    ChoiceView,
    DiagramView,
    EntriesView,
    UpdateView,
    ValueView,
)

NAMED: Final = (Role.OLD, Role.NEW)
"""What the source code has one name for: the entry."""


def mark_update(view: UpdateView, thing: Thing) -> UpdateView:
    """Terms, their wholes, marks and stretches of the number line, and names in the code."""
    return replace(
        view,
        terms=tuple(
            replace(term, selected=thing in (term.thing, *term.wholes)) for term in view.terms
        ),
        delta_selected=view.delta_thing == thing,
        step_selected=view.step_thing == thing,
        marks=tuple(replace(mark, selected=mark.thing == thing) for mark in view.marks),
        spans=tuple(replace(span, selected=span.thing == thing) for span in view.spans),
        parts=tuple(
            replace(
                part,
                selected=part.thing == thing or (part.thing.role in NAMED and thing.role in NAMED),
            )
            for part in view.parts
        ),
    )


def mark_board(view: AfterstateView, thing: Thing) -> AfterstateView:
    """Cells whose move is valued, and the values below the board."""
    cells = tuple(cell for cell, held in enumerate(view.things) if held == thing)
    return replace(view, values=mark_values(view.values, thing), selected=cells)


def mark_values(values: tuple[ValueView, ...], thing: Thing) -> tuple[ValueView, ...]:
    """Numbers with names."""
    return tuple(replace(value, selected=value.thing == thing) for value in values)


def mark_choice(view: ChoiceView, thing: Thing) -> ChoiceView:
    """The candidates."""
    return replace(
        view,
        rows=tuple(
            replace(
                row,
                details=mark_values(row.details, thing),
                selected=row.thing == thing,
                pointed=tells_of(row.about, thing),
            )
            for row in view.rows
        ),
    )


def mark_diagram(view: DiagramView, thing: Thing) -> DiagramView:
    """The states of the game."""
    return replace(
        view,
        rows=tuple(
            replace(row, selected=row.thing == thing, pointed=tells_of(row.about, thing))
            for row in view.rows
        ),
    )


def mark_entries(view: EntriesView, thing: Thing) -> EntriesView:
    """The entries that were changed."""
    return replace(
        view,
        rows=tuple(
            replace(
                row,
                old_selected=row.old_thing == thing,
                new_selected=row.new_thing == thing,
                pointed=tells_of(row.about, thing),
            )
            for row in view.rows
        ),
    )


def tells_of(about: tuple[int, ...], thing: Thing) -> bool:
    """Whether a row is about the entry of the thing."""
    return thing.entry >= 0 and thing.entry in about
