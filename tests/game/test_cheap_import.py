"""Importing the game costs next to nothing, and brings in none of what stands above it."""

import subprocess
import sys

import pytest


def loaded_by(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after `statement`."""
    program = f"{statement}\nimport sys\nprint(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


def test_the_board_needs_no_numpy():
    modules = loaded_by(
        "from afterstate_lab.game import Board; Board.parse('X.O.X....').play(1).canonical"
    )
    assert "numpy" not in modules


@pytest.mark.parametrize("module", ["afterstate_lab.game", "afterstate_lab.game.exact"])
def test_the_game_knows_neither_learners_nor_screens(module: str):
    forbidden = {
        "afterstate_lab.learners",
        "afterstate_lab.tui",
        "textual",
        "rich",
        "click",
        "numba",
    }
    assert not loaded_by(f"import {module}") & forbidden
