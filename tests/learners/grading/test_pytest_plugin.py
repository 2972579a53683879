"""The fixture for a course's own tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
def test_same(afterstate_grade):
    told = afterstate_grade("td", games=20, seeds=1)
    assert told["verdict"] == "same"

def test_differs(afterstate_grade):
    afterstate_grade("museum:no-losses", games=20, seeds=1)

def test_part(afterstate_grade):
    afterstate_grade("museum:no-losses", games=20, seeds=1, properties=("exploratory", "step"))

def test_other_part(afterstate_grade):
    afterstate_grade("museum:no-losses", games=20, seeds=1, properties=("others-end",))

def test_broken(afterstate_grade):
    afterstate_grade("museum:nothing")
"""


@pytest.mark.slow
def test_it_fails_with_the_first_difference_and_with_a_property_that_does_not_hold(tmp_path):
    (tmp_path / "test_homework.py").write_text(TESTS)
    plugin = ("-p", "afterstate_lab.learners.grading.pytest_plugin", "-p", "no:cacheprovider")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rf", *plugin, "-c", "/dev/null", str(tmp_path)],
        cwd=Path(__file__).parents[3],
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "3 failed, 2 passed" in ended.stdout, ended.stdout + ended.stderr
    assert "differs (1 × 20 games, " in ended.stdout
    assert "the opponent made the last move: not in 20 of 20 cases" in ended.stdout
    assert "the museum has no 'nothing'" in ended.stdout
    assert "Traceback" not in ended.stdout


def test_loading_it_imports_nothing_of_the_program():
    code = (
        "import sys, afterstate_lab.learners.grading.pytest_plugin as p; "
        "print([m for m in sys.modules if m.partition('.')[0] in ('afterstate_lab', 'numpy')])"
    )
    command, root = [sys.executable, "-c", code], Path(__file__).parents[3]
    told = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    folders = ("", ".learners", ".learners.grading", ".learners.grading.pytest_plugin")
    assert told.strip() == str([f"afterstate_lab{folder}" for folder in folders])
