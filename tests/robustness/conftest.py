"""What is thrown at the lab, and at all that reads files."""

import pytest


@pytest.fixture(autouse=True)
def never_compiled(interpreted):
    pass
