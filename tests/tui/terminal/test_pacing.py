"""A picture is sent as soon as the previous one has arrived, and a key's at once."""

from __future__ import annotations

import pytest

from afterstate_lab.tui.terminal.pacing import (
    FIRST_PATIENCE,
    LATE,
    MOST_PATIENCE,
    PATIENCE,
    QUESTION,
    TYPING,
    Pacer,
)

SIZE = 1000
TRIP = 0.05


class Line:
    """A pacer, a clock, and a line that does nothing on its own."""

    def __init__(self, *, answers: bool = True) -> None:
        self.now = 100.0
        self.freed = 0
        self.pacer = Pacer(self._free, lambda: self.now)
        self._ask()
        if answers:
            self.now += TRIP
            self.pacer.answered()

    def _free(self) -> None:
        self.freed += 1

    def _ask(self) -> None:
        self.pacer.asked()
        self.pacer.written(len(QUESTION))

    def paint(self) -> bool:
        """Send a picture that the terminal takes at once; whether it is asked."""
        self.pacer.handed_over(SIZE)
        self.pacer.written(SIZE)
        if asks := self.pacer.painted():
            self._ask()
        return asks

    def is_late(self) -> None:
        """Paint, and let the answer take a second."""
        self.paint()
        self.now += 1.0
        self.pacer.answered()


@pytest.fixture
def line() -> Line:
    return Line()


@pytest.fixture
def silent() -> Line:
    """A line to a terminal that does not answer."""
    return Line(answers=False)


def test_the_terminal_is_asked_after_a_picture_and_not_again_before_it_answers(line):
    assert line.paint()
    assert not line.paint()
    line.pacer.answered()
    assert not line.pacer.painted(), "nothing was sent"
    assert line.paint()


def test_a_picture_waits_for_a_late_answer_and_is_called_for_when_it_comes(line):
    line.paint()
    line.now += TRIP + LATE
    assert not line.pacer.may_paint()
    assert not line.freed
    line.pacer.answered()
    assert line.freed == 1
    assert line.pacer.may_paint()


def test_nothing_is_called_for_where_nothing_waits(line):
    line.is_late()
    assert not line.freed


def test_a_long_way_alone_holds_no_picture_back(line):
    for _ in range(20):
        assert line.pacer.may_paint()
        line.paint()
        line.now += TRIP
        line.pacer.answered()


def test_on_a_line_that_was_late_each_picture_waits_for_the_one_before(line):
    line.is_late()
    line.paint()
    assert not line.pacer.may_paint()


def test_a_key_waits_for_the_pictures_of_keys_only(line):
    line.is_late()
    line.paint()
    line.now += 1.0
    line.pacer.typed()
    assert line.pacer.may_paint()
    assert line.paint()
    line.pacer.typed()
    assert not line.pacer.may_paint()
    line.pacer.answered()
    line.pacer.answered()
    assert line.pacer.may_paint()


def test_what_is_painted_long_after_a_key_is_not_taken_for_its_answer(line):
    line.pacer.typed()
    line.now += TYPING
    line.paint()
    line.now += TRIP + LATE
    assert not line.pacer.may_paint()


def test_bytes_that_the_terminal_has_not_taken_hold_every_picture_back(line):
    line.pacer.handed_over(SIZE)
    assert not line.pacer.may_paint()
    line.pacer.typed()
    assert not line.pacer.may_paint()
    line.pacer.written(SIZE)
    assert line.freed == 1
    assert line.pacer.may_paint()


def test_a_terminal_that_never_answered_is_asked_once_and_holds_nothing_back(silent):
    for _ in range(20):
        silent.pacer.typed()
        assert silent.pacer.may_paint()
        assert not silent.paint()
        silent.now += FIRST_PATIENCE / 4
    assert not silent.pacer.is_waiting


def test_a_first_answer_that_comes_very_late_is_an_answer(silent):
    silent.now += FIRST_PATIENCE + 1
    assert not silent.pacer.is_waiting
    silent.pacer.answered()
    assert silent.paint()


def test_an_answer_that_is_lost_holds_pictures_back_no_longer_than_patience_lasts(line):
    waited = []
    for _ in range(6):
        line.paint()
        began = line.now
        line.now += 1.0
        while not line.pacer.may_paint():
            line.now += line.pacer.seconds_to_wait
        waited.append(line.now - began)
    assert waited[0] == pytest.approx(PATIENCE + LATE)
    assert waited == sorted(waited)
    assert waited[-1] == pytest.approx(MOST_PATIENCE + LATE)


def test_answers_that_nobody_waits_for_change_nothing(line):
    line.pacer.answered()
    assert line.pacer.may_paint()


def test_on_the_way_out_nothing_is_waited_for_that_is_not_to_come(line, silent):
    line.pacer.settle(60)
    silent.now += FIRST_PATIENCE + 1
    silent.pacer.settle(60)
