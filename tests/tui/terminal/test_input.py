"""What a terminal sends becomes keys and clicks; garbage ends nothing."""

import os
import pty
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import constants, events
from textual.constants import ESCAPE_DELAY
from textual.message import Message

from afterstate_lab.tui.terminal import driver as terminal_input
from afterstate_lab.tui.terminal.driver import ANSWER, LATE_REST, LONGEST_PASTE, TerminalInput

CLICK, SIZE = b"\x1b[<0;7;5M", b"\x1b[48;24;80;480;640t"


class Heard(TerminalInput):
    """Remembers the messages, and how many status replies came of those that are awaited."""

    def __init__(self, awaited: int = 0) -> None:
        self.messages: list[Message] = []
        self.replies = 0
        super().__init__(self.messages.append, self._count, lambda: self.replies < awaited)

    def _count(self) -> None:
        self.replies += 1

    def wait(self, seconds: float) -> None:
        """Let time pass, also for Textual's parser."""
        self._sequence_at -= seconds
        if self._parser._timeout_time is not None:
            self._parser._timeout_time -= seconds
        self.tick()

    def of(self, *pieces: bytes) -> list[str]:
        for piece in pieces:
            self.feed(piece)
        return [
            message.key if isinstance(message, events.Key) else f"paste {message.text}"
            for message in self.messages
            if isinstance(message, events.Key | events.Paste)
        ]

    @property
    def clicks(self) -> list[tuple[int, int]]:
        return [(one.x, one.y) for one in self.messages if isinstance(one, events.MouseDown)]


@contextmanager
def typed(data: bytes) -> Iterator[int]:
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    os.write(ours, data)
    yield theirs
    os.close(ours)
    os.close(theirs)


