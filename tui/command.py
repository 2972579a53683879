"""The `afterstate` command: the lab, or the same core without a screen."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from learners.errors import shown
from tui.cli.errors import USAGE, fail, hint, reported
from tui.cli.parameters import players, recipe, seed

COMMANDS: Mapping[str, str] = {
    "train": "tui.cli.train",
    "compete": "tui.cli.compete",
    "evaluate": "tui.cli.evaluate",
    "trace": "tui.cli.trace",
    "export": "tui.cli.export",
    "learners": "tui.cli.learners",
    "recipes": "tui.cli.recipes",
    "play": "tui.cli.play",
    "bench": "tui.cli.bench",
    "experiment": "tui.cli.experiment",
    "runs": "tui.cli.runs",
}
"""Each command's module; it holds a click command of the same name. Loaded when asked for."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used."""

    invoke = reported(click.Group.invoke)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(COMMANDS[name]), name)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in COMMANDS:
            near = hint(args[0], COMMANDS) or f" (commands: {', '.join(COMMANDS)})"
            raise click.UsageError(f"there is no command {shown(args[0])}{near}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="afterstate", prog_name="afterstate")
@players()
@seed
@recipe
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--tour", is_flag=True, help="Begin with a tour of a dozen lessons.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@click.pass_context
def afterstate(ctx: click.Context, **options: Any) -> None:
    """A terminal lab for temporal-difference learning on tic-tac-toe.

    With no command, opens the lab.
    """
    command = ctx.invoked_subcommand
    if command is None:
        open_lab(**options)
        return
    for parameter in ctx.command.params:
        if ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{parameter.opts[-1]} has no effect before {command}: "
                f"its options come after it (see afterstate {command} --help)"
            )


def is_terminal() -> bool:
    """Whether both input and output are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def open_lab(recipe: str | None = None, **options: Any) -> None:
    """Open the lab on this terminal."""
    if not is_terminal():
        fail(
            "the lab needs a terminal for its input and output; without one use a command such as "
            "train, or play --plain (afterstate --help)",
            USAGE,
        )
    from tui.app import run_lab

    if recipe is not None:
        from learners.recipes import find_recipe

        options["x"], options["o"] = find_recipe(recipe).players
    run_lab(**options)


def ready_streams() -> None:
    """Let no character that the terminal cannot write, and no closed stream, end in a failure."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@reported
def main() -> None:
    """Entry point of the `afterstate` script."""
    ready_streams()
    status = afterstate.main(prog_name="afterstate", standalone_mode=False)
    if isinstance(status, int) and status:
        sys.exit(status)
