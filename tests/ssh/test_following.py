"""Two who follow one lecture over a real sshd see each place of it, for a few hundred bytes."""

from statistics import median

import pytest

pytestmark = pytest.mark.slow
STEPS = 5


@pytest.mark.parametrize(("columns", "rows", "most"), [(80, 24, 1_600), (120, 40, 3_200)])
def test_each_follower_is_sent_what_changes(sshd, columns, rows, most):
    from ssh import followed

    taken, _ = followed(sshd(), columns, rows, 2, STEPS)
    first, last, sizes = map(median, zip(*taken, strict=True))
    assert len(taken) == 2 * STEPS
    assert 100 < sizes < most
    assert 0 < first <= last
