"""The commands in the pages of the documentation do what is shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^```sh\n(\$ afterstate .*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ afterstate (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
PAGES = sorted(page for page in DOCS.glob("*.md") if FENCE.search(page.read_text()))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_its_commands_print_what_it_shows(page, afterstate, tmp_path, monkeypatch):
    """In their order, in one folder; where nothing is shown, they only have to succeed."""
    monkeypatch.chdir(tmp_path)
    commands = [c for block in FENCE.findall(page.read_text()) for c in COMMAND.findall(block)]
    assert commands
    for words, shown in commands:
        outcome = afterstate(*shlex.split(words))
        assert (outcome.status, outcome.err) == (0, ""), words
        assert not shown or outcome.out == shown, words
