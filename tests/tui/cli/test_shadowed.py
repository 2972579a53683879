"""The command beside files of others that have the names of its packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LOUD = 'raise SystemExit("a stranger\'s file was run")'


@pytest.fixture
def folder(tmp_path):
    for name in ("game.py", "learners.py"):
        (tmp_path / name).write_text(LOUD)
    return tmp_path


def run(folder, *words, asked="--version", **env):
    command = [sys.executable, *words, asked]
    return subprocess.run(
        command, cwd=folder, env=os.environ | env, capture_output=True, text=True, timeout=60
    )


def test_it_works_from_a_folder_with_namesakes(folder):
    done = run(folder, "-m", "tui")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("afterstate, version")


@pytest.mark.slow
def test_beside_a_namesake_of_its_own_name_it_works_as_the_readme_says(folder):
    (folder / "tui.py").write_text(LOUD)
    done = run(folder, "-P", "-m", "tui")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("afterstate, version")


def test_a_namesake_on_the_path_is_named_and_not_run(folder):
    done = run(folder, "-c", "from tui.command import main; main()", PYTHONPATH=str(folder))
    assert done.returncode == 1
    assert done.stderr.startswith("afterstate: its package game is found ")
    assert str(folder / "game.py") in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_namesake_installed_over_it_is_named():
    from tui.command import overwritten

    wrong = ImportError("cannot import name 'Side' from 'game'", name="game")
    assert overwritten(wrong).startswith("game is not the one of this program")
    assert overwritten(ImportError("no numpy", name="numpy")).startswith(
        "the package numpy is missing"
    )


@pytest.mark.slow
def test_a_namesake_that_came_or_went_is_one_sentence(tmp_path):
    for package in ("game", "learners", "tui"):
        shutil.copytree(Path(__file__).parents[3] / package, tmp_path / package)
    (tmp_path / "game" / "__init__.py").write_text("")
    came = run(tmp_path, "-m", "tui", asked="evaluate")
    (tmp_path / "game" / "__init__.py").unlink()
    went = run(tmp_path, "-m", "tui", asked="evaluate")
    assert (came.returncode, went.returncode) == (1, 1)
    assert came.stderr.startswith("afterstate: game is not the one of this program: another")
    assert went.stderr.startswith("afterstate: its package game has lost files: pip install --f")
    assert (came.stderr.count("\n"), went.stderr.count("\n")) == (1, 1)
