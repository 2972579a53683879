"""A lecture: a text file of places, one a line, with their times and remarks.

    SECONDS WHERE [MODE] [# REMARK]     a place where the lab stopped
    SECONDS # REMARK                    a remark on the place before
    # anything                          a comment

SECONDS are since the recording began. WHERE is an address, or what comes after the run in it:
`@3.2` is a place in the run of the line before, `@` its end. MODE is a word, where it is not the
one in which an address opens. The lab records one, and follows one: live, or later.
"""

from __future__ import annotations

import os
import re
import select
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from afterstate_lab.learners.errors import UsageError, printable, reason, shown, shown_path
from afterstate_lab.learners.files import NoPlainFileError, opened, opened_to_append
from afterstate_lab.learners.runs.address import LONGEST, Address
from afterstate_lab.tui.lab.addresses import session_address
from afterstate_lab.tui.lab.modes import Mode

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.session import Session

LONGEST_LINE: Final = LONGEST + 1_000
"""Characters."""
LONGEST_REMARK: Final = 400
LINE: Final = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,3})?)(?:[ \t]+([^\s#]\S*))?(?:[ \t]+([a-z]+))?")
LATE_SECONDS: Final = 1.0
"""A place that comes later than this after its time sets the clock anew."""
LINES_AT_ONCE: Final = 500
CHUNK: Final = 65_536
OURS: Final = "temporal-differences"
"""The lecture that comes with the program."""


@dataclass(frozen=True)
class LectureStop:
    """A place where the lab of a lecture stopped."""

    seconds: float
    """Since the recording began."""
    address: Address
    mode: str = ""
    """The value of a `Mode`; empty for the one in which the address opens."""
    remark: str = ""
    """Printable."""


def lecture_line(stop: LectureStop, before: LectureStop | None) -> str:
    """The line of a stop; short where the run is that of the stop before."""
    where = str(stop.address)
    if before is not None and stop.address.run == before.address.run:
        if stop.address == before.address and stop.mode == before.mode and stop.remark:
            return f"{stop.seconds:.1f} # {stop.remark}\n"
        where = where.removeprefix(str(stop.address.run)) or "@"
    words = [f"{stop.seconds:.1f}", where, stop.mode, f"# {stop.remark}" if stop.remark else ""]
    return " ".join(filter(None, words)) + "\n"


def read_lecture_line(text: str, number: int, before: LectureStop | None) -> LectureStop | None:
    """The stop of a line; None for a comment or an empty line.

    Args:
        text: the line.
        number: its number in the file, from 1.
        before: the stop before.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        return read_stop(text, before)
    except UsageError as error:
        raise UsageError(f"line {number:,} of the lecture: {error}") from None


def read_stop(text: str, before: LectureStop | None) -> LectureStop | None:
    told, mark, remark = text.partition("#")
    if not told.strip():
        return None
    found = LINE.fullmatch(told.strip())
    if found is None or len(text) > LONGEST_LINE:
        raise UsageError(f"{shown(told.strip())} is no time and address")
    seconds, where, mode = float(found[1]), found[2], found[3] or ""
    modes = [one.value for one in Mode]
    if mode and mode not in modes:
        raise UsageError(f"{shown(mode)} is no mode: {', '.join(modes)} are")
    remark = printable(remark.strip())[:LONGEST_REMARK]
    if where is None:
        if before is None or not mark:
            raise UsageError("it has no address")
        return LectureStop(seconds, before.address, before.mode, remark)
    if where.startswith("@"):
        if before is None:
            raise UsageError("it has a place, and no line before it has a run")
        where = str(before.address.run) + where.removesuffix("@")
    return LectureStop(seconds, Address.parse(where), mode, remark)


class Recorder:
    """Appends a line at every place where the lab stops.

    Args:
        path: the file; it may have earlier lectures.
        clock: seconds, for tests.

    Raises:
        UsageError: it cannot be written, or another lab records to it.
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
            usual = (Mode.STEP,) if address.place else (Mode.PLAY, Mode.WATCH)
            mode = "" if session.mode in usual else session.mode.value
            stop = LectureStop(self._clock() - self._began, address, mode, remark)
            os.write(self._file, lecture_line(stop, self._last).encode())
            self._last = stop
        except UsageError as error:
            self.trouble = f"nothing more is recorded: {error}"
        except OSError as error:
            self.trouble = f"nothing more is recorded to {self._name}: {reason(error)}"
        else:
            return False
        return True


def mark_of(session: Session) -> tuple[object, ...]:
    """What tells this place of the lab from those before."""
    timeline, run = session.timeline, session.run
    place = timeline.recording.first, timeline.at, timeline.phases_done
    script = tuple(session.script.items()) if session.waits else None
    return (id(run), run.games, run.seating, script, session.mode, place, id(session.what_if))


class LectureReader:
    """Reads the lines of a lecture as they come; it never waits for one.

    Args:
        file: where they come from: a file, or a pipe that is read without a buffer.
        grows: whether more may come after the end of the file.
    """

    def __init__(self, file: BinaryIO, *, grows: bool) -> None:
        self.is_at_end = False
        """Whether all that is there so far was read."""
        self.is_over = False
        """Whether nothing more will come."""
        self._file, self._grows, self._is_pipe = file, grows, not file.seekable()
        self._rest, self._number = b"", 0
        self.close = file.close

    def line(self) -> tuple[int, str] | None:
        """Return the next line and its number from 1; None where there is none yet.

        What is too long for a line is cut, so that a file without ends takes no memory.
        """
        while b"\n" not in self._rest:
            if chunk := self._chunk():
                head, end, tail = chunk.partition(b"\n")
                self._rest = (self._rest + head)[: 4 * LONGEST_LINE + 4] + end + tail
            elif self.is_over and self._rest:
                self._rest += b"\n"
            else:
                return None
        line, _, self._rest = self._rest.partition(b"\n")
        self._number += 1
        return self._number, line.decode("utf-8", "replace")

    def _chunk(self) -> bytes:
        chunk = b""
        try:
            if self._is_pipe and not select.select([self._file], [], [], 0)[0]:
                return chunk
            chunk = self._file.read(CHUNK)
            is_at_end = self._grows and not chunk
            if is_at_end and os.fstat(self._file.fileno()).st_size < self._file.tell():
                self._file.seek(0)  # it was begun anew, and is shorter now
                self._rest, self._number = b"", 0
        except OSError:
            self._grows = False
        self.is_at_end = not chunk
        self.is_over = not (chunk or self._grows)
        return chunk


def open_lecture(name: str, *, grows: bool = True) -> LectureReader:
    """Read the lecture that comes with the program, or a file, which may grow.

    Raises:
        UsageError: it cannot be read.
    """
    if name == OURS:
        ours = files(__package__).joinpath(f"{OURS}.lecture").open("rb")
        return LectureReader(cast("BinaryIO", ours), grows=False)
    path = Path(name)
    try:
        return LectureReader(opened(path), grows=grows)
    except NoPlainFileError:
        why = "is no ordinary file: a pipe is followed as -"
    except (OSError, ValueError) as error:
        why = f"cannot be followed: {reason(error)}"
    raise UsageError(f"{shown_path(path)} {why}")


def whole_lecture(name: str) -> list[LectureStop]:
    """All places of a lecture.

    Raises:
        UsageError: it, or a line of it, cannot be read.
    """
    stops: list[LectureStop] = []
    with closing(open_lecture(name, grows=False)) as reader:
        while (line := reader.line()) is not None:
            stop = read_lecture_line(line[1], line[0], stops[-1] if stops else None)
            stops += [] if stop is None else [stop]
    return stops


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
        return self._next is None and self._reader.is_at_end

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self._next is None and self._reader.is_over

    def close(self) -> None:
        """Follow no more."""
        self._reader.close()

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
                if (line := self._reader.line()) is None:
                    break
                try:
                    self._take(*line)
                except UsageError as error:
                    wrong = str(error)
                    if self._each:
                        break
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
        before, stop = self._read, read_lecture_line(line, number, self._read)
        if stop is None:
            return
        self._due += 0.0 if before is None else max(0.0, stop.seconds - before.seconds)
        if before is None or self._due < self._clock() - LATE_SECONDS:
            self._due = self._clock()
        self._read = self._next = stop
