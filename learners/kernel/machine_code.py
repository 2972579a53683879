"""Machine code in a file of our own, run without the compiler that made it.

The compiler hands over an object file (ELF, x86-64). Of it a `CodeImage` keeps the bytes that are
loaded, where the machine code starts, and where an address within them is to be written. An object
that needs anything else (a function of Python, a variable, another kind of address) makes no image,
nor does another system or processor: there the compiler's own cache serves. A file holds one image
behind a hash of its name and its content. It is written whole or not at all, and is run only where
nobody but the user can have written it; what is run can no longer be written.

Machine code that is wrong for the processor would end the process, so a file's name tells the
processor's features and the versions that made it (`machine`), and the hash tells the name: a file
that was renamed or moved is not run.
"""

from __future__ import annotations

import ctypes
import hashlib
import mmap
import os
import platform
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from learners.files import is_only_ours, opened_plain

X86_64 = 62
WRITTEN, LOADED = 0x1, 0x2
"""Flags of a section that the program writes, and of one that is part of it (`SHF_ALLOC`)."""
SYMBOLS, RELOCATIONS, OTHER_RELOCATIONS = 2, 4, 9
PROGRAM = (1, 0x70000001)
"""Kinds of sections that are just bytes (`SHT_PROGBITS`, `SHT_X86_64_UNWIND`)."""
PLACES = (0, 1, 2, 3)
"""Kinds of symbols that name a place: none said, data, a function, a section."""
ADDRESS = 1
"""The relocation `R_X86_64_64`: eight bytes that hold an address."""
READ_AND_RUN = 0x1 | 0x4
"""`PROT_READ | PROT_EXEC`: what is run is no longer written."""
LARGEST = 4_000_000
"""Bytes of the largest file that is read."""

FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p)
"""A C function of the address of a block of words (`learners.kernel.pointers`). A call lets go of
the interpreter's lock."""


class Unusable(Exception):
    """There is no machine code here that can be run."""


