"""The command line and its table of commands."""

from __future__ import annotations

import gc
import importlib
import sys
import warnings
from typing import Any

import click
from click.core import ParameterSource

from afterstate_lab.learners import VERSION
from afterstate_lab.learners.errors import did_you_mean, shown
from afterstate_lab.learners.runs import is_address
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import USAGE, fail, reported
from afterstate_lab.tui.cli.launch import can_draw, is_terminal, open_lab
from afterstate_lab.tui.lab.commands import heir

GROUPS = {
    "Learn": {
        "play": "Play against a learner (--plain: as text).",
        "lesson": "Start a lesson, or check one that you wrote.",
        "be": "Be a learner: do its updates by hand for one game.",
        "players": "List learners, opponents, recipes and bugs, or show one.",
        "source": "Print the learner as one short program.",
    },
    "Train and measure": {
        "train": "Train two players, then measure exactly how good they are.",
        "compete": "Play two frozen, greedy players against each other.",
        "evaluate": "Measure a saved player exactly, without sampling.",
        "judge": "Find out whether an agent can be beaten, and how.",
        "grade": "Check an update rule against a correct one.",
        "experiment": "Compare learners over many seeds.",
        "expect": "Show what a learner becomes with many seeds.",
        "turn": "Turn an option and see what is learned.",
        "trace": "Print every event of a run as JSON lines.",
        "why": "Show whose games made a value.",
    },
    "Share": {
        "runs": "List saved runs, or print a one-line link to one.",
        "export": "Export what a player has learned, as CSV or JSON.",
        "film": "Save a run or lesson as one page that moves.",
        "serve": "Serve the lab to web browsers.",
    },
    "Help": {"doctor": "Check the terminal, and show how to fix problems."},
}
COMMANDS = {name: says for group in GROUPS.values() for name, says in group.items()}
"""Every command, and its first sentence: `--help` imports none of them."""
FILES = {
    "lesson": "play",
    "compete": "train",
    "trace": "train",
    "turn": "experiment",
    "export": "evaluate",
    "why": "evaluate",
    "source": "players",
}
"""The file of a command that is not in one of its own name, imported when it is used."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used."""

    invoke = reported()(click.Group.invoke)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"afterstate_lab.tui.cli.{FILES.get(name, name)}")
        gc.freeze()
        gc.enable()
        command: click.Command = getattr(module, name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in groups, each with its first sentence."""
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([*commands.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`afterstate ADDRESS` is `afterstate --run ADDRESS`."""
        first = next((k for k, arg in enumerate(args) if arg in COMMANDS or is_address(arg)), None)
        if first is not None and is_address(args[first]) and args[first - 1 : first] != ["--run"]:
            args = [*args[:first], "--run", *args[first:]]
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in COMMANDS:
            near = heir(args[0]) or did_you_mean(args[0], COMMANDS)
            near = near or f" (commands: {', '.join(COMMANDS)})"
            raise click.UsageError(f"unknown command {shown(args[0])}{near}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND] [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(VERSION, prog_name="afterstate")
@parameters.locked
@parameters.players()
@parameters.seed
@parameters.recipe
@parameters.run_name
@parameters.player_files
@parameters.ascii_flag
@parameters.no_mouse
@click.pass_context
def afterstate(ctx: click.Context, /, recipe: object, **options: Any) -> None:
    """A terminal lab for temporal-difference learning on tic-tac-toe.

    With no command, opens the lab.
    """
    command = ctx.invoked_subcommand
    if command is None:
        if not is_terminal():
            fail(
                "the lab needs a terminal. Without one, use afterstate play --plain or another "
                "command (afterstate --help)",
                USAGE,
            )
        given = parameters.given(ctx, "x", "o", "seed")
        if not can_draw():
            from afterstate_lab.tui.cli.play import play

            gc.enable()
            shared = [str(one.name) for one in play.params if one.name in ctx.params]
            ctx.invoke(play, is_plain=True, **parameters.given(ctx, *shared))
            return
        open_lab(given, at_home=not (given or options["run_name"]), **options)
        return
    for parameter in ctx.command.params:
        if parameter.name in ("locked", "trust"):
            continue
        if ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{parameter.opts[-1]} has no effect before {command}. "
                f"Put options after the command (see afterstate {command} --help)"
            )


@reported()
def run() -> None:
    warnings.showwarning = lambda told, *_: click.echo(f"afterstate: {told}", err=True)
    status = afterstate.main(prog_name="afterstate", standalone_mode=False)
    if isinstance(status, int) and status:
        sys.exit(status)
