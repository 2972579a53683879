"""Parameters that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from afterstate_lab.learners.engine.dice import LARGEST_SEED
from afterstate_lab.learners.errors import UsageError, reason, shown, shown_path
from afterstate_lab.learners.files import LOCK, TRUST, check_lock, check_new
from afterstate_lab.learners.players.resolve import Recipe, find_recipe, parse_player
from afterstate_lab.learners.rules.options import IntegerOption
from afterstate_lab.tui.lab.modes import games_of, goal_of

LARGEST_COUNT = 10**12
Decorator = Callable[[Any], Any]


class Read(click.ParamType):
    """A type that a function reads from the text, and whose errors name the option."""

    name = "text"

    def __init__(self, read: Callable[[str], Any]) -> None:
        self._read = read

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self._read(value)
        except UsageError as error:
            raise UsageError(f"{param.opts[-1]}: {error}") from None


PLAYER = Read(parse_player)
"""A player spec such as ``td:alpha=0.2``."""


EXAMPLES = {"games": "20000, 100k or 1m", "goal": "20000, 100k, 1m or unbeatable"}


class WholeNumber(click.ParamType):
    """A whole number in a closed range.

    Args:
        low: the smallest.
        high: the largest.
        kind: `number`; `games`, also written 100k or 1m; or `goal`: games, or unbeatable.
    """

    name = "N"

    def __init__(self, low: int, high: int, kind: str) -> None:
        self._low, self._high, self.kind = low, high, kind

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not isinstance(value, int | str):
            return value
        text = str(value)
        games = None if self.kind == "number" else games_of(text)
        if self.kind == "goal":
            from afterstate_lab.learners.training import Goal

            if goal := goal_of(text):
                return goal
        number = IntegerOption(param.opts[-1], 0, "", self._low, self._high)
        if self.kind != "number" and games is None and not text.isdecimal():
            raise UsageError(
                f"{param.opts[-1]}: {shown(text)} is not a number of games. "
                f"Try {EXAMPLES[self.kind]}"
            )
        found = number.parse(text if games is None else str(games))
        return Goal(found) if self.kind == "goal" else found


def file_to_write(text: str, *, is_continued: bool = False) -> Path:
    """Return a path whose folder is there; the file itself only with --force.

    Args:
        text: the path.
        is_continued: whether the command adds to a file that is there.
    """
    path = Path(text)
    try:
        check_lock(path)
        if not path.parent.is_dir():
            raise UsageError(f"no such folder: {shown_path(path.parent)}")
        check_new(path, "Add --force to replace it", force=is_continued or is_forced())
    except OSError as error:
        raise UsageError(f"cannot write {shown_path(path)}: {reason(error)}") from None
    return path


OUT_FILE = Read(file_to_write)


def together(*decorators: Decorator) -> Decorator:
    def add(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return add


def switch_on(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    """Set the environment variable of a flag, for this process and its children."""
    if value:
        os.environ[LOCK if param.name == "locked" else TRUST] = "1"
    return value


def use_recipe(ctx: click.Context, param: click.Parameter, name: str | None) -> Recipe | None:
    """Let a recipe give the players, the seed and the games that the command line does not."""
    if name is None:
        return None
    found = find_recipe(name)
    ctx.default_map = {"x": found.x, "o": found.o, "seed": found.seed, "goal": found.games}
    return found


def is_forced() -> bool:
    """Return whether the command replaces files that are there."""
    context = click.get_current_context()
    return context.get_parameter_source("force") is ParameterSource.COMMANDLINE


def option(names: str, help: str, metavar: str, **more: Any) -> Decorator:
    return click.option(*names.split(), metavar=metavar, help=help, **more)


def number(
    names: str, low: int, high: int, default: int | None, help: str, *, kind: str = "number"
) -> Decorator:
    taken = WholeNumber(low, high, kind)
    return option(names, help, "N", type=taken, default=default, show_default=True)


def flag(names: str, help: str, **more: Any) -> Decorator:
    return click.option(*names.split(), is_flag=True, help=help, **more)


def players(x: str = "td", o: str = "td") -> Decorator:
    more: dict[str, Any] = {"type": PLAYER, "show_default": True}
    return together(
        trust,
        option("--x", "Player of X.", "SPEC", default=x, **more),
        option("--o", "Player of O.", "SPEC", default=o, **more),
    )


def games(default: int, *, names: str = "--games", kind: str = "games") -> Decorator:
    help = f"Number of games, such as {EXAMPLES[kind]}."
    return number(names, 1, LARGEST_COUNT, default, help, kind=kind)


def seeds(default: int) -> Decorator:
    return number("--seeds", 1, 1000, default, "Number of seeds: 0, 1, 2 and so on.")


like = together(
    option("--like", "Compare it with learners like this one.", "SPEC"),
    option("--against", "The player that it was trained against; itself by default.", "SPEC"),
    number(
        "--games", 1, LARGEST_COUNT, 20_000, "Number of games it was trained for.", kind="games"
    ),
)

# Read before the players.
eager: dict[str, Any] = {"is_eager": True, "expose_value": False, "callback": switch_on}
force = flag("--force", "Replace files that already exist.", is_eager=True, expose_value=False)
trust = flag("--trust", "Run a rule file that other users can write to.", **eager)
trust_rules = flag("--trust own_rules", "Run rules from Python files.", callback=switch_on)
locked = flag("--locked", "Restrict the lab to its own folder (also AFTERSTATE_LOCKED=1).", **eager)
seed = number("--seed", 0, LARGEST_SEED, 0, "Random seed.")
ascii_flag = flag("--ascii ascii_only", "Draw with ASCII characters only.")
no_mouse = flag("--no-mouse", "Do not capture the mouse.")
json_flag = flag("--json as_json", "Print JSON.")
csv_file = option(
    "--csv csv_file",
    "Write a row for each file of a pattern.",
    "FILE",
    type=Read(partial(file_to_write, is_continued=True)),
)
gradescope = together(
    force,
    option("--gradescope", "Write a result file for Gradescope.", "results.json", type=OUT_FILE),
)
recipe = option(
    "--recipe",
    "Use the players and games of a recipe (see afterstate players).",
    "NAME",
    is_eager=True,
    callback=use_recipe,
)
run_name = option("--run run_name", "Resume or create the run NAME, or open an address.", "NAME")
player_files = option(
    "--file files",
    "A player file that the ADDRESS needs.",
    "FILE",
    type=click.Path(path_type=Path),
    multiple=True,
)
address = together(click.argument("text", metavar="[ADDRESS]", required=False), player_files)
address_or_run = together(address, option("--run run_name", "A saved run, or an address.", "NAME"))
file_or_run = together(
    click.argument("text", metavar="[FILE|ADDRESS]", required=False),
    option("--run run_name", "A saved run, or an address, instead of a file.", "NAME"),
    player_files,
)


def given(ctx: click.Context, *names: str) -> dict[str, Any]:
    """Return the parameters of these names that the command line or a recipe gives, if need be to
    the group that called this command.
    """
    contexts = [one for one in (ctx, ctx.parent) if one is not None]
    sources = {ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP}
    return {
        name: ctx.params[name]
        for name in names
        if not sources.isdisjoint(one.get_parameter_source(name) for one in contexts)
    }


def refuse_with_address(ctx: click.Context, *names: str) -> None:
    """Raise UsageError if an option is given whose value the address has."""
    for name in given(ctx, *names):
        raise UsageError(f"the address already gives the players and the seed. Omit --{name}")
