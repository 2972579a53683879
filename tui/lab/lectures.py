"""A lecture as the lab records it, and as it follows one: live, or later."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.resources import files
from io import BytesIO, UnsupportedOperation
from pathlib import Path
from queue import Empty, Full, Queue
from typing import TYPE_CHECKING, BinaryIO, Final

from learners.errors import UsageError, printable, shown_path
from learners.files import NoPlainFileError, opened, opened_to_append
from learners.runs.lecture import (
    LONGEST_LINE,
    LONGEST_REMARK,
    LectureError,
    LectureStop,
    lecture_line,
    read_lecture_line,
)
from tui.lab.addresses import session_address
from tui.lab.modes import Mode

if TYPE_CHECKING:
    from tui.lab.session import Session

POLL_SECONDS: Final = 0.1
"""Between two looks at a file that grows."""
LATE_SECONDS: Final = 1.0
"""A place that comes later than this after its time sets the clock anew."""
LINES_AHEAD: Final = 500
"""Lines that are read ahead; a file that grows for ever takes no more memory."""
LINES_AT_ONCE: Final = 500
CHUNK: Final = 65_536
OURS: Final = "temporal-differences"
"""The lecture that comes with the program."""


class LectureFileError(UsageError):
    """A lecture cannot be recorded or followed."""


class Recorder:
    """Appends a line at every place where the lab stops.

    Args:
        path: the file; it may have earlier lectures.
        clock: seconds, for tests.

    Raises:
        LectureFileError: it cannot be written, or another lab records to it.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.trouble = ""
        """Why nothing more is recorded; empty while all is well."""
        self._clock = clock
        self._began = clock()
        self._last: LectureStop | None = None
        self._mark: tuple[object, ...] = ()
        self._name = shown_path(path)
        try:
            self._file = opened_to_append(path)
            lock(self._file)
            size = os.fstat(self._file).st_size
            if size and os.pread(self._file, 1, size - 1) != b"\n":
                os.write(self._file, b"\n")
        except BlockingIOError:
            os.close(self._file)
            raise LectureFileError(f"{self._name} is being recorded by another lab") from None
        except (OSError, ValueError) as error:
            why = (getattr(error, "strerror", None) or "it is no path").lower()
            raise LectureFileError(f"{self._name} cannot be recorded to: {why}") from None

    def note(self, session: Session) -> bool:
        """Record where the lab is, if it has stopped at a new place; whether trouble is new."""
        if self.trouble or session.is_running or session.training is not None:
            return False
        mark = mark_of(session)
        return mark != self._mark and self._record(session, mark)

    def remark(self, session: Session, text: str) -> bool:
        """Record a remark on the place; whether trouble is new."""
        return self._record(session, mark_of(session), printable(text)[:LONGEST_REMARK])

    def _record(self, session: Session, mark: tuple[object, ...], remark: str = "") -> bool:
        self._mark = mark
        try:
            address = session_address(session, with_engine=self._last is None)
            opens = Mode.STEP if address.place else Mode.PLAY
            is_usual = session.mode in (opens, Mode.WATCH if opens is Mode.PLAY else opens)
            mode = "" if is_usual else session.mode.value
            stop = LectureStop(self._clock() - self._began, address, mode, remark)
            os.write(self._file, lecture_line(stop, self._last).encode())
            self._last = stop
        except UsageError as error:
            self.trouble = f"nothing more is recorded: {error}"
            return True
        except OSError as error:
            why = (error.strerror or "it cannot be written").lower()
            self.trouble = f"nothing more is recorded to {self._name}: {why}"
            return True
        return False


def lock(file: int) -> None:
    """Keep others from recording to a file.

    Raises:
        BlockingIOError: somebody else does.
    """
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def mark_of(session: Session) -> tuple[object, ...]:
    """What tells this place of the lab from those before."""
    timeline, run = session.timeline, session.run
    place = timeline.recording.first, timeline.at, timeline.phases_done
    script = tuple(session.script.items()) if session.waits else None
    return (id(run), run.games, run.seating, script, session.mode, place, id(session.what_if))


