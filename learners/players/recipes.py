"""Recipes: learners of five published documents as settings, with their mistakes corrected."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.toml_reader import packaged


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
    found = packaged(Path(__file__).with_suffix(".toml"))
    return {name: Recipe(name, **fields) for name, fields in found.items()}


def find_recipe(name: str) -> Recipe:
    if name not in recipes():
        raise UsageError(f"unknown recipe {shown(name)} (recipes: {', '.join(recipes())})")
    return recipes()[name]
