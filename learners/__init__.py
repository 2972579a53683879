"""Update rules, opponents, the engine that runs them, and runs that can be replayed anywhere."""

from typing import Final

VERSION: Final = "0.2.0"
"""The version of the program; the packaging reads it from here."""
