"""The lab over a slow line between two network namespaces, through a real ssh and sshd."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def report():
    """What the benchmark measures in two rounds, 50 ms each way at 128 kbit/s."""
    from slow_line import NoLineError
    from ssh import measure
    from sshd import NoServerError

    try:
        return measure(delay=50, rate=128_000, rounds=2)
    except (NoLineError, NoServerError) as error:
        pytest.skip(str(error))


def test_keys_show_after_the_line_s_delay_and_training_leaves_room_for_them(report):
    from slow_line import ip

    assert [len(delays.first) for delays in report.delays] == [2, 2, 4, 2, 4, 4]
    for delays in report.delays:
        assert min(delays.first) >= 100, delays.name
    amounts = {amount.name: amount.value for amount in report.amounts}
    assert 0 < amounts["training: of the lab"] <= 8
    assert amounts["log in until the whole picture: on the line"] <= 30
    assert "afterstate" not in ip("netns", "list")
