"""The whole life of the value that is looked at, as a curve with "you are here"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learners.evaluation import true_values
from learners.provenance import outline_of
from tui.lab.labels import entry_label, side_role
from tui.numerals import count
from tui.views.curve import CurveView, SeriesView

if TYPE_CHECKING:
    from tui.lab.session import Session
    from tui.lab.update import Update


def life_view(session: Session, update: Update) -> CurveView:
    """The value of S_t at the keyframes of the run, its exact value, and the game of now."""
    learned = update.learned
    if learned is None or learned.entry >= session.run.layout.values:
        return CurveView(series=(), title="life of a value")
    life = outline_of(session.run, learned.entry)
    truth = true_values(session.run.layout, session.timeline.v, update.table.side)
    points = tuple(zip(map(float, life.games), map(float, life.values), strict=True))
    reference = float(truth[learned.board]) if learned.cell is None else None
    values = [value for _, value in points] + ([] if reference is None else [reference])
    return CurveView(
        series=(SeriesView(points, side_role(update.player)),),
        x_range=(0.0, float(max(1, session.run.games))),
        y_range=(min(values), max(values)) if max(values) > min(values) else None,
        cursor=float(session.timeline.game),
        reference=reference,
        title=f"life of {entry_label(learned)}",
        right=f"{count(life.count)} writes",
    )
