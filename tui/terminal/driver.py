"""A driver of the terminal for Textual: few bytes, and a safe end.

Textual's own reading thread ends, and the app with it, at the first byte that is not UTF-8, at a
key code that is not a character, and at a click in a window that reported no pixels. A line that
drops bytes and a terminal with another encoding send such input; here it is skipped.

`Pacer` limits the frame rate on slow connections, and never lets a stale frame be sent. After a
frame the lab asks the terminal for its status (`ESC [ 5 n`); the answer (`ESC [ 0 n`) comes after
everything sent earlier has arrived. While an answer is late, only a key sends a frame; the next
frame shows every change. If a terminal does not answer the first question, the lab does not ask
again: then only blocking writes hold frames back.
"""

from __future__ import annotations

import asyncio
import os
import re
import select
import signal
import sys
import threading
import time
from base64 import b64encode
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import IO, TYPE_CHECKING, Any

from textual import constants, events
from textual.geometry import Size
from textual.message import Message
from textual.messages import InBandWindowResize

from .detect import QUESTION, REPLY, terminal_size
from .picture import PictureStream
from .textual_internals import BRACKETED_PASTE_END, BRACKETED_PASTE_START, TerminalParser

if TYPE_CHECKING:
    from textual.driver import Driver

    from .shutdown import ShutdownGuard


FIRST_PATIENCE = 2.0
"""Seconds for the first answer; a terminal that takes longer is not asked again."""
PATIENCE = 5.0
"""Minimum number of seconds after which an answer counts as lost."""
MOST_PATIENCE = 60.0
LATE = 0.1
"""Seconds beyond the shortest answer time that count as late."""
TYPING = 0.25
"""Paints within this many seconds of a key press count as its echo."""


