"""The entries that a game changes (with traces, all that the error reaches), and their history."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import space
from afterstate_lab.learners.ask.why import outline_of, writes_of
from afterstate_lab.learners.judge.evaluated_state import rms_against, true_values
from afterstate_lab.learners.judge.figures import RMS_OPTIMAL
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.timeline import WRITE
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.blocks.entries import Entries, EntryRow
from afterstate_lab.tui.blocks.meaning import Role
from afterstate_lab.tui.lab.labels import board_label, entry_label, side_role
from afterstate_lab.tui.lab.microscope.reading import (
    NO_ENTRY,
    Kind,
    board_of,
    colours_of,
    head_of,
    kind_of,
    table_of_player,
)
from afterstate_lab.tui.lab.microscope.selection import table_of_entry
from afterstate_lab.tui.theme.numerals import count, decimals, signed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.learners.tape.timeline import Timeline
    from afterstate_lab.tui.blocks.meaning import Quantity
    from afterstate_lab.tui.lab.microscope.reading import UpdateContext
    from afterstate_lab.tui.lab.session import Session
    from afterstate_lab.tui.views.words import Words

STRONG_TRACE = 0.5
"""Traces below this are dim."""


def entries_view(context: UpdateContext) -> Entries:
    timeline, update, quantities = context.timeline, context.update, context.quantities
    if update.target_kind is TargetKind.TRACE:
        return traced(context)
    rows = []
    done = [
        (row, event)
        for row, event in enumerate(update.game.events, update.game.first)
        if isinstance(event, Backup) and is_done(timeline, row)
    ]
    latest = {event.entry: row for row, event in done}
    for row, event in done:
        table = table_of_player(timeline, event.player)
        if table.spec.rule.equation.kind is TargetKind.TRACE:
            continue
        beads = kind_of(table.spec) is Kind.BEADS
        rows.append(
            EntryRow(
                board=entry_label(event),
                old=event.old,
                new=event.new,
                truth=None if beads else truth_of(event, context.truth(event.player)),
                extra=extra_of(table, event),
                places=0 if beads else 5,
                player=event.player,
                role=side_role(event.player),
                lit=row == timeline.row,
                about=(event.entry,),
                old_quantity=quantities.old if row == update.learned_row else None,
                new_quantity=quantities.now(event.entry) if row == latest[event.entry] else None,
            )
        )
    beads = update.kind is Kind.BEADS
    return Entries(
        rows=tuple(rows),
        title="entries changed",
        notes=notes(context),
        board_width=9 if update.kind is Kind.STATES else 11,
        extra_label="in" if update.spec.rule.tables > 1 else "by" if beads else "",
        truth_label="" if all(row.truth is None for row in rows) and beads else "v*",
        right="" if beads else "v* exact",
    )


def extra_of(table: Table, event: Backup) -> str:
    """The table that was written, or the beads that were added or taken."""
    if table.spec.rule.tables > 1:
        return "Q₂" if (event.entry - table.base) // len(table.entries.boards) else "Q₁"
    return "" if table.spec.rule.estimates else signed(event.new - event.old, 0)


def truth_of(event: Backup, truth: NDArray[np.float64]) -> float:
    if event.cell is None:
        return float(truth[event.board])
    return float(truth[space().successor[event.board, event.cell]])


def traced(context: UpdateContext) -> Entries:
    """All entries that the error of this step reaches, with their traces, the newest first."""
    timeline, update, quantities = context.timeline, context.update, context.quantities
    truth = context.truth(update.player)
    game = update.game
    together = [
        (row, event)
        for row, event in enumerate(game.events, game.first)
        if isinstance(event, Backup)
        and event.player == update.player
        and update.backup is not None
        and head_of(game, row) == update.head_row
    ]
    rows = tuple(
        EntryRow(
            board=entry_label(event),
            old=event.old,
            new=event.new if is_done(timeline, row) else None,
            truth=float(truth[event.board]),
            extra=decimals(event.trace, 3),
            role=side_role(event.player) if event.trace >= STRONG_TRACE else "dim",
            lit=row == timeline.row,
            about=(event.entry,),
            old_quantity=traced_old(context, row, event),
            new_quantity=quantities.now(event.entry) if is_done(timeline, row) else None,
        )
        for row, event in together
    )
    return Entries(
        rows=rows,
        notes=notes(context),
        extra_label="z",
        right="v* exact",
        title=(("traces", "title"), (f" of {update.player}", "dim")),
    )


def traced_old(context: UpdateContext, row: int, event: Backup) -> Quantity | None:
    """What the old value of a trace's entry is: the present one, until it is written."""
    if row == context.update.learned_row:
        return context.quantities.old
    return None if is_done(context.timeline, row) else context.quantities.now(event.entry)


