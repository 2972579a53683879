"""Every learner and opponent by name: the one list that the command line and the screens read."""

from __future__ import annotations

import difflib
from functools import cache

from learners.errors import SpecError, shown
from learners.rule import Rule


@cache
def rules() -> dict[str, type[Rule]]:
    """The built-in learners, then the opponents, by name."""
    from learners.rules.chain import Chain
    from learners.rules.double_q import DoubleQ
    from learners.rules.expected_sarsa import ExpectedSarsa
    from learners.rules.mc import MonteCarlo
    from learners.rules.menace import Menace
    from learners.rules.menace_article import MenaceArticle
    from learners.rules.menace_code import MenaceCode
    from learners.rules.negamax import Negamax
    from learners.rules.nstep import NStep
    from learners.rules.opponents import Biased, Drifting, Human, Perfect, Random, WinBlock
    from learners.rules.q import QLearning
    from learners.rules.sarsa import Sarsa
    from learners.rules.td import TemporalDifference
    from learners.rules.tdlambda import TDLambda

    state_values = (TemporalDifference, Chain, MonteCarlo, NStep, TDLambda, Negamax)
    action_values = (QLearning, Sarsa, ExpectedSarsa, DoubleQ)
    matchboxes = (Menace, MenaceArticle, MenaceCode)
    opponents = (Random, Perfect, WinBlock, Biased, Drifting, Human)
    known = (*state_values, *action_values, *matchboxes, *opponents)
    return {rule.name: rule for rule in known}


def find(text: str) -> tuple[type[Rule], str]:
    """The rule that a spec names, and the text of its options.

    Raises:
        SpecError: there is no such rule.
        PolicyFileError: its file cannot be used.
        RuleFileError: neither can the file of a user's own rule.
    """
    path, ending, options = text.rpartition(".npz")
    if ending and (not options or options.startswith(":")):
        from learners.rules.saved import saved_policy

        return saved_policy(path + ending), options[1:]
    path, ending, rest = text.rpartition(".py:")
    if ending:
        from learners.user_rule import user_rule

        class_name, _, options = rest.partition(":")
        return user_rule(f"{path}.py", class_name), options
    return find_built_in(text)


def find_built_in(text: str) -> tuple[type[Rule], str]:
    """The same, where no file is asked for.

    Raises:
        SpecError: there is no such rule.
    """
    name, _, options = text.partition(":")
    if name in rules():
        return rules()[name], options
    near = difflib.get_close_matches(name, rules(), n=1)
    hint = f" — did you mean {near[0]}?" if near else ""
    raise SpecError(
        f"there is no player {shown(name)}{hint} (players: {', '.join(rules())}, a file.npz, or my_rule.py:MyRule)"
    )
