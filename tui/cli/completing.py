"""Shell completion of players, their options, runs, addresses, and all that has a name here.

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

LATEST = 10
"""Saved runs whose addresses are offered."""
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
"""Bash breaks words at `:`, `=` and `@`; the words are found and the replies cut here instead."""


class BashCompletion(BashComplete):
    """Bash's, for words with `:` and `=` in them."""

    source_template = BASH

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is typed, and what is typed of it."""
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)[1:]
        return (words, "") if line[-1:].isspace() or not words else (words[:-1], words[-1])


class FishCompletion(FishComplete):
    """Fish's, for words with commas in them."""

    source_template = FishComplete.source_template.replace(
        'string split ","', 'string split -m 1 ","'
    )


def register() -> None:
    """Let click use these for bash and fish; its own does for zsh."""
    add_completion_class(BashCompletion, "bash")
    add_completion_class(FishCompletion, "fish")


def beginning(text: str, found: Iterable[tuple[str, str]]) -> list[CompletionItem[Any]]:
    """What begins with a text, with its explanation; files where nothing does."""
    items = [CompletionItem(value, help=said) for value, said in found if value.startswith(text)]
    return items or [CompletionItem(text, type="file")]


def players(text: str) -> list[CompletionItem[Any]]:
    """The players; after `td:`, the options that it has not been given, and their values."""
    from afterstate_lab.learners.players.completion import completions
    from afterstate_lab.learners.players.resolve import package_of, plugins
    from afterstate_lab.learners.rules.spec import rules

    if ":" in text:
        return beginning(text, ((each.text, each.says) for each in completions(text)))
    known = [(rule.name, rule.summary) for rule in rules().values()]
    known += [(name, f"of {package_of(points[0])}") for name, points in plugins().items()]
    rule = rules().get(text)
    more = [(f"{text}:", "its options")] if rule is not None and rule.options else []
    return beginning(text, [*known, *more])


def runs(text: str) -> list[CompletionItem[Any]]:
    """The saved runs; after the beginning of an address, those of the latest."""
    from afterstate_lab.learners.runs.store import Store

    try:
        found = Store.open().list()
    except UsageError:
        return []
    if text and (SCHEME.startswith(text) or text.startswith(SCHEME)):
        return beginning(text, addresses([run.name for run in found[:LATEST]]))
    said = ((run.name, f"{run.x} v {run.o}, {games_text(run.games)}") for run in found)
    return [item for item in beginning(text, said) if item.type == "plain"]


def addresses(names: Iterable[str]) -> Iterable[tuple[str, str]]:
    """The addresses of saved runs, as far as they have one."""
    from afterstate_lab.tui.cli.saved import address_of_stored

    for name in names:
        with suppress(UsageError):
            yield str(address_of_stored(name, ())), name


def files_and_addresses(text: str) -> list[CompletionItem[Any]]:
    """Addresses of saved runs, or files."""
    found = runs(text) if text.startswith(SCHEME[:2]) else []
    return found or [CompletionItem(text, type="file")]


def recipes(text: str) -> list[CompletionItem[Any]]:
    from afterstate_lab.learners.players.recipes import recipes as known

    return beginning(text, ((recipe.name, recipe.title) for recipe in known().values()))


def plans(text: str) -> list[CompletionItem[Any]]:
    """The plans that come with Afterstate, or files."""
    from afterstate_lab.learners.experiments.plan import catalogue

    return beginning(text, ((plan.name, plan.title) for plan in catalogue()))


def lessons(text: str) -> list[CompletionItem[Any]]:
    """The lessons that come with Afterstate, or files."""
    from afterstate_lab.tui.lab.lessons.lesson_file import NAMES, find_lesson

    return beginning(text, ((name, find_lesson(name).title) for name in NAMES))


def lectures(text: str) -> list[CompletionItem[Any]]:
    """The lecture that comes with Afterstate, or files."""
    from afterstate_lab.tui.lab.lectures import OURS

    return beginning(text, [(OURS, "the lecture of the program")])


def mistakes(text: str) -> list[CompletionItem[Any]]:
    """The pieces of the museum."""
    from afterstate_lab.learners.rules.museum import PIECES, PREFIX, piece

    start = PREFIX if text.startswith(PREFIX) else ""
    return beginning(text, ((f"{start}{name}", piece(name).summary) for name in PIECES))


def listed(text: str) -> list[CompletionItem[Any]]:
    """What afterstate players lists."""
    found = [*players(text), *recipes(text)] if ":" not in text else mistakes(text)
    return [item for item in found if item.type == "plain" and not item.value.endswith(":")]


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
