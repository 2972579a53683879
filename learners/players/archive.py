"""Read an untrusted `.npz`: plain arrays only, sizes checked before memory is allocated.

Everything is checked: which members there are, how they are compressed, the length that they claim,
and the header of each array, which must be exactly what numpy writes for plain numbers.
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
"""The end record of an archive: signature, disks, members, the length and offset of the central
directory, and the length of the comment."""
LOCATOR: Final = b"PK\x06\x07"
"""The signature in the 20 bytes before the end record that announces a ZIP64 directory."""
LONGEST_LIST: Final = 4096
"""Maximum bytes of the central directory."""


class ArchiveError(ValueError):
    """The archive is malformed; the message says why, to follow a colon."""


def read_arrays(file: BinaryIO, longest: Mapping[str, int]) -> dict[str, NDArray[np.generic]]:
    """Read the arrays of an archive.

    Args:
        file: the archive, open for reading.
        longest: the arrays that it must hold, no others, with the maximum bytes of each.

    Raises:
        ArchiveError: it does not hold exactly these.
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
        # A broken archive may raise any exception in the code that reads it.
        raise ArchiveError("it is damaged, or no .npz file at all") from error


def check_list(file: BinaryIO) -> None:
    """Refuse a large central directory, as zipfile reads it whole.

    Raises:
        ArchiveError: it is too large or missing.
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
    """The bytes of a member, decompressed up to one byte more than its claimed length."""
    with archive.open(name) as member:
        return member.read(1 + archive.getinfo(name).file_size)


def array_of(member: bytes, name: str) -> NDArray[np.generic]:
    """The array in the bytes of a member.

    Raises:
        ArchiveError: the bytes are no plain array of numbers.
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
