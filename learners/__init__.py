"""Update rules, opponents, the engine that runs them, and runs that can be replayed anywhere."""

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """Return a name of the public API, which the first versions had here."""
    return getattr(import_module("afterstate_lab"), name)
