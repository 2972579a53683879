"""Recipes: learners of five published documents as settings, with their mistakes corrected."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.rules.spec import PlayerSpec


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
    text = (
        files("afterstate_lab.learners.players")
        .joinpath("recipes.toml")
        .read_text(encoding="utf-8")
    )
    return {name: Recipe(name, **fields) for name, fields in tomllib.loads(text).items()}


def find_recipe(name: str) -> Recipe:
    if name not in recipes():
        raise UsageError(f"unknown recipe {shown(name)} (recipes: {', '.join(recipes())})")
    return recipes()[name]
