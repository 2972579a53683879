"""How many rows each pane of the experiments gets; what is left over is the chart's."""

from __future__ import annotations

from dataclasses import dataclass

ARMS_AROUND = 2
TABLE_AROUND = 3
"""Rows of a pane beside its arms: the border, and the titles of the table."""
LEAST_CHART = 7
FEWEST_ARMS = 4


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of each pane, borders included; 0 hides it."""

    arms: int = 0
    table: int = 0
    answer: int = 0

    @property
    def shown(self) -> int:
        """How many arms the smallest of arms and table shows."""
        both = (self.arms - ARMS_AROUND, self.table - TABLE_AROUND)
        return max(1, min((many for many in both if many > 0), default=1))


def running_rows(rows: int, arms: int) -> Rows:
    """While it runs: arms with their bars above the chart, the table below.

    Args:
        rows: of the whole, without mode line and keys.
        arms: how many there are.
    """
    room = rows - ARMS_AROUND - TABLE_AROUND - LEAST_CHART
    shown = max(1, min(arms, room // 2))
    return Rows(arms=shown + ARMS_AROUND, table=shown + TABLE_AROUND)


def over_rows(rows: int, arms: int, answer: int) -> Rows:
    """When all is over: the chart, the table, and the answer in so many lines below.

    All arms are shown where the answer can be read in full beside them, else at least a few.
    """
    answer = min(answer + 2, rows - LEAST_CHART - TABLE_AROUND - 1)
    room = rows - LEAST_CHART - answer - TABLE_AROUND
    shown = max(min(arms, room), min(arms, FEWEST_ARMS))
    answer = min(answer, rows - LEAST_CHART - TABLE_AROUND - shown)
    return Rows(table=shown + TABLE_AROUND, answer=max(0, answer))
