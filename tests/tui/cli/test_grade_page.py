"""`docs/grade.md`: its homework gets the grade that it shows."""

import re
from pathlib import Path

import pytest

from afterstate_lab.learners.grading.grade import Property

PAGE = (Path(__file__).parents[3] / "docs" / "grade.md").read_text()


@pytest.mark.slow
def test_the_homework_is_graded_as_the_page_shows(afterstate, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = re.findall(r"```python\n(# my_rule.py\n.*?)```", PAGE, re.DOTALL)[0]
    Path("my_rule.py").write_text(source)
    command, shown = re.findall(r"```console\n\$ afterstate (.*?)\n(.*?)```", PAGE, re.DOTALL)[0]
    outcome = afterstate(*command.split())
    assert (outcome.status, outcome.err) == (1, "")
    assert outcome.out == shown
    call = "        backup("
    right = source.replace(call, f"        if greedy[t]:\n    {call}")
    Path("my_rule.py").write_text(right)
    same = afterstate(*command.split())
    assert same.status == 0
    assert same.out.startswith("same: my_rule.py:MyRule learns as td does, to the bit")


def test_the_page_names_every_property():
    for which in Property:
        assert f"`{which.name.lower().replace('_', '-')}`" in PAGE
