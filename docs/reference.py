"""The pages of the reference, made from the tables that the program itself runs by."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import click

import afterstate_lab
from afterstate_lab.learners.experiments.plan import catalogue
from afterstate_lab.learners.judge.figures import FIGURES
from afterstate_lab.learners.library import EntryTable, Knowledge, TrainingRun
from afterstate_lab.learners.players.resolve import recipes
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.tui.cli.group import COMMANDS, afterstate
from afterstate_lab.tui.lab.commands import PLAIN, Command
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.explain import glossary
from afterstate_lab.tui.pages.line import WHERE, WORDS
from afterstate_lab.tui.pages.palette import taught
from afterstate_lab.tui.screens.page import OWN
from afterstate_lab.tui.verbs import COMMANDS as LAB_COMMANDS

STATUSES = (
    ("0", "done; of grade: the same; of judge: it cannot be beaten"),
    ("1", "it failed; of grade: it differs"),
    ("2", "the user got something wrong, and one sentence says what"),
    ("3", "of judge: it can be beaten"),
    ("130", "ended by Ctrl-C; what was learned is kept"),
)
FILES = (
    ("~/.local/share/afterstate/runs.sqlite", "all saved runs"),
    ("~/.config/afterstate/config.toml", "the user's own settings"),
    ("~/.cache/afterstate", "machine code; it may be deleted"),
)
VARIABLES = (
    ("AFTERSTATE_DATA", "the folder of saved runs"),
    ("AFTERSTATE_CONFIG", "the file of settings"),
    ("AFTERSTATE_CACHE", "the folder of machine code"),
    ("AFTERSTATE_LOCKED", "1: no file outside the folder of saved runs is used, as with --locked"),
    ("AFTERSTATE_INTERPRETED", "1: nothing is compiled"),
    ("NO_COLOR", "set to anything: no colours"),
)
WIDTH = 78
"""Columns of what `--help` says, whatever the terminal has."""
ROFF = str.maketrans({"\\": r"\e", "-": r"\-", "'": r"\(aq", "~": r"\(ti", "^": r"\(ha", "`": ""})
"""Signs that stand for themselves, and not for what a typesetter makes of them."""


def write(folder: Path) -> None:
    """Write all pages into a folder."""
    folder.mkdir(exist_ok=True)
    for name, lines in PAGES.items():
        (folder / f"{name}.md").write_text("\n".join(lines()) + "\n", encoding="utf-8")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield ""
    for row in (heads, ["---"] * len(heads), *rows):
        yield "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |"
    yield ""


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def players() -> Iterator[str]:
    """Every learner and opponent."""
    yield "# Players\n"
    yield "A player is `NAME[:option=value,...]`; `afterstate players NAME` shows one.\n"
    for rule in rules().values():
        yield f"## {rule.name}\n"
        yield f"{rule.summary[:1].upper()}{rule.summary[1:]}.\n"
        if str(rule.equation):
            yield f"`{rule.equation}` ({rule.source})\n"
        yield from table(
            ("option", "default", "range", "what it is"),
            ((code(o.name), code(o.format(o.default)), o.range, o.help) for o in rule.options),
        )


def figures() -> Iterator[str]:
    """Every exact figure."""
    yield "# Figures\n"
    yield (
        "All but the last three are computed from the game, not sampled; those three are counted."
        " π is how both play now, s0 the empty board. Greedy play draws among its highest-valued"
        " moves; at an empty matchbox, where MENACE resigns, among all of them.\n"
    )
    yield from table(
        ("name", "what it is", "how it is computed", "in `evaluate --json`"),
        (
            (
                f.name,
                f.meaning,
                f.follows,
                code(f"{f.within}.{f.key}" if f.within else f.key)
                + " (in `experiment --json` alone)" * f.at_end_only,
            )
            for f in FIGURES
        ),
    )


def keys() -> Iterator[str]:
    """Every key and every word of plain mode."""
    yield "# Keys and words\n"
    yield "These keys reach everything, on every page (`?` in the lab shows them):\n"
    told = taught()
    yield from table(("key", "what it does"), ((code(key), help) for key, help in told if help))
    yield "## Every command\n"
    yield "The commands of the lab: the key on the screen, the line in plain mode.\n"
    yield from table(
        ("key", "what it does", "where", "plain mode"),
        (
            (
                code(command.shown),
                command.help or command.says,
                ", ".join(sorted(mode.value for mode in command.modes)),
                code(command.words[0] if command.words else ""),
            )
            for command in LAB_COMMANDS
            if command.help or (command.says and command in WORDS)
        ),
    )
    yield "## Pages\n"
    yield "Press `?` on a page for its keys. These work on every page.\n"
    moves = ("↑ ↓", "choose a row"), ("PgUp PgDn", "turn a page"), ("Home End", "its ends")
    rows = (*moves, *OWN, ("?", "the keys of the page"), ("Esc", "back"))
    yield from table(("key", "what it does"), ((code(key), help) for key, help in rows))
    yield "In plain mode a page lists its words; a number chooses a row, and `m` shows more rows.\n"
    yield "## Words of plain mode\n"
    yield from table(
        ("word", "short", "what it does", "where"),
        (
            (code(word.line), code(word.short), word.says.rstrip("."), where_words(word))
            for word in sorted(WORDS, key=lambda word: word.line)
        ),
    )


def where_words(command: Command) -> str:
    """Where a word of plain mode means something."""
    if command.within == PLAIN:
        return "everywhere"
    return ", ".join(WHERE[mode].partition(":")[0] for mode in Mode if mode in command.within)


def commands() -> Iterator[str]:
    """Every command with its options, as `--help` says them."""
    yield "# Commands\n"
    settings = {**afterstate.context_settings, "terminal_width": WIDTH}
    with click.Context(afterstate, info_name="afterstate", **settings) as parent:
        yield from help_of(parent, "afterstate")
        for name in COMMANDS:
            command = afterstate.get_command(parent, name)
            assert command is not None
            within = click.Context(command, parent, info_name=name)
            yield from help_of(within, f"afterstate {name}")
    for head, terms in (("Exit status", STATUSES), ("Files", FILES), ("Environment", VARIABLES)):
        yield f"## {head}\n"
        yield from (f"{code(term)}\n: {says}\n" for term, says in terms)


def help_of(context: click.Context, name: str) -> Iterator[str]:
    yield f"## {name}\n"
    yield f"```text\n{context.get_help()}\n```\n"


def man_page() -> Iterator[str]:
    """The page of the commands in roff, as `afterstate.1` has it for the wheel."""
    yield ".TH AFTERSTATE 1"
    yield ".SH NAME\nafterstate \\- a lab for temporal-difference learning on tic-tac-toe"
    is_shown = False
    for line in "\n".join(commands()).splitlines():
        text = line.translate(ROFF)
        if line.startswith("```"):
            is_shown = not is_shown
            yield ".nf" if is_shown else ".fi"
        elif is_shown:
            yield rf"\&{text}"
        elif line.startswith("## "):
            yield f".SH {text[3:].upper()}"
        elif line.startswith("`"):
            yield f".TP\n.B {text}"
        elif line.startswith(": "):
            yield rf"\&{text[2:]}"


def recipe_pages() -> Iterator[str]:
    """The five documents: what each did, and what it got wrong."""
    yield "# Recipes\n"
    for recipe in recipes().values():
        yield f"## {recipe.name}\n"
        yield f"{recipe.title}. X is `{recipe.x}`, O is `{recipe.o}`, {recipe.games:,} games.\n"
        for label, text in (
            ("It did", recipe.did),
            ("Wrong in it", recipe.wrong),
            ("Here", recipe.corrected),
            ("Its figures", recipe.figures),
        ):
            if text:
                yield f"**{label}.** {text}\n"


def experiments() -> Iterator[str]:
    """The plans that come with the program: question, answer, and what was run for it."""
    yield "# Experiments\n"
    yield "`afterstate experiment NAME` runs one, with more seeds or fewer games as you like; in"
    yield "the lab `E` does, and asks for your prediction first. Each seed is measured exactly; the"
    yield "95% intervals are about the seeds: Student's t for a mean, cut where no mean can be, and"
    yield "Clopper and Pearson's for a share. `P(better)`, the chance that one arm ends better than"
    yield "another, needs 5 seeds.\n"
    for plan in catalogue():
        yield f"## {plan.name}\n"
        yield f"**{plan.title}** ({plan.source}). {plan.question}\n"
        yield f"*Measured.* {plan.measured}\n"
        yield f"*Found{plan.answer_heading.removeprefix('Answer,')}.* {plan.answer}\n"
        yield from table(
            ("arm", "X", "O"),
            ((arm.name, code(str(arm.x)), code(str(arm.o))) for arm in plan.arms[:8]),
        )


def api() -> Iterator[str]:
    """The public names of the package, from their signatures and docstrings."""
    yield "# Python API\n"
    yield "All of it comes from `afterstate_lab`. [Use it from Python](../library.md) shows how.\n"
    named = [(name, getattr(afterstate_lab, name)) for name in afterstate_lab.__all__]
    classes = [one for _, one in named if isinstance(one, type)]
    yield from described("Functions", [pair for pair in named if inspect.isfunction(pair[1])])
    for kind in (TrainingRun, Knowledge, EntryTable, *classes):
        found = ((name, getattr(one, "fget", one)) for name, one in vars(kind).items())
        yield from described(
            kind.__name__,
            [(n, one) for n, one in found if n[0] != "_" and inspect.isfunction(one)],
            inspect.getdoc(kind),
        )


def described(
    title: str, named: Iterable[tuple[str, Any]], about: str | None = None
) -> Iterator[str]:
    """Yield a heading, and each name with its signature and docstring."""
    yield f"## {title}\n"
    if about:
        yield f"```text\n{about}\n```\n"
    for name, one in named:
        signature = str(inspect.signature(one)).replace("'", "")
        yield f"```text\n{name}{signature}\n\n{inspect.getdoc(one) or ''}\n```\n"


def words() -> Iterator[str]:
    """Every word, symbol and column of the screens."""
    yield "# Glossary\n"
    yield "What a screen shows, in a sentence. In the lab `i` explains what is under the mouse or"
    yield "selected, and so does a click on it; in plain mode `what is rms` does.\n"
    for group, known in groupby(glossary(), key=lambda word: word.group):
        yield f"## {group}\n"
        yield from table(
            ("word", "what it means", "formula", "source"),
            (
                (", ".join(map(code, word.names)), word.says, code(word.formula), word.source)
                for word in known
            ),
        )


PAGES = {
    "glossary": words,
    "players": players,
    "figures": figures,
    "keys": keys,
    "commands": commands,
    "recipes": recipe_pages,
    "experiments": experiments,
    "api": api,
}
