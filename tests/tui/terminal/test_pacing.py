"""When a picture may be sent: as soon as the one before has arrived, and a key's at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tui.terminal.pacing import (
    FAST,
    FAST_SECONDS,
    FIRST_PATIENCE,
    LATE,
    MOST_PATIENCE,
    PATIENCE,
    SLOW,
    TYPING,
    Pacer,
)

SIZE = 1000
TRIP = 0.05


class Line:
    """A pacer, a clock, and a line that does nothing of itself."""

    def __init__(self) -> None:
        self.now = 100.0
        self.freed = 0
        self.pacer = Pacer(self._free, lambda: self.now)
        self.pacer.asked()
        self.pass_time(TRIP)
        self.pacer.answered()

    def _free(self) -> None:
        self.freed += 1

    def pass_time(self, seconds: float) -> None:
        self.now += seconds

    def paint(self) -> bool:
        """Send a picture that the terminal takes at once; whether it is asked."""
        self.pacer.handed_over(SIZE)
        self.pacer.written(SIZE)
        if asks := self.pacer.painted():
            self.pacer.asked()
        return asks

    def press(self) -> None:
        self.pacer.typed()

    def paint_slowly(self, pictures: int, seconds: float, held: float | None = None) -> None:
        """Pictures that take so long to arrive, the next one wanted and held back meanwhile."""
        held = seconds if held is None else held
        for _ in range(pictures):
            self.paint()
            self.pass_time(seconds - held)
            self.pacer.may_paint()
            self.pass_time(held)
            self.pacer.answered()


@pytest.fixture
def line() -> Line:
    return Line()


@pytest.fixture
def silent() -> tuple[Pacer, Callable[[float], None]]:
    """A pacer whose terminal never answers, and what lets time pass."""
    now = [0.0]
    pacer = Pacer(lambda: None, lambda: now[0])
    pacer.asked()

    def pass_time(seconds: float) -> None:
        now[0] += seconds

    return pacer, pass_time


def test_the_terminal_is_asked_after_a_picture_and_not_again_before_it_answers(line):
    assert line.paint()
    assert not line.paint()
    line.pacer.answered()
    assert line.paint()


def test_a_picture_waits_for_a_late_answer_and_is_called_for_when_it_comes(line):
    line.paint()
    line.pass_time(TRIP + LATE)
    assert not line.pacer.may_paint()
    assert not line.freed
    line.pacer.answered()
    assert line.freed == 1
    assert line.pacer.may_paint()


def test_nothing_is_called_for_where_nothing_waits(line):
    line.paint()
    line.pass_time(1.0)
    line.pacer.answered()
    assert not line.freed


def test_a_long_way_alone_holds_no_picture_back(line):
    for _ in range(20):
        assert line.pacer.may_paint()
        line.paint()
        line.pass_time(TRIP)
        line.pacer.answered()
    assert not line.pacer.is_slow


def test_on_a_line_that_was_late_each_picture_waits_for_the_one_before(line):
    line.paint_slowly(1, 1.0)
    line.paint()
    assert not line.pacer.may_paint()


def test_a_key_waits_for_no_picture_that_came_by_itself(line):
    line.paint()
    line.pass_time(1.0)
    line.press()
    assert line.pacer.may_paint()


def test_keys_on_a_slow_line_wait_for_the_picture_of_the_key_before(line):
    line.paint_slowly(1, 1.0)
    line.press()
    assert line.pacer.may_paint()
    assert line.paint()
    line.press()
    assert not line.pacer.may_paint()
    line.pacer.answered()
    assert line.pacer.may_paint()


def test_what_is_painted_long_after_a_key_is_not_taken_for_its_answer(line):
    line.press()
    line.pass_time(TYPING)
    line.paint()
    line.pass_time(TRIP + LATE)
    assert not line.pacer.may_paint()


def test_bytes_that_the_terminal_has_not_taken_hold_every_picture_back(line):
    line.pacer.handed_over(SIZE)
    assert not line.pacer.may_paint()
    line.press()
    assert not line.pacer.may_paint()
    line.pacer.written(SIZE)
    assert line.freed == 1
    assert line.pacer.may_paint()


def test_a_terminal_that_never_answered_is_asked_once_and_holds_nothing_back(silent):
    pacer, pass_time = silent
    for _ in range(20):
        pacer.typed()
        assert pacer.may_paint()
        assert not pacer.painted()
        pass_time(FIRST_PATIENCE / 4)
    assert not pacer.is_waiting


def test_a_first_answer_that_comes_very_late_is_an_answer(silent):
    pacer, pass_time = silent
    pass_time(FIRST_PATIENCE + 1)
    assert not pacer.is_waiting
    pacer.answered()
    assert pacer.round_trip == FIRST_PATIENCE + 1
    assert pacer.painted()


def test_an_answer_that_is_lost_holds_pictures_back_no_longer_than_patience_lasts(line):
    waited = []
    for _ in range(6):
        line.paint()
        began = line.now
        line.pass_time(1.0)
        while not line.pacer.may_paint():
            line.pass_time(line.pacer.seconds_to_wait)
        waited.append(line.now - began)
    assert waited[0] == pytest.approx(PATIENCE + LATE)
    assert waited == sorted(waited)
    assert waited[-1] == pytest.approx(MOST_PATIENCE + LATE)


def test_answers_that_nobody_waits_for_change_nothing(line):
    before = line.pacer.round_trip
    line.pacer.answered()
    assert line.pacer.round_trip == before
    assert line.pacer.may_paint()


def test_a_line_is_slow_that_held_pictures_back_for_much_of_the_latest_seconds(line):
    line.paint_slowly(10, 1.0, SLOW * 0.9)
    assert not line.pacer.is_slow
    line.paint_slowly(4, 1.0, SLOW * 1.1)
    line.paint()
    assert line.pacer.is_slow


def test_it_is_fast_again_once_it_held_nothing_back_for_some_seconds(line):
    line.paint_slowly(5, 1.0)
    pictures_a_second = 4
    for _ in range(int(FAST_SECONDS * pictures_a_second * (1 - FAST)) - 1):
        line.paint()
        line.pass_time(1 / pictures_a_second)
        line.pacer.answered()
        assert line.pacer.is_slow
    line.pass_time(1.0)
    line.paint()
    assert not line.pacer.is_slow
    assert not line.pacer.words


def test_a_line_at_the_edge_stays_what_it_is(line):
    between = (FAST + SLOW) / 2
    line.paint_slowly(20, 1.0, between)
    assert not line.pacer.is_slow
    line.paint_slowly(5, 1.0)
    assert line.pacer.is_slow
    line.paint_slowly(20, 1.0, between)
    assert line.pacer.is_slow


def test_one_long_hold_is_enough_and_a_burst_after_it_does_not_undo_it(line):
    line.pacer.handed_over(SIZE)
    line.pacer.may_paint()
    line.pass_time(8.0)
    line.pacer.written(SIZE)
    for _ in range(20):
        line.paint()
        line.pacer.answered()
        line.pass_time(0.1)
        assert line.pacer.is_slow


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.25, "slow line, 4 pictures/s"),
        (0.5, "slow line, 2 pictures/s"),
        (1.0, "slow line, 1 picture/s"),
        (3.0, "slow line, a picture in 3 s"),
    ],
)
def test_it_is_said_how_many_pictures_a_slow_line_takes(line, seconds, words):
    line.paint_slowly(30, seconds)
    assert line.pacer.words == words


def test_on_the_way_out_nothing_is_waited_for_that_is_not_to_come(line, silent):
    line.pacer.settle(60)
    pacer, pass_time = silent
    pass_time(FIRST_PATIENCE + 1)
    pacer.settle(60)
