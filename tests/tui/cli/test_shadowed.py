"""The command beside files of others that have the names of its folders."""

from __future__ import annotations

import subprocess
import sys


def test_it_works_beside_files_of_the_same_names(tmp_path):
    for name in ("game.py", "learners.py", "tui.py"):
        (tmp_path / name).write_text('raise SystemExit("a stranger\'s file was run")')
    rule = tmp_path / "rule.py"
    rule.write_text(
        "from afterstate_lab.learners import Rule, backup\n"
        "from afterstate_lab.game import Board\n\n\n"
        "class Mine(Rule):\n"
        "    def after_step(v, tape, me, steps, greedy, t, over, game):\n"
        "        backup(v, tape, me, steps[t], 0.5, 0.1)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "afterstate_lab", "trace", "--x", f"{rule}:Mine", "--games", "1"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "backup" in done.stdout
