"""The one selection: which things can be selected, and which one is selected at a place.

What has a name in the formula is followed by that name from update to update: the old value, what
is read, the error. Any other entry of the memory stays selected as that entry, wherever one goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tui.views.quantity import Role, Thing
from tui.views.update import (
    AfterstateView,
    ChoiceView,
    DiagramView,
    EntriesView,
    UpdateView,
)

AnyView = UpdateView | AfterstateView | ChoiceView | DiagramView | EntriesView

HELD: Final = (Role.NEW, Role.OLD, Role.REWARD, Role.READ, Role.ENTRY)
"""What an entry can be; the value that it holds now comes first."""


def things_of(views: Iterable[AnyView]) -> tuple[Thing, ...]:
    """All things that the views show, each once, in the order in which they are read."""
    found = dict.fromkeys(thing for view in views for thing in _shown(view))
    return tuple(thing for thing in found if thing is not None)


def _shown(view: AnyView) -> Iterator[Thing | None]:
    """What the numbers of a view stand for."""
    if isinstance(view, UpdateView):
        yield from (term.thing for term in view.terms)
        yield from (whole for term in view.terms for whole in term.wholes)
        yield from (view.delta_thing, view.step_thing)
        yield from (mark.thing for mark in view.marks)
    elif isinstance(view, AfterstateView):
        yield from (value.thing for value in view.values)
    elif isinstance(view, ChoiceView):
        for row in view.rows:
            yield from (row.thing, *(detail.thing for detail in row.details))
    elif isinstance(view, DiagramView):
        yield from (row.thing for row in view.rows)
    else:
        yield from (thing for row in view.rows for thing in (row.old_thing, row.new_thing))


def resolved(chosen: Thing | None, things: Sequence[Thing]) -> Thing | None:
    """The thing that is selected at a place.

    Args:
        chosen: what was selected, here or elsewhere.
        things: those that are shown here.

    Returns:
        None where there is no such thing yet: what has a name in the formula is selected again
        as soon as there is one. An entry that is not shown here stays selected.
    """
    if chosen is None or chosen in things:
        return chosen
    if chosen.role is Role.ENTRY:
        same = [thing for thing in things if thing.entry == chosen.entry and thing.role in HELD]
        return min(same, key=lambda thing: HELD.index(thing.role), default=chosen)
    if chosen.role is Role.MEAN:
        return chosen
    return next((thing for thing in things if thing.role is chosen.role), None)


def following(selected: Thing | None, things: Sequence[Thing], by: int) -> Thing | None:
    """The thing so many places on; past the last and before the first lies none."""
    stops = (None, *things)
    at = stops.index(selected) if selected in stops else 0
    return stops[(at + by) % len(stops)]
