"""What is thrown at the lab, and at all that reads files."""

import pytest

import afterstate_lab.tui.verbs  # noqa: F401  (scripts name commands)


@pytest.fixture(autouse=True)
def never_compiled(interpreted):
    pass
