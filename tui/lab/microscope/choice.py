"""The candidates of a move, and the dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterstate_lab.game import space
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.kernel.parameters import parameters
from afterstate_lab.learners.tape.events import GameOver
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.learners.tape.timeline import CHOICE, VALUES
from afterstate_lab.tui.blocks.choice import Choice, ChoiceRow
from afterstate_lab.tui.blocks.meaning import Value
from afterstate_lab.tui.lab.microscope.reading import (
    Colour,
    candidates,
    colours_of,
    entry_of_edge,
    scale_of_values,
    seat_of,
    table_of_player,
)
from afterstate_lab.tui.theme.numerals import decimals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.events import Move
    from afterstate_lab.tui.lab.microscope.reading import Quantities, UpdateContext
    from afterstate_lab.tui.views.words import Words


def choice_view(context: UpdateContext) -> Choice:
    timeline, update = context.timeline, context.update
    over = update.event
    if isinstance(over, GameOver) and over.resigned:
        return empty_box(context, over)
    move = update.choice
    if move is None:
        return Choice(right="no choice yet")
    table = table_of_player(timeline, move.player)
    seat = seat_of(timeline, move.player)
    rule = table.spec.rule
    choosing = update.event is move
    lit = choosing and timeline.phase in (VALUES, CHOICE)
    decided = not choosing or timeline.phase >= CHOICE
    title = ((f"{move.player}'s choice at ply {move.ply}", "key" if lit else "title"),)
    taken = move if decided else None
    if seat is Seat.HUMAN:
        rows = unvalued(context, move, taken, None)
        return Choice(rows, "", title=title, right="from outside" if decided else "")
    right = dice(context, move) if decided else ""
    if not rule.learns and rule.draws:
        state = EvaluatedState(timeline.recording.layout, context.v, move.game)
        rows = unvalued(context, move, taken, state.behaviour(table.side))
        return Choice(rows, "", "chance", title=title, right=right)
    known = context.quantities if not choosing or timeline.phase >= VALUES else None
    if not rule.estimates:
        rows = beads(context, move, taken, known)
        return Choice(rows, "beads", "share", places=0, title=title, right=right)
    rows = values(context, move, taken, known)
    label = "V" if rule.by_state else "Q" if rule.tables == 1 else "mean"
    return Choice(rows, label, scale=scale_of_values(table.spec), title=title, right=right)


def of_mover(
    context: UpdateContext, move: Move
) -> tuple[Table, NDArray[np.float64], NDArray[np.float64]]:
    """The mover's table, memory before the write, and v* for the mover."""
    return table_of_player(context.timeline, move.player), context.v, context.truth(move.player)


def values(
    context: UpdateContext, move: Move, taken: Move | None, quantities: Quantities | None
) -> tuple[ChoiceRow, ...]:
    """What a learner knows of each candidate, best first; of two tables both beside their mean.

    Args:
        context: the update.
        move: the move that is chosen.
        taken: the move, once it is.
        quantities: what each number stands for, once the candidates are valued.
    """
    s = space()
    table, v, truth = of_mover(context, move)
    visits = table.visits(v).sum(axis=0)
    options = candidates(table, v, move.board)
    best = max(option.value for option in options)
    both = []
    if table.spec.rule.tables > 1:
        both = [{c.edge: c.value for c in candidates(table, v, move.board, k)} for k in (0, 1)]
    rows = []
    for option in sorted(options, key=lambda option: (-option.value, option.cell)):
        entries = tuple(
            entry_of_edge(table, option.edge, which) for which in range(table.spec.rule.tables)
        )
        held = tuple(None if quantities is None else quantities.before(entry) for entry in entries)
        row = ChoiceRow(
            cell=str(option.cell + 1),
            value=option.value,
            visits=int(visits[table.entries.of_edge[option.edge]]),
            truth=float(truth[s.edge_successor[option.edge]]),
            best=option.value == best,
            taken=taken is not None and option.cell == taken.cell,
            about=() if quantities is None else entries,
            quantity=held[0],
        )
        if both:
            details = tuple(
                Value(name, each[option.edge], "dim", quantity)
                for name, each, quantity in zip(("Q₁", "Q₂"), both, held, strict=True)
            )
            mean = None if quantities is None else quantities.mean_before(entries)
            row = row._replace(details=details, quantity=mean)
        rows.append(row)
    return tuple(rows)


