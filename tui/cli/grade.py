"""`afterstate grade`: a rule beside one that is known to be right, event by event."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from learners.errors import UsageError, shown
from tui.cli import parameters
from tui.cli.errors import FAILED, USAGE, fail, show
from tui.cli.launch import is_terminal

if TYPE_CHECKING:
    from learners.grading.grade import Grade
    from tui.lab.session import WhatIfSummary


@click.command()
@click.argument("rule", shell_complete=parameters.completed("players"))
@click.option(
    "--against",
    default="td",
    show_default=True,
    metavar="SPEC",
    help="The reference.",
    shell_complete=parameters.completed("players"),
)
@click.option(
    "--games", type=parameters.GamesType(1, 100_000), default=300, show_default=True, metavar="N",
    help="Games of each seed.",
)  # fmt: skip
@parameters.seeds(3)
@click.option(
    "--ulps", type=parameters.WholeNumber(0, 1 << 20), default=4, show_default=True, metavar="N",
    help="Units in the last place by which a number may differ.",
)  # fmt: skip
@click.option(
    "--seconds", type=parameters.WholeNumber(1, 86_400), default=60, show_default=True, metavar="N",
    help="End it after so many seconds.",
)  # fmt: skip
@parameters.json_flag
@click.option(
    "--gradescope", type=click.Path(path_type=Path), metavar="results.json",
    help="Write what Gradescope reads.",
)  # fmt: skip
@click.option("--look", is_flag=True, help="Open the lab on the first difference.")
@parameters.trust
def grade(
    rule: str,
    against: str,
    games: int,
    seeds: int,
    ulps: int,
    seconds: int,
    as_json: bool,
    gradescope: Path | None,
    look: bool,
) -> None:
    """Check an update rule against a correct one.

    RULE is a player such as my_rule.py:MyRule. With the same random numbers and games it is the
    same, or this names the first backup that differs, and the properties that hold.
    Exits with 0 when it is the same, 1 when it differs, 2 when it cannot be graded. The rule runs
    in a process of its own, with limits on time and memory; that is no sandbox.
    """
    from learners.grading.process import graded
    from learners.grading.report import SAME, lines_of

    if look:
        look_at_difference(rule, against, games=games, seeds=seeds, ulps=ulps)
        return
    if gradescope is not None:
        check_results(gradescope)
    try:
        told = graded(rule, against, games=games, seeds=seeds, ulps=ulps, seconds=seconds)
    except UsageError as error:
        if gradescope is not None:
            write_results(gradescope, {"error": str(error)})
        fail(str(error), USAGE)
    if gradescope is not None:
        write_results(gradescope, told)
    show(as_json, told, lines_of(told))
    if told["verdict"] != SAME:
        sys.exit(FAILED)


def check_results(path: Path) -> None:
    """Refuse a place where no results can be written, before the work.

    Raises:
        UsageError: the folder is not there, or the lab is locked to another.
    """
    from learners.files import check_lock

    try:
        check_lock(path)
    except OSError as error:
        raise UsageError(f"--gradescope: {error.strerror}") from None
    if not path.absolute().parent.is_dir():
        raise UsageError(f"--gradescope: there is no folder {shown(path.parent)}")


def write_results(path: Path, told: dict[str, Any]) -> None:
    """Write the `results.json` of an autograder."""
    from learners.grading.report import gradescope

    path.write_text(json.dumps(gradescope(told), indent=2) + "\n", encoding="utf-8")


def look_at_difference(rule: str, against: str, games: int, seeds: int, ulps: int) -> None:
    """Open the lab on the first event that differs; say so where none does.

    The rule runs in this process, as it does in the lab.

    Raises:
        UsageError: a player cannot be used, or the rule fails.
    """
    from learners.grading.grade import grade
    from learners.grading.report import lines_of, report
    from learners.players.resolve import parse_player

    options: dict[str, Any] = {"games": games, "seeds": seeds, "ulps": ulps, "is_brief": True}
    found = grade(parse_player(rule), parse_player(against), **options)
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
    """Tell the first difference in sentences."""
    from learners.grading.report import lines_of, report
    from tui.plain.what_if import what_if

    lines = lines_of(report(found))
    points = next(number for number, line in enumerate(lines) if " points" in line)
    for line in (*lines[:points], *what_if(summary_of(found))):
        click.echo(line)
    sys.stdout.flush()