class Pacer:
    """Decides when to send a frame. Several threads report bytes and answers to it.

    Args:
        freed: called, in any thread, when a held-back frame can be sent.
        clock: seconds, for tests.
    """

    def __init__(
        self, freed: Callable[[], object], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._freed = freed
        self._clock = clock
        self._changed = threading.Condition()
        self.begin()

    def begin(self) -> None:
        """Start with an unknown terminal."""
        self._questions: deque[tuple[float, bool]] = deque()
        """The times of open questions, and whether each followed a key."""
        self._shortest: float | None = None
        """The shortest answer time, if any."""
        self._excess = 0.0
        """How much longer the latest answer took."""
        self._patience = PATIENCE
        self._unwritten = 0
        """Characters that the terminal has not yet taken."""
        self._typed_at = -TYPING
        self._is_holding = False
        """Whether a frame was held back since the last frame."""
        self._has_news = False
        """Whether more than a question was written since then."""

    def handed_over(self, size: int) -> None:
        """Count characters to write."""
        with self._changed:
            self._unwritten += size
            self._has_news = True

    def written(self, size: int) -> None:
        with self._changed:
            self._unwritten -= size
            is_waited_for = self._is_holding and not self._unwritten
        if is_waited_for:
            self._freed()

    def typed(self) -> None:
        """Note user input."""
        self._typed_at = self._clock()

    def asked(self) -> None:
        with self._changed:
            self._questions.append((self._clock(), self.is_after_key))
            self._unwritten += len(QUESTION)

    def answered(self) -> None:
        """Note an answer; ignore one that counted as lost."""
        with self._changed:
            if not self._questions:
                return
            took = self._clock() - self._questions.popleft()[0]
            self._shortest = min(took, self._shortest or took)
            self._excess = took - self._shortest
            self._patience = max(PATIENCE, 4 * took)
            self._changed.notify_all()
            is_waited_for = self._is_holding
        if is_waited_for:
            self._freed()

    def seconds_to_wait(self) -> float | None:
        """Return None if a frame can be sent now; if not, `freed` is called later.

        Answers can be lost: then check again after so many seconds.
        """
        with self._changed:
            if not self._unwritten and self._is_answered_for():
                return None
            self._is_holding = True
            waited = self._clock() - self._questions[0][0] if self._questions else 0.0
            return max(0.0, self._patience - waited) + LATE

    def painted(self) -> bool:
        """Note a sent frame, and return whether to ask the terminal now."""
        with self._changed:
            has_news, self._has_news, self._is_holding = self._has_news, False, False
            if not has_news or (self._shortest is None and self._questions):
                return False
            is_after_key = self.is_after_key
            return not any(after_key >= is_after_key for _, after_key in self._questions)

    def settle(self, seconds: float) -> None:
        """Wait for outstanding answers, so that no shell gets them."""
        with self._changed:
            self._changed.wait_for(lambda: not self.is_waiting, seconds)

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is outstanding, of a terminal that may answer."""
        if not self._questions:
            return False
        waited = self._clock() - self._questions[0][0]
        return self._shortest is not None or waited <= FIRST_PATIENCE

    @property
    def is_after_key(self) -> bool:
        """Whether there was recent user input."""
        return self._clock() - self._typed_at < TYPING

    def _is_answered_for(self) -> bool:
        """Whether the connection keeps up, judged by answers; after a key, only by those of
        keys."""
        if self._shortest is None:
            return True
        is_after_key = self.is_after_key
        waiting = [at for at, after_key in self._questions if after_key or not is_after_key]
        if not waiting:
            return True
        age = self._clock() - waiting[0]
        if age > self._patience:
            self._questions.clear()
            self._patience = min(MOST_PATIENCE, 2 * self._patience)
            return True
        return self._excess < LATE and age < self._shortest + LATE


ALL_OR_NONE = ("vt1",)
"""Prefixes of TERM of terminals that clear all attributes at once, or none."""
SIMPLE_TERMINALS = ("linux", "vt")
"""Prefixes of TERM of terminals that print part of what they do not know, as to copy."""
BEYOND_SIMPLE = re.compile(r"\x1b\[[<>][0-9;]*u|\x1b\][^\x07]*\x07|\x1b\[\?2026\$p")
"""Keyboard protocols, pointer shapes, and a query for synchronised output."""
SIZES_QUERY = "\x1b[?2048$p"
"""Asks for reports of sizes among the keys; a signal reports each new size anyway."""
LAST_ANSWERS = 0.3
"""Seconds to wait for outstanding answers at the end."""
USER_INPUT = (
    events.Key,
    events.Paste,
    events.MouseDown,
    events.MouseUp,
    events.MouseScrollDown,
    events.MouseScrollUp,
)
"""Messages that count as user input; moving the pointer does not."""


class TerminalFile:
    """The output of the screen, which reports the loss of the terminal once.

    Args:
        file: the terminal.
        lost: called when it cannot be written to; in the writing thread.
        taken: called with the number of characters that it has taken; in the writing thread.
    """

    def __init__(
        self, file: IO[str], lost: Callable[[], None], taken: Callable[[int], None]
    ) -> None:
        self.fileno = file.fileno
        self._file, self._lost, self._taken = file, lost, taken
        self._is_lost = False
        self._unsent = 0

    def write(self, text: str) -> None:
        self._unsent += len(text)
        self._attempt(self._file.write, text)

    def flush(self) -> None:
        self._attempt(self._file.flush)
        self._taken(self._unsent)
        self._unsent = 0

    def _attempt(self, write: Callable[..., Any], *arguments: str) -> None:
        try:
            if not self._is_lost:
                write(*arguments)
        except (OSError, ValueError):
            self._is_lost = True
            self._lost()


def few_bytes_driver(
    driver_class: type[Driver], pacer: Pacer, guard: ShutdownGuard
) -> type[Driver]:
    """Return a driver that sends few bytes.

    Args:
        driver_class: the platform's.
        pacer: told of bytes, answers and what the user does.
        guard: told of Ctrl-C, whatever was typed before it, of the loss of the terminal, and of
            its return to what it was before.
    """

    class FewBytesDriver(driver_class):  # type: ignore[misc, valid-type]
        """Writes the same picture in fewer bytes, and counts them."""

        _file: Any
        _app: Any

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            # Else the app would first be laid out for the size that the terminal says it has.
            size = kwargs["size"] = kwargs.get("size") or self._get_terminal_size()
            super().__init__(*args, **kwargs)
            self._is_simple = os.environ.get("TERM", "").startswith(SIMPLE_TERMINALS)
            clears = not os.environ.get("TERM", "").startswith(ALL_OR_NONE)
            self.picture = PictureStream(*size, clears=clears)
            self._writing = threading.Lock()
            self._arrived: deque[Message] = deque()
            self.input = TerminalInput(
                self.process_message, pacer.answered, lambda: pacer.is_waiting
            )
            self._file = TerminalFile(sys.__stdout__ or self._file, guard.lost, pacer.written)
            self._on_signals(SIGTSTP="_sigtstp_application", SIGCONT="_sigcont_application")

        def write(self, data: str) -> None:
            data = data.replace(SIZES_QUERY, "")
            if self._is_simple:
                data = BEYOND_SIMPLE.sub("", data)
            with self._writing:
                data = self.picture.rewrite(data)
                pacer.handed_over(len(data))
                super().write(data)

        def _get_terminal_size(self) -> tuple[int, int]:
            """Return the size in use."""
            columns, rows = terminal_size()
            return min(columns, LARGEST_SIZE[0]), min(rows, LARGEST_SIZE[1])

        def ask(self) -> None:
            """Ask the terminal whether all output arrived."""
            if os.name == "posix":
                pacer.asked()
                super().write(QUESTION)

        def size_changed(self) -> None:
            """Send the app the size, even if it is the same size again."""
            size = Size(*self._get_terminal_size())
            self.process_message(events.Resize(size, size))

        def process_message(self, message: Message) -> None:
            """Pass on a message of the terminal; note user input for pacing."""
            if isinstance(message, USER_INPUT):
                pacer.typed()
            if isinstance(message, events.Key) and message.key == "ctrl+c":
                self._arrived.clear()
                guard.leave(0)
            else:
                super().process_message(message)

        def send_message(self, message: Message) -> None:
            """Send the app a message; messages that arrive together wake its loop once."""
            self._arrived.append(message)
            if len(self._arrived) == 1:
                self._loop.call_soon_threadsafe(self._deliver)

        def _deliver(self) -> None:
            while self._arrived:
                self._app.post_message(self._arrived.popleft())

        def run_input_thread(self) -> None:
            try:
                self.input.read(self.fileno, self.exit_event)
            except (EOFError, OSError):
                guard.lost()

        def start_application_mode(self) -> None:
            """Take over the terminal, and check whether it answers."""
            self.picture.resize(*self._get_terminal_size())
            pacer.begin()
            super().start_application_mode()
            self._on_signals(SIGWINCH="size_changed")
            self.ask()

        def _on_signals(self, **handlers: str) -> None:
            """Handle signals through the loop, if the system supports it.

            So no signal interrupts a paint or another signal, and each wakes the loop, whichever
            thread gets it. A loop that many wait for needs no more of them, and no word about it.
            """
            for name, method in handlers.items():
                if hasattr(signal, name):
                    number, loop = getattr(signal, name), asyncio.get_running_loop()
                    loop.add_signal_handler(number, getattr(self, method))
                    signal.set_wakeup_fd(signal.set_wakeup_fd(-1), warn_on_full_buffer=False)

        def disable_input(self) -> None:
            """Stop reading, after outstanding answers have come."""
            pacer.settle(LAST_ANSWERS)
            super().disable_input()

        def stop_application_mode(self) -> None:
            """Restore the terminal; if the process is ending, wait until it has every byte."""
            super().stop_application_mode()
            if guard.forcing.locked():
                super().close()
                guard.restored()

        def _sigcont_application(self, *_: object) -> None:
            """Repaint everything after a shell used the terminal."""
            if self._must_signal_resume:
                super()._sigcont_application()
            self._app.call_later(self._app.action_repaint)

    return FewBytesDriver


LARGEST_SIZE = 1_000, 400
"""Maximum columns and rows to paint, which bounds memory and time."""
TICK = 0.1
"""Seconds between two checks for a single Esc and for the end."""
READ_SIZE = 1 << 12
LATE_REST = 1.0
"""Seconds to wait for the rest of a reply or a long sequence."""
ESC = "\x1b"
CTRL_C = b"\x03"
REPORT = re.compile(r"\x1b\[[\d;:<=>?]*")
"""The start of a report: a size, a click, a long key."""
LONGEST_REPORT, LONGEST_PASTE = 32, 100_000
"""Maximum number of characters; the rest is dropped."""
ANSWER = REPLY.decode()
ALT_BRACKET = "\x1b["
"""The start of a sequence that a user can also type."""


class TerminalInput:
    """Turns bytes from the terminal into messages.

    Args:
        take: called with each message.
        answered: called for each status reply.
        is_awaited: whether a status reply is due; `ESC [` may be its start then.
    """

    def __init__(
        self,
        take: Callable[[Message], object],
        answered: Callable[[], object] = lambda: None,
        is_awaited: Callable[[], bool] = lambda: False,
    ) -> None:
        self._take = take
        self._answered = answered
        self._is_awaited = is_awaited
        self._decode = getincrementaldecoder("utf-8")("ignore").decode
        self._parser = TerminalParser()
        self._sequence = ""
        """The start of an unfinished sequence; in a paste, perhaps of its end."""
        self._sequence_at = 0.0
        self._drops_report = False
        """Whether the current report is too long."""
        self._is_pasting = False
        self._pasted = 0

    def read(self, number: int, is_over: threading.Event) -> None:
        """Read from a file descriptor until told to stop.

        Raises:
            EOFError: the terminal has gone away.
            OSError: it cannot be read.
        """
        while not is_over.is_set():
            if not select.select([number], [], [], TICK)[0]:
                self.tick()  # here only: what has come already may be the rest of a sequence
                continue
            data = os.read(number, READ_SIZE)
            if not data:
                raise EOFError
            if CTRL_C in data:  # at once, also amid a paste or a report
                self._take(events.Key("ctrl+c", None))
                data = REPLY * data.count(REPLY)
            self.feed(data)

    def feed(self, data: bytes) -> None:
        for character in self._decode(data):
            if self._is_pasting:
                self._paste(character)
            else:
                self._read(character)

    def tick(self) -> None:
        """Handle the passing of time: an Esc that nothing followed was the key."""
        age = time.monotonic() - self._sequence_at
        self._drops_report &= age < LATE_REST
        if self._is_pasting:
            if self._sequence and age >= constants.ESCAPE_DELAY:
                self._end_paste(self._sequence)
        elif not REPORT.fullmatch(self._sequence) or (
            self._sequence == ALT_BRACKET and not self._is_awaited()
        ):
            self._parse(self._parser.tick)
        elif age >= LATE_REST:
            self._restart()

    def _read(self, character: str) -> None:
        if self._drops_report:
            self._sequence_at = time.monotonic()
            self._drops_report = REPORT.fullmatch(f"{ALT_BRACKET}{character}") is not None
            if character >= " ":
                return
        sequence = self._sequence + character
        if sequence == ANSWER:
            self._restart()
            self._answered()
            return
        if REPORT.fullmatch(self._sequence):
            self._drops_report = len(self._sequence) >= LONGEST_REPORT
            if character == ESC or self._drops_report:
                self._restart()  # the rest was lost; Textual would take the beginning for text
            if self._drops_report:
                self._read(character)
                return
        self._parse(lambda: self._parser.feed(character))
        self._is_pasting, self._pasted = sequence == BRACKETED_PASTE_START, 0
        is_within = self._parser.is_within_sequence
        self._sequence = "" if not is_within else ESC if character == ESC else sequence
        self._sequence_at = time.monotonic()

    def _paste(self, character: str) -> None:
        """Process a character of a paste.

        Terminals remove Esc from pasted text, so an Esc that does not start the end sequence is a
        key, and the end sequence was lost; otherwise all later keys would be swallowed.
        """
        before, self._sequence = self._sequence, self._sequence + character
        if self._sequence == BRACKETED_PASTE_END:
            self._end_paste("")
        elif self._sequence == ANSWER:
            self._sequence = ""
            self._answered()
        elif BRACKETED_PASTE_END.startswith(self._sequence) or ANSWER.startswith(self._sequence):
            self._sequence_at = time.monotonic()
        elif before:
            self._end_paste(self._sequence)
        else:
            self._sequence = ""
            if self._pasted < LONGEST_PASTE:
                self._pasted += 1
                self._parse(lambda: self._parser.feed(character))

    def _end_paste(self, after: str) -> None:
        self._sequence = ""
        for character in BRACKETED_PASTE_END + after:
            self._read(character)

    def _parse(self, parse: Callable[[], Iterable[Message]]) -> None:
        try:
            for message in parse():
                if isinstance(message, events.Resize):
                    self._restart()  # nobody asked for it, and clicks would count in pixels
                elif not isinstance(message, InBandWindowResize):
                    self._take(message)
        except (ArithmeticError, ValueError):
            self._restart()

    def _restart(self) -> None:
        self._parser, self._sequence = TerminalParser(), ""


MOST_OF_SCREEN = 700
"""Maximum number of characters that GNU screen passes on; it prints the rest."""


def copying(text: str, environ: Mapping[str, str]) -> str:
    """Return the control sequence that copies a text; empty if the terminal would print any of it.

    tmux needs the plain sequence with `set-clipboard`, and the wrapped one with
    `allow-passthrough`: both are sent.
    """
    terminal = environ.get("TERM", "")
    if terminal.startswith(SIMPLE_TERMINALS) or terminal in ("", "dumb"):
        return ""
    copy = f"\x1b]52;c;{b64encode(text.encode()).decode()}\x07"
    if environ.get("TMUX"):
        inner = copy.replace("\x1b", "\x1b\x1b")
        return f"{copy}\x1bPtmux;{inner}\x1b\\"
    if environ.get("STY"):
        return f"\x1bP{copy}\x1b\\" if len(copy) <= MOST_OF_SCREEN else ""
    return copy
