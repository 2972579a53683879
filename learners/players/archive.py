"""Reading a `.npz` of a stranger: plain arrays, sizes checked before memory is taken.

Nothing in it is believed: which members there are, how they are packed, how long they say they are,
and the header of each array, which must be what numpy writes for plain numbers, to the letter.
"""

from __future__ import annotations

import math
import os
import re
import struct
import zipfile
from collections.abc import Mapping
from typing import BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ARRAY: Final = re.compile(
    rb"\x93NUMPY\x01\x00(?P<length>..)"
    rb"\{'descr': '(?P<dtype><f8|\|u1)', 'fortran_order': False, "
    rb"'shape': \((?P<shape>[0-9]{1,9},(?: [0-9]{1,9})?)\), \} *\n",
    re.DOTALL,
)
"""The start of a member: one or two dimensions of float64 or uint8, little-endian."""


END: Final = struct.Struct("<4sHHHHIIH")
"""The end of an archive: its mark, then disks, members, and the length and place of the list of
them, and the length of a comment."""
LOCATOR: Final = b"PK\x06\x07"
"""What stands in the 20 bytes before the end where another, larger list is named."""
LONGEST_LIST: Final = 4096
"""Bytes of the list of members, a few of which there are."""


class ArchiveError(ValueError):
    """The archive is not as it must be; the message says why, to follow a colon."""


def read_arrays(file: BinaryIO, longest: Mapping[str, int]) -> dict[str, NDArray[np.generic]]:
    """Read the arrays of an archive.

    Args:
        file: the archive, open for reading.
        longest: the arrays that must be there, no more and no fewer, with the most bytes of each.

    Raises:
        ArchiveError: it does not hold just these.
    """
    check_list(file)
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            wanted = {f"{name}.npy" for name in longest}
            if len(members) != len(wanted) or {m.filename for m in members} != wanted:
                raise ArchiveError("it does not hold the arrays that one holds")
            for member in members:
                if member.file_size > longest[member.filename.removesuffix(".npy")]:
                    raise ArchiveError(f"its {member.filename} is longer than any learner's")
                if member.compress_type not in PACKED:
                    raise ArchiveError(f"its {member.filename} is packed in a strange way")
            return {name: array_of(unpacked(archive, f"{name}.npy"), name) for name in longest}
    except ArchiveError:
        raise
    except Exception as error:
        # A broken archive raises whatever its broken part makes of the code that reads it.
        raise ArchiveError("it is damaged, or no .npz file at all") from error


def check_list(file: BinaryIO) -> None:
    """Refuse a list of members that is longer than a few need: it is read whole before it is seen.

    Raises:
        ArchiveError: it is, or the file ends in none.
    """
    length = file.seek(0, os.SEEK_END)
    file.seek(max(0, length - 20 - END.size))
    ending = file.read()
    file.seek(0)
    if len(ending) < 20 + END.size or ending.startswith(LOCATOR):
        raise ArchiveError("it is damaged, or no .npz file at all")
    mark, *_, size, _, comment = END.unpack(ending[20:])
    if mark != b"PK\x05\x06" or comment or size > LONGEST_LIST:
        raise ArchiveError("it is damaged, or no .npz file at all")


def unpacked(archive: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of a member, unpacked no further than it says it is long."""
    with archive.open(name) as member:
        return member.read(1 + archive.getinfo(name).file_size)


def array_of(member: bytes, name: str) -> NDArray[np.generic]:
    """The array in the bytes of a member.

    Raises:
        ArchiveError: they are no array of numbers.
    """
    start = ARRAY.match(member)
    if start is None:
        raise ArchiveError(f"its {name} is no plain array of numbers")
    dtype = np.dtype(start["dtype"].decode())
    shape = tuple(int(n) for n in start["shape"].split(b",") if n)
    body = 10 + int.from_bytes(start["length"], "little")
    if body != start.end() or len(member) != body + math.prod(shape) * dtype.itemsize:
        raise ArchiveError(f"its {name} is not as long as it says")
    return np.frombuffer(member, dtype, offset=body).reshape(shape)
