"""Record and follow walkthroughs, live or later."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from afterstate_lab.learners.errors import UsageError, printable, reason, shown_path
from afterstate_lab.learners.files import NoPlainFileError, opened, opened_to_append
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.scripts.script import (
    LONGEST_CAPTION,
    LONGEST_LINE,
    Step,
    moment_line,
    read_moment,
)

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.session import Session

LATE_SECONDS: Final = 1.0
"""A moment later than this resets the clock."""
LINES_AT_ONCE: Final = 500
CHUNK: Final = 65_536
OURS: Final = "temporal-differences"
"""The built-in walkthrough."""


class Recorder:
    """Appends a line at every moment where the lab stops.

    Args:
        path: the file; it may have earlier walkthroughs.
        clock: seconds, for tests.

    Raises:
        UsageError: it cannot be written, or another lab records to it.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.trouble = ""
        """Why recording stopped, or an empty text."""
        self._clock = clock
        self._began = clock()
        self._last: Step | None = None
        self._mark: tuple[object, ...] = ()
        self._name = shown_path(path)
        try:
            self._file = opened_to_append(path)
            with suppress(ImportError):
                import fcntl

                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            size = os.fstat(self._file).st_size
            if size and os.pread(self._file, 1, size - 1) != b"\n":
                os.write(self._file, b"\n")
        except BlockingIOError:
            os.close(self._file)
            raise UsageError(f"{self._name} is being recorded by another lab") from None
        except (OSError, ValueError) as error:
            raise UsageError(f"{self._name} cannot be recorded to: {reason(error)}") from None

    def note(self, session: Session) -> bool:
        """Record a new moment where the lab stopped; return whether it failed just now."""
        if self.trouble or session.is_running or session.training is not None:
            return False
        mark = mark_of(session)
        return mark != self._mark and self._record(session, mark)

    def remark(self, session: Session, text: str) -> bool:
        """Record a caption; return whether it failed just now."""
        return self._record(session, mark_of(session), printable(text)[:LONGEST_CAPTION])

    def _record(self, session: Session, mark: tuple[object, ...], caption: str = "") -> bool:
        from afterstate_lab.tui.lab.session import session_address

        self._mark = mark
        try:
            address = session_address(session, with_engine=self._last is None)
            usual = (Mode.STEP,) if address.place else (Mode.PLAY, Mode.WATCH)
            mode = "" if session.mode in usual else session.mode.value
            stop = Step(self._clock() - self._began, address, mode, caption)
            os.write(self._file, moment_line(stop, self._last).encode())
            self._last = stop
        except UsageError as error:
            self.trouble = f"nothing more is recorded: {error}"
        except OSError as error:
            self.trouble = f"nothing more is recorded to {self._name}: {reason(error)}"
        else:
            return False
        return True


def mark_of(session: Session) -> tuple[object, ...]:
    """Return what identifies this moment of the lab."""
    timeline, run = session.timeline, session.run
    place = timeline.recording.first, timeline.at, timeline.phases_done
    script = tuple(session.script.items()) if session.waits else None
    return (id(run), run.games, run.seating, script, session.mode, place, id(session.what_if))


@dataclass(eq=False)
class Follower:
    """Reads the moments of a walkthrough, each when it is due, without waiting."""

    file: BinaryIO
    """Where they come from: a file, or a pipe that is read without a buffer."""
    grows: bool = False
    """Whether more may come after the end of the file."""
    fast: bool = False
    """Whether to keep no pauses, and go to the newest moment."""
    each: bool = False
    """Whether to show every moment where several are due."""
    clock: Callable[[], float] = time.monotonic
    """Seconds, for tests."""
    is_aside: bool = False
    """Whether the user explores on their own."""
    stop: Step | None = None
    """The current moment of the walkthrough."""
    _rest: bytes = b""
    _number: int = 0
    _is_at_end: bool = False
    _has_ended: bool = False
    _read: Step | None = None
    _next: Step | None = None
    """The next moment, before it is due."""
    _due: float = 0.0
    """When the latest moment was due."""

    def close(self) -> None:
        self.file.close()

    @property
    def words(self) -> str:
        """The text of the mode line."""
        return "aside: * returns" if self.is_aside else "following"

    @property
    def is_drained(self) -> bool:
        """Whether everything so far was shown."""
        return self._next is None and self._is_at_end

    @property
    def is_over(self) -> bool:
        return self._next is None and self._has_ended

    def skip(self) -> None:
        """Skip the wait for the next moment."""
        self._due = self.clock()

    def advance(self) -> tuple[Step | None, str]:
        """Move to the newest moment that is due.

        Returns:
            The moment, None if it is the same; and an error in a line, if any.
        """
        found, wrong = None, ""
        for _ in range(LINES_AT_ONCE):
            try:
                self._next = self._next or self.moment()
            except UsageError as error:
                wrong = str(error)
                if self.each:
                    break
                continue
            if self._next is None or not (self.fast or self._due <= self.clock()):
                break
            self.stop = found = self._next
            self._next = None
            if self.each and not self.is_aside:
                break
        return found, wrong

    def moment(self) -> Step | None:
        """Read the next moment, if there is one."""
        before, step = self._read, None
        for _ in range(LINES_AT_ONCE):
            if step is not None or (line := self.line()) is None:
                break
            try:
                step = read_moment(line, before)
            except UsageError as error:
                where = f"line {self._number:,} of the walkthrough"
                raise UsageError(f"{where}: {error}") from None
        if step is not None:
            self._due += 0.0 if before is None else max(0.0, step.seconds - before.seconds)
            if before is None or self._due < self.clock() - LATE_SECONDS:
                self._due = self.clock()
            self._read = step
        return step

    def line(self) -> str | None:
        """Read the next line, if there is one.

        A long line is cut, to bound memory.
        """
        while b"\n" not in self._rest:
            if chunk := self._chunk():
                head, end, tail = chunk.partition(b"\n")
                self._rest = (self._rest + head)[: 4 * LONGEST_LINE + 4] + end + tail
            elif self._has_ended and self._rest:
                self._rest += b"\n"
            else:
                return None
        line, _, self._rest = self._rest.partition(b"\n")
        self._number += 1
        return line.decode("utf-8", "replace")

    def _chunk(self) -> bytes:
        chunk = b""
        try:
            if not self.file.seekable() and not select.select([self.file], [], [], 0)[0]:
                return chunk
            chunk = self.file.read(CHUNK)
            is_at_end = self.grows and not chunk
            if is_at_end and os.fstat(self.file.fileno()).st_size < self.file.tell():
                self.file.seek(0)  # it was begun anew, and is shorter now
                self._rest, self._number = b"", 0
        except OSError:
            self.grows = False
        self._is_at_end = not chunk
        self._has_ended = not (chunk or self.grows)
        return chunk


def open_walkthrough(name: str) -> BinaryIO:
    """Open the built-in walkthrough, or a file."""
    if name == OURS:
        return cast("BinaryIO", files(__package__).joinpath(f"{OURS}.script").open("rb"))
    path = Path(name)
    try:
        return opened(path)
    except NoPlainFileError:
        why = "is not an ordinary file: follow a pipe with -"
    except (OSError, ValueError) as error:
        why = f"cannot be followed: {reason(error)}"
    raise UsageError(f"{shown_path(path)} {why}")


def whole_walkthrough(name: str) -> list[Step]:
    steps: list[Step] = []
    with closing(Follower(open_walkthrough(name))) as follower:
        while not follower.is_over:
            steps += filter(None, [follower.moment()])
    return steps
