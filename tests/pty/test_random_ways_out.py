"""Some random ways out of the lab at random moments; the benchmarks take hundreds."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow


def test_nothing_is_missing_after_any_way_out():
    from ways_out import measure

    for count in measure(tries=10, seed=3):
        assert count.is_whole(), (count.way.name, count.missing, count.seconds, count.restored)


def test_kill_9_loses_nothing_and_leaves_nothing_running():
    from kills import KINDS, killed

    assert not [wrong for _, _, wrong in killed(kills=len(KINDS), seed=3) if wrong]
