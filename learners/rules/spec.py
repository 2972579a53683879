"""Learners and opponents by name, and player specs: ``NAME[:option=value,...]``.

NAME is a learner or an opponent, a saved policy ``file.npz``, or a user rule ``file.py:Class``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cache, cached_property
from importlib import import_module
from typing import Any, Final

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.errors import SpecError, did_you_mean, shown
from afterstate_lab.learners.files import is_file
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.options import Option

BUILT_IN: Final[Mapping[str, str]] = {
    "td": "state_values.TemporalDifference",
    "chain": "state_values.Chain",
    "mc": "state_values.MonteCarlo",
    "nstep": "state_values.NStep",
    "tdlambda": "state_values.TDLambda",
    "negamax": "negamax.Negamax",
    "q": "action_values.QLearning",
    "sarsa": "action_values.Sarsa",
    "expected-sarsa": "action_values.ExpectedSarsa",
    "double-q": "action_values.DoubleQ",
    "menace": "matchboxes.Menace",
    "menace-article": "matchboxes.MenaceArticle",
    "menace-code": "matchboxes.MenaceCode",
    "random": "opponents.Random",
    "perfect": "opponents.Perfect",
    "winblock": "opponents.WinBlock",
    "biased": "opponents.Biased",
    "drifting": "opponents.Drifting",
    "human": "opponents.Human",
}
"""The module and class of learners, then opponents, loaded on demand."""


@cache
def built_in(name: str) -> type[Rule]:
    module, _, class_name = BUILT_IN[name].partition(".")
    rule: type[Rule] = getattr(import_module(f"afterstate_lab.learners.rules.{module}"), class_name)
    return rule


@cache
def rules() -> dict[str, type[Rule]]:
    """Return the built-in learners, then the opponents, by name."""
    return {name: built_in(name) for name in BUILT_IN}


def find_built_in(text: str) -> tuple[type[Rule], str]:
    """Return the built-in rule that a spec names, and the text of its options."""
    name, _, options = text.partition(":")
    if name in BUILT_IN:
        return built_in(name), options
    if name == "museum":
        from afterstate_lab.learners.rules.museum import piece

        name, _, options = options.partition(":")
        return piece(name), options
    if text.endswith(".py"):
        there = "no name after the" if is_file(text) else "no such"
        raise SpecError(
            f"{there} file {shown(text)}: an agent is FILE.py:FUNCTION, your own rule FILE.py:CLASS"
        )
    raise SpecError(
        f"unknown player {shown(name)}{did_you_mean(name, BUILT_IN)} "
        "(afterstate players lists them all)"
    )


LONGEST_SPEC = 2000

Find = Callable[[str], tuple[type[Rule], str]]
"""Returns the rule that a spec names, and the text of its options."""


def runs_code(text: str) -> bool:
    """Return whether a spec names code in a file, or a program."""
    return ".py:" in text or text.startswith("cmd:")


@lean_dataclass
class PlayerSpec:
    """A rule and the settings of its options. Equal when they play and learn alike."""

    rule: type[Rule]
    given: dict[str, Any] = field(default_factory=dict)
    """The values of options set by the user, never changed; the others have their defaults."""

    @classmethod
    def parse(cls, text: str, find: Find = find_built_in) -> PlayerSpec:
        """Read a spec.

        Args:
            text: the spec.
            find: what looks up the rule; by default among the built-in ones alone
                (`learners.players.resolve` knows files too).
        """
        text = text.strip()
        if len(text) > LONGEST_SPEC:
            raise SpecError(f"a player spec is at most {LONGEST_SPEC} characters long")
        if not text.isprintable():
            raise SpecError(f"a player spec has printable characters only, unlike {shown(text)}")
        rule, options = find(text)
        known = {option.name: option for option in rule.options}
        given: dict[str, Any] = {}
        for part in options.split(",") if options else ():
            name, equals, value = part.partition("=")
            name = name.strip()
            if name not in known:
                names = f"Its options are {', '.join(known)}" if known else "It has no options"
                near = did_you_mean(name, known) or f". {names}"
                raise SpecError(f"{rule.name} has no option {shown(name)}{near}")
            if not equals:
                raise SpecError(f"option {name} needs a value: {name}={known[name].range}")
            if name in given:
                raise SpecError(f"option {name} is given twice")
            given[name] = known[name].parse(value.strip())
        return cls(rule, given)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlayerSpec):
            return NotImplemented
        return self.rule is other.rule and self.settings == other.settings

    def __hash__(self) -> int:
        return hash((self.rule, tuple(self.settings.values())))

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        return {option.name: option.default for option in self.rule.options} | self.given

    def __str__(self) -> str:
        return self._text(lambda option: option.is_told)

    @property
    def stored_text(self) -> str:
        """The spec that also names the version of a player's file."""
        return self._text(lambda option: True)

    def _text(self, wanted: Callable[[Option], bool]) -> str:
        options = ",".join(
            f"{option.name}={option.format(self.given[option.name])}"
            for option in self.rule.options
            if option.name in self.given and wanted(option)
        )
        return f"{self.rule.name}:{options}" if options else self.rule.name

    @property
    def rewards(self) -> tuple[float, float, float]:
        """The worth of a win, a draw and a loss."""
        return self.rule.rewards(self.settings)

    def with_setting(self, name: str, value: Any) -> PlayerSpec:
        """Return the same player with one option set to a parsed value."""
        return PlayerSpec(self.rule, self.given | {name: value})

    @property
    def learns(self) -> bool:
        """Whether this player learns from games."""
        return self.rule.learns and self.settings.get("learn", "on") == "on"
