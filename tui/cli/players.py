"""`afterstate players` and `source`: learners, opponents, recipes and bugs; one as a program."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from importlib.resources import files
from typing import Any, NamedTuple

import click

from afterstate_lab.learners.errors import UsageError, did_you_mean, shown
from afterstate_lab.learners.experiments.plan import Arm, Plan
from afterstate_lab.learners.experiments.turn import followed
from afterstate_lab.learners.players.recipes import Recipe
from afterstate_lab.learners.players.recipes import recipes as all_recipes
from afterstate_lab.learners.players.resolve import parse_player
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


class Entry(NamedTuple):
    """A player of the list."""

    kind: str
    told: dict[str, Any]
    lines: list[str]
    """The first names it in the list."""


def catalogue() -> list[Entry]:
    entries = *map(of_rule, rules().values()), *map(of_recipe, all_recipes().values())
    return [*entries, *map(of_piece, PIECES)]


def of_rule(rule: Any) -> Entry:
    options = [
        {"name": option.name, "default": option.format(option.default)}
        | {key: getattr(option, key) for key in ("range", "help", "source")}
        for option in rule.options
    ]
    told = {key: getattr(rule, key) for key in ("name", "summary", "learns", "equation", "source")}
    equation = str(rule.equation)
    lines = [f"{rule.name}: {rule.summary}"]
    lines += [f"    {equation}   {rule.source}"] if equation else []
    lines += ["    {name}={default}  {help} ({range})".format(**option) for option in options]
    told |= {"equation": equation, "options": options}
    return Entry("learner" if rule.learns else "opponent", told, lines)


def of_recipe(recipe: Recipe) -> Entry:
    lines = [f"{recipe.name}: {recipe.title} ({recipe.games:,} games)"]
    lines.append(f"  X {recipe.x}\n  O {recipe.o}")
    labels = {"document": "from", "did": "did", "wrong": "wrong", "corrected": "here"}
    for key, label in (labels | {"figures": "figures"}).items():
        text = f"  {label}: {getattr(recipe, key)}"
        lines.append(textwrap.fill(text, WIDTH, subsequent_indent="    "))
    return Entry("recipe", asdict(recipe), lines)


def of_piece(name: str) -> Entry:
    told = {"name": f"{PREFIX}{name}", "summary": piece(name).summary}
    head = f"{told['name']}: {told['summary']} ({piece(name).source})"
    return Entry("museum", told, [head])


@click.command()
@click.argument("name", required=False)
@parameters.games(100_000)
@parameters.seeds(5)
@parameters.json_flag
def players(name: str | None, games: int, seeds: int, as_json: bool) -> None:
    """List learners, opponents, recipes and bugs, or show one.

    A learner shows its options, a recipe what its source did and got wrong, and a bug (museum:NAME)
    its story and its cost over --games and --seeds.
    """
    entries = catalogue()
    if name is None:
        every = [{"kind": entry.kind} | entry.told for entry in entries]
        show(as_json, every, list_lines(entries))
        return
    found = {entry.told["name"]: entry for entry in reversed(entries)}  # a recipe comes after
    entry = found.get(name) or found.get(f"{PREFIX}{name}")
    if entry is None:
        near = did_you_mean(name, found) or " (afterstate players lists them all)"
        raise UsageError(f"unknown player {shown(name)}{near}")
    told, lines = {"kind": entry.kind} | entry.told, entry.lines
    if entry.kind == "museum":
        del told["summary"]
        told["story"] = story(name.removeprefix(PREFIX))
        if not as_json:
            where = f"To see where it shows: afterstate grade {told['name']} --against {MEANT}"
            stories = (textwrap.fill(part, WIDTH) for part in (*told["story"], where))
            click.echo("\n\n".join((*lines, *stories)) + "\n")
        run_plan(priced(told["name"], games, seeds), as_json, told=told)
        return
    show(as_json, told, lines)


def list_lines(entries: list[Entry]) -> Iterator[str]:
    """List everything, one line each."""
    for kind, title in KINDS.items():
        yield title
        yield from (f"  {one.lines[0]}" for one in entries if one.kind == kind)
    yield "To show one: afterstate players NAME"


def priced(name: str, games: int, seeds: int) -> Plan:
    """Return the experiment that compares a bug with the rule that was meant, each in self-play."""
    players = {spec: parse_player(spec) for spec in (name, MEANT)}
    return Plan(
        name="price",
        title=f"What {name} costs, in self-play",
        arms=tuple(Arm(spec, player, player) for spec, player in players.items()),
        seeds=tuple(range(seeds)),
        games=games,
        metrics=followed(players[name], players[name]),
        points=(games,),
    )


@click.command()
def source() -> None:
    """Print the learner as one short program.

    Save it as learner.py. `python learner.py ADDRESS` needs Python only, and prints the same values
    as `afterstate export ADDRESS`, for td against td.
    """
    text = files("afterstate_lab.tui.cli").joinpath("learner.txt").read_text("utf-8")
    click.echo(text, nl=False)
