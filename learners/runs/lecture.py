"""A lecture: a text file of places, one a line, with their times and remarks.

    SECONDS WHERE [MODE] [# REMARK]     a place where the lab stopped
    SECONDS # REMARK                    a remark on the place before
    # anything                          a comment

SECONDS are since the recording began. WHERE is an address, or what comes after the run in it:
`@3.2` is a place in the run of the line before, `@` its end. MODE is a word, where it is not the
one in which an address opens.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from learners.errors import UsageError, printable, shown
from learners.runs.address import LONGEST, Address, AddressError

LONGEST_LINE: Final = LONGEST + 1_000
"""Characters."""
LONGEST_REMARK: Final = 400
MODES: Final = ("play", "watch", "step", "train")
LINE: Final = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,3})?)(?:[ \t]+([^\s#]\S*))?(?:[ \t]+([a-z]+))?")


@dataclass(frozen=True)
class LectureStop:
    """A place where the lab of a lecture stopped."""

    seconds: float
    """Since the recording began."""
    address: Address
    mode: str = ""
    """One of `MODES`; empty for the one in which the address opens."""
    remark: str = ""
    """Printable."""


class LectureError(AddressError):
    """A line of a lecture cannot be read."""

    def __init__(self, number: int, why: object) -> None:
        super().__init__(f"line {number:,} of the lecture: {why}")


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
        LectureError: it cannot be read.
    """
    told, mark, remark = text.partition("#")
    if not told.strip():
        return None
    found = LINE.fullmatch(told.strip())
    if found is None or len(text) > LONGEST_LINE:
        raise LectureError(number, f"{shown(told.strip())} is no time and address")
    seconds, where, mode = found.groups()
    if mode and mode not in MODES:
        raise LectureError(number, f"{shown(mode)} is no mode: {', '.join(MODES)} are")
    remark = printable(remark.strip())[:LONGEST_REMARK]
    if where is None:
        if before is None or not mark:
            raise LectureError(number, "it has no address")
        return LectureStop(float(seconds), before.address, before.mode, remark)
    try:
        if where.startswith("@"):
            if before is None:
                raise LectureError(number, "it has a place, and no line before it has a run")
            where = str(before.address.run) + ("" if where == "@" else where)
        return LectureStop(float(seconds), Address.parse(where), mode or "", remark)
    except LectureError:
        raise
    except UsageError as error:
        raise LectureError(number, error) from None
