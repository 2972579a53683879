"""`afterstate grade`: a rule beside one that is known to be right, event by event."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from tui.cli import parameters
from tui.cli.errors import FAILED, USAGE, fail


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
    """Grade RULE, such as my_rule.py:MyRule, against a rule that is right.

    Same dice, same games: same, or the first backup that differs, and the properties that hold.
    Exits with 0 when it is the same, 1 when it differs, 2 when it cannot be graded. The rule runs
    in a process of its own, with limits on time and memory; that is no sandbox.
    """
    from learners.errors import UsageError
    from learners.grading.process import graded
    from learners.grading.report import SAME, lines_of

    if look:
        from tui.cli.look import look_at_difference

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
    if as_json:
        click.echo(json.dumps(told))
    else:
        for line in lines_of(told):
            click.echo(line)
    if told["verdict"] != SAME:
        sys.exit(FAILED)


def check_results(path: Path) -> None:
    """Refuse a place where no results can be written, before the work.

    Raises:
        UsageError: the folder is not there, or the lab is locked to another.
    """
    from learners.errors import UsageError, shown
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
