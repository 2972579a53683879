"""Pytest fixtures that grade a rule, or judge an agent, in a course's own tests.

    def test_my_rule(afterstate_grade):
        afterstate_grade("my_rule.py:MyRule", against="td")

    def test_my_agent(afterstate_judge):
        afterstate_judge("agent.py:move", "O")

pytest loads this file wherever the program is installed, so it imports nothing of it at the start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def afterstate_judge() -> Callable[..., dict[str, Any]]:
    """`afterstate_judge(agent, sides="XO")` fails the test with the game that beats the agent.

    It returns the object that `afterstate judge --json` prints.
    """

    from afterstate_lab.game import Side
    from afterstate_lab.learners.errors import UsageError
    from afterstate_lab.learners.judge.figures import BEATABLE
    from afterstate_lab.learners.players.judged import judged_player
    from afterstate_lab.learners.players.resolve import parse_player

    def check(agent: str, sides: str = "XO") -> dict[str, Any]:
        __tracebackhide__ = True
        try:
            found = judged_player(parse_player(agent), [Side.parse(side) for side in sides])
        except UsageError as error:
            pytest.fail(str(error), pytrace=False)
        beaten = [one.verdict for one in found if one.evaluation[BEATABLE]]
        if beaten or len(found) < len(sides):
            pytest.fail("\n".join(beaten) or f"{agent} does not play both sides", pytrace=False)
        return {one.side.mark: one.as_json() for one in found}

    return check


@pytest.fixture
def afterstate_grade() -> Callable[..., dict[str, Any]]:
    """`afterstate_grade(rule, against="td", *, games, seeds, seconds)`.

    It returns the report that `afterstate grade --json` prints, and fails the test with the first
    event that differs.
    """

    from afterstate_lab.learners.grading.grade import graded, lines_of
    from afterstate_lab.learners.rules.museum import MEANT

    def check(rule: str, against: str = MEANT, **options: Any) -> dict[str, Any]:
        __tracebackhide__ = True
        try:
            told = graded(rule, against, **options)
        except ValueError as error:  # what is wrong with the rule, in a sentence
            pytest.fail(str(error), pytrace=False)
        if told["first"] is not None:
            pytest.fail("\n".join(lines_of(told)), pytrace=False)
        return told

    return check
