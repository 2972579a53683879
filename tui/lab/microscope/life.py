"""The life of a value: what was written to it over all games of a run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import space
from afterstate_lab.learners.ask.why import outline_of, writes_of
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.blocks.meaning import Quantity, Role
from afterstate_lab.tui.lab.labels import board_label, side_role
from afterstate_lab.tui.lab.microscope.card import table_of_entry
from afterstate_lab.tui.lab.microscope.reading import NO_ENTRY, Update, board_of
from afterstate_lab.tui.theme.numerals import count

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.run import Run

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


def life_curve(run: Run, u: Update, selected: Quantity | None) -> Curve:
    """The selected value over the run, with its exact value and the current game, and what it is
    here; without a selected one, that of S_t."""
    chosen = selected if selected is not None and selected.entry != NO_ENTRY else None
    entry = chosen.entry if chosen else NO_ENTRY if u.learned is None else u.learned.entry
    table = table_of_entry(u, entry)
    place = board_of(table, entry)
    if u.is_masked or place is None or entry >= run.layout.values:
        return Curve(series=(), title="life of a value", note=MASKED if u.is_masked else NO_LIFE)
    board, cell = place
    points, told = life_of(run, entry)
    games, player = max(1, run.games), table.side.mark
    here = float(min(u.event.game + 1, games))
    point = None
    if chosen and chosen.role is not Role.MEAN:
        point = here, float((u.v if chosen.role is Role.OLD else u.after)[entry])
    exact = float(u.truth(player)[board if cell < 0 else space().successor[board, cell]])
    return Curve(
        series=(Series(staircase(points), role=side_role(player)),),
        x_range=(0.0, float(games)),
        cursor=here,
        point=point,
        levels=(Level(exact, "v*"),) if table.spec.rule.estimates else (),
        title=((f"life of {board_label(*place)}", "key" if chosen else "title"),),
        right=told,
    )
