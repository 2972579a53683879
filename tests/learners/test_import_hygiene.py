"""The storeys: the core knows no screen, and what is heavy is loaded when it is needed."""

import subprocess
import sys

import pytest

SCREEN = {"textual", "rich", "click", "tui"}


def loaded_by(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after a statement."""
    program = f"{statement}\nimport sys\nprint(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "from afterstate_lab.learners import training\n"
        "from afterstate_lab.learners.tape import trace\n"
        "from afterstate_lab.learners.players import policy_file",
        "from afterstate_lab.learners.rules.spec import PlayerSpec\n"
        "from afterstate_lab.learners.tape.run import Run\n"
        "td = PlayerSpec.parse('td'); Run(td, td).train(20)",
        "from afterstate_lab.learners.rules.spec import rules; rules()",
    ],
)
def test_the_core_runs_without_a_screen_and_without_the_compiler(statement: str):
    modules = loaded_by(statement)
    assert "numpy" in modules
    assert not modules & (SCREEN | {"numba", "llvmlite"})


def test_the_options_and_the_errors_are_light():
    assert "numpy" not in loaded_by("from afterstate_lab.learners.rules import options, spec")


def test_the_last_run_is_looked_for_without_the_engine():
    assert "numpy" not in loaded_by(
        "from afterstate_lab.learners.runs.store import last_run; last_run()"
    )


def test_the_command_starts_without_what_only_its_screens_need():
    modules = loaded_by("import afterstate_lab.tui.command")
    assert not modules & {"textual", "rich", "numpy", "numba", "sqlite3"}


def test_the_command_without_a_screen_never_loads_one():
    program = (
        "import sys; sys.argv = ['afterstate', 'train', '--games', '50', '--json']\n"
        "from afterstate_lab.tui.command import main; main()"
    )
    modules = loaded_by(
        f"import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()):\n"
        f"    exec({program!r})"
    )
    assert "afterstate_lab.learners.training" in modules
    assert not modules & {"textual", "rich", "numba"}
