"""How hot a value is among those on the board."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab.tui.lab.heat import HeatScale, ranks

REWARDS = (1.0, 0.5, 0.0)
VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=9)


@given(VALUES)
def test_heat_has_the_sign_of_the_distance_to_a_draw_and_rises_with_the_value(values):
    scale = HeatScale(values, REWARDS)
    hot = [scale.heat(value) for value in sorted(values)]
    assert all(-1.0 <= heat <= 1.0 for heat in hot)
    assert all(low <= high + 1e-9 for low, high in pairwise(hot))
    assert all((heat > 0) <= (v > 0.5) for heat, v in zip(hot, sorted(values), strict=True))


def test_a_draw_has_no_heat_and_what_is_farthest_from_it_has_all():
    scale = HeatScale((0.5, 0.55, 0.2), REWARDS)
    assert [scale.heat(value) for value in (0.5, 0.35, 0.2)] == pytest.approx([0.0, -0.5, -1.0])
    assert scale.heat(0.55) == pytest.approx(1 / 6)


def test_values_on_one_side_of_a_draw_share_nearly_the_whole_scale():
    scale = HeatScale((0.90, 0.95, 1.0), REWARDS)
    assert [scale.heat(v) for v in (0.90, 0.95, 1.0)] == pytest.approx([0.2, 0.6, 1.0])


def test_what_cannot_be_read_as_different_does_not_look_different():
    scale = HeatScale((0.5, 0.5002), REWARDS)
    assert scale.heat(0.5002) == pytest.approx(0.01)
    assert HeatScale((0.9, 0.9), REWARDS).heat(0.9) == 1.0


def test_the_scale_says_where_a_draw_lies_and_is_left_out_where_all_is_equal():
    view = HeatScale((0.4, 0.7), REWARDS).view()
    assert view is not None
    assert (view.low, view.high, view.draw) == (0.4, 0.7, 3)
    assert view.heats[3] == 0.0
    assert view.heats[0] < 0 < view.heats[4] < view.heats[9]
    above = HeatScale((0.6, 0.7), REWARDS).view()
    assert above is not None
    assert above.draw is None
    assert HeatScale((0.5,) * 9, REWARDS).view() is None


def test_equal_values_share_a_rank():
    assert ranks({0: 0.5, 4: 0.9, 8: 0.5, 2: 0.1}) == {4: 1, 0: 2, 8: 2, 2: 3}
