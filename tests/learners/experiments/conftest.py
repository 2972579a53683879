"""A plan that runs in a blink, without the compiler."""

import pytest

from afterstate_lab.learners.experiments.plan import Plan

TINY = """
title = "Tiny"
question = "Does skipping matter?"
games = 300
seeds = 3
metrics = ["value X", "beatable X", "won X"]

[measure]
points = 3

[[arms]]
name = "A"
x = "td:draw=0"
o = "random"

[[arms]]
name = "B"
x = "td:draw=0,exploration=learn"
o = "random"
"""


@pytest.fixture(scope="session")
def tiny_text() -> str:
    return TINY


@pytest.fixture(scope="session")
def tiny() -> Plan:
    return Plan.parse(TINY)
