"""What a shell completes, asked as the shells ask, and in the shells that are there."""

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


OFFERED = Path(__file__).parents[2] / "scenarios" / "lines" / "completion.txt"
"""Lines that end at the cursor, and what is offered for each."""


@pytest.mark.parametrize("case", OFFERED.read_text("utf-8").splitlines())
def test_what_begins_so_is_offered(ask, case):
    line, _, among = case.partition(" -> ")
    told, begun = ask(line), "" if line[-1:] == " " else line.split()[-1]
    assert all(each.partition(",")[2].startswith(begun) for each in told)
    wanted = [f"file,{begun}"] if among == "FILE" else [f"plain,{word}" for word in among.split()]
    assert told == [""] if among == "NOTHING" else set(wanted) <= set(told)


def test_an_option_is_not_offered_twice(ask):
    assert "plain,td:alpha=.2,alpha=" not in ask("afterstate --x td:alpha=.2,")


def test_saved_runs_are_offered_by_name_and_by_address(ask, afterstate, monkeypatch):
    assert afterstate("train", "--run", "mine", "--games", "20", "--seed", "3").status == 0
    assert ask("afterstate --run ") == ["plain,mine"]
    assert ask("afterstate evaluate --run mi") == ["plain,mine"]
    for command in ("quiz", "evaluate"):
        assert ask(f"afterstate {command} afterst") == ["plain,afterstate:1/td/td/3/20"]


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
