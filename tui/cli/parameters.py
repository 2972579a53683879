"""Parameters that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from learners.engine.dice import LARGEST_SEED
from learners.errors import UsageError
from learners.files import LOCK, TRUST
from tui.lab.goal import games_of, goal_of

if TYPE_CHECKING:
    from learners.rules.spec import PlayerSpec

LARGEST_COUNT = 10**12


class PlayerType(click.ParamType):
    """A player spec such as ``td:alpha=0.2``."""

    name = "spec"

    def convert(self, value: Any, param: Any, ctx: Any) -> PlayerSpec:
        from learners.players.resolve import parse_player
        from learners.rules.spec import PlayerSpec

        try:
            return value if isinstance(value, PlayerSpec) else parse_player(value)
        except UsageError as error:
            raise UsageError(f"{param.opts[-1]}: {error}") from None

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[Any]:
        from tui.cli.completing import players

        return players(ctx, param, incomplete)


def completed(kind: str) -> Callable[[Any, Any, str], list[Any]]:
    """What a shell completes, by a function of `completing`; imported when a shell asks."""

    def complete(ctx: Any, param: Any, text: str) -> list[Any]:
        from tui.cli import completing

        found: list[Any] = getattr(completing, kind)(ctx, param, text)
        return found

    return complete


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
        from learners.rules.options import IntegerOption

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
        from learners.training import Goal

        if isinstance(value, Goal):
            return value
        goal = goal_of(value) if isinstance(value, str) else None
        return goal or Goal(super().convert(value, param, ctx))


def players(x: str = "td", o: str = "td") -> Callable[..., Any]:
    """Add --x and --o, with these defaults."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for side, default in (("o", o), ("x", x)):
            command = click.option(
                f"--{side}",
                type=PlayerType(),
                default=default,
                show_default=True,
                metavar="SPEC",
                help=f"Who plays {side.upper()}.",
            )(command)
        return trust(command)

    return add


def switch_on(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Set the environment variable of a flag that holds for all that this process starts, too."""
    if value:
        os.environ[LOCK if param.name == "locked" else TRUST] = "1"


def trust(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --trust, read before any player is."""
    return click.option(
        "--trust", is_flag=True, is_eager=True, expose_value=False, callback=switch_on,
        help="Run a rule file that others could have written.",
    )(command)  # fmt: skip


def locked(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --locked, read before any player is."""
    return click.option(
        "--locked", is_flag=True, is_eager=True, expose_value=False, callback=switch_on,
        help="Use no file outside the lab's own folder (also AFTERSTATE_LOCKED=1).",
    )(command)  # fmt: skip


def seed(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--seed", type=WholeNumber(0, LARGEST_SEED), default=0, show_default=True, metavar="N",
        help="Seed of all dice.",
    )(command)  # fmt: skip


def games(default: int) -> Callable[..., Any]:
    return click.option(
        "--games", type=GamesType(), default=default, show_default=True, metavar="N",
        help="How many games, such as 20000, 100k or 1m.",
    )  # fmt: skip


def training_goal(default: int) -> Callable[..., Any]:
    """Add --games, which may be `unbeatable` too."""
    return click.option(
        "--games", "goal", type=TrainingGoal(), default=default, show_default=True, metavar="N",
        help="How many games, such as 20000, 100k or 1m; or unbeatable.",
    )  # fmt: skip


def seeds(default: int) -> Callable[..., Any]:
    return click.option(
        "--seeds", type=WholeNumber(1, 1000), default=default, show_default=True, metavar="N",
        help="How many seeds: 0, 1, 2 and so on.",
    )  # fmt: skip


def plain_flag(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --plain, for a command that otherwise opens the lab."""
    return click.option(
        "--plain", "is_plain", is_flag=True, help="As sentences: see afterstate play --plain."
    )(command)


def ascii_flag(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only."
    )(command)


def no_mouse(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")(
        command
    )


def recipe(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--recipe",
        metavar="NAME",
        shell_complete=completed("recipes"),
        help="Players and games of a document (afterstate recipes).",
    )(command)


def run_name(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--run", "run_name", metavar="NAME", shell_complete=completed("runs"),
        help="Resume this saved run, or create it; or an address.",
    )(command)  # fmt: skip


def address_or_run(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ADDRESS, which may as well be given as --run."""
    return click.argument("address", required=False, shell_complete=completed("runs"))(
        player_files(command)
    )


def given(ctx: click.Context, *names: str) -> dict[str, Any]:
    """Those of these parameters that stand on the command line, and their values."""
    source = ctx.get_parameter_source
    return {name: ctx.params[name] for name in names if source(name) is ParameterSource.COMMANDLINE}


def refuse_with_address(ctx: click.Context, *names: str) -> None:
    """Refuse options whose values an address has.

    Raises:
        UsageError: one is given.
    """
    for name in given(ctx, *names):
        raise UsageError(f"the address says who plays, and the seed: leave --{name} out")


def player_files(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --file, for players that an address names by the SHA-256 of their file."""
    return click.option(
        "--file", "files", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
        help="The file of a player of an ADDRESS.",
    )(command)  # fmt: skip


def file_or_run(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add FILE (or an address) and --run, of which the user must give one.

    `saved.saved_memory` reads them.
    """
    command = click.option(
        "--run",
        "run_name",
        metavar="NAME",
        shell_complete=completed("runs"),
        help="A saved run, or an address, instead of a file.",
    )(player_files(command))
    return click.argument(
        "file",
        required=False,
        metavar="[FILE|ADDRESS]",
        shell_complete=completed("files_and_addresses"),
    )(command)


def record(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--record", type=click.Path(path_type=Path), metavar="FILE",
        help="Append every place where the lab stops, for afterstate follow.",
    )(command)  # fmt: skip


def json_flag(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(command)
