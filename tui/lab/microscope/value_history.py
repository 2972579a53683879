"""The whole life of the value that is looked at, as a curve with "you are here"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import space
from learners.judge.evaluated_state import true_values
from learners.queries.provenance import outline_of
from tui.lab.labels import side_role
from tui.lab.microscope.quantities import NOTHING, board_of
from tui.lab.microscope.selection_words import label, table_of
from tui.theme.numerals import count
from tui.views.curve import CurveView, SeriesView
from tui.views.quantity import Role

if TYPE_CHECKING:
    from tui.lab.microscope.microscope import Microscope
    from tui.lab.session import Session


def life_view(session: Session, scope: Microscope) -> CurveView:
    """A value at the keyframes of the run, its exact value, and the game of now.

    It is that of the selected thing, whose present value is then marked too; or else of S_t.
    """
    learned, thing = scope.update.learned, scope.selected
    is_chosen = thing is not None and thing.entry != NOTHING
    if thing is not None and is_chosen:
        entry = thing.entry
    else:
        entry = NOTHING if learned is None else learned.entry
    table = table_of(scope, entry)
    place = None if entry == NOTHING else board_of(table, entry)
    if place is None or entry >= session.run.layout.values:
        return CurveView(series=(), title="life of a value")
    board, cell = place
    life = outline_of(session.run, entry)
    points = tuple(zip(map(float, life.games), map(float, life.values), strict=True))
    values = [value for _, value in points]
    point = None
    if thing is not None and is_chosen and thing.role is not Role.MEAN:
        memory = scope.v if thing.role is Role.OLD else session.timeline.v
        point = float(session.timeline.game), float(memory[entry])
        values.append(point[1])
    reference = None
    if table.spec.rule.estimates:
        truth = true_values(session.run.layout, session.timeline.v, table.side)
        reference = float(truth[board if cell < 0 else space().successor[board, cell]])
        values.append(reference)
    return CurveView(
        series=(SeriesView(points, side_role("XO"[table.side])),),
        x_range=(0.0, float(max(1, session.run.games))),
        y_range=(min(values), max(values)) if max(values) > min(values) else None,
        cursor=float(session.timeline.game),
        point=point,
        reference=reference,
        title=((f"life of {label(place)}", "key" if is_chosen else "title"),),
        right=f"{count(life.count)} write{'s' * (life.count != 1)}",
    )
