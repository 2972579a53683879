"""What if, as it is shown: one game under two rules, and two whole runs' curves."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from afterstate_lab.learners.ask.what_if import TimeStep, WhatIf
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.blocks.curve import Curve, Series
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.lab.labels import board_label
from afterstate_lab.tui.lab.log import event_line
from afterstate_lab.tui.lab.session import WhatIfSummary
from afterstate_lab.tui.theme.numerals import decimals, short, signed
from afterstate_lab.tui.views.words import Words

BOARD = 21
"""Columns of a board in the comparison."""


def comparison(summary: WhatIfSummary) -> tuple[Words, ...]:
    """The player's values after both games, and what the other rule knew before."""
    result, player = summary.result, summary.player
    different = set(result.different_steps(player))
    head: Words = (
        (f"{player}  {'after the game':<{BOARD}}", "title"),
        (f"{summary.was[:18]:<20}", "text"),
        (f"{str(summary.spec)[:14]:<15}", "key"),
        ("difference", "dim"),
    )
    steps = enumerate(result.steps(player))
    lines = ["", head, *(step_line(t, was, now, t in different, BOARD) for t, (was, now) in steps)]
    if any(result.learned_anew):
        lines.append((("It knows what it would have learned by then.", "dim"),))
    return tuple(lines)


@lru_cache(maxsize=1)
def summary_lines(summary: WhatIfSummary) -> tuple[Words, ...]:
    """The first event that differs, then the player's time steps from the first that does."""
    result, player = summary.result, summary.player
    row, differing = result.first_difference, result.different_steps(player)
    head: Words = (
        (f"{player + ' after it':<15}", "dim"),
        (f"{summary.was[:10]:<11}", "text"),
        (str(summary.spec)[:18], "key"),
    )
    same: Words = (("every event is the same", "truth"),)
    lines = [head, same if row is None else first_line(result, row)]
    lines += [
        step_line(t, before, after, t in differing, room=12)
        for t, (before, after) in enumerate(result.steps(player))
        if t >= min(differing, default=0)
    ]
    return tuple(lines)


def summary_view(summary: WhatIfSummary, rows: int) -> Log:
    """The first lines of a what-if, as many as there is room for beside other panes."""
    return Log(
        lines=summary_lines(summary)[: max(1, rows)],
        jump=1,
        title=f"what if {summary.player} were {summary.spec}",
        right="same game, same dice",
    )


def first_line(result: WhatIf, row: int) -> Words:
    """The first event that differs, in both games."""
    pieces: list[tuple[str, str]] = []
    for label, recording in (("differs first  ", result.original), ("  ◂▸  ", result.other)):
        events = recording.events()
        said = event_line(events[row]) if row < len(events) else ""
        words = ((said or "it is over", "text"),) if isinstance(said, str) else said
        pieces += [
            (label, "key"),
            *((text.lstrip() if n == 0 else text, role) for n, (text, role) in enumerate(words)),
        ]
    return tuple(pieces)


def step_line(
    t: int, before: TimeStep | None, after: TimeStep | None, differs: bool, room: int
) -> Words:
    """One of the player's own time steps under both rules; so much room for its board."""
    known = before or after
    board = "" if known is None else board_label(known.board, known.cell)
    values = [decimals(None if step is None else step.new, 5) for step in (before, after)]
    was, other = (20, 15) if room >= BOARD else (11, 9)
    note = ""
    if differs:
        note = signed(after.new - before.new, 5) if before and after else "one only"
    return (
        (f"S{t} {board:<{room}}", "dim"),
        (f"{values[0]:<{was}}", "text"),
        (f"{values[1]:<{other}}", "strong" if differs else "text"),
        (note, "text"),
    )


def wins_of_x(run: Run) -> tuple[tuple[float, float], ...]:
    """The share of games that X won between a run's keyframes."""
    points = []
    for earlier, later in pairwise(run.keyframes):
        games = later.game - earlier.game
        won = int(later.tally[1] - earlier.tally[1])
        points.append((float(later.game), won / games))
    return tuple(points)


def overlay(run: Run, other: Run, was: str, name: str) -> Curve:
    """X's share of wins over both runs, laid over each other."""
    return Curve(
        series=(
            Series(wins_of_x(run), role="x", label="was"),
            Series(wins_of_x(other), role="key", label="if"),
        ),
        x_range=(1.0, float(max(2, run.games))),
        y_range=(0.0, 1.0),
        log_x=run.games > 1000,
        title=f"X wins: was {was}, if {name}",
        right=f"{short(run.games)} games",
    )
