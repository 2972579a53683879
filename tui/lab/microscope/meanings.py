"""The meaning of each number of an update, as far as known in the current phase."""

from __future__ import annotations

from afterstate_lab.learners.rules.equation import Term, TermRole
from afterstate_lab.tui.blocks.block import Quantity, Role
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Step, Update


def now(u: Update, entry: int) -> Quantity | None:
    """Return the current value of an entry."""
    if entry == NO_ENTRY:
        return None
    if entry == u.entry:
        return Quantity(Role.NEW if u.is_written else Role.OLD, entry)
    if entry == reward_entry(u):
        return Quantity(Role.REWARD, entry)
    is_read = u.knows_target and any(read.entry == entry for read in u.reads.values())
    return Quantity(Role.READ if is_read else Role.ENTRY, entry)


def before(u: Update, entry: int) -> Quantity | None:
    """Return the value of an entry before the current backup."""
    if entry == u.entry != NO_ENTRY and u.event is u.learned:
        return Quantity(Role.OLD, entry)
    return now(u, entry)


def mean_before(u: Update, entries: tuple[int, ...]) -> Quantity | None:
    """The mean of two tables' entries before the current backup, or None if that changed it."""
    changed = u.is_written and u.event is u.learned and u.entry in entries
    return None if changed else Quantity(Role.MEAN, entries[0])


def of_step(u: Update, step: Step) -> Quantity | None:
    """Return the current value of a time step."""
    return now(u, u.entry_of(step)) if u.is_known(step) else None


def old(u: Update) -> Quantity | None:
    return None if u.entry == NO_ENTRY else Quantity(Role.OLD, u.entry)


def new(u: Update) -> Quantity | None:
    return Quantity(Role.NEW, u.entry) if u.is_written else None


def reward_entry(u: Update) -> int:
    """Return the entry of the reward that the equation has a term for."""
    has_term = any(term.role is TermRole.REWARD for term in u.equation.terms)
    if not (has_term and u.knows_target) or u.is_refill or u.target is None or not u.target.is_end:
        return NO_ENTRY
    return u.entry_of(u.target)


def looked_at(u: Update) -> Quantity | None:
    """Return what is read first, or the sum; None if it is 0 after the end."""
    if u.is_beads or not u.knows_target:
        return None
    first = next(iter(u.equation.read), None)
    return Quantity(Role.TARGET) if first is None else read(u, first)


def read(u: Update, term: Term) -> Quantity | None:
    """Return what a term of the target was read from."""
    if u.is_beads or not u.knows_target or (u.looks_at_end and u.kind.is_pair):
        return None
    found = u.reads.get(term.symbol)
    return Quantity(Role.READ, NO_ENTRY if found is None else found.entry)


def of_term(u: Update, term: Term) -> Quantity | None:
    """Return the meaning of a term's number."""
    role = term.role
    if not term.is_number or role is TermRole.NUMBER:
        return None
    if role in (TermRole.NEW, TermRole.OLD):
        return new(u) if role is TermRole.NEW else old(u)
    if role is TermRole.READ:
        return read(u, term)
    if role in (TermRole.STEP, TermRole.DISCOUNT):
        return Quantity(Role(role.value))
    if not u.knows_target:
        return None
    if role is TermRole.TRACE:
        return Quantity(Role.TRACE, u.entry)
    if u.is_refill:
        return None
    return Quantity(Role(role.value), reward_entry(u) if role is TermRole.REWARD else NO_ENTRY)
