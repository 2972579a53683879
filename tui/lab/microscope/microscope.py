"""Step: one update of one entry, as a picture and in numbers."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.tui.blocks.meaning import Quantity, Selectable, resolved
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.lab.microscope.card import card_of
from afterstate_lab.tui.lab.microscope.choice import Choice, choice_of
from afterstate_lab.tui.lab.microscope.equation import Equation
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
        self._choice = choice_of(update)
        self._equation = Equation(update, words=self.words, right=update.spec.rule.source)
        self._hero = Hero(update=update, words=self.words, rows=0)

    @classmethod
    def at(
        cls, timeline: Timeline, chosen: Quantity | None = None, *, asks: bool = False
    ) -> Microscope | None:
        """Return the microscope at a timeline's moment, or None before the first event."""
        update = update_at(timeline, asks=asks)
        return None if update is None else cls(update, chosen)

    def hero(self, rows: int, way: float = 0.0, *, is_small: bool = False) -> Hero:
        """Return the picture of the update, for so many rows of a terminal."""
        return self._shown(replace(self._hero, rows=rows, way=way, is_small=is_small))

    def stairs(self, sweep: Sweep | None, rows: int) -> Stairs:
        """Return the boards of the game over all games."""
        told: dict[str, Any] = {"words": moral(self.update), "selection": self.selection}
        return self._shown(Stairs(update=self.update, sweep=sweep, rows=rows, **told))

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The selectable numbers, in order."""
        panes = self._equation, self._choice, self._hero
        found = dict.fromkeys(one for pane in panes for one in pane.quantities())
        return tuple(one for one in found if one is not None)

    @property
    def in_picture(self) -> tuple[Quantity, ...]:
        """The selectable numbers of the picture, in order."""
        return tuple(one for one in dict.fromkeys(self._hero.quantities()) if one is not None)

    @cached_property
    def selected(self) -> Quantity | None:
        return None if self.chosen is None else resolved(self.chosen, self.quantities)

    @property
    def selection(self) -> tuple[Words, ...]:
        """The selected number in words, in pieces; the first is the most important."""
        if self.selected is None:
            return ()
        return card_of(self.update, self.selected, self._equation.terms)

    def _shown(self, pane: B) -> B:
        return pane if self.selected is None else replace(pane, chosen=self.selected)

    def choice(self) -> Choice:
        return self._shown(self._choice)

    def equation(self) -> Equation:
        return self._shown(self._equation)
