"""The candidates of a move: their values, the chosen one, and the random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, optimum
from afterstate_lab.learners.kernel.hooks import parameters
from afterstate_lab.learners.tape.recording import Move, mover_values
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.learners.tape.timeline import CHOICE, VALUES
from afterstate_lab.tui.blocks import Cell, Column, Table, Window, Words, figure, listed
from afterstate_lab.tui.lab.microscope.reading import Update, colours_of
from afterstate_lab.tui.theme.numerals import count_in, decimals

PLACES: Final = 5
"""Decimals of a value."""
VISITS: Final = 6
"""Columns of visits."""
BAR: Final = 8
"""The columns of the largest value or share."""


def beads(number: float) -> str:
    return f"{number:,.0f} {'bead' if round(number) == 1 else 'beads'}"


class Candidate(NamedTuple):
    """A move to choose from, or the moves of one bead colour."""

    cells: tuple[int, ...]
    value: float | None = None
    visits: int | None = None
    share: float | None = None
    """Its probability, or its share of the beads; shown instead of the visits."""


@lean_dataclass
class Choice(Table):
    """A row per candidate, best first; the chosen one stays in sight."""

    @property
    def window(self) -> None:
        """The arrow keys move nothing here."""

    def say(self) -> Iterator[str]:
        return map(self.said, range(self.count))


def choice_of(u: Update) -> Choice:
    """Return the current choice."""
    move = u.choice
    if move is None:
        return Choice((), (), list, title="choice", message="No choice yet.")
    table = u.table_of(move.player)
    rule, phase = table.rule, u.phase if u.event is move else CHOICE
    taken = move.cell if phase >= CHOICE else None
    found = candidates(u, move)
    known = [one.value for one in found if one.value is not None]
    label = "V" if rule.by_state else "Q" if rule.tables == 1 else "mean"
    if not rule.estimates:
        label = "beads"
    is_counted = any(one.visits is not None for one in found)
    numbers = [len(decimals(value, PLACES)) for value in known if rule.estimates]
    columns = (
        Column("cell", max(4, *(2 * len(one.cells) - 1 for one in found))),
        Column(label if known else "", max([5, *numbers]), left=False),
        Column("n" if is_counted else "share", VISITS, left=False, role="dim"),
        Column(optimum(u.recording.layout, table.side), 7, left=False, role="truth"),
        Column("", BAR, 1),
        Column("", 7, role="better"),
    )
    at = next((n for n, one in enumerate(found) if taken in one.cells), None)
    head = "key" if u.event is move and phase in (VALUES, CHOICE) else "title"
    return Choice(
        columns,
        found,
        partial(cells_of, u, move, taken, max(known, default=None)),
        None if at is None else Window(at),
        title=((f"{move.player}'s choice at ply {move.ply}", head),),
        right="" if taken is None else dice(u, move),
    )


def cells_of(
    u: Update, move: Move, taken: int | None, best: float | None, one: Candidate
) -> tuple[Cell | Words, ...]:
    """Return the cells of a candidate.

    Args:
        u: the update.
        move: the move to choose.
        taken: its cell, once it is chosen.
        best: the largest value of a candidate, if they have values.
        one: the candidate.
    """
    spec, is_taken = u.table_of(move.player).spec, taken in one.cells
    exact = float(u.exact(move.player)[space().successor[move.board, one.cells[0]]])
    role, rewards = "strong" if is_taken else "dim", spec.rewards
    name, value, worth, level = listed(one.cells), "", "", one.share
    if one.value is None:
        worth = "" if one.share is None else f" with a chance of {one.share:.0%}"
    elif spec.rule.estimates:
        value, worth = decimals(one.value, PLACES), f" at {figure(one.value, 3)}"
        level = (one.value - min(rewards)) / ((max(rewards) - min(rewards)) or 1.0)
    else:
        value, worth = decimals(one.value, 0), f" with {beads(one.value)}"
    many = Cell("" if one.share is None else f"{one.share:.0%}", "")
    if one.visits is not None:
        visits = f"{one.visits:,} {'visit' if one.visits == 1 else 'visits'}"
        many = Cell(count_in(one.visits, VISITS), visits)
    note = "drawn" if spec.rule.draws else "taken"
    notes = [("★", "its best")] * (best is not None and one.value == best)
    notes += [(note, note)] * is_taken
    bar = "█" * round(BAR * (level or 0.0)), "better" if is_taken else "meter"
    return (
        Cell(((" ".join(str(cell + 1) for cell in one.cells), role),), f"{name}{worth}"),
        Cell(((value, role),), ""),
        many,
        Cell(decimals(exact), f"exact value {figure(exact, 3)}"),
        Cell((bar,), ""),
        Cell(" ".join(sign for sign, _ in notes), ", ".join(word for _, word in notes)),
    )


def candidates(u: Update, move: Move) -> list[Candidate]:
    """Return the moves, the best first; of a matchbox its colours, the fullest first."""
    table, edges = u.table_of(move.player), space().edge_of[move.board]
    rule = table.rule
    cells = np.flatnonzero(edges >= 0).tolist()
    if u.seats[move.player] is Seat.HUMAN:
        found = [Candidate((cell,)) for cell in cells]
    elif rule.draws and not rule.learns:
        state = EvaluatedState(u.recording.layout, u.v, move.game)
        shares = state.behaviour(Side.parse(move.player))
        found = [Candidate((cell,), share=float(shares[edges[cell]])) for cell in cells]
    elif rule.estimates:
        known, visits = mover_values(table, u.v, move.board), table.visits(u.v).sum(axis=0)
        entries = table.entries.of_edge[edges]
        found = [Candidate((cell,), known[cell], int(visits[entries[cell]])) for cell in cells]
    else:
        colours = colours_of(table, u.v, move.board)
        found = [Candidate(one.cells, one.beads, share=one.share) for one in colours]
    return sorted(found, key=lambda one: (-(one.value or one.share or 0.0), one.cells))


def dice(u: Update, move: Move) -> str:
    """Return the random numbers of a choice, and what they decided."""
    if move.choice == "scripted":
        return "from outside"
    table = u.table_of(move.player)
    rule = table.rule
    if rule.learns and move.choice == "drawn":
        total = sum(colour.beads for colour in colours_of(table, u.v, move.board))
        return f"u {decimals(move.pick, 4)} of {beads(total)}"
    is_frozen = u.seats[move.player] is Seat.FROZEN
    is_frozen |= rule.learns and not table.spec.learns
    chosen = parameters(table, u.recording.layout, is_frozen)
    epsilon = float(exploration_rate(chosen, move.game))
    below = move.explore < epsilon
    if rule.draws and not rule.learns and epsilon == 0.0:
        return f"u {decimals(move.pick, 4)}"
    said = "explores" if move.exploratory else "random" if below else "greedy"
    sign = "<" if below else "≥"
    return f"u {decimals(move.explore, 4)} {sign} ε {decimals(epsilon, 2)}  {said}"
