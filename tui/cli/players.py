"""`afterstate players` and `source`: learners, opponents, recipes and bugs; one as a program."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from importlib.resources import files
from statistics import fmean
from typing import Any, NamedTuple

import click

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import UsageError, did_you_mean, shown
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.judge.figures import BEATABLE, OPTIMAL, RMS_MINIMAX, WORST_LOSS
from afterstate_lab.learners.kernel.kernel import WORTH_COMPILING
from afterstate_lab.learners.players.recipes import Recipe
from afterstate_lab.learners.players.recipes import recipes as all_recipes
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.museum import MEANT, PIECES, PREFIX, piece, story
from afterstate_lab.learners.rules.spec import PlayerSpec, rules
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import columns, show
from afterstate_lab.tui.theme.numerals import games_text

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
            stories = (textwrap.fill(part, WIDTH) for part in told["story"])
            click.echo("\n\n".join((*lines, *stories)) + "\n")
        specs = told["name"], MEANT
        told["prices"] = [price_of(parse_player(spec), games, seeds) for spec in specs]
        lines = [*price_lines(told["prices"], games, seeds)]
        lines.append(f"To see where it shows: afterstate grade {specs[0]} --against {MEANT}")
    show(as_json, told, lines)


def list_lines(entries: list[Entry]) -> Iterator[str]:
    """List everything, one line each."""
    for kind, title in KINDS.items():
        yield title
        yield from (f"  {one.lines[0]}" for one in entries if one.kind == kind)
    yield "To show one: afterstate players NAME"


def price_lines(prices: list[dict[str, Any]], games: int, seeds: int) -> Iterator[str]:
    """Compare what a bug costs with the rule that was meant."""
    figures = "exact means" if seeds > 1 else "exact"
    yield f"After {games_text(games)} of self-play, {seeds} seed{'s' * (seeds > 1)}, {figures}:"
    rows = [("", "beatable", "can lose", "optimal moves", RMS_MINIMAX.error_label)]
    for price in prices:
        for mark in "XO":
            side = price[mark]
            error = side["rms_minimax"]
            rows.append(
                (
                    f"{mark} {price['spec']}",
                    f"{side['beatable']} of {price['seeds']}",
                    f"{side['worst_loss']:.3f}",
                    f"{side['right']:.1%}",
                    "" if error is None else f"{error:.3f}",
                )
            )
    yield from columns(rows)


def price_of(spec: PlayerSpec, games: int, seeds: int) -> dict[str, Any]:
    """Train a rule against itself with the seeds 0 .. seeds - 1, and evaluate each exactly.

    Returns:
        By side in how many seeds some opponent can beat it (`beatable`), and means over the seeds:
        the chance of losing to the best opponent, the share of optimal moves (`right`), and the RMS
        error of its values (None where it keeps no values).
    """
    found = []
    for seed in range(seeds):
        run = Run(spec, spec, seed)
        if games * seeds >= WORTH_COMPILING:
            run.kernel().compile()
        run.train(games)
        found.append(evaluate_memory(run.layout, run.memory))
    price: dict[str, Any] = {"spec": str(spec), "games": games, "seeds": seeds}
    for side in Side:
        judged = [figures for pair in found if (figures := pair[side]) is not None]
        errors = [figures[RMS_MINIMAX] for figures in judged]
        price[side.mark] = {
            "beatable": sum(figures[BEATABLE] for figures in judged),
            "worst_loss": fmean(figures[WORST_LOSS] for figures in judged),
            "right": fmean(figures[OPTIMAL][0] / figures[OPTIMAL][1] for figures in judged),
            "rms_minimax": None if None in errors else fmean(e for e in errors if e is not None),
        }
    return price


@click.command()
def source() -> None:
    """Print the learner as one short program.

    Save it as learner.py. `python learner.py ADDRESS` needs Python only, and prints the same values
    as `afterstate export ADDRESS`, for td against td.
    """
    text = files("afterstate_lab.tui.cli").joinpath("learner.txt").read_text("utf-8")
    click.echo(text, nl=False)