def is_done(timeline: Timeline, row: int) -> bool:
    """Whether the event of a row has been written here."""
    return row < timeline.row or (row == timeline.row and timeline.phase == WRITE)


def notes(context: UpdateContext) -> tuple[Words, ...]:
    """How far the learner is from the truth; or what its open box holds."""
    timeline, update = context.timeline, context.update
    table = update.table
    if not table.spec.rule.learns:
        return ()
    if not table.spec.rule.estimates:
        move = update.step.move
        if move is None:
            return ()
        colours = colours_of(table, timeline.v, move.board)
        total = round(sum(colour.beads for colour in colours))
        return (((f"{total:,} beads in {len(colours)} colours", "dim"),),)
    error = rms_against(table, timeline.v, context.truth(update.player))
    return (((f"{update.player} {RMS_OPTIMAL.error_label} ", "dim"), (decimals(error, 5), "text")),)


MASKED = "Hidden until you have said what is written."
NO_LIFE = "↓ selects a number: its life is shown here."
SHORT: Final = 200
"""Up to so many games a run is played again for each write; else its keyframes have to do."""


def life_of(run: Run, entry: int) -> tuple[tuple[tuple[float, float], ...], str]:
    """The games and values of an entry's life, and how many writes there were, and are shown.

    A value stands at the number of games that were played when it had been written.
    """
    is_short = run.games <= SHORT
    life = writes_of(run, entry) if is_short else outline_of(run, entry)
    assert life is not None
    played = [float(game) + is_short for game in life.games]
    points = list(zip(played, map(float, life.values), strict=True))
    if is_short:
        last = points[-1][1] if points else life.initial
        points = [(0.0, life.initial), *points, (float(max(1, run.games)), last)]
    many = f"{count(life.count)} write{'s' * (life.count != 1)}"
    return tuple(points), many if is_short else f"{many}, at {len(points)} games"


def staircase(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """A value stays what it is until it is written: each level, then the step to the next."""
    steps = list(points[:1])
    for (_, y), (x2, y2) in pairwise(points):
        steps += [(x2, y), (x2, y2)] if y2 != y else [(x2, y2)]
    return tuple(steps)


def value_history_view(
    session: Session, context: UpdateContext, selected: Quantity | None
) -> Curve:
    """A value at the keyframes of the run, its exact value, and the current game.

    It is that of the selected quantity, whose present value is then marked too; or else of S_t.
    """
    update, quantity = context.update, selected
    if context.is_masked:
        return Curve(series=(), title="life of a value", note=MASKED)
    learned = update.learned
    is_chosen = quantity is not None and quantity.entry != NO_ENTRY
    if quantity is not None and is_chosen:
        entry = quantity.entry
    else:
        entry = NO_ENTRY if learned is None else learned.entry
    table = table_of_entry(update, session.timeline, entry)
    place = board_of(table, entry)
    if place is None or entry >= session.run.layout.values:
        return Curve(series=(), title="life of a value", note=NO_LIFE)
    board, cell = place
    points, told = life_of(session.run, entry)
    games = max(1, session.run.games)
    here = float(min(session.timeline.game + 1, games))
    point = None
    if quantity is not None and is_chosen and quantity.role is not Role.MEAN:
        memory = context.v if quantity.role is Role.OLD else session.timeline.v
        point = here, float(memory[entry])
    exact: tuple[Level, ...] = ()
    if table.spec.rule.estimates:
        timeline = session.timeline
        truth = true_values(session.run.layout, timeline.v, table.side, timeline.game)
        value = float(truth[board if cell < 0 else space().successor[board, cell]])
        exact = (Level(value, "v*"),)
    return Curve(
        series=(Series(staircase(points), role=side_role("XO"[table.side])),),
        x_range=(0.0, float(games)),
        cursor=here,
        point=point,
        levels=exact,
        title=((f"life of {board_label(*place)}", "key" if is_chosen else "title"),),
        right=told,
    )
