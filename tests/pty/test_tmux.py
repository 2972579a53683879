"""Inside tmux: drawn in its colours, kept when the link drops, gone when tmux is."""

import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from labs import MAIN, command_of, processes_of
from pseudo_terminal import PseudoTerminal, environment

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


def lab_processes(folder: Path) -> list[int]:
    found = processes_of(f"AFTERSTATE_DATA={folder}")
    return [pid for pid in found if "tmux" not in command_of(pid)]


def test_a_lab_in_tmux_outlives_the_link(tmp_path):
    changes = {"AFTERSTATE_DATA": str(tmp_path), "AFTERSTATE_INTERPRETED": "1", "TMUX": None}
    tmux = ["tmux", "-u", "-S", str(tmp_path / "socket"), "-f", "/dev/null"]
    lab = shlex.join([sys.executable, "-c", MAIN])
    panes = ("log", "stats", "learning")
    try:
        with PseudoTerminal([*tmux, "new-session", lab], 80, 25, changes) as first:
            first.read_until_shown("watch it learn")
            first.press("w")
            first.read_until_shown(*panes, "2 moves/s", "backup")
        assert lab_processes(tmp_path)
        with PseudoTerminal([*tmux, "attach"], 80, 25, changes) as second:
            second.read_until_shown(*panes, "2 moves/s")
    finally:
        subprocess.run([*tmux, "kill-server"], env=environment(changes), check=False)
    until = time.perf_counter() + 3
    while lab_processes(tmp_path) and time.perf_counter() < until:
        time.sleep(0.05)
    assert not lab_processes(tmp_path)
