"""The storeys: the core knows no screen, and what is heavy is loaded when it is needed."""

import subprocess
import sys

import pytest

SCREEN = {"textual", "rich", "click", "afterstate_lab.tui"}
COMPILER = {"numba", "llvmlite"}


def loaded_by(statement):
    """The modules that a fresh interpreter has loaded after a statement."""
    program = f"{statement}\nimport sys\nprint(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


TRAINS = """
import contextlib, io, sys
sys.argv = ["afterstate", "train", "--games", "50", "--json"]
from afterstate_lab.tui.command import main
with contextlib.redirect_stdout(io.StringIO()):
    main()
"""


@pytest.mark.parametrize(
    ("statement", "needed", "never"),
    [
        ("from afterstate_lab.learners import training\n"
         "from afterstate_lab.learners.tape import recording\n"
         "from afterstate_lab.learners.players import policy_file\n"
         "from afterstate_lab.learners.rules.spec import PlayerSpec, rules\n"
         "from afterstate_lab.learners.tape.run import Run\n"
         "rules(); td = PlayerSpec.parse('td'); Run(td, td).train(20)", "numpy", SCREEN | COMPILER),
        ("from afterstate_lab.learners.rules import options, spec", "", {"numpy"}),
        ("from afterstate_lab.learners.runs.store import last_run; last_run()", "", {"numpy"}),
        ("import afterstate_lab.tui.command", "",
         {"textual", "rich", "numpy", "numba", "sqlite3"}),
        ("from afterstate_lab.game import Board; Board.parse('X.O.X....').play(1).canonical",
         "", {"numpy", "afterstate_lab.learners"}),
        ("import afterstate_lab.game.exact", "", SCREEN | COMPILER | {"afterstate_lab.learners"}),
        (TRAINS, "afterstate_lab.learners.training", {"textual", "rich", "numba"}),
    ],
    ids=["the core", "options", "last run", "the command", "a board",
         "exact answers", "train"],
)  # fmt: skip
def test_what_is_heavy_is_loaded_when_it_is_needed(statement, needed, never):
    modules = loaded_by(statement)
    assert needed in modules | {""}
    assert not modules & never
