"""`afterstate players`: learners, opponents, recipes and the bug museum, in one list.

Earlier versions had `learners`, `recipes` and `museum`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

import click

from afterstate_lab.learners.errors import UsageError, did_you_mean, shown
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import show
from afterstate_lab.tui.lab.resume_hint import games_text

WIDTH = 88
MUSEUM = "museum:"
HEAD = "  {:<30} {:>10} {:>10} {:>13} {:>13}"
MEASURED = parameters.together(parameters.games(100_000), parameters.seeds(5))
"""Options that measure the cost of a bug."""


@click.command()
@parameters.argument("name", None, "listed")
@MEASURED
@parameters.json_flag
def players(name: str | None, games: int, seeds: int, as_json: bool) -> None:
    """List learners, opponents, recipes and bugs, or show one.

    A learner shows its options, a recipe what its source did and got wrong, and a bug (museum:NAME)
    its story and its cost over --games and --seeds.
    """
    from afterstate_lab.learners.players.recipes import recipes
    from afterstate_lab.learners.rules.museum import PIECES
    from afterstate_lab.learners.rules.spec import rules

    if name is None:
        told = [
            *({"kind": kind_of(rule), **described(rule)} for rule in rules().values()),
            *({"kind": "recipe", **asdict(recipe)} for recipe in recipes().values()),
            *({"kind": "museum", **listed(piece)} for piece in PIECES),
        ]
        show(as_json, told, list_lines())
    elif name in rules():
        rule = rules()[name]
        show(as_json, {"kind": kind_of(rule), **described(rule)}, rule_lines(rule))
    elif name in recipes():
        recipe = recipes()[name]
        show(as_json, {"kind": "recipe", **asdict(recipe)}, recipe_lines(recipe))
    elif name.removeprefix(MUSEUM) in PIECES:
        show_piece(name, games, seeds, as_json, kind="museum")
    else:
        known = [*rules(), *recipes(), *(f"{MUSEUM}{piece}" for piece in PIECES)]
        near = did_you_mean(name, known) or " (afterstate players lists them all)"
        raise UsageError(f"unknown player {shown(name)}{near}")


def list_lines() -> Iterator[str]:
    """List everything, one line each."""
    from afterstate_lab.learners.players.recipes import recipes
    from afterstate_lab.learners.rules.museum import PIECES
    from afterstate_lab.learners.rules.spec import rules

    for kind in ("learner", "opponent"):
        yield f"{kind.capitalize()}s:"
        for rule in rules().values():
            if kind_of(rule) == kind:
                yield f"  {rule.name}: {rule.summary}"
    yield from (f"  {line}" for line in plugin_lines())
    yield "Recipes (train --recipe NAME):"
    yield from (f"  {recipe_head(recipe)}" for recipe in recipes().values())
    yield "Bug museum:"
    yield from (f"  {MUSEUM}{piece}: {listed(piece)['summary']}" for piece in PIECES)
    yield "To show one: afterstate players NAME"


@click.command()
@parameters.json_flag
def learners(as_json: bool) -> None:
    """List all learners and opponents, with their options."""
    from afterstate_lab.learners.rules.spec import rules

    found = rules().values()
    lines = [line for rule in found for line in rule_lines(rule)]
    show(as_json, [described(rule) for rule in found], [*lines, *plugin_lines()])


def plugin_lines() -> Iterator[str]:
    from afterstate_lab.learners.players.resolve import package_of, plugins

    for name, points in plugins().items():
        yield f"{name}: from {' and '.join(map(package_of, points))}"


def kind_of(rule: Any) -> str:
    return "learner" if rule.learns else "opponent"


def rule_lines(rule: Any) -> Iterator[str]:
    yield f"{rule.name}: {rule.summary}"
    if str(rule.equation):
        yield f"    {rule.equation}   {rule.source}"
    for option in rule.options:
        default = option.format(option.default)
        yield f"    {option.name}={default}  {option.help} ({option.range})"


def described(rule: Any) -> dict[str, Any]:
    options = [
        {"name": option.name, "default": option.format(option.default)}
        | {key: getattr(option, key) for key in ("range", "help", "source")}
        for option in rule.options
    ]
    told = {key: getattr(rule, key) for key in ("name", "summary", "learns", "equation", "source")}
    return told | {"equation": str(rule.equation), "options": options}


@click.command()
@parameters.argument("name", None, "recipes")
@parameters.json_flag
def recipes(name: str | None, as_json: bool) -> None:
    """List or show recipes: published learners and their mistakes."""
    from afterstate_lab.learners.players.recipes import find_recipe
    from afterstate_lab.learners.players.recipes import recipes as known

    chosen = [find_recipe(name)] if name else list(known().values())
    lines: Iterable[str] = recipe_lines(chosen[0]) if name else map(recipe_head, chosen)
    show(as_json, [asdict(recipe) for recipe in chosen], lines)


def recipe_head(recipe: Any) -> str:
    return f"{recipe.name}: {recipe.title} ({recipe.games:,} games)"


def recipe_lines(recipe: Any) -> Iterator[str]:
    yield recipe_head(recipe)
    yield f"  X {recipe.x}\n  O {recipe.o}"
    labels = {"document": "from", "did": "did", "wrong": "wrong", "corrected": "here"}
    for key, label in (labels | {"figures": "figures"}).items():
        text = f"  {label}: {getattr(recipe, key)}"
        yield textwrap.fill(text, WIDTH, subsequent_indent="    ")


@click.command()
@parameters.argument("name", None, "mistakes")
@MEASURED
@parameters.json_flag
def museum(name: str | None, games: int, seeds: int, as_json: bool) -> None:
    """Browse real bugs in real learners, and what each one costs.

    Every bug is a player, such as museum:draw-as-loss. Its metrics are exact for each seed.
    """
    from afterstate_lab.learners.rules.museum import PIECES, piece

    if name is not None:
        show_piece(name, games, seeds, as_json)
        return
    lines = (f"{MUSEUM}{one}: {piece(one).summary} ({piece(one).source})" for one in PIECES)
    show(as_json, [listed(one) for one in PIECES], lines)


def listed(name: str) -> dict[str, str]:
    from afterstate_lab.learners.rules.museum import piece

    return {"name": f"{MUSEUM}{name}", "summary": piece(name).summary}


def show_piece(name: str, games: int, seeds: int, as_json: bool, **more: str) -> None:
    """Print the story of a bug, then measure its cost."""
    from afterstate_lab.learners.grading.price import price_of
    from afterstate_lab.learners.judge.figures import RMS_MINIMAX
    from afterstate_lab.learners.players.resolve import parse_player
    from afterstate_lab.learners.rules.museum import MEANT, story

    name = name.removeprefix(MUSEUM)
    told, full = story(name), f"{MUSEUM}{name}"
    if not as_json:
        click.echo(f"{full}: {listed(name)['summary']}\n")
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
