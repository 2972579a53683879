"""The commands in the pages of the documentation do what is shown."""

from __future__ import annotations

import json
import os
import re
import runpy
import shlex
from pathlib import Path

import pytest

from afterstate_lab.learners.runs.address import Address

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^```sh\n(\$ afterstate .*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ afterstate (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
PAGES = sorted(page for page in DOCS.glob("*.md") if FENCE.search(page.read_text()))


@pytest.mark.quick("film", "quiz", "grade")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_its_commands_print_what_it_shows(page, afterstate, tmp_path, monkeypatch):
    """In their order, in one folder; where nothing is shown, they only have to succeed."""
    monkeypatch.chdir(tmp_path)
    commands = [c for block in FENCE.findall(page.read_text()) for c in COMMAND.findall(block)]
    assert commands
    printed = []
    for words, shown in commands:
        outcome = afterstate(*shlex.split(words))
        assert (outcome.status, outcome.err) == (0, ""), words
        assert not shown or outcome.out == shown, words
        printed.append(outcome.out)
    for games in re.findall(r"ends after ([\d,]+) games", page.read_text(encoding="utf-8")):
        assert any(f"\n{games} games in " in out for out in printed), games


def test_the_page_of_figures_says_which_of_them_evaluate_prints(monkeypatch, afterstate):
    monkeypatch.syspath_prepend(str(DOCS))
    import reference

    page = "\n".join(reference.PAGES["figures"]())
    keys = {key.partition(".")[0] for key in re.findall(r"\| `([a-z_.]+)` \|$", page, re.MULTILINE)}
    told = json.loads(afterstate("evaluate", "afterstate:1/td/td/1/2", "--json").out)["X"]
    assert keys == told.keys() - {"spec"}
    assert page.count("(in `experiment --json` alone)") == 2


@pytest.mark.slow
def test_the_walk_of_the_readme_leads_where_it_says(afterstate, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    walk = re.findall(r"## A walk\n\n```sh\n(.*?)```", readme, re.DOTALL)[0]
    lab, lecture, train, evaluate, judge, address = (
        shlex.split(line, comments=True) for line in walk.splitlines()
    )
    assert lab == ["afterstate"]
    assert afterstate(*lecture[1:], "--plain", "--fast").status == 0
    trained, evaluated = afterstate(*train[1:]), afterstate(*evaluate[1:])
    assert (trained.status, evaluated.status) == (0, 0)
    assert trained.out.endswith(evaluated.out)
    beaten = afterstate(*judge[1:])
    assert beaten.status == 3
    assert "the shortest game that beats it, every time:" in beaten.out
    assert Address.parse(address[1]).place is not None


def test_the_man_page_says_what_the_commands_say():
    kept = DOCS / "afterstate.1"
    made = "\n".join(runpy.run_path(str(DOCS / "reference.py"))["man_page"]()) + "\n"
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        kept.write_text(made, encoding="utf-8")
    assert made == kept.read_text(encoding="utf-8")
