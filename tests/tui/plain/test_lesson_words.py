"""Lessons as text: each done to its end by the lines that it says to type."""

from __future__ import annotations

import pytest

from afterstate_lab.tui.lab.lessons.lesson_file import NAMES, packaged_lesson
from afterstate_lab.tui.plain.rehearsal import rehearse_plain


@pytest.mark.quick("tour")
@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_is_gone_through_to_its_end(name: str):
    told = rehearse_plain(packaged_lesson(name))
    steps = packaged_lesson(name).steps
    headings = [line for line in told if line.startswith("Step ")]
    assert [line.partition(",")[0] for line in headings] == [
        f"Step {number}/{len(steps)}" for number in range(1, len(steps) + 1)
    ]
    assert all(line.isascii() for line in told)
    assert not any("{" in line or "('" in line for line in headings)
