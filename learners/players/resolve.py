"""Find the player that a text names: a built-in rule or a file; and two players, by a recipe.

Recipes are learners of five published documents as settings, with their mistakes corrected.
Built-in players need no numpy, since every command reads two names.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from afterstate_lab.learners.errors import (
    AgentError,
    SpecError,
    UsageError,
    shown,
    shown_path,
)
from afterstate_lab.learners.files import is_file, opened
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.spec import BUILT_IN, PlayerSpec, find_built_in
from afterstate_lab.learners.toml_reader import packaged

SPEC: Final = re.compile(r"cmd:.*|(.+\.(?:npz|csv|json)|.+\.py(?=:))(?::(.*))?", re.DOTALL)
"""A program; or a file, and what follows it."""
LOAD: Final = "load it in a function of a Python file, FILE.py:NAME, or write a table of it"
STARTS: Final = {
    b"\x80": f"a pickle, which could run any code here: {LOAD}",
    b"\x93NUMPY": f"an array of numpy: {LOAD}",
    b"PK\x03\x04": f"a zip archive, as models of PyTorch and Keras are: {LOAD}",
}
"""The first bytes of a file, what it is, and how to judge what is in it."""


def find(text: str) -> tuple[type[Rule], str]:
    """Return the rule that a spec names, and the text of its options.

    Raises:
        SpecError: there is no such rule.
        PolicyFileError: the file of a saved policy cannot be used.
        RuleFileError: the file of a user's own rule cannot be used.
    """
    if match := SPEC.fullmatch(text):
        path, rest = match.groups("")
        if path.endswith(".npz"):
            from afterstate_lab.learners.players.policy_file import saved_player

            return saved_player(path), rest
        from afterstate_lab.learners.players import agent

        if not path:
            return agent.program(text)
        if not path.endswith(".py"):
            return agent.agent_rule(path, agent.sha256_of(path)), rest
        name, _, options = rest.partition(":")
        if (rule := agent.function(path, name)) is not None:
            return rule, options
        from afterstate_lab.learners.players.user_rule import user_rule

        return user_rule(path, name), options
    is_known = text.endswith(".py") or text.partition(":")[0] in (*BUILT_IN, "museum")
    if not is_known and is_file(text):
        raise SpecError(f"{shown_path(text)} is {described_file(Path(text))}")
    return find_built_in(text)


def parse_player(text: str) -> PlayerSpec:
    """Return the player that a spec names, files included.

    Raises:
        SpecError: an unknown name or option, or a value out of range.
        PolicyFileError: the file of a saved policy cannot be used.
        RuleFileError: the file of a user's own rule cannot be used.
        AgentError: an agent cannot be used, or its file is not the one that the spec names.
    """
    spec = PlayerSpec.parse(text, find)
    if spec.rule.is_asked:  # its spec names its file by its SHA-256, for saved runs
        from afterstate_lab.learners.players.agent import agent_of

        wanted, found = spec.settings["sha256"], agent_of(spec).sha256
        if wanted and not (wanted.startswith(found) or found.startswith(wanted)):
            raise AgentError(
                f"{shown_path(spec.rule.name)} has changed: it has sha256={found} now, not "
                f"{wanted} (leave sha256 out to take it as it is)"
            )
        return spec.with_setting("sha256", found)
    if spec.given and not spec.rule.is_trusted:
        from afterstate_lab.learners.players.user_rule import check_writes

        check_writes(spec)
    return spec


def described_file(path: Path) -> str:
    """Return what a file is, and how to judge what is in it."""
    start = b""
    with suppress(OSError), opened(path) as file:
        start = file.read(200)
    if path.suffix == ".ipynb":
        return "a notebook: call judge_agent in it, or write the function to a FILE.py"
    for first, found in STARTS.items():
        if start.startswith(first):
            return found
    fields = start.decode("utf-8", "replace").partition("\n")[0].split(",")
    is_data = len(fields) >= 9 and {field.strip() for field in fields[:9]} <= set("xobXOB.")
    kind = "a data set of boards without moves" if is_data else "a file, but no player"
    return (
        f"{kind}: a table of moves is FILE.csv or FILE.json, a function FILE.py:NAME, "
        "a program cmd:PROGRAM"
    )


@dataclass(frozen=True)
class Recipe:
    """A document's learner, ready to train."""

    name: str
    title: str
    document: str
    x: str
    o: str
    games: int
    compete: int
    """Number of greedy games after training."""
    did: str
    wrong: str
    corrected: str
    """What this program does instead."""
    figures: str
    """The numbers in the document, if any."""
    seed: int = 0
    """The seed of the run that it shows."""

    @property
    def players(self) -> tuple[PlayerSpec, PlayerSpec]:
        return PlayerSpec.parse(self.x), PlayerSpec.parse(self.o)


@cache
def recipes() -> dict[str, Recipe]:
    """Return all recipes by name, in the order of the documents."""
    found = packaged(Path(__file__).with_name("recipes.toml"))
    return {name: Recipe(name, **fields) for name, fields in found.items()}


def find_recipe(name: str) -> Recipe:
    if name not in recipes():
        raise UsageError(f"unknown recipe {shown(name)} (recipes: {', '.join(recipes())})")
    return recipes()[name]
