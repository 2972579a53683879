"""From a text to a player: a built-in rule, a saved policy, or a rule of the user's own."""

from __future__ import annotations

from learners.players.saved_player import saved_policy
from learners.rules import registry
from learners.rules.base import Rule
from learners.rules.spec import PlayerSpec


def find(text: str) -> tuple[type[Rule], str]:
    """The rule that a spec names, and the text of its options.

    Raises:
        SpecError: there is no such rule.
        PolicyFileError: its file cannot be used.
        RuleFileError: neither can the file of a user's own rule.
    """
    path, ending, options = text.rpartition(".npz")
    if ending and (not options or options.startswith(":")):
        return saved_policy(path + ending), options[1:]
    path, ending, rest = text.rpartition(".py:")
    if ending:
        from learners.players.user_rule import user_rule

        class_name, _, options = rest.partition(":")
        return user_rule(f"{path}.py", class_name), options
    return registry.find(text)


def parse_player(text: str) -> PlayerSpec:
    """The player that a spec names, files included.

    Raises:
        SpecError: an unknown name or option, or a value out of range.
        PolicyFileError: the file that it names cannot be used.
        RuleFileError: neither can the file of a user's own rule.
    """
    return PlayerSpec.parse(text, find)
