"""Recipes: the five documents about tic-tac-toe learners as settings, their mistakes corrected.

`recipes.toml` holds of each its players, its games, and in words what the document did, what it got
wrong, and what is corrected here.
"""

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
    """Which document it comes from."""
    x: str
    o: str
    games: int
    compete: int
    """Greedy games played after the training; 0 for none."""
    did: str
    """What the document did."""
    wrong: str
    """What it got wrong."""
    corrected: str
    """What is done here instead."""
    figures: str
    """The figures that the document gives, if any."""

    @property
    def players(self) -> tuple[PlayerSpec, PlayerSpec]:
        """X and O."""
        return PlayerSpec.parse(self.x), PlayerSpec.parse(self.o)


@cache
def recipes() -> dict[str, Recipe]:
    """All recipes by name, in the order of the documents."""
    text = (
        files("afterstate_lab.learners.players")
        .joinpath("recipes.toml")
        .read_text(encoding="utf-8")
    )
    return {name: Recipe(name, **fields) for name, fields in tomllib.loads(text).items()}


def find_recipe(name: str) -> Recipe:
    """The recipe of this name."""
    if name not in recipes():
        raise UsageError(f"unknown recipe {shown(name)} (recipes: {', '.join(recipes())})")
    return recipes()[name]
