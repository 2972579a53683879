"""The terminal's answers are taken out of the keys, whole or torn, and no key is lost with them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.constants import ESCAPE_DELAY

from tui.terminal.driver import LATE_REST, StatusReplyFilter
from tui.terminal.pacing import REPLY

KEYS = st.binary(max_size=6).filter(lambda data: b"\x1b" not in data)


class Keyboard:
    """What comes through, and how many answers were found."""

    def __init__(self, awaited: int = 1000) -> None:
        self.now = 0.0
        self.awaited = awaited
        self.count = 0
        self.replies = StatusReplyFilter(self._answered, lambda: self.awaited > 0, lambda: self.now)

    def _answered(self) -> None:
        self.count += 1
        self.awaited -= 1

    def type(self, *pieces: bytes) -> bytes:
        return b"".join(self.replies.without_replies(piece) for piece in pieces)

    def wait(self, seconds: float) -> bytes:
        self.now += seconds
        return self.replies.without_replies(b"")


@given(st.lists(KEYS, min_size=1, max_size=5), st.lists(st.integers(0, 60), max_size=6))
def test_however_answers_are_torn_the_keys_between_them_come_through(keys, cuts):
    keyboard = Keyboard()
    data = REPLY.join(keys)
    ends = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    pieces = [data[start:end] for start, end in pairwise(ends) if end > start]
    through = keyboard.type(*pieces)
    assert through == b"".join(keys)
    assert keyboard.count == len(keys) - 1


@pytest.mark.parametrize("at", [1, 2, 3])
def test_no_piece_of_an_answer_comes_through_while_the_rest_may_come(at):
    keyboard = Keyboard()
    assert keyboard.type(REPLY[:at]) == b""
    assert keyboard.wait(ESCAPE_DELAY * 0.9) == b""
    assert keyboard.type(REPLY[at:]) == b""
    assert keyboard.count == 1


def test_an_esc_is_a_key_once_nothing_follows_it():
    keyboard = Keyboard()
    assert keyboard.type(b"\x1b") == b""
    assert keyboard.wait(ESCAPE_DELAY) == b"\x1b"
    assert keyboard.wait(ESCAPE_DELAY) == b""


def test_an_esc_is_a_key_at_once_where_no_answer_is_to_come():
    keyboard = Keyboard(awaited=0)
    assert keyboard.type(b"\x1b") == b"\x1b"


def test_arrow_keys_come_through_at_once():
    keyboard = Keyboard()
    assert keyboard.type(b"\x1b[A", b"\x1b[1;2B", b"\x1bOC") == b"\x1b[A\x1b[1;2B\x1bOC"


def test_an_arrow_key_that_was_torn_comes_through_whole():
    keyboard = Keyboard()
    assert keyboard.type(b"x\x1b") == b"x"
    assert keyboard.type(b"[") == b""
    assert keyboard.type(b"A") == b"\x1b[A"


def test_an_esc_before_an_answer_comes_through():
    keyboard = Keyboard()
    assert keyboard.type(b"\x1b", REPLY) == b"\x1b"
    assert keyboard.count == 1


def test_a_piece_whose_rest_is_lost_is_let_through_in_the_end():
    keyboard = Keyboard()
    assert keyboard.type(REPLY[:3]) == b""
    assert keyboard.wait(LATE_REST) == REPLY[:3]


def test_an_answer_that_nobody_waits_for_is_no_key_either():
    keyboard = Keyboard(awaited=0)
    assert keyboard.type(b"a" + REPLY + b"b") == b"ab"