class LectureReader:
    """Reads the lines of a lecture in a thread of its own, as they come.

    Args:
        file: where they come from.
        grows: whether more may come after the end of the file.
    """

    def __init__(self, file: BinaryIO, *, grows: bool) -> None:
        self.lines: Queue[tuple[int, str]] = Queue(LINES_AHEAD)
        """The number of a line, and the line."""
        self.is_at_end = False
        """Whether all that is there so far was read."""
        self.is_over = False
        """Whether nothing more will come."""
        self._file = file
        self._grows = grows
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Read no more."""
        self._stopped.set()
        if self._grows:
            self._thread.join()

    def _work(self) -> None:
        try:
            with self._file:
                self._read()
        finally:
            self.is_at_end = self.is_over = True

    def _read(self) -> None:
        rest, number, skips = b"", 0, False
        while not self._stopped.is_set():
            chunk = self._chunk()
            if not chunk and not self._grows:
                break
            if not chunk:
                self.is_at_end = True
                if self._was_cut():
                    rest, number, skips = b"", 0, False
                self._stopped.wait(POLL_SECONDS)
                continue
            self.is_at_end = False
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                number += 1
                if not skips:
                    self._put(number, line)
                skips = False
            if len(rest) > LONGEST_LINE and not skips:
                self._put(number + 1, rest[: LONGEST_LINE + 1])
                skips = True
            rest = b"" if skips else rest
        if rest:
            self._put(number + 1, rest)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._file.fileno(), CHUNK)
        except UnsupportedOperation:
            return self._file.read(CHUNK)
        except OSError:
            self._grows = False
            return b""

    def _was_cut(self) -> bool:
        """Whether the file has become shorter than what was read of it: it is begun anew."""
        file = self._file.fileno()
        at = os.lseek(file, 0, os.SEEK_CUR)
        if os.fstat(file).st_size >= at:
            return False
        os.lseek(file, 0, os.SEEK_SET)
        return True

    def _put(self, number: int, line: bytes) -> None:
        text = line.decode("utf-8", "replace")
        while not self._stopped.is_set():
            try:
                self.lines.put((number, text), timeout=POLL_SECONDS)
            except Full:
                continue
            return


def own_lecture() -> LectureReader:
    """Read the lecture that comes with the program."""
    return LectureReader(
        BytesIO(files(__package__).joinpath(f"{OURS}.lecture").read_bytes()), grows=False
    )


def whole_lecture(name: str) -> list[LectureStop]:
    """All places of a lecture: of a file, or the one that comes with the program.

    Raises:
        LectureFileError: it cannot be read.
        LectureError: a line of it cannot.
    """
    reader = own_lecture() if name == OURS else lecture_file(Path(name), grows=False)
    stops: list[LectureStop] = []
    try:
        while not (reader.is_over and reader.lines.empty()):
            with suppress(Empty):
                number, line = reader.lines.get(timeout=POLL_SECONDS)
                stop = read_lecture_line(line, number, stops[-1] if stops else None)
                stops += [] if stop is None else [stop]
    finally:
        reader.stop()
    return stops


def lecture_file(path: Path, *, grows: bool = True) -> LectureReader:
    """Read a lecture from a file, which may grow.

    Raises:
        LectureFileError: it cannot be read.
    """
    name = shown_path(path)
    try:
        return LectureReader(opened(path), grows=grows)
    except NoPlainFileError:
        raise LectureFileError(f"{name} is no ordinary file: a pipe is followed as -") from None
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or "it is no path").lower()
        raise LectureFileError(f"{name} cannot be followed: {why}") from None


class Follower:
    """Where a lecture is now.

    Args:
        reader: its lines.
        fast: keep no pauses, go to the newest place.
        each: leave no place out where several are due.
        clock: seconds, for tests.
    """

    def __init__(
        self,
        reader: LectureReader,
        *,
        fast: bool = False,
        each: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.is_aside = False
        """Whether the user has stepped aside."""
        self.stop: LectureStop | None = None
        """The place where the lecture is."""
        self._reader = reader
        self._fast = fast
        self._each = each
        self._clock = clock
        self._read: LectureStop | None = None
        """The place that was read last."""
        self._next: LectureStop | None = None
        """A place whose time has not come."""
        self._due = 0.0
        """When the latest place was due, and the next one is."""

    @property
    def words(self) -> str:
        """What the mode line says."""
        return "aside: * returns" if self.is_aside else "following"

    @property
    def is_drained(self) -> bool:
        """Whether all that is there so far was shown."""
        return self._next is None and self._reader.is_at_end and self._reader.lines.empty()

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self._reader.is_over and self.is_drained

    def close(self) -> None:
        """Follow no more."""
        self._reader.stop()

    def skip(self) -> None:
        """Wait no longer for the next place."""
        self._due = self._clock()

    def advance(self) -> tuple[LectureStop | None, str]:
        """Go on to the newest place whose time has come.

        Returns:
            The place, None where it is the one before; and what is wrong with a line, if anything.
        """
        found, wrong = None, ""
        for _ in range(LINES_AT_ONCE):
            if self._next is None:
                try:
                    self._take(*self._reader.lines.get_nowait())
                except Empty:
                    break
                except LectureError as error:
                    wrong = str(error)
                    if self._each:
                        break
                    continue
            if self._next is None:
                continue
            if not self._fast and self._due > self._clock():
                break
            self.stop = found = self._next
            self._next = None
            if self._each and not self.is_aside:
                break
        return found, wrong

    def _take(self, number: int, line: str) -> None:
        stop = read_lecture_line(line, number, self._read)
        if stop is None:
            return
        pause = 0.0 if self._read is None else max(0.0, stop.seconds - self._read.seconds)
        self._due += pause
        if self._read is None or self._due < self._clock() - LATE_SECONDS:
            self._due = self._clock()
        self._read = self._next = stop
