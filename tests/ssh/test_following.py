"""Two who follow one lecture over a real sshd see each place of it, for a few hundred bytes."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow
STEPS = 5


@pytest.mark.parametrize(("columns", "rows", "most"), [(80, 24, 1_600), (120, 40, 3_200)])
def test_each_follower_is_sent_what_changes(sshd, columns, rows, most):
    from following import measured

    cost = measured(sshd(), columns, rows, 2, STEPS, pause=0, idle_seconds=1)
    assert (cost.followers, cost.steps) == (2, STEPS)
    assert 100 < cost.bytes_median < most
    assert 0 < cost.first_median <= cost.last_median
