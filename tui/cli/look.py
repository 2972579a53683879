"""The lab on the first difference between two rules; without a terminal, its sentences."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tui.cli.launch import is_terminal

if TYPE_CHECKING:
    from learners.grading.grade import Grade
    from tui.lab.session import WhatIfSummary


def look_at_difference(rule: str, against: str, games: int, seeds: int, ulps: int) -> None:
    """Open the lab on the first event that differs; say so where none does.

    The rule runs in this process, as it does in the lab.

    Raises:
        UsageError: a player cannot be used, or the rule fails.
    """
    from learners.grading.grade import grade
    from learners.grading.report import lines_of, report
    from learners.players.resolve import parse_player

    found = grade(
        parse_player(rule),
        parse_player(against),
        games=games,
        seeds=seeds,
        ulps=ulps,
        is_brief=True,
    )
    if found.first is None:
        click.echo(lines_of(report(found))[0])
        return
    if not is_terminal():
        tell(found)
        return
    from tui.app import Afterstate, stay
    from tui.lab.commands import Screen
    from tui.lab.modes import Settings
    from tui.lab.outcomes import Open
    from tui.preferences import read_preferences

    summary = summary_of(found)

    run = summary.run
    app = Afterstate(Settings(run.x, run.o, run.seed), preferences=read_preferences())
    app.session.look_at_game(run, found.first.place.game, found.first.place.ply)
    app.session.what_if = summary
    app.begin_with(Open(Screen.WHAT_IF, summary))
    stay(app)


def summary_of(found: Grade) -> WhatIfSummary:
    """The game of the first difference, as a what-if."""
    from tui.lab.session import WhatIfSummary

    first = found.first
    assert first is not None
    player = "O" if first.place.ply % 2 == 0 and first.place.ply else "X"
    if first.pair is not None:
        player = getattr(first.pair.event, "player", player)
    return WhatIfSummary(first.one, first.what_if, player, found.rule)


def tell(found: Grade) -> None:
    """The first difference in sentences."""
    from learners.grading.report import lines_of, report
    from tui.plain.what_if import what_if

    lines = lines_of(report(found))
    for line in (*lines[: lines.index(next(x for x in lines if " points" in x))],):
        click.echo(line)
    for line in what_if(summary_of(found)):
        click.echo(line)
    sys.stdout.flush()
