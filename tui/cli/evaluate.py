"""`afterstate evaluate`, `export` and `why`: measure, print or explain a saved policy."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click

from afterstate_lab.game import Side
from afterstate_lab.learners.ask.conditions import Wrote
from afterstate_lab.learners.ask.table import HEADER, exported_rows
from afterstate_lab.learners.ask.why import NotLinearError, Shares, shares_of
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.judge.evaluation import (
    evaluate_memory,
    evaluation_lines,
    evaluations_json,
)
from afterstate_lab.learners.runs.replay import go_to
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import show
from afterstate_lab.tui.cli.saved import saved_memory, saved_run


@click.command
@parameters.file_or_run
@parameters.json_flag
def evaluate(as_json: bool, **named: Any) -> None:
    """Measure a saved player exactly, without sampling.

    Give a FILE.npz, an ADDRESS or --run NAME.
    """
    layout, memory = saved_memory(**named)
    sides = evaluate_memory(layout, memory)
    show(as_json, evaluations_json(sides), evaluation_lines(sides))


@click.command
@parameters.file_or_run
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "json"]),
    default="csv",
    show_default=True,
    help="Output format.",
)
def export(form: str, **named: Any) -> None:
    """Export what a player has learned, as CSV or JSON.

    The columns are player, board, cell, value and visits.
    """
    layout, memory = saved_memory(**named)
    if form == "json":
        text = json.dumps([asdict(row) for row in exported_rows(layout, memory)]) + "\n"
    else:
        rows = (row.as_csv() for row in exported_rows(layout, memory))
        text = "\n".join([HEADER, *rows]) + "\n"
    click.echo(text, nl=False)


PARTS = ("own", "borrowed", "guess", "older", "discounted")
NAMED = 5
"""Number of games named, weightiest first."""


@click.command
@parameters.address_or_run
@parameters.option("--player", "Whose value.", "X|O", type=click.Choice(["X", "O"]), required=True)
@parameters.option("--board", "The board, such as ....X.....", "BOARD", required=True)
@parameters.number("--cell", 1, 9, None, "The move, for a learner of moves.")
@parameters.json_flag
def why(player: str, board: str, cell: int | None, as_json: bool, **named: Any) -> None:
    """Show whose games made a value.

    Its own games came through that board; it borrows from games that never did, over a board that
    both share; the rest is the first guess. Give an ADDRESS or --run NAME.
    """
    opened = saved_run(**named)
    run, place = opened.run, TapePosition(opened.run.games, -1)
    memory = run.memory
    if opened.what_if is not None:
        raise UsageError("a what-if is one game. Omit it: +x=… or +o=…")
    if (moment := opened.place) is not None:
        if moment.game > run.games:
            raise UsageError(f"game {moment.game:,} is not over. Choose an earlier moment")
        timeline = Timeline(run)
        go_to(timeline, moment)
        memory, (game, row) = timeline.v, timeline.place
        place = TapePosition(game, row - (timeline.at <= timeline.row))
    entries = Wrote.read(player, board, str(cell) if cell else None).entries(run.layout)
    if cell is None and run.layout.table(Side.parse(player)).entries.of_state is None:
        raise UsageError(f"{player} values moves. Add --cell 1 to 9")
    entry = int(entries[0])
    value = float(memory[entry])
    try:
        shares = shares_of(run, entry, place, value)
    except NotLinearError as error:
        found: dict[str, Any] = dict.fromkeys((*PARTS, "wins", "draws", "losses", "shares"))
        found = {"value": value, **found, "reason": str(error)}
    else:
        assert shares is not None
        found = split(value, shares, player)
    show(as_json, found, sentences(found))


def split(value: float, shares: Shares, mark: str) -> dict[str, Any]:
    loser = "O" if mark == "X" else "X"
    return {
        "value": value,
        **shares.parts,
        "wins": shares.results[mark],
        "draws": shares.results["draw"],
        "losses": shares.results[loser],
        "shares": [
            {
                "game": game + 1,
                "weight": weight,
                "result": shares.result_of[game],
                "own": game in shares.came_through,
            }
            for game, weight in shares.games.items()
        ],
    }


def sentences(found: dict[str, Any]) -> list[str]:
    lines = [f"value {found['value']:.4f}"]
    if found["own"] is None:
        return [*lines, f"not a sum of results: {found['reason']}"]
    lines += [f"{name:<11}{found[name]:7.1%}" for name in PARTS]
    lines.append(", ".join(f"{name} {found[name]:.1%}" for name in ("wins", "draws", "losses")))
    most = sorted(found["shares"], key=lambda share: -share["weight"])[:NAMED]
    told = (
        f"game {one['game']:,} {one['weight']:.1%} {'own' if one['own'] else 'borrowed'}"
        for one in most
    )
    return [*lines, f"most: {', '.join(told)}"] if most else lines
