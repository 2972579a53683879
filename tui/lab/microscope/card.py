"""The selected number: one line about it, and its history over the run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import space
from afterstate_lab.learners.judge.evaluated_state import optimum
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.events import RESULTS
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.blocks.meaning import Quantity, Role
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.lab.labels import board_label, board_row, owner_of, side_role
from afterstate_lab.tui.lab.microscope import meanings
from afterstate_lab.tui.lab.microscope.equation import Term
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Update, board_of
from afterstate_lab.tui.theme.numerals import count, decimals, signed

if TYPE_CHECKING:
    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.sweep import Sweep


def card_of(u: Update, quantity: Quantity, terms: tuple[Term, ...]) -> tuple[Words, ...]:
    """Describe a quantity in pieces, the most important first.

    Args:
        quantity: what is selected.
        terms: the columns of its equation.
    """
    role, entry = quantity
    table = table_of_entry(u, entry)
    place = None if entry == NO_ENTRY else board_of(table, entry)
    term = next((term for term in terms if term.quantity == quantity), None)
    name = SUMS.get(role) or (name_of(table, quantity) if term is None else term.symbol)
    number = number_of(u, quantity, table) or ("?" if term is None else term.number.strip())
    if role is Role.NEW or (role is Role.OLD and u.is_written):
        name = f"{role.value} {name}"
    head = ((name, "key"), (f" {number}", "strong"))
    told = (*head, (f": {meaning_of(u, quantity, table, terms)}", "dim"))
    is_target = place is not None and quantity == meanings.target(u)
    return (told, (("; the target", "dim"),)) if is_target else (told,)


SUMS = {Role.TARGET: "target", Role.CHANGE: "step", Role.ERROR: "δ"}
"""Quantities made of several terms."""


def name_of(table: Table, quantity: Quantity) -> str:
    """Return the name of a quantity that is not in the equation."""
    role, entry = quantity
    if role in (Role.READ, Role.MEAN):
        return "V(Sₜ₊₁)" if role is Role.READ else "mean"
    if entry == NO_ENTRY or board_of(table, entry) is None:
        return "R"
    rule = table.spec.rule
    if rule.tables > 1:
        return ("Q₁", "Q₂")[(entry - table.base) // len(table.entries.boards)]
    return "V" if rule.by_state else "Q" if rule.estimates else "beads"


def number_of(u: Update, quantity: Quantity, table: Table) -> str:
    """Return the number of a quantity that is not a term."""
    (role, entry), rule = quantity, table.spec.rule
    places = 6 if rule.estimates else 0
    if role is Role.ERROR:
        return signed(u.error, 6)
    if role is Role.CHANGE and u.backup is not None:
        return signed(u.backup.new - u.backup.old, places)
    if role is Role.TARGET and u.backup is not None:
        return decimals(u.backup.target, 6)
    if role is Role.READ:
        reads = (u.reads.get(term.symbol) for term in u.equation.read)
        found = next((one for one in reads if one and one.entry == entry), u.looked)
        return decimals(None if found is None else found.number, 6)
    if role is Role.ENTRY:
        return decimals(float(u.after[entry]), places)
    if role is Role.MEAN:
        ranked = rule.preferences(table.values(u.after))
        return decimals(float(ranked[entry - table.base]), places)
    return ""


def meaning_of(u: Update, quantity: Quantity, table: Table, terms: tuple[Term, ...]) -> str:
    role, entry = quantity
    traced = role is Role.ERROR and u.kind is TargetKind.TRACE
    if traced or role in (Role.STEP, Role.DISCOUNT, Role.BEADS):
        return next(term.meaning for term in u.equation.terms if term.role.value == role.value)
    if role in (Role.CHANGE, Role.ERROR):
        return "new − old" if role is Role.CHANGE else "target − old"
    if role is Role.TARGET:
        parts = [term.symbol for term in terms if quantity in term.wholes]
        return " ".join(parts) or "what the value is moved towards"
    if entry == NO_ENTRY:
        expected = f"what {u.player} can expect of its next turn"
        return expected if role is Role.READ else "nothing is won or lost before the end"
    place, side = board_of(table, entry), table.side.mark
    if place is None:
        result = RESULTS[entry - table.rewards]
        what = "a draw" if result == "draw" else "a win" if result == side else "a loss"
        return (
            f"what {what} {'is worth' if table.spec.rule.estimates else 'adds in beads'} to {side}"
        )
    label, owner = board_row(*place), owner_of(table, place[0])
    if role is Role.TRACE:
        return f"how much of δ reaches {label}"
    if not table.spec.rule.estimates:
        return f"colour {place[1] + 1} of {owner}'s box {board_row(place[0])}"
    return f"{owner}'s value of {label}"


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
    exact = float(u.truths[player][board if cell < 0 else space().successor[board, cell]])
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