def beads(
    context: UpdateContext, move: Move, taken: Move | None, quantities: Quantities | None
) -> tuple[ChoiceRow, ...]:
    """The colours of an open matchbox, the fullest first; see `values`."""
    s = space()
    table, v, truth = of_mover(context, move)
    colours = colours_of(table, v, move.board)
    most = max(colour.beads for colour in colours)

    def worth(colour: Colour) -> float:
        shown = taken.cell if taken is not None and taken.cell in colour.cells else colour.cells[0]
        return float(truth[s.successor[move.board, shown]])

    return tuple(
        ChoiceRow(
            cell=" ".join(str(cell + 1) for cell in colour.cells),
            value=colour.beads,
            truth=worth(colour),
            share=colour.share,
            best=colour.beads == most and len(colours) > 1,
            taken=taken is not None and taken.cell in colour.cells,
            colour=colour.number,
            note="drawn" if table.spec.rule.draws else "",
            about=() if quantities is None else (colour.entry,),
            quantity=None if quantities is None else quantities.before(colour.entry),
        )
        for colour in sorted(colours, key=lambda colour: (-colour.beads, colour.number))
    )


def empty_box(context: UpdateContext, over: GameOver) -> Choice:
    """The box that made its player resign."""
    loser = "O" if over.result == "X" else "X"
    table = table_of_player(context.timeline, loser)
    rows = tuple(
        ChoiceRow(
            cell=" ".join(str(cell + 1) for cell in colour.cells),
            value=colour.beads,
            share=0.0,
            colour=colour.number,
            about=(colour.entry,),
            quantity=context.quantities.before(colour.entry),
        )
        for colour in colours_of(table, context.v, context.update.path[-1])
    )
    title = ((f"{loser}'s matchbox", "title"),)
    return Choice(rows, "beads", "share", places=0, title=title, right="empty: resigns")


def unvalued(
    context: UpdateContext, move: Move, taken: Move | None, shares: NDArray[np.float64] | None
) -> tuple[ChoiceRow, ...]:
    """The moves of somebody who values none, the likeliest first: what each is worth."""
    s, truth = space(), context.truth(move.player)
    rows = [
        ChoiceRow(
            cell=str(int(s.edge_cell[edge]) + 1),
            value=None,
            truth=float(truth[s.edge_successor[edge]]),
            share=None if shares is None else float(shares[edge]),
            taken=taken is not None and edge == taken.edge,
        )
        for edge in s.edges_of(move.board)
    ]
    return tuple(sorted(rows, key=lambda row: -(row.share or 0.0)))


def is_frozen(context: UpdateContext, move: Move) -> bool:
    """Whether the mover does not learn in this game, though its rule could."""
    spec = table_of_player(context.timeline, move.player).spec
    seat = seat_of(context.timeline, move.player)
    return seat is Seat.FROZEN or (spec.rule.learns and not spec.learns)


def epsilon_at(context: UpdateContext, move: Move) -> float:
    """How often the mover moves at random in this game."""
    table = table_of_player(context.timeline, move.player)
    layout, frozen = context.timeline.recording.layout, is_frozen(context, move)
    return float(exploration_rate(parameters(table, layout, frozen), move.game))


def said_random(context: UpdateContext, move: Move) -> bool:
    """Whether the dice called for a random move, by a player who else takes the best."""
    rule = table_of_player(context.timeline, move.player).spec.rule
    by_dice = rule.learns and not rule.draws and move.choice != "scripted"
    return by_dice and move.explore < epsilon_at(context, move)


def dice(context: UpdateContext, move: Move) -> Words:
    """The dice of a choice, and what they said."""
    table, v, _ = of_mover(context, move)
    if move.choice == "scripted":
        return "from outside"
    rule = table.spec.rule
    if rule.draws and rule.learns and not is_frozen(context, move):
        total = round(sum(colour.beads for colour in colours_of(table, v, move.board)))
        return f"u {decimals(move.pick, 4)} of {total} {'bead' if total == 1 else 'beads'}"
    epsilon = epsilon_at(context, move)
    below = move.explore < epsilon
    sign = "<" if below else "≥"
    if rule.draws and not rule.learns and epsilon == 0.0:
        return f"u {decimals(move.pick, 4)}"
    said = "explores" if move.exploratory else "random" if below else "greedy"
    return f"u {decimals(move.explore, 4)} {sign} ε {decimals(epsilon, 2)}  {said}"
