"""`afterstate players` and `source`: learners, opponents, recipes and bugs; one as a program."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from importlib.resources import files
from typing import Any

import click

from afterstate_lab.learners.errors import UsageError, did_you_mean, shown
from afterstate_lab.learners.experiments.plan import Arm, Plan, followed
from afterstate_lab.learners.players.resolve import parse_player, recipes
from afterstate_lab.learners.rules.museum import MEANT, PIECES, PREFIX, piece, story
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import show
from afterstate_lab.tui.cli.experiment import run_plan

WIDTH = 88
KINDS = {
    "learner": "Learners:",
    "opponent": "Opponents:",
    "recipe": "Recipes (train --recipe NAME):",
    "museum": "Bug museum:",
}


HEAD = ("kind", "name", "summary", "title", "learns", "source", "document", "options", "story")
"""What the first line of a player tells, or another block of lines."""


def catalogue() -> Iterator[dict[str, Any]]:
    """Yield learners, opponents, recipes and bugs as plain data."""
    for rule in rules().values():
        yield {
            "kind": "learner" if rule.learns else "opponent",
            "name": rule.name,
            "summary": rule.summary,
            "learns": rule.learns,
            "equation": str(rule.equation),
            "source": rule.source,
            "options": [
                {"name": option.name, "default": option.format(option.default)}
                | {key: getattr(option, key) for key in ("range", "help", "source")}
                for option in rule.options
            ],
        }
    for recipe in recipes().values():
        yield {"kind": "recipe"} | asdict(recipe)
    for name in PIECES:
        rule = piece(name)
        summary = {"summary": rule.summary, "source": rule.source}
        yield {"kind": "museum", "name": f"{PREFIX}{name}"} | summary


def headline(told: dict[str, Any]) -> str:
    says, source = told.get("title") or told["summary"], told.get("document") or told["source"]
    return f"{told['name']}: {says}" + (f" ({source})" if source else "")


@click.command
@click.argument("name", required=False)
@parameters.games(100_000)
@parameters.seeds(5)
@parameters.json_flag
def players(name: str | None, games: int, seeds: int, as_json: bool) -> None:
    """List learners, opponents, recipes and bugs, or show one.

    A learner shows its options, a recipe what its source did and got wrong, and a bug (museum:NAME)
    its story and its cost over --games and --seeds.
    """
    every = [*catalogue()]
    if name is None:
        listed = list[str]()
        for kind, title in KINDS.items():
            listed += title, *(f"  {headline(told)}" for told in every if told["kind"] == kind)
        show(as_json, every, [*listed, "To show one: afterstate players NAME"])
        return
    known = {told["name"]: told for told in reversed(every)}  # a recipe comes after
    told = known.get(name) or known.get(f"{PREFIX}{name}")
    if told is None:
        near = did_you_mean(name, known) or " (afterstate players lists them all)"
        raise UsageError(f"unknown player {shown(name)}{near}")
    if told["kind"] != "museum":
        show(as_json, told, lines(told))
        return
    told["story"] = story(told["name"].removeprefix(PREFIX))
    if not as_json:
        where = f"To see where it shows: afterstate grade {told['name']} --against {MEANT}"
        stories = (textwrap.fill(part, WIDTH) for part in (*told["story"], where))
        click.echo("\n\n".join((*lines(told), *stories)) + "\n")
    run_plan(priced(told["name"], games, seeds), as_json, told=told)


def lines(told: dict[str, Any]) -> Iterator[str]:
    """Show one player."""
    yield headline(told)
    for key, value in told.items():
        if value and key not in HEAD:
            yield textwrap.fill(f"  {key}: {value}", WIDTH, subsequent_indent="    ")
    for option in told.get("options", ()):
        yield "    {name}={default}  {help} ({range})".format(**option)


def priced(name: str, games: int, seeds: int) -> Plan:
    """Return the experiment that compares a bug with the rule that was meant, each in self-play."""
    players = {spec: parse_player(spec) for spec in (name, MEANT)}
    return Plan(
        name="price",
        title=f"What {name} costs, in self-play",
        arms=tuple(Arm(spec, player, player) for spec, player in players.items()),
        seeds=seeds,
        games=games,
        metrics=followed(players[name], players[name]),
        points=(games,),
    )


@click.command
def source() -> None:
    """Print the learner as one short program.

    Save it as learner.py. `python learner.py ADDRESS` needs Python only, and prints the same values
    as `afterstate export ADDRESS`, for td against td.
    """
    text = files("afterstate_lab.tui.cli").joinpath("learner.txt").read_text("utf-8")
    click.echo(text, nl=False)
