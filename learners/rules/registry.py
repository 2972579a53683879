"""Every learner and opponent by name: the one list that the command line and the screens read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from learners.errors import SpecError, shown
from learners.files import is_file
from learners.rules.base import Rule

BUILT_IN: Final[Mapping[str, str]] = {
    "td": "td.TemporalDifference",
    "chain": "chain.Chain",
    "mc": "mc.MonteCarlo",
    "nstep": "nstep.NStep",
    "tdlambda": "tdlambda.TDLambda",
    "negamax": "negamax.Negamax",
    "q": "q.QLearning",
    "sarsa": "sarsa.Sarsa",
    "expected-sarsa": "expected_sarsa.ExpectedSarsa",
    "double-q": "double_q.DoubleQ",
    "menace": "menace.Menace",
    "menace-article": "menace_article.MenaceArticle",
    "menace-code": "menace_code.MenaceCode",
    "random": "opponents.Random",
    "perfect": "opponents.Perfect",
    "winblock": "opponents.WinBlock",
    "biased": "opponents.Biased",
    "drifting": "opponents.Drifting",
    "human": "opponents.Human",
}
"""Learners, then opponents, by name: where each is. Loaded when asked for."""


@cache
def built_in(name: str) -> type[Rule]:
    """The rule of a name that is known."""
    module, _, class_name = BUILT_IN[name].partition(".")
    rule: type[Rule] = getattr(import_module(f"learners.rules.{module}"), class_name)
    return rule


@cache
def rules() -> dict[str, type[Rule]]:
    """The built-in learners, then the opponents, by name."""
    return {name: built_in(name) for name in BUILT_IN}


def find(text: str) -> tuple[type[Rule], str]:
    """The built-in rule that a spec names, and the text of its options.

    Raises:
        SpecError: there is no such rule.
    """
    name, _, options = text.partition(":")
    if name in BUILT_IN:
        return built_in(name), options
    if name == "museum":
        from learners.rules.museum import piece

        name, _, options = options.partition(":")
        return piece(name), options
    import difflib

    if text.endswith(".py"):
        there = "nothing is named in the" if is_file(text) else "no"
        raise SpecError(
            f"{there} file {shown(text)}; an agent is FILE.py:FUNCTION, "
            "a rule of your own FILE.py:CLASS"
        )
    near = difflib.get_close_matches(name, BUILT_IN, n=1)
    hint = f" — did you mean {near[0]}?" if near else ""
    raise SpecError(
        f"there is no player {shown(name)}{hint} "
        f"(players: {', '.join(BUILT_IN)}, a file.npz, or my_rule.py:MyRule)"
    )
