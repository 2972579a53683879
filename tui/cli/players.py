"""`afterstate players`: learners, opponents, recipes and the bug museum, in one list.

Earlier versions had `learners`, `recipes` and `museum`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from afterstate_lab.learners.errors import UsageError, did_you_mean, shown
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import show
from afterstate_lab.tui.lab.resume_hint import games_text

if TYPE_CHECKING:
    from afterstate_lab.learners.players.recipes import Recipe

WIDTH = 88
MUSEUM = "museum:"
KINDS = {
    "learner": "Learners:", "opponent": "Opponents:", "recipe": "Recipes (train --recipe NAME):",
    "museum": "Bug museum:",
}  # fmt: skip
HEAD = "  {:<30} {:>10} {:>10} {:>13} {:>13}"
MEASURED = parameters.together(parameters.games(100_000), parameters.seeds(5))
"""Options that measure the cost of a bug."""


class Entry(NamedTuple):
    """A player of the list."""

    kind: str
    told: dict[str, Any]
    lines: list[str]
    """The first names it in the list."""


def catalogue(*kinds: str) -> list[Entry]:
    from afterstate_lab.learners.players.recipes import recipes
    from afterstate_lab.learners.rules.museum import PIECES
    from afterstate_lab.learners.rules.spec import rules

    entries = *map(of_rule, rules().values()), *map(of_recipe, recipes().values())
    return [one for one in (*entries, *map(of_piece, PIECES)) if one.kind in (kinds or KINDS)]


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
    from afterstate_lab.learners.rules.museum import piece

    told = {"name": f"{MUSEUM}{name}", "summary": piece(name).summary}
    head = f"{told['name']}: {told['summary']}"
    return Entry("museum", told, [head, f"{head} ({piece(name).source})"])


@click.command()
@parameters.argument("name", None, "listed")
@MEASURED
@parameters.json_flag
def players(name: str | None, games: int, seeds: int, as_json: bool) -> None:
    """List learners, opponents, recipes and bugs, or show one.

    A learner shows its options, a recipe what its source did and got wrong, and a bug (museum:NAME)
    its story and its cost over --games and --seeds.
    """
    found = catalogue()
    names = [entry.told["name"] for entry in found]
    if name is None:
        show(as_json, [{"kind": one.kind} | one.told for one in found], list_lines())
        return
    known = next((full for full in (name, f"{MUSEUM}{name}") if full in names), None)
    if known is None:
        near = did_you_mean(name, names) or " (afterstate players lists them all)"
        raise UsageError(f"unknown player {shown(name)}{near}")
    entry = found[names.index(known)]
    if entry.kind == "museum":
        show_piece(name, games, seeds, as_json, kind="museum")
    else:
        show(as_json, {"kind": entry.kind} | entry.told, entry.lines)


def list_lines() -> Iterator[str]:
    """List everything, one line each."""
    for kind, title in KINDS.items():
        yield title
        yield from (f"  {one.lines[0]}" for one in catalogue(kind))
        if kind == "opponent":
            yield from (f"  {line}" for line in plugin_lines())
    yield "To show one: afterstate players NAME"


def plugin_lines() -> Iterator[str]:
    from afterstate_lab.learners.players.resolve import package_of, plugins

    for name, points in plugins().items():
        yield f"{name}: from {' and '.join(map(package_of, points))}"


@click.command()
@parameters.json_flag
def learners(as_json: bool) -> None:
    """List all learners and opponents, with their options."""
    found = catalogue("learner", "opponent")
    lines = [line for one in found for line in one.lines]
    show(as_json, [one.told for one in found], [*lines, *plugin_lines()])


@click.command()
@parameters.argument("name", None, "recipes")
@parameters.json_flag
def recipes(name: str | None, as_json: bool) -> None:
    """List or show recipes: published learners and their mistakes."""
    from afterstate_lab.learners.players.recipes import find_recipe

    found = [of_recipe(find_recipe(name))] if name else catalogue("recipe")
    lines = found[0].lines if name else [one.lines[0] for one in found]
    show(as_json, [one.told for one in found], lines)


@click.command()
@parameters.argument("name", None, "mistakes")
@MEASURED
@parameters.json_flag
def museum(name: str | None, games: int, seeds: int, as_json: bool) -> None:
    """Browse real bugs in real learners, and what each one costs.

    Every bug is a player, such as museum:draw-as-loss. Its metrics are exact for each seed.
    """
    if name is not None:
        show_piece(name, games, seeds, as_json)
        return
    found = catalogue("museum")
    show(as_json, [one.told for one in found], (one.lines[1] for one in found))


def show_piece(name: str, games: int, seeds: int, as_json: bool, **more: str) -> None:
    """Print the story of a bug, then measure its cost."""
    from afterstate_lab.learners.grading.price import price_of
    from afterstate_lab.learners.judge.figures import RMS_MINIMAX
    from afterstate_lab.learners.players.resolve import parse_player
    from afterstate_lab.learners.rules.museum import MEANT, story

    name = name.removeprefix(MUSEUM)
    told, full = story(name), f"{MUSEUM}{name}"
    if not as_json:
        click.echo(f"{of_piece(name).lines[0]}\n")
        for part in told:
            click.echo(f"{textwrap.fill(part, WIDTH)}\n")
    prices = [price_of(parse_player(spec), games, seeds) for spec in (full, MEANT)]
    figures = "exact means" if seeds > 1 else "exact"
    lines = [
        f"After {games_text(games)} of self-play, {seeds} seed{'s' * (seeds > 1)}, {figures}:",
        HEAD.format("", "beatable", "can lose", "optimal moves", RMS_MINIMAX.error_label),
        *(price_line(price, mark) for price in prices for mark in "XO"),
        f"To see where it shows: afterstate grade {full} --against {MEANT}",
    ]
    show(as_json, {**more, "name": full, "story": told, "prices": prices}, lines)


def price_line(price: dict[str, Any], mark: str) -> str:
    side = price[mark]
    error = "" if side["rms_minimax"] is None else f"{side['rms_minimax']:.3f}"
    beatable = f"{side['beatable']} of {price['seeds']}"
    figures = beatable, f"{side['worst_loss']:.3f}", f"{side['right']:.1%}", error
    return HEAD.format(f"{mark} {price['spec']}", *figures).rstrip()
