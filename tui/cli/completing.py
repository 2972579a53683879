"""Complete players, options, runs, addresses and other names in a shell.

Each function takes the text typed so far; imports wait until a shell asks.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    add_completion_class,
    split_arg_string,
)

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.runs import SCHEME
from afterstate_lab.tui.lab.resume_hint import games_text

Pairs = Iterable[tuple[str, str]]
LATEST = 10
"""Number of addresses to offer."""
BASH = """\
%(complete_func)s() {
    local IFS=$'\\n' line="${COMP_LINE:0:COMP_POINT}" word prefix reply type value
    word="${line##*[[:space:]]}"
    prefix="${word%%"${word##*[$COMP_WORDBREAKS]}"}"
    COMPREPLY=()
    for reply in $(env COMP_WORDS="$line" COMP_CWORD=0 %(complete_var)s=bash_complete "$1"); do
        IFS=',' read -r type value <<< "$reply"
        if [[ $type == plain ]]; then
            COMPREPLY+=("${value#"$prefix"}")
            [[ $value == *[:=] ]] && compopt -o nospace 2>/dev/null
        else
            compopt -o default 2>/dev/null
        fi
    done
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""
"""Bash breaks words at `:`, `=` and `@`, so this script finds the words and cuts the replies."""


class BashCompletion(BashComplete):
    """Bash completion for words with `:` and `=`."""

    source_template = BASH

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the complete words, and the start of the word that the user is typing."""
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)[1:]
        return (words, "") if line[-1:].isspace() or not words else (words[:-1], words[-1])


class FishCompletion(FishComplete):
    """Fish completion for words with commas."""

    source_template = FishComplete.source_template.replace(
        'string split ","', 'string split -m 1 ","'
    )


def register() -> None:
    """Register these with click for bash and fish; zsh uses click's."""
    add_completion_class(BashCompletion, "bash")
    add_completion_class(FishCompletion, "fish")


def offered(known: Pairs, text: str, *, files: bool) -> list[CompletionItem[Any]]:
    """Return the known values that start with a text, or files if none does."""
    items = [CompletionItem(value, help=said) for value, said in known if value.startswith(text)]
    return items if items or not files else [CompletionItem(text, type="file")]


def players(text: str) -> Pairs:
    """Return the players and their files; after `td:`, its unused options and their values."""
    from afterstate_lab.learners.players.completion import completions
    from afterstate_lab.learners.players.resolve import package_of, plugins
    from afterstate_lab.learners.rules.spec import rules

    yield from ((each.text, each.says) for each in completions(text))
    yield from ((name, f"from {package_of(points[0])}") for name, points in plugins().items())
    if text in rules() and rules()[text].options:
        yield f"{text}:", "its options"


def runs(text: str) -> Pairs:
    """Return the saved runs; after the start of an address, the latest addresses."""
    from afterstate_lab.learners.runs.listing import RunList
    from afterstate_lab.tui.cli.saved import address_of_stored

    with suppress(UsageError):
        found = RunList.open().list()
        if not text or not (SCHEME.startswith(text) or text.startswith(SCHEME)):
            yield from ((run.name, f"{run.x} v {run.o}, {games_text(run.games)}") for run in found)
            return
        for run in found[:LATEST]:
            with suppress(UsageError):
                yield str(address_of_stored(run.name, ())), run.name


def recipes(_: str) -> Pairs:
    from afterstate_lab.learners.players.recipes import recipes as known

    return ((recipe.name, recipe.title) for recipe in known().values())


def plans(_: str) -> Pairs:
    from afterstate_lab.learners.experiments.plan import catalogue

    return ((plan.name, plan.title) for plan in catalogue())


def lessons(_: str) -> Pairs:
    from afterstate_lab.tui.lab.scripts.script import NAMES, packaged_lesson

    return ((name, packaged_lesson(name).title) for name in NAMES)


def walkthroughs(_: str) -> Pairs:
    from afterstate_lab.tui.lab.scripts.recording import OURS

    return [(OURS, "the built-in walkthrough")]


def listed(text: str) -> Pairs:
    from afterstate_lab.learners.rules.museum import PIECES, PREFIX, piece

    start = PREFIX if text.startswith(PREFIX) else ""
    bugs = [(f"{start}{name}", piece(name).summary) for name in PIECES]
    others = () if ":" in text else (*players(text), *recipes(text))
    return [*(pair for pair in others if not pair[0].endswith(":")), *bugs]


def files_and_addresses(text: str) -> Pairs:
    return runs(text) if text.startswith(SCHEME[:2]) else ()


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the shell completion script.

    It completes options, players, runs, recipes and lessons.

    \b
    bash: eval "$(afterstate completion bash)"    in ~/.bashrc
    zsh:  eval "$(afterstate completion zsh)"     in ~/.zshrc
    fish: afterstate completion fish | source     in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    register()
    kind = get_completion_class(shell)
    assert kind is not None
    made = kind(click.Command("afterstate"), {}, "afterstate", "_AFTERSTATE_COMPLETE")
    click.echo(kind.source_template % made.source_vars(), nl=False)
