"""`afterstate learners`: every player by name, with options, defaults, ranges and sources."""

from __future__ import annotations

import json
from typing import Any

import click

from tui.cli import parameters


@click.command()
@parameters.json_flag
def learners(as_json: bool) -> None:
    """List every learner and opponent with its options, and those of installed packages."""
    from learners.players.plugins import package_of, plugins
    from learners.rules.registry import rules

    if as_json:
        click.echo(json.dumps([described(rule) for rule in rules().values()]))
        return
    for rule in rules().values():
        click.echo(f"{rule.name}: {rule.summary}")
        if str(rule.equation):
            click.echo(f"    {rule.equation}   {rule.source}")
        for option in rule.options:
            default = option.format(option.default)
            click.echo(f"    {option.name}={default}  {option.help} ({option.range})")
    for name, points in plugins().items():
        click.echo(f"{name}: of {' and '.join(map(package_of, points))}")


def described(rule: Any) -> dict[str, Any]:
    """A rule as plain data."""
    return {
        "name": rule.name,
        "summary": rule.summary,
        "learns": rule.learns,
        "equation": str(rule.equation),
        "source": rule.source,
        "options": [
            {
                "name": option.name,
                "default": option.format(option.default),
                "range": option.range,
                "help": option.help,
                "source": option.source,
            }
            for option in rule.options
        ],
    }
