"""Step: one update of one entry, as a picture and in numbers."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.tui.blocks.block import Quantity, Selectable, resolved
from afterstate_lab.tui.lab.microscope.card import card_of
from afterstate_lab.tui.lab.microscope.choice import Choice, choice_of
from afterstate_lab.tui.lab.microscope.equation import terms_of
from afterstate_lab.tui.lab.microscope.hero import Hero
from afterstate_lab.tui.lab.microscope.reading import Update, update_at
from afterstate_lab.tui.lab.microscope.stairs import Stairs, moral
from afterstate_lab.tui.lab.microscope.words import sentence

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.sweep import Sweep

B = TypeVar("B", bound=Selectable)


class Microscope:
    """The panes of an update, all of which show the selection."""

    def __init__(self, update: Update, chosen: Quantity | None = None) -> None:
        self.update, self.chosen = update, chosen
        self.words = sentence(update)
        self.terms = terms_of(update)
        self._choice = choice_of(update)
        self._hero = Hero(update=update, words=self.words, rows=0)

    @classmethod
    def at(
        cls, timeline: Timeline, chosen: Quantity | None = None, *, asks: bool = False
    ) -> Microscope | None:
        """Return the microscope at a timeline's moment, or None before the first event."""
        update = update_at(timeline, asks=asks)
        return None if update is None else cls(update, chosen)

    def hero(self, rows: int, way: float = 0.0, *, is_full: bool = False) -> Hero:
        """Return the picture of the update, for so many rows of a terminal."""
        more: dict[str, Any] = {"rows": rows, "way": way, "selection": self.selection}
        return self._shown(replace(self._hero, is_full=is_full, **more))

    def stairs(self, sweep: Sweep | None, rows: int) -> Stairs:
        """Return the boards of the game over all games."""
        update = self.update
        return self._shown(Stairs(update=update, sweep=sweep, rows=rows, words=moral(update)))

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The selectable numbers, in order."""
        found = dict.fromkeys((*self._hero.quantities(), *self._choice.quantities()))
        return tuple(one for one in found if one is not None)

    @property
    def in_picture(self) -> tuple[Quantity, ...]:
        """The selectable numbers of the picture, in order."""
        return tuple(one for one in dict.fromkeys(self._hero.quantities()) if one is not None)

    @cached_property
    def selected(self) -> Quantity | None:
        return None if self.chosen is None else resolved(self.chosen, self.quantities)

    @property
    def selection(self) -> str:
        """The selected number in words."""
        if self.selected is None:
            return ""
        return card_of(self.update, self.selected, self.terms)

    def _shown(self, pane: B) -> B:
        return pane if self.selected is None else replace(pane, chosen=self.selected)

    def choice(self) -> Choice:
        return self._shown(self._choice)
