"""Some random ways out of the lab at random moments; the benchmark takes two hundred."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow


def test_nothing_is_missing_after_any_way_out():
    from ways_out import measure

    for count in measure(tries=10, seed=3):
        assert count.is_whole(), (count.way.name, count.missing, count.seconds, count.restored)
