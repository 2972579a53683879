"""Step: one update of one entry, as a picture and in numbers; the selected number and its life."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import space
from afterstate_lab.learners.judge.evaluated_state import optimum
from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.tui.blocks.block import Quantity, Role, resolved
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.blocks.speech import trimmed
from afterstate_lab.tui.lab.labels import board_label, board_row, owner_of, side_role
from afterstate_lab.tui.lab.microscope.choice import Choice, choice_of
from afterstate_lab.tui.lab.microscope.picture import Hero, Stairs, moral
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Update, board_of, update_at
from afterstate_lab.tui.lab.microscope.words import Term, sentence, terms_of
from afterstate_lab.tui.theme.numerals import count, decimals

if TYPE_CHECKING:
    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.timeline import Sweep


class Microscope:
    """The panes of an update, all of which show the selection."""

    def __init__(self, update: Update, chosen: Quantity | None = None) -> None:
        self.update, self.chosen = update, chosen

    @classmethod
    def at(
        cls, timeline: Timeline, chosen: Quantity | None = None, *, asks: bool = False
    ) -> Microscope | None:
        """Return the microscope at a timeline's moment, or None before the first event."""
        update = update_at(timeline, asks=asks)
        return None if update is None else cls(update, chosen)

    def hero(self, rows: int, *, is_full: bool = False) -> Hero:
        """Return the picture of the update, for so many rows of a terminal."""
        more: dict[str, Any] = {"rows": rows, "is_full": is_full, "selection": self.selection}
        return Hero(update=self.update, words=self.words, chosen=self.selected, **more)

    def stairs(self, sweep: Sweep | None, rows: int) -> Stairs:
        """Return the boards of the game over all games."""
        u = self.update
        return Stairs(update=u, words=moral(u), sweep=sweep, rows=rows, chosen=self.selected)

    @property
    def words(self) -> str:
        return sentence(self.update)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The columns of the equation."""
        return terms_of(self.update)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The selectable numbers, in order."""
        own = choice_of(self.update).quantities()
        found = dict.fromkeys((*self.in_picture, *own))
        return tuple(one for one in found if one is not None)

    @cached_property
    def in_picture(self) -> tuple[Quantity, ...]:
        """The selectable numbers of the picture, in order."""
        found = dict.fromkeys(Hero(update=self.update).quantities())
        return tuple(one for one in found if one is not None)

    @cached_property
    def selected(self) -> Quantity | None:
        return None if self.chosen is None else resolved(self.chosen, self.quantities)

    @property
    def selection(self) -> str:
        """The selected number in words."""
        if self.selected is None:
            return ""
        return card_of(self.update, self.selected, self.terms)

    def choice(self) -> Choice:
        return replace(choice_of(self.update), chosen=self.selected)


def card_of(u: Update, quantity: Quantity, terms: tuple[Term, ...]) -> str:
    """Describe a quantity: its name, its number and what it is.

    Args:
        quantity: what is selected.
        terms: the columns of its equation.
    """
    role, entry = quantity
    table = table_of_entry(u, entry)
    rule, place = table.spec.rule, None if entry == NO_ENTRY else board_of(table, entry)
    number, what = float(u.after[entry]), "what the result is worth"
    name = "R" if place is None else name_of(table, entry)
    if role is Role.MEAN:
        name, number = "mean", float(rule.preferences(table.values(u.after))[entry - table.base])
    told = trimmed(decimals(number, 6 if rule.estimates else 0))
    for term in terms:
        if term.quantity == quantity:
            name, told, what = term.symbol, term.words, term.meaning
    if role is Role.NEW or (role is Role.OLD and u.is_written):
        name = f"{role.value} {name}"
    if place is not None:
        owner, label = owner_of(table, place[0]), board_row(*place)
        what = f"{owner}'s value of {label}"
        if not rule.estimates:
            what = f"colour {place[1] + 1} of {owner}'s box {board_row(place[0])}"
    return f"{name} {told}: {what}"


def name_of(table: Table, entry: int) -> str:
    """Return the name of an entry's kind of value."""
    rule = table.spec.rule
    if rule.tables > 1:
        return ("Q₁", "Q₂")[(entry - table.base) // len(table.entries.boards)]
    return "V" if rule.by_state else "Q" if rule.estimates else "beads"


def table_of_entry(u: Update, entry: int) -> Table:
    """Return the table of an entry, by default the update's."""
    if entry == NO_ENTRY or u.table.base <= entry < u.table.base + u.table.size:
        return u.table
    return u.recording.layout.table_of(entry)


def wrote_condition(u: Update, entry: int) -> str:
    """Return the breakpoint of an entry's backups; empty for a constant."""
    table = table_of_entry(u, entry)
    place = board_of(table, entry)
    if place is None:
        return ""
    player = table.side.mark if table.spec.rule.by_state else owner_of(table, place[0])
    return f"wrote {player} {board_label(*place)}"


MASKED = "Hidden until you have said what is written."
NO_LIFE = "↓ selects a number: its life is shown here."
REPLAYED: Final = "replaying the run …"


def staircase(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return the levels of a value and the steps between them."""
    steps = list(points[:1])
    for (_, y), (x2, y2) in pairwise(points):
        steps += [(x2, y), (x2, y2)] if y2 != y else [(x2, y2)]
    return tuple(steps)


def life_curve(sweep: Sweep | None, u: Update, selected: Quantity | None) -> Curve:
    """Return the selected value (by default that of S_t) over the games of a sweep, with its exact
    value and the current game.
    """
    chosen = selected if selected is not None and selected.entry != NO_ENTRY else None
    entry = chosen.entry if chosen else NO_ENTRY if u.learned is None else u.learned.entry
    table, layout = table_of_entry(u, entry), u.recording.layout
    place = board_of(table, entry)
    note = MASKED if u.is_masked else NO_LIFE if place is None or entry >= layout.values else ""
    if note or place is None or sweep is None or sweep.values is None:
        return Curve(series=(), title="life of a value", note=note or REPLAYED)
    board, cell = place
    started = [] if sweep.is_log else [(0, layout.fresh()[entry])]
    points = [*started, *zip(sweep.shown.tolist(), sweep.values[:, entry].tolist(), strict=True)]
    here, player = float(min(u.event.game + 1, sweep.games)), table.side.mark
    point = None
    if chosen and chosen.role is not Role.MEAN:
        point = here, float((u.v if chosen.role is Role.OLD else u.after)[entry])
    exact = float(u.exact(player)[board if cell < 0 else space().successor[board, cell]])
    visits, backups = (int(v[layout.values + entry]) for v in (u.after, sweep.run.memory))
    return Curve(
        series=(Series(staircase(points), role=side_role(player)),),
        x_range=(float(sweep.is_log), float(sweep.games)),
        log_x=sweep.is_log,
        cursor=here,
        point=point,
        levels=(Level(exact, optimum(layout, table.side)),) if table.spec.rule.estimates else (),
        title=((f"life of {board_row(*place)}", "key" if chosen else "title"),),
        right=f"{count(visits)} of {count(backups)} backup{'s' * (backups != 1)} so far",
    )
