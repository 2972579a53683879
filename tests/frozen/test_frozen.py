"""The bits of traces and of memory are those that were frozen, interpreted and compiled."""

import subprocess
import sys
from pathlib import Path

import pytest

FREEZE = str(Path(__file__).with_name("freeze.py"))


@pytest.mark.slow
@pytest.mark.parametrize("part", ["traces", "memory"])
def test_what_was_frozen_is_the_same(part: str) -> None:
    done = subprocess.run([sys.executable, FREEZE, "--check", part], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
