"""The terminal's input: keys, mouse, sizes and status replies. Garbage is skipped and ends nothing.

Textual's own reading thread ends, and the app with it, at the first byte that is not UTF-8, at a
key code that is not a character, and at a click in a window that reported no pixels. A line that
drops bytes and a terminal with another encoding send such input.
"""

from __future__ import annotations

import os
import re
import select
import threading
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable

from textual import constants, events
from textual.message import Message

from tui.terminal.pacing import REPLY
from tui.terminal.textual_internals import (
    BRACKETED_PASTE_END,
    BRACKETED_PASTE_START,
    TerminalParser,
)

LONGEST_SIDE = 9_999
"""Maximum columns or rows that a terminal can have."""
LARGEST_SIZE = 1_000, 400
"""Maximum columns and rows that are painted: what a picture takes in memory and time is bounded."""
TICK = 0.1
"""Seconds between checks whether an Esc stood alone and whether reading ends."""
READ_SIZE = 1 << 12
LATE_REST = 1.0
"""Seconds for the rest of what nobody types: a reply, or more than `ESC [`."""
ESC = "\x1b"
CTRL_C = b"\x03"
REPORT = re.compile(r"\x1b\[[\d;:<=>?]*")
"""The beginning of what a terminal reports: a size, a click, a long key."""
LONGEST_REPORT, LONGEST_PASTE = 32, 100_000
"""Characters; the rest of a longer one is dropped."""
ALT_BRACKET = "\x1b["
"""As much of one as a user can type."""


class TerminalInput:
    """Turns the bytes that a terminal sends into messages.

    Args:
        take: called with each message.
    """

    def __init__(self, take: Callable[[Message], object]) -> None:
        self._take = take
        self._decode = getincrementaldecoder("utf-8")("ignore").decode
        self._parser = TerminalParser()
        self._sequence = ""
        """The beginning of a sequence that has not ended."""
        self._sequence_at = 0.0
        self._drops_report = False
        """Whether the report that has begun is too long."""
        self._recent = ""
        self._is_pasting = False
        self._pasted = 0
        self._held = ""
        """Within a paste: a possible beginning of its end sequence."""
        self._held_at = 0.0

    def feed(self, data: bytes) -> None:
        for character in self._decode(data):
            if self._is_pasting:
                self._paste(character)
            else:
                self._read(character)

    def tick(self) -> None:
        """Process the passing of time: an Esc that nothing followed was the key."""
        if not self._held:
            self._drops_report &= time.monotonic() - self._sequence_at < LATE_REST
            if self._sequence == ALT_BRACKET or not REPORT.fullmatch(self._sequence):
                self._parse(self._parser.tick)
            elif time.monotonic() - self._sequence_at >= LATE_REST:
                self._restart()
        elif time.monotonic() - self._held_at >= constants.ESCAPE_DELAY:
            self._end_paste(self._held)

    def _read(self, character: str) -> None:
        if self._drops_report:
            self._sequence_at = time.monotonic()
            self._drops_report = REPORT.fullmatch(f"{ALT_BRACKET}{character}") is not None
            if character >= " ":
                return
        if REPORT.fullmatch(self._sequence):
            self._drops_report = len(self._sequence) >= LONGEST_REPORT
            if character == ESC or self._drops_report:
                self._restart()  # the rest was lost; Textual would take the beginning for text
            if self._drops_report:
                self._read(character)
                return
        self._parse(lambda: self._parser.feed(character))
        if not self._parser.is_within_sequence:
            self._sequence = ""
        elif character == ESC:
            self._sequence = ESC
        else:
            self._sequence += character
        self._sequence_at = time.monotonic()
        self._recent = (self._recent + character)[-len(BRACKETED_PASTE_START) :]
        self._is_pasting, self._pasted = self._recent == BRACKETED_PASTE_START, 0

    def _paste(self, character: str) -> None:
        """Process a character of a paste.

        Terminals remove Esc from pasted text, so an Esc that does not begin the end sequence is a
        key, and the end sequence was lost: without this, all later keys would be swallowed.
        """
        held = self._held + character
        if held == BRACKETED_PASTE_END:
            self._end_paste("")
        elif BRACKETED_PASTE_END.startswith(held):
            self._held, self._held_at = held, time.monotonic()
        elif self._held:
            self._end_paste(held)
        elif self._pasted < LONGEST_PASTE:
            self._pasted += 1
            self._parse(lambda: self._parser.feed(character))

    def _end_paste(self, after: str) -> None:
        self._held = ""
        for character in BRACKETED_PASTE_END + after:
            self._read(character)

    def _parse(self, parse: Callable[[], Iterable[Message]]) -> None:
        parser = self._parser
        try:
            for message in parse():
                if not isinstance(message, events.Resize):
                    self._take(message)
                elif is_possible(message):
                    parser.mouse_pixels = all(message.pixel_size or (0,))
                    self._take(within_bounds(message))
                else:
                    parser.mouse_pixels = False
        except (ArithmeticError, ValueError):
            self._restart()

    def _restart(self) -> None:
        """Forget the sequence that has begun."""
        parser, self._parser, self._sequence = self._parser, TerminalParser(), ""
        self._parser.mouse_pixels = parser.mouse_pixels
        self._parser.terminal_size = parser.terminal_size
        self._parser.terminal_pixel_size = parser.terminal_pixel_size


