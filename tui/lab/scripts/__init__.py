"""Scripts that lead through the lab: lessons, the tour, walkthroughs, and the built-in ones."""

from typing import Final

NAMES: Final = ("tour", "chapter-1", "menace", "sarsa-and-q", "credit", "museum", "by-hand")
"""The built-in lessons, in order."""
