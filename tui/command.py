"""The `afterstate` command: the lab, or the same core without a screen."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from typing import Any

import click

from tui.cli.errors import USAGE, fail, reported
from tui.cli.parameters import players, seed

COMMANDS: Mapping[str, str] = {
    "train": "tui.cli.train",
    "compete": "tui.cli.compete",
    "evaluate": "tui.cli.evaluate",
    "trace": "tui.cli.trace",
    "export": "tui.cli.export",
    "learners": "tui.cli.learners",
    "play": "tui.cli.play",
    "bench": "tui.cli.bench",
}
"""Each command's module; it holds a click command of the same name. Loaded when asked for."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(COMMANDS[name]), name)
        return command


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="afterstate", prog_name="afterstate")
@players
@seed
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@click.pass_context
def afterstate(ctx: click.Context, **options: Any) -> None:
    """A terminal lab for temporal-difference learning on tic-tac-toe.

    With no command, opens the lab.
    """
    if ctx.invoked_subcommand is None:
        open_lab(**options)


def open_lab(**options: Any) -> None:
    """Open the lab on this terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        fail(
            "the lab needs a terminal for its input and output; without one use a command such as "
            "train, or play --plain (afterstate --help)",
            USAGE,
        )
    from tui.app import run_lab

    run_lab(**options)


@reported
def invoke() -> None:
    """Run the command, letting errors through to where they are told in one line."""
    try:
        status = afterstate.main(prog_name="afterstate", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return
    if isinstance(status, int) and status:
        sys.exit(status)


def main() -> None:
    """Entry point of the `afterstate` script."""
    invoke()
