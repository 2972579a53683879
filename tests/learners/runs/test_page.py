"""Every address in docs/addresses.md opens, and is as long as the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.replay import open_address

PAGE = (Path(__file__).parents[3] / "docs" / "addresses.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"^\| `(afterstate:1/\S+)` \| .*\((\d+)[^)]*\) \|$", re.MULTILINE)


def test_the_page_has_examples():
    assert len(EXAMPLE.findall(PAGE)) == PAGE.count("| `afterstate:1/") >= 6


@pytest.mark.quick(
    "afterstate:1/td/td/7/201~201=53-31",
    "afterstate:1/td/td/4/0~1hlCCF-29",
    "afterstate:1/td/q/3/2000@7+x=mc-31",
)
@pytest.mark.parametrize(("text", "characters"), EXAMPLE.findall(PAGE))
def test_an_example_opens_and_is_as_long_as_it_says(text, characters):
    assert len(text) == int(characters)
    address = Address.parse(text)
    assert str(address) == text
    opened = open_address(address)
    assert opened is not None
    assert opened.run.games == address.games
