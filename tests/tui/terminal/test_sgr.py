"""Styles as differences, also for terminals that clear all attributes or none."""

from __future__ import annotations

import re

import pytest

from afterstate_lab.tui.terminal.sgr import PLAIN, TextStyle, shortest_change

BOLD, BOLD_REVERSE = TextStyle(on=frozenset({1})), TextStyle(on=frozenset({1, 7}))


def test_one_attribute_is_cleared_where_the_terminal_can_and_none_for_what_is_added() -> None:
    assert shortest_change(BOLD_REVERSE, BOLD) == "\x1b[27m"
    assert shortest_change(BOLD, BOLD_REVERSE, clears=False) == "\x1b[7m"


@pytest.mark.parametrize("wanted", [BOLD, PLAIN, TextStyle((32,), on=frozenset({7}))])
def test_all_are_cleared_together_where_it_cannot(wanted: TextStyle) -> None:
    change = shortest_change(BOLD_REVERSE, wanted, clears=False)
    codes = [int(code or 0) for code in re.findall(r"\d+|(?<=\[)(?=m)", change)]
    assert codes[0] == 0
    assert not set(codes) & set(range(21, 30))
