"""The panes of Step: one update of one entry, from every side."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from afterstate_lab.game import space
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.tui.blocks.cells import Cells, marked
from afterstate_lab.tui.blocks.meaning import Quantity, Selectable, resolved
from afterstate_lab.tui.lab.microscope.card import card_of
from afterstate_lab.tui.lab.microscope.choice import Choice, choice_of
from afterstate_lab.tui.lab.microscope.entries import Entries, entries_of
from afterstate_lab.tui.lab.microscope.equation import Equation
from afterstate_lab.tui.lab.microscope.hero import Diagram, Hero
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
        self._choice = choice_of(update)
        equation = Equation(update, words=sentence(update), right=update.spec.rule.source)
        self._hero = Hero(update=update, words=equation.words, rows=0)
        self._panes = equation, self._choice, self._hero, entries_of(update)

    @classmethod
    def at(
        cls, timeline: Timeline, chosen: Quantity | None = None, *, asks: bool = False
    ) -> Microscope | None:
        """Return the microscope at a timeline's moment, or None before the first event."""
        update = update_at(timeline, asks=asks)
        return None if update is None else cls(update, chosen)

    def hero(self, rows: int, way: float = 0.0) -> Hero:
        """Return the picture of the update, for so many rows of a terminal."""
        return self._shown(replace(self._hero, rows=rows, way=way))

    def stairs(self, sweep: Sweep | None, rows: int) -> Stairs:
        """Return the boards of the game over all games."""
        selection = self.equation().selection
        told: dict[str, Any] = {"words": moral(self.update), "selection": selection}
        return self._shown(Stairs(update=self.update, sweep=sweep, rows=rows, **told))

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The selectable numbers, in order."""
        found = dict.fromkeys(one for pane in self._panes for one in pane.quantities())
        return tuple(one for one in found if one is not None)

    @property
    def in_picture(self) -> tuple[Quantity, ...]:
        """The selectable numbers of the picture, in order."""
        return tuple(one for one in dict.fromkeys(self._hero.quantities()) if one is not None)

    @cached_property
    def selected(self) -> Quantity | None:
        return None if self.chosen is None else resolved(self.chosen, self.quantities)

    def _shown(self, pane: B) -> B:
        return pane if self.selected is None else replace(pane, chosen=self.selected)

    def board(self) -> Cells:
        """Return the position of the choice, with the candidates on its free cells."""
        u, move = self.update, self.update.choice
        if move is None:
            return marked(space().text(u.step.board))
        lit = [one.cell for one in u.moves[: move.ply - 1][-1:]]
        lit += [move.cell] if u.event is not move or u.is_decided else []
        board = marked(space().text(move.board), *lit)
        known = {cell: one.means for one in self._choice.candidates for cell in one.cells}
        means = map(known.get, range(9))
        cells = [cell._replace(means=one, picked=one is not None and one == self.selected)
                 for cell, one in zip(board.cells, means, strict=True)]  # fmt: skip
        return replace(board, cells=cells)

    def choice(self) -> Choice:
        return self._shown(self._choice)

    def equation(self) -> Equation:
        equation = self._shown(self._panes[0])
        if self.selected is None:
            return equation
        return replace(equation, selection=card_of(self.update, self.selected, equation.terms))

    def diagram(self) -> Diagram:
        u = self.update
        kind = "boxes used" if u.is_beads else "pairs S,A" if u.is_pair else "Figure 1.1"
        right = {TargetKind.TRACE: "traces z", TargetKind.BEST_REPLY: "best replies"}
        told = right.get(u.kind, kind) if u.spec.rule.learns else ""
        return self._shown(Diagram(update=u, title="backup diagram", right=told))

    def entries(self) -> Entries:
        return self._shown(self._panes[3])
