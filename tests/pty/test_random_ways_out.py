"""Some random ends of the lab at random moments; the benchmark takes a thousand."""

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 7])
def test_nothing_is_missing_after_any_way_out_and_nothing_is_left_running(first: int):
    from kills import killed

    assert not [(kind, wrong) for _, kind, wrong in killed(7, seed=3, first=first) if wrong]
