"""The plan that runs in a blink, read once."""

import pytest
from made import TINY

from afterstate_lab.learners.experiments.plan import Plan


@pytest.fixture(scope="session")
def tiny():
    return Plan.parse(TINY)
