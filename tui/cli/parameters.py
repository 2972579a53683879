"""Parameters that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from afterstate_lab.learners.engine.dice import LARGEST_SEED
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import LOCK, TRUST
from afterstate_lab.tui.cli.saved import Named
from afterstate_lab.tui.lab.goal import games_of, goal_of

if TYPE_CHECKING:
    from afterstate_lab.learners.rules.spec import PlayerSpec

LARGEST_COUNT = 10**12
Decorator = Callable[[Any], Any]


class PlayerType(click.ParamType):
    """A player spec such as ``td:alpha=0.2``."""

    name = "spec"

    def convert(self, value: Any, param: Any, ctx: Any) -> PlayerSpec:
        from afterstate_lab.learners.players.resolve import parse_player
        from afterstate_lab.learners.rules.spec import PlayerSpec

        try:
            return value if isinstance(value, PlayerSpec) else parse_player(value)
        except UsageError as error:
            raise UsageError(f"{param.opts[-1]}: {error}") from None


class WholeNumber(click.ParamType):
    """A whole number in a closed range."""

    name = "N"

    also = ""
    """How else it can be written, told where no number was."""

    def __init__(self, low: int, high: int) -> None:
        self._low, self._high = low, high

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if isinstance(value, int):
            return value
        from afterstate_lab.learners.rules.options import IntegerOption

        try:
            return IntegerOption(param.opts[-1], 0, "", self._low, self._high).parse(value)
        except UsageError as error:
            also = "" if str(value).isdecimal() else self.also
            raise UsageError(f"{error}{also}") from None


class GamesType(WholeNumber):
    """A number of games as the lab takes it, such as 20000, 100k or 1m."""

    also = ", such as 20000, 100k or 1m"

    def __init__(self, low: int = 1, high: int = LARGEST_COUNT) -> None:
        super().__init__(low, high)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        games = games_of(value) if isinstance(value, str) else None
        return super().convert(value if games is None else str(games), param, ctx)


class TrainingGoal(GamesType):
    """The same, or the word `unbeatable`."""

    also = f"{GamesType.also}; or unbeatable"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        from afterstate_lab.learners.training import Goal

        if isinstance(value, Goal):
            return value
        goal = goal_of(value) if isinstance(value, str) else None
        return goal or Goal(super().convert(value, param, ctx))


def completed(kind: str) -> Callable[[Any, Any, str], list[Any]]:
    """What a shell completes, by a function of `completing`; imported when a shell asks."""

    def complete(ctx: Any, param: Any, text: str) -> list[Any]:
        from afterstate_lab.tui.cli import completing

        found: list[Any] = getattr(completing, kind)(text)
        return found

    return complete


def together(*decorators: Decorator) -> Decorator:
    """Several parameters in this order."""

    def add(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return add


def switch_on(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Set the environment variable of a flag; all that this process starts gets it, too."""
    if value:
        os.environ[LOCK if param.name == "locked" else TRUST] = "1"


def number(
    name: str, low: int, high: int, default: int | None, help: str, *, games: bool = False
) -> Decorator:
    """An option that takes a whole number, or a number of games."""
    kind = GamesType if games else WholeNumber
    return click.option(
        *name.split(), type=kind(low, high), default=default, show_default=True, metavar="N",
        help=help,
    )  # fmt: skip


def flag(names: str, help: str, **more: Any) -> Decorator:
    return click.option(*names.split(), is_flag=True, help=help, **more)


def file(name: str, metavar: str, help: str, **more: Any) -> Decorator:
    kind = click.Path(path_type=Path)
    return click.option(*name.split(), type=kind, metavar=metavar, help=help, **more)


def run(help: str = "A saved run, or an address.", **more: Any) -> Decorator:
    complete = completed("runs")
    return click.option(
        "--run", "run_name", metavar="NAME", shell_complete=complete, help=help, **more
    )


def players(x: str = "td", o: str = "td") -> Decorator:
    """--x and --o, with these defaults."""
    sides = (
        click.option(
            f"--{side}", type=PlayerType(), default=default, show_default=True, metavar="SPEC",
            help=f"Who plays {side.upper()}.", shell_complete=completed("players"),
        )
        for side, default in (("x", x), ("o", o))
    )  # fmt: skip
    return together(trust, *sides)


def games(default: int) -> Decorator:
    help = "How many games, such as 20000, 100k or 1m."
    return number("--games", 1, LARGEST_COUNT, default, help, games=True)


def seeds(default: int) -> Decorator:
    return number("--seeds", 1, 1000, default, "How many seeds: 0, 1, 2 and so on.")


def training_goal(default: int) -> Decorator:
    """--games, which may be `unbeatable` too."""
    return click.option(
        "--games", "goal", type=TrainingGoal(), default=default, show_default=True, metavar="N",
        help="How many games, such as 20000, 100k or 1m; or unbeatable.",
    )  # fmt: skip


# Read before any player is.
trust = flag(
    "--trust", "Run a rule file that other users can write to.",
    is_eager=True, expose_value=False, callback=switch_on,
)  # fmt: skip
locked = flag(
    "--locked", "Restrict the lab to its own folder (also AFTERSTATE_LOCKED=1).",
    is_eager=True, expose_value=False, callback=switch_on,
)  # fmt: skip
seed = number("--seed", 0, LARGEST_SEED, 0, "Random seed.")
plain_flag = flag("--plain is_plain", "Text only: see afterstate play --plain.")
ascii_flag = flag("--ascii ascii_only", "Draw with ASCII characters only.")
no_mouse = flag("--no-mouse", "Do not capture the mouse.")
json_flag = flag("--json as_json", "Print JSON.")
recipe = click.option(
    "--recipe", metavar="NAME", shell_complete=completed("recipes"),
    help="Use the players and games of a recipe (see afterstate players).",
)  # fmt: skip
run_name = run("Resume or create the run NAME, or open an address.")
player_files = file("--file files", "FILE", "A player file that the ADDRESS needs.", multiple=True)
record = file("--record", "FILE", "Append this session to FILE, for afterstate follow.")


def named(metavar: str, kind: str, *more: Decorator) -> Decorator:
    """An argument, which is optional, and --file, as one value `named`."""

    def add(command: Callable[..., Any]) -> Any:
        @wraps(command)
        def run(
            *args: Any, text: str | None, files: Any, run_name: str | None = None, **values: Any
        ) -> Any:
            return command(*args, named=Named(text, files, run_name), **values)

        complete = completed(kind)
        text = click.argument("text", required=False, metavar=metavar, shell_complete=complete)
        return together(text, *more)(run)

    return add


address = named("[ADDRESS]", "runs", player_files)
address_or_run = named("[ADDRESS]", "runs", player_files, run())
file_or_run = named(
    "[FILE|ADDRESS]", "files_and_addresses",
    run("A saved run, or an address, instead of a file."), player_files,
)  # fmt: skip


def given(ctx: click.Context, *names: str) -> dict[str, Any]:
    """Those of these parameters that are on the command line, and their values."""
    source = ctx.get_parameter_source
    return {name: ctx.params[name] for name in names if source(name) is ParameterSource.COMMANDLINE}


def refuse_with_address(ctx: click.Context, *names: str) -> None:
    """Refuse options whose values an address has.

    Raises:
        UsageError: one is given.
    """
    for name in given(ctx, *names):
        raise UsageError(f"the address says who plays, and the seed: leave --{name} out")
