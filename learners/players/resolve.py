"""From a text to a player: a built-in rule, a saved policy, or a user's own rule.

Light: a built-in player needs no numpy; every command reads the names of two.
"""

from __future__ import annotations

import re

from learners.rules.base import Rule
from learners.rules.spec import BUILT_IN, PlayerSpec, find_built_in, runs_code

TABLE = re.compile(r"\.(?:csv|json)(?::|$)")
"""In the name of an agent that is a table."""


def find(text: str) -> tuple[type[Rule], str]:
    """The rule that a spec names, and the text of its options.

    Raises:
        SpecError: there is no such rule.
        PolicyFileError: the file of a saved policy cannot be used.
        RuleFileError: the file of a user's own rule, or of a plug-in, cannot be used.
    """
    path, ending, options = text.rpartition(".npz")
    if ending and (not options or options.startswith(":")):
        from learners.players.policy_file import saved_player

        return saved_player(path + ending), options[1:]
    if runs_code(text) or TABLE.search(text):
        from learners.players.agent import find_agent

        if (agent := find_agent(text)) is not None:
            return agent
    path, ending, rest = text.rpartition(".py:")
    if ending:
        from learners.players.user_rule import user_rule

        class_name, _, options = rest.partition(":")
        return user_rule(f"{path}.py", class_name), options
    if text.partition(":")[0] not in (*BUILT_IN, "museum"):
        from learners.players.plugins import as_file

        if (named := as_file(text)) is not None:
            return find(named)
    return find_built_in(text)


def parse_player(text: str) -> PlayerSpec:
    """The player that a spec names, files included.

    Raises:
        SpecError: an unknown name or option, or a value out of range.
        PolicyFileError: the file of a saved policy cannot be used.
        RuleFileError: the file of a user's own rule cannot be used.
        AgentError: an agent cannot be used, or its file is not the one that the spec names.
    """
    spec = PlayerSpec.parse(text, find)
    if spec.rule.is_asked:
        from learners.players.agent import with_digest

        return with_digest(spec)
    if spec.given and not spec.rule.is_trusted:
        from learners.players.user_rule import check_writes

        check_writes(spec)
    return spec
