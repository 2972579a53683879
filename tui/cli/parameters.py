"""Parameters that several commands take, defined once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from learners.spec import PlayerSpec

LARGEST_COUNT = 10**12


class PlayerType(click.ParamType):
    """A player spec such as ``td:alpha=0.2``."""

    name = "spec"

    def convert(self, value: Any, param: Any, ctx: Any) -> PlayerSpec:
        from learners.spec import PlayerSpec

        return value if isinstance(value, PlayerSpec) else PlayerSpec.parse(value)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        from learners.registry import rules

        return [
            CompletionItem(name, help=rule.summary)
            for name, rule in rules().items()
            if name.startswith(incomplete)
        ]


def players(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --x and --o."""
    for side in ("o", "x"):
        command = click.option(
            f"--{side}",
            type=PlayerType(),
            default="td",
            show_default=True,
            metavar="SPEC",
            help=f"Who plays {side.upper()}.",
        )(command)
    return command


def seed(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --seed."""
    return click.option(
        "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, metavar="N",
        help="Seed of all dice.",
    )(command)  # fmt: skip


def games(default: int) -> Callable[..., Any]:
    """Add --games."""
    return click.option(
        "--games", type=click.IntRange(1, LARGEST_COUNT), default=default, show_default=True,
        metavar="N", help="How many games.",
    )  # fmt: skip


def json_flag(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(command)
