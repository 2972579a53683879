"""The entries that a game changes; with traces, all that the error of now reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import space
from learners.judge.evaluated_state import rms_against
from learners.tape.events import Backup
from learners.tape.timeline import WRITE
from tui.lab.labels import entry_label, side_role
from tui.lab.microscope.matchbox import colours_of
from tui.lab.microscope.steps import Kind, kind_of
from tui.lab.microscope.symbols import Look, look_of, terms_of
from tui.lab.microscope.update import Update, head_of
from tui.theme.numerals import decimals, signed
from tui.views.update import EntriesView, EntryRow

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from learners.kernel.memory import Table
    from learners.tape.timeline import Timeline
    from tui.lab.microscope.quantities import Things
    from tui.views.quantity import Thing
    from tui.views.words import Words

    Truths = Callable[[str], NDArray[np.float64]]

STRONG_TRACE = 0.5
"""Traces below this are dim."""


def entries_view(timeline: Timeline, update: Update, truths: Truths, things: Things) -> EntriesView:
    """The pane of the entries.

    Args:
        timeline: the place.
        update: what is looked at.
        truths: v* by position, for a player.
        things: what each number stands for.
    """
    if update.look is Look.TRACE:
        return traced(timeline, update, truths(update.player), things)
    layout = timeline.recording.layout
    rows = []
    done = [
        (row, event)
        for row, event in enumerate(update.game.events, update.game.first)
        if isinstance(event, Backup) and is_done(timeline, row)
    ]
    latest = {event.entry: row for row, event in done}
    for row, event in done:
        table = layout.x if event.player == "X" else layout.o
        if look_of(terms_of(table.spec.rule)) is Look.TRACE:
            continue
        beads = kind_of(table.spec) is Kind.BEADS
        rows.append(
            EntryRow(
                board=entry_label(event),
                old=event.old,
                new=event.new,
                truth=None if beads else truth_of(event, truths(event.player)),
                extra=extra_of(table, event),
                places=0 if beads else 5,
                role=side_role(event.player),
                lit=row == timeline.row,
                about=(event.entry,),
                old_thing=things.old if row == update.learned_row else None,
                new_thing=things.now(event.entry) if row == latest[event.entry] else None,
            )
        )
    beads = update.kind is Kind.BEADS
    return EntriesView(
        rows=tuple(rows),
        notes=notes(timeline, update, truths(update.player)),
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
    """The exact value of an entry."""
    if event.cell is None:
        return float(truth[event.board])
    return float(truth[space().successor[event.board, event.cell]])


def traced(
    timeline: Timeline, update: Update, truth: NDArray[np.float64], things: Things
) -> EntriesView:
    """All entries that the error of this step reaches, with their traces, the newest first."""
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
            old_thing=traced_old(timeline, update, things, row, event),
            new_thing=things.now(event.entry) if is_done(timeline, row) else None,
        )
        for row, event in together
    )
    return EntriesView(
        rows=rows,
        notes=notes(timeline, update, truth),
        extra_label="z",
        title=(("traces", "title"), (f" of {update.player}", "dim")),
    )


def traced_old(
    timeline: Timeline, update: Update, things: Things, row: int, event: Backup
) -> Thing | None:
    """What the old value of a trace's entry is: the present one, until it is written."""
    if row == update.learned_row:
        return things.old
    return None if is_done(timeline, row) else things.now(event.entry)


def is_done(timeline: Timeline, row: int) -> bool:
    """Whether the event of a row has been written here."""
    return row < timeline.row or (row == timeline.row and timeline.phase == WRITE)


def notes(timeline: Timeline, update: Update, truth: NDArray[np.float64]) -> tuple[Words, ...]:
    """How far the learner is from the truth; or what its open box holds."""
    table = update.table
    if not table.spec.rule.learns:
        return ()
    if not table.spec.rule.estimates:
        move = update.step.move
        if move is None:
            return ()
        colours = colours_of(table, timeline.v, move.board)
        total = round(sum(colour.beads for colour in colours))
        return (((f"{total:,} beads in {len(colours)} colours of this box", "dim"),),)
    error = rms_against(table, timeline.v, truth)
    return (((f"{update.player} rms V−v* ", "dim"), (decimals(error, 5), "text")),)
