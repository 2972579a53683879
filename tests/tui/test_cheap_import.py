"""The lab opens before anything is loaded that it does not need for its first picture."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import afterstate_lab.tui.app, afterstate_lab.tui.screens.lab
print(*{name.partition(".")[0] for name in sys.modules})
"""


def test_the_first_picture_needs_neither_numpy_nor_the_compiler_nor_the_command_line():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "textual" in loaded
    assert not loaded & {"numpy", "numba", "click", "dask"}
