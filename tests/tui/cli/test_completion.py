"""What a shell completes, asked as the shells ask, and in the shells that are there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def ask(afterstate, monkeypatch):
    """What bash is told for a line that ends at the cursor: kinds and values."""

    def asked(line: str) -> list[str]:
        monkeypatch.setenv("_AFTERSTATE_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", "0")
        return afterstate().out.split("\n")[:-1]

    return asked


@pytest.mark.parametrize(
    ("line", "among"),
    [
        ("afterstate tra", ["plain,train", "plain,trace"]),
        ("afterstate --x sar", ["plain,sarsa"]),
        ("afterstate --x td", ["plain,td", "plain,td:"]),
        ("afterstate --x td:al", ["plain,td:alpha="]),
        ("afterstate --x td:alpha=.2,", ["plain,td:alpha=.2,epsilon="]),
        ("afterstate train --o td:symmetry=", ["plain,td:symmetry=on", "plain,td:symmetry=off"]),
        ("afterstate train --o td:alpha=", ["plain,td:alpha=0.1", "plain,td:alpha=0.5"]),
        ("afterstate --x museum:missed-wins:al", ["plain,museum:missed-wins:alpha="]),
        ("afterstate fil", ["plain,film"]),
        ("afterstate film x --light --s", ["plain,--seconds", "plain,--size"]),
        ("afterstate judge men", ["plain,menace"]),
        ("afterstate grade x.py --against q:gam", ["plain,q:gamma="]),
        ("afterstate --recipe two", ["plain,two-agents"]),
        ("afterstate recipes sutton", ["plain,sutton-barto"]),
        ("afterstate experiment self", ["plain,self-play"]),
        ("afterstate lesson sar", ["plain,sarsa-and-q"]),
        ("afterstate follow ", ["plain,temporal-differences"]),
        ("afterstate museum draw", ["plain,draw-as-loss"]),
        ("afterstate museum museum:draw", ["plain,museum:draw-as-loss"]),
        ("afterstate follow lesson-", ["file,lesson-"]),
        ("afterstate --x my_ru", ["file,my_ru"]),
        ("afterstate evaluate ", ["file,"]),
        ("afterstate --run ", []),
        ("afterstate completion ", ["plain,bash", "plain,zsh", "plain,fish"]),
    ],
)
def test_what_begins_so_is_offered(ask, line, among):
    told = ask(line)
    assert (
        all(each.partition(",")[2].startswith(line.split()[-1]) for each in told)
        or line[-1:] == " "
    )
    assert set(among) <= set(told)


def test_an_option_is_not_offered_twice(ask):
    told = ask("afterstate --x td:alpha=.2,")
    assert "plain,td:alpha=.2,alpha=" not in told


def test_saved_runs_are_offered_by_name_and_by_address(ask, afterstate, monkeypatch):
    assert afterstate("train", "--run", "mine", "--games", "20", "--seed", "3").status == 0
    assert ask("afterstate --run ") == ["plain,mine"]
    assert ask("afterstate evaluate --run mi") == ["plain,mine"]
    assert ask("afterstate quiz afterst") == ["plain,afterstate:1/td/td/3/20"]
    assert ask("afterstate evaluate afterst") == ["plain,afterstate:1/td/td/3/20"]


SHELLS = {
    "bash": 'eval "$({} completion bash)"; COMP_LINE="afterstate --x td:al"; COMP_POINT=20; '
    '_afterstate_completion afterstate; printf "%s\\n" "${{COMPREPLY[@]}}"',
    "zsh": 'autoload -Uz compinit; compinit -D; eval "$({} completion zsh)"; '
    "print $_comps[afterstate]",
    "fish": '{} completion fish | source; complete -C "afterstate --x td:alpha=.1,eps"',
}
SAID = {"bash": "alpha=", "zsh": "_afterstate_completion", "fish": "td:alpha=.1,epsilon="}


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_completes(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    command = tmp_path / "afterstate"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m afterstate_lab "$@"\n')
    command.chmod(0o755)
    root = Path(__file__).parents[3]
    env = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(root)}
    quiet = {"zsh": ["-f"], "bash": ["--norc"], "fish": ["--no-config"]}[shell]
    done = subprocess.run(
        [shell, *quiet, "-c", SHELLS[shell].format("afterstate")],
        capture_output=True, text=True, env=env | {"HOME": str(tmp_path)}, check=True,
    )  # fmt: skip
    assert done.stdout.split("\t")[0].strip() == SAID[shell], done.stderr
