"""The players that the header of a saved file names: no other file is read and no code run."""

from __future__ import annotations

from functools import cache

from learners.errors import SpecError, shown
from learners.rules import registry
from learners.rules.base import Rule
from learners.rules.opponents import FromFile


def player_in_header(text: str) -> tuple[type[Rule], str]:
    """The rule that the header of a file names, and the text of its options.

    A file from elsewhere is only ever read alone: where it names another one, that player's values
    are taken from its own arrays, and code of a user's is never run for it.

    Raises:
        SpecError: there is no such rule.
    """
    name, ending, options = text.rpartition(".npz")
    if ending and (not options or options.startswith(":")):
        return named_policy(name + ending), options[1:]
    if ".py:" in text:
        raise SpecError(f"it learned by the rule {shown(text)}, and no code is run for a file")
    return registry.find(text)


@cache
def named_policy(path: str) -> type[Rule]:
    """A saved policy of which no more is known than its name."""

    class Named(FromFile):
        """Stands for a player whose values are given with its name."""

        name = path

    return Named
