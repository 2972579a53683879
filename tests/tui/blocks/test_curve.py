"""One geometry for every chart: worked numbers, and what holds of any range."""

from afterstate_lab.tui.blocks.curve import Axis, round_range


def test_a_range_of_round_numbers_holds_both_ends():
    low, high, step = round_range(0.9612, 0.9951, 10)
    assert (round(low, 4), round(high, 4), round(step, 4)) == (0.96, 1.0, 0.005)
    assert round_range(0.5, 0.5, 10)[0] < 0.5 < round_range(0.5, 0.5, 10)[1]


def test_both_ends_are_among_the_ticks_of_a_range_that_is_given():
    assert Axis(0, 20_000).ticks(4) == [0, 5_000, 10_000, 15_000, 20_000]
    assert Axis(50, 50_000, log=True).ticks(4) == [50, 100, 1_000, 10_000, 50_000]


def test_a_number_stands_at_its_share_of_the_axis():
    assert [Axis(-1, 3).share(number) for number in (-1, 0, 3)] == [0, 0.25, 1]


def test_a_logarithmic_axis_gives_each_decade_as_much_room():
    axis = Axis(1, 10_000, log=True)
    assert [axis.share(number) for number in (1, 10, 100, 10_000)] == [0, 0.25, 0.5, 1]
    assert Axis(0, 100, log=True).share(0) == 0
    assert [round(Axis(0.01, 1, log=True).share(x), 9) for x in (0.01, 0.1, 1)] == [0, 0.5, 1]