def is_possible(resize: events.Resize) -> bool:
    """Whether a terminal can have the size that it reports; else a line has garbled the report."""
    return all(0 < side <= LONGEST_SIDE for side in resize.size)


def within_bounds(resize: events.Resize) -> events.Resize:
    """The size as far as the lab uses it."""
    columns, rows = map(min, resize.size, LARGEST_SIZE)
    return events.Resize.from_dimensions((columns, rows), resize.pixel_size)


def read_terminal(
    number: int,
    is_over: threading.Event,
    take: Callable[[Message], object],
    without_replies: Callable[[bytes], bytes] = bytes,
) -> None:
    """Turn what a terminal sends into messages until told to stop.

    Args:
        number: the terminal's file descriptor.
        is_over: set to stop.
        take: called with each message.
        without_replies: removes status replies; called with nothing, it returns what it held back.

    Raises:
        EOFError: the terminal has gone away.
        OSError: it cannot be read.
    """
    incoming = TerminalInput(take)
    while not is_over.is_set():
        if select.select([number], [], [], TICK)[0]:
            data = os.read(number, READ_SIZE)
            if not data:
                raise EOFError
            data = without_replies(data)
            if CTRL_C in data:  # at once, also amid a paste or a report
                take(events.Key("ctrl+c", None))
            else:
                incoming.feed(data)
        else:
            incoming.feed(without_replies(b""))
            incoming.tick()  # here alone: what has come already may be the rest of a sequence


class StatusReplyFilter:
    """Takes status replies out of the terminal's input, also where the line splits them.

    Args:
        answered: called for each reply.
        is_awaited: whether a reply is to come; only then may an Esc be the beginning of one.
        clock: seconds, for tests.
    """

    def __init__(
        self,
        answered: Callable[[], None],
        is_awaited: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._answered = answered
        self._is_awaited = is_awaited
        self._clock = clock
        self._held = b""
        """A possible beginning of a reply."""
        self._held_at = 0.0

    def without_replies(self, data: bytes) -> bytes:
        """The input without replies.

        Args:
            data: what came; nothing where time passed and nothing came.
        """
        if not data:
            return self._rest()
        *others, rest = (self._held + data).split(REPLY)
        self._held = b""
        for _ in others:
            self._answered()
        if self._is_awaited():
            begun = next(n for n in range(len(REPLY) - 1, -1, -1) if rest.endswith(REPLY[:n]))
            if begun:
                self._held, self._held_at = rest[-begun:], self._clock()
                rest = rest[:-begun]
        return b"".join(others) + rest

    def _rest(self) -> bytes:
        """What was held back, once no reply can come of it."""
        patience = constants.ESCAPE_DELAY if len(self._held) == 1 else LATE_REST
        if not self._held or self._clock() - self._held_at < patience:
            return b""
        held, self._held = self._held, b""
        return held
