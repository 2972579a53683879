"""A pytest fixture that grades a rule in a course's own tests.

    def test_my_rule(afterstate_grade):
        afterstate_grade("my_rule.py:MyRule", against="td")

pytest loads this file wherever the program is installed, so it imports nothing of it at the start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def afterstate_grade() -> Callable[..., dict[str, Any]]:
    """`afterstate_grade(rule, against="td", *, games, seeds, ulps, seconds, properties)`.

    It returns the report that `afterstate grade --json` prints, and fails the test with the first
    event that differs. With `properties`, names such as `exploratory`, only these must hold.
    """

    def check(
        rule: str, against: str = "", *, properties: tuple[str, ...] = (), **options: Any
    ) -> dict[str, Any]:
        __tracebackhide__ = True
        from afterstate_lab.learners.grading.process import GradingError, graded
        from afterstate_lab.learners.grading.report import lines_of, property_text
        from afterstate_lab.learners.rules.museum import MEANT

        against = against or MEANT
        try:
            told = graded(rule, against, **options)
        except GradingError as error:
            pytest.fail(str(error), pytrace=False)
        known = {found["name"]: found for found in told["properties"]}
        for name in properties:
            if name not in known:
                pytest.fail(
                    f"{name} is not a property of {against}: {', '.join(known)}", pytrace=False
                )
            if not known[name]["holds"]:
                pytest.fail(f"{rule}: {property_text(known[name])}", pytrace=False)
        if not properties and told["first"] is not None:
            pytest.fail("\n".join(lines_of(told)), pytrace=False)
        return told

    return check
