"""The meter's figures are what was written."""

from __future__ import annotations

import pytest

from tui.terminal.pacing import WINDOW, Meter, kilobytes


class Wire:
    """A meter whose time stands still."""

    def __init__(self) -> None:
        self.now = 0.0
        self.meter = Meter(lambda: self.now)

    def write(self, size: int, *, only_figures: bool = False) -> None:
        self.meter.handed_over(size)
        self.meter.written(size)
        self.meter.painted(only_figures=only_figures)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0"), (10, ".01"), (94, ".09"), (95, ".1"), (700, ".7"), (1000, "1.0"),
        (12_340, "12.3"), (99_949, "99.9"), (123_456, "123"),
    ],
)  # fmt: skip
def test_sizes_are_kilobytes_in_four_characters(size, text):
    assert kilobytes(size) == text


def test_the_rate_is_what_was_written_in_the_last_second():
    wire = Wire()
    wire.write(700)
    wire.now = 0.6
    wire.write(300)
    assert wire.meter.rate == 1000
    wire.now = 1.2
    assert wire.meter.rate == 300


def test_a_picture_is_all_that_was_handed_over_since_the_one_before():
    wire = Wire()
    wire.meter.handed_over(8)
    wire.meter.handed_over(700)
    wire.meter.painted(only_figures=False)
    assert wire.meter.picture == 708


def test_its_own_figures_count_in_the_rate_but_are_no_picture():
    wire = Wire()
    wire.write(700)
    wire.write(30, only_figures=True)
    assert wire.meter.rate == 730
    assert wire.meter.words == "▲   .7 kB/s   .7 kB"


def test_nothing_is_told_of_its_own_figures_once_there_is_nothing_else():
    wire = Wire()
    wire.write(700)
    wire.now = WINDOW
    wire.write(30, only_figures=True)
    assert wire.meter.is_quiet
    assert wire.meter.words == "▲    0 kB/s   .7 kB"
