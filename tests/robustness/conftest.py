"""What is thrown at the lab, and at all that reads files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.extend([str(HERE), str(HERE.parent / "benchmarks")])


@pytest.fixture(autouse=True)
def never_compiled(interpreted):
    pass