GARBAGE = (
    b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\x1b[99999999;1u", b"\x1b[1114112;1u",
    b"\x1b[99999999999999999999;1u", b"\x1b[<0;-1;-1M", b"\x1b[48;0;0;0;0t",
)  # fmt: skip
CUT_OFF = (b"\x1b[", b"\x1b[<0;12", b"\x1b[48;24;8", b"\x1b[1;5", b"\x1b[?2")
PASTE = b"\x1b[200~a\tb\r[201~ q\x1b[201~"


@pytest.mark.parametrize(
    ("pieces", "keys"),
    [
        ((b"a\x1b[A", b"\x1b[", b"5~q"), ["a", "up", "pageup", "q"]),
        ((b"\xc3", b"\xa9"), ["é"]),
        ((b"a\x1b[0nb",), ["a", "b"]),  # a reply that nobody waits for
        ((b"\x1b[" + b"5" * 50_000, b"123mq"), ["q"]),  # a report that never ends
        ((b"\x1b[" + b"5" * 50_000, b"\x1b[Aq"), ["up", "q"]),
        ((b"\x1b[200~" + b"x" * 200_000 + b"\x1b[201~",), ["paste " + "x" * LONGEST_PASTE]),
        ((PASTE, b"x"), ["paste a\tb\r[201~ q", "x"]),
        ([bytes([b]) for b in PASTE], ["paste a\tb\r[201~ q"]),
        # a paste whose end was lost is ended by the next key
        ((b"\x1b[200~abc", b"\x1b[27u", b"q"), ["paste abc", "escape", "q"]),
        ((b"\x1b[200~abc", b"\x1b[A", b"q"), ["paste abc", "up", "q"]),
        ((b"\x1b[200~abc", b"\x1bOP", b"q"), ["paste abc", "f1", "q"]),
        # after garbage keys are heard as before
        *(((garbage, b"q"), [..., "q"]) for garbage in GARBAGE),
        *(((garbage + b"q",), [..., "q"]) for garbage in GARBAGE),
    ],
)  # fmt: skip
def test_what_is_sent_becomes_keys_and_pastes(pieces, keys):
    heard = Heard().of(*pieces)
    assert (heard[-1:] if ... in keys else heard) == [key for key in keys if key is not ...]


@pytest.mark.parametrize(
    "before", [SIZE, b"\x1b[48;24;80;0;0t", b"\x1b[48;0;0;0;0t", b"\x1b[?2048;2$y", *CUT_OFF]
)
def test_a_size_is_passed_over_and_a_report_whose_rest_was_lost(before):
    heard = Heard()
    assert heard.of(before, CLICK, b"q") == ["q"]
    assert heard.clicks == [(6, 4)] and len(heard.messages) == 2


def test_a_report_may_take_a_second_to_come(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(constants, "ESCAPE_DELAY", 0.0)
    for cut in range(3, len(CLICK)):
        heard = Heard()
        heard.feed(CLICK[:cut])
        heard.tick()
        heard.feed(CLICK[cut:])
        assert heard.clicks == [(6, 4)] and len(heard.messages) == 1


@pytest.mark.parametrize("before", [b"", b"a" * 4_000, b"\x1b[" + b"5" * 3_000, b"\x1b[200~abc"])
def test_ctrl_c_is_seen_as_soon_as_it_is_read_whatever_comes_before(before: bytes):
    over = threading.Event()

    def take(message: Message) -> None:
        if getattr(message, "key", "") == "ctrl+c":
            over.set()

    with typed(before + b"\x03") as terminal:
        TerminalInput(take).read(terminal, over)


def test_no_esc_is_alone_before_all_that_has_come_is_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(constants, "ESCAPE_DELAY", 0.0)
    monkeypatch.setattr(terminal_input, "READ_SIZE", 1)
    heard, over = Heard(), threading.Event()
    heard._take = lambda message: (heard.messages.append(message), over.set())
    with typed(b"\x1b[A") as terminal:
        heard.read(terminal, over)
    assert heard.of() == ["up"]


def test_a_terminal_is_read_until_it_goes_away_or_all_is_over():
    ours, theirs = pty.openpty()
    os.write(ours, b"q")
    os.close(ours)
    with pytest.raises((EOFError, OSError)):
        Heard().read(theirs, threading.Event())
    os.close(theirs)
    heard, over = Heard(), threading.Event()
    over.set()
    with typed(b"q\n") as terminal:
        heard.read(terminal, over)
    assert heard.messages == []


KEYS = st.lists(
    st.sampled_from([b"a", b"\x1b[A", b"\x1b[1;2B", b"\x1b[200~x\x1b[201~"]), max_size=3
)


@given(
    st.lists(KEYS.map(b"".join), min_size=1, max_size=5), st.lists(st.integers(0, 60), max_size=6)
)
def test_however_status_replies_are_torn_the_keys_between_them_are_heard(keys, cuts):
    data = ANSWER.encode().join(keys)
    ends = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    heard = Heard(awaited=1000)
    assert heard.of(*(data[a:b] for a, b in pairwise(ends))) == Heard().of(b"".join(keys))
    assert heard.replies == len(keys) - 1


@pytest.mark.parametrize(
    ("pieces", "seconds", "keys", "replies"),
    [
        ((b"\x1b", b"[0n"), ESCAPE_DELAY * 0.9, [], 1),
        ((b"\x1b[", b"0n"), LATE_REST * 0.9, [], 1),
        ((b"\x1b[0", b"n"), LATE_REST * 0.9, [], 1),
        ((b"\x1b", b""), ESCAPE_DELAY, ["escape"], 0),
        ((b"\x1b", b"\x1b[0n"), ESCAPE_DELAY, ["escape"], 1),
        ((b"\x1b", b"\x1b[0nq"), 0.0, ["escape", "q"], 1),
        ((b"\x1b[0", b"q"), LATE_REST, ["q"], 0),
        ((b"\x1b[200~a\x1b[0nb", b"\x1b[201~"), 0.0, ["paste ab"], 1),
        ((b"\x1b[" + b"5" * 50, b"5q"), LATE_REST, ["5", "q"], 0),
        ((SIZE[:9], b"q"), LATE_REST, ["q"], 0),
        ((b"\x1bx", b"q"), ESCAPE_DELAY, ["alt+x", "q"], 0),
    ],
)
def test_what_began_is_over_when_its_time_is_and_no_sooner(pieces, seconds, keys, replies):
    heard = Heard(awaited=1000)
    heard.feed(pieces[0])
    heard.wait(seconds)
    assert heard.of(*pieces[1:]) == keys
    assert heard.replies == replies


def test_an_esc_alone_ends_a_paste_and_is_a_key():
    heard = Heard()
    heard.feed(b"\x1b[200~abc\x1b")
    for _ in range(2):
        heard.wait(ESCAPE_DELAY)
    assert heard.of(b"q") == ["paste abc", "escape", "q"]