@dataclass(frozen=True)
class CodeImage:
    """Machine code, ready to be put anywhere."""

    start: int
    """Offset of the function."""
    addresses: tuple[int, ...]
    """Offsets of the words to which the image's own address is added."""
    code: bytes

    @classmethod
    def of_object(cls, object_file: bytes, prefix: bytes) -> CodeImage:
        """The image of an object file's function whose name starts so.

        Raises:
            Unusable: it is no object file of this kind, or needs what lies outside it.
        """
        try:
            return image_of(object_file, prefix)
        except (struct.error, IndexError, ValueError) as error:
            raise Unusable(str(error)) from None

    def save(self, file: Path) -> None:
        """Write the file, whole or not at all.

        Raises:
            OSError: it cannot be written.
        """
        count = len(self.addresses)
        content = struct.pack(f"<2I{count}I", self.start, count, *self.addresses) + self.code
        beside = file.with_name(f"{file.name}.{os.getpid()}")
        try:
            beside.touch(mode=0o600, exist_ok=False)
            beside.write_bytes(digest(file, content) + content)
            beside.replace(file)
        finally:
            beside.unlink(missing_ok=True)

    @classmethod
    def load(cls, file: Path) -> CodeImage:
        """The image in a file.

        Raises:
            Unusable: there is none, it is damaged, or somebody else may have written it.
        """
        try:
            with opened_plain(file) as stream:
                if not is_only_ours(file, os.fstat(stream.fileno())):
                    raise Unusable("others can write to it")
                content = stream.read(LARGEST)
        except OSError as error:
            raise Unusable(str(error)) from None
        known, content = content[:32], content[32:]
        if digest(file, content) != known:
            raise Unusable("it is damaged")
        return cls.read(content)

    @classmethod
    def read(cls, content: bytes) -> CodeImage:
        """The image in what stands behind a file's hash.

        Raises:
            Unusable: it is none.
        """
        try:
            start, count = struct.unpack_from("<2I", content)
            addresses = struct.unpack_from(f"<{count}I", content, 8)
        except struct.error:
            raise Unusable("it is damaged") from None
        code = content[8 + 4 * count :]
        if start >= len(code) or any(offset + 8 > len(code) for offset in addresses):
            raise Unusable("it is damaged")
        return cls(start, addresses, code)

    def function(self) -> Callable[[bytes], int]:
        """The function, in memory of its own that stays as long as the process.

        Raises:
            Unusable: the system lets no machine code be run that was written by the program.
        """
        try:
            memory = mmap.mmap(-1, len(self.code), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            at = ctypes.addressof(ctypes.c_char.from_buffer(memory))
            memory[:] = self.code
            for offset in self.addresses:
                (value,) = struct.unpack_from("<Q", memory, offset)
                struct.pack_into("<Q", memory, offset, at + value)
            failed = ctypes.CDLL(None, use_errno=True).mprotect(
                ctypes.c_void_p(at), ctypes.c_size_t(len(self.code)), READ_AND_RUN
            )
        except (OSError, AttributeError, TypeError, ValueError) as error:
            raise Unusable(str(error)) from None
        if failed:
            raise Unusable(os.strerror(ctypes.get_errno()))
        _in_use.append(memory)
        return FUNCTION(at + self.start)


_in_use: list[mmap.mmap] = []
"""Memory that holds machine code: never given back, as a thread may run it."""


def digest(file: Path, content: bytes) -> bytes:
    """The hash of a file's content, its name, and its folder's name, which tells the sources."""
    return hashlib.sha256(f"{file.parent.name}/{file.name}\n".encode() + content).digest()


def image_of(object_file: bytes, prefix: bytes) -> CodeImage:
    """`CodeImage.of_object`, with the errors of a file that is none."""
    if object_file[:6] != b"\x7fELF\x02\x01" or object_file[18] != X86_64:
        raise Unusable("no object file for x86-64")
    (table,) = struct.unpack_from("<Q", object_file, 40)
    size, count = struct.unpack_from("<2H", object_file, 58)
    # of each: name, type, flags, address, offset, size, link, info, alignment, size of an entry
    sections = [
        struct.unpack_from("<2I4Q2I2Q", object_file, table + size * i) for i in range(count)
    ]
    code, places = bytearray(), {}
    for number, (_, kind, flags, _, offset, length, *_, alignment, _) in enumerate(sections):
        if flags & LOADED and length:
            if kind not in PROGRAM or flags & WRITTEN:
                raise Unusable("it is more than machine code and constants")
            code += bytes(-len(code) % max(1, alignment))
            places[number] = len(code)
            code += object_file[offset : offset + length]
    (symbols,) = (section for section in sections if section[1] == SYMBOLS)
    names = sections[symbols[6]][4]
    # of each: name, kind, visibility, section, value, size
    found = list(struct.iter_unpack("<I2BH2Q", object_file[symbols[4] : symbols[4] + symbols[5]]))
    addresses = []
    for _, kind, _, _, offset, length, _, target, *_ in sections:
        if kind not in (RELOCATIONS, OTHER_RELOCATIONS) or target not in places:
            continue
        if kind == OTHER_RELOCATIONS:
            raise Unusable("its addresses are of another kind")
        for place, what, addend in struct.iter_unpack(
            "<2Qq", object_file[offset : offset + length]
        ):
            _, form, _, section, value, _ = found[what >> 32]
            is_place = form & 15 in PLACES and section in places
            if what & 0xFFFFFFFF != ADDRESS or not is_place:
                raise Unusable("it needs what lies outside it")
            at = places[target] + place
            struct.pack_into("<Q", code, at, places[section] + value + addend)
            addresses.append(at)
    (start,) = (
        places[section] + value
        for name, _, _, section, value, _ in found
        if section in places and object_file.startswith(prefix, names + name)
    )
    return CodeImage(start, tuple(addresses), bytes(code))


@cache
def machine() -> str:
    """A hash of the processor's features and of the versions of all that makes machine code.

    Empty where it is unknown, or where object files are of another kind.
    """
    from importlib.metadata import PackageNotFoundError, version

    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        return ""
    try:
        first = Path("/proc/cpuinfo").read_text().partition("\n\n")[0]
        known = [
            line for line in first.splitlines() if line.startswith(("flags", "model", "vendor"))
        ]
        known += [f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy")]
    except (OSError, PackageNotFoundError, UnicodeError):
        return ""
    known += [sys.version, *(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_"))]
    return hashlib.sha256("\n".join(sorted(known)).encode()).hexdigest()[:16]
