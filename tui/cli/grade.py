"""`afterstate grade`: compare a rule with a correct one, event by event."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.grading.grade import SAME, Grade, grade_rows, graded, lines_of, report
from afterstate_lab.learners.grading.grade import grade as compared
from afterstate_lab.learners.grading.grade import gradescope as as_results
from afterstate_lab.learners.grading.submissions import GRADED
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.replay import OpenedRun
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import FAILED, USAGE, fail, show
from afterstate_lab.tui.cli.judge import work_through, write_json
from afterstate_lab.tui.cli.launch import is_terminal, stay
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.session import WhatIfSummary
from afterstate_lab.tui.preferences import read_preferences


@click.command
@click.argument("rule")
@parameters.option("--against", "The correct rule.", "SPEC", default="td", show_default=True)
@parameters.number("--games", 1, 100_000, 300, "Games per seed.", kind="games")
@parameters.seeds(3)
@parameters.number("--seconds", 1, 86_400, 60, "Time limit, in seconds.")
@parameters.json_flag
@parameters.csv_file
@parameters.gradescope
@parameters.flag("--look", "Open the lab at the first difference.")
@parameters.trust
def grade(
    rule: str,
    against: str,
    as_json: bool,
    csv_file: Path | None,
    gradescope: Path | None,
    look: bool,
    **limits: Any,
) -> None:
    """Check an update rule against a correct one.

    RULE is a player such as my_rule.py:MyRule. Both rules play the same games with the same random
    numbers. The result is "same", or the first backup that differs and the properties that hold.

    With --csv, RULE can be a pattern such as 'class/*/my_rule.py:MyRule'. Each rule gets a row, two
    are graded at a time, and a second call continues.

    Exit status: 0 if it is the same, 1 if it differs, 2 if it cannot be graded. The rule runs in a
    separate process with limits on time and memory, which is not a sandbox.
    """
    if look:
        del limits["seconds"]
        look_at_difference(rule, against, limits)
        return
    if csv_file is not None:
        ask = partial(grade_rows, against=against, limits=limits)
        work_through(rule, csv_file, GRADED, ask, limits["seconds"])
        return
    told: dict[str, Any]
    try:
        told = graded(rule, against, **limits)
    except UsageError as error:
        told = {"error": str(error)}
    if gradescope is not None:
        write_json(gradescope, as_results(told))
    if "error" in told:
        fail(told["error"], USAGE)
    show(as_json, told, lines_of(told))
    if told["verdict"] != SAME:
        sys.exit(FAILED)


def look_at_difference(rule: str, against: str, limits: Mapping[str, Any]) -> None:
    """Open the lab on the first event that differs, or report that none does.

    The rule runs in this process, as it does in the lab.
    """
    found = compared(parse_player(rule), parse_player(against), **limits)
    told = report(found)
    if found.first is None or not is_terminal():
        show(False, told, lines_of(told))
        return

    summary = summary_of(found)
    run = summary.run
    app = Afterstate(Settings(run.x, run.o, run.seed), preferences=read_preferences())
    app.session.resume(OpenedRun(run), Mode.STEP)
    app.session.go_to_place(f"{found.first.place.game}.{found.first.place.ply}")
    app.session.what_if = summary
    app.first = told["first"]["sentence"]
    stay(app)


def summary_of(found: Grade) -> WhatIfSummary:
    """Return the game of the first difference as a what-if."""
    first = found.first
    assert first is not None
    player = "O" if first.place.ply % 2 == 0 and first.place.ply else "X"
    if first.pair is not None:
        player = getattr(first.pair.event, "player", player)
    return WhatIfSummary(first.one, first.what_if, player, found.rule)
