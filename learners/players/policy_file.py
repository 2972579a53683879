"""Saved policies: a `.npz` of plain arrays and a JSON header, fully checked.

Arrays: `x_values`, `x_visits`, `o_values`, `o_visits` (float64, tables times entries) and `header`
(the bytes of a JSON object: format, x, o, seed, games, greedy_moves, sha256 of the arrays).
Everything is checked before memory is allocated: the members, their compression, the length that
they claim, and the header of each array, which must be exactly what numpy writes.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import re
import tempfile
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game.exact import Floats
from afterstate_lab.learners.engine.entries import Entries
from afterstate_lab.learners.errors import (
    PolicyFileError,
    SpecError,
    UsageError,
    reason,
    shown,
    shown_path,
)
from afterstate_lab.learners.files import check_lock, check_plain, reading, replace_file
from afterstate_lab.learners.kernel.memory import LARGEST_VALUE, Layout
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.opponents import Agent, FromFile
from afterstate_lab.learners.rules.spec import PlayerSpec, find_built_in, runs_code
from afterstate_lab.learners.tape.run import Run

FORMAT: Final = 1
ARRAYS: Final = ("x_values", "x_visits", "o_values", "o_visits")
LONGEST: Final = {"header": 16_384} | dict.fromkeys(ARRAYS, 200_000)
"""Maximum number of bytes of the header and of an array."""
LARGEST_FILE: Final = sum(LONGEST.values()) + 16_384
AGENT: Final = re.compile(r"(.*):((?:seconds=[^:,]*,)?sha256=[^:,]*)", re.DOTALL)
"""A stored agent and its options, recognised by the SHA-256 of its file."""
ARRAY: Final = re.compile(
    rb"\x93NUMPY\x01\x00(?P<length>..)"
    rb"\{'descr': '(?P<dtype><f8|\|u1)', 'fortran_order': False, "
    rb"'shape': \((?P<shape>[0-9]{1,9},(?: [0-9]{1,9})?)\), \} *\n",
    re.DOTALL,
)
"""The start of a member: one or two dimensions of float64 or uint8, little-endian."""


class ArchiveError(UsageError):
    """The archive is malformed; the message explains why, after a colon."""


class NewerError(ArchiveError):
    """A newer version saved it; the message names both formats."""


def save_policy(run: Run, path: Path) -> None:
    """Write both players' tables atomically to a file readable by the owner only."""
    arrays = memory_views(run.layout, run.memory)
    header = {
        "format": FORMAT,
        "x": run.x.stored_text,
        "o": run.o.stored_text,
        "seed": run.seed,
        "games": run.games,
        "greedy_moves": [float(run.memory[table.counter]) for table in run.layout],
        "sha256": digest(arrays),
    }
    text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    little_endian: dict[str, Any] = {name: one.astype("<f8") for name, one in arrays.items()}
    packed = io.BytesIO()
    try:
        check_lock(path)
        np.savez_compressed(packed, header=text, **little_endian)
        replace_file(path, packed.getvalue())
    except OSError as error:
        raise PolicyFileError(f"cannot write {shown_path(path)}: {reason(error)}") from None


def check_place(path: Path) -> None:
    """Check before training that a policy can be saved there; the lock comes before the path."""
    try:
        check_lock(path)
        if path.suffix != ".npz":
            raise PolicyFileError(f"{shown_path(path)} does not end in .npz, as a policy file must")
        folder = path.absolute().parent
        if not folder.is_dir():
            raise PolicyFileError(f"no such folder: {shown_path(folder)}")
        with tempfile.TemporaryFile(dir=folder), suppress(FileNotFoundError):
            check_plain(path, path.stat())
    except OSError as error:
        raise PolicyFileError(f"cannot write {shown_path(path)}: {reason(error)}") from None


def memory_views(layout: Layout, memory: Floats) -> dict[str, Floats]:
    """Return the views of memory that a file stores, in the order of `ARRAYS`."""
    views = [view for t in layout for view in (t.values(memory), t.visits(memory))]
    return dict(zip(ARRAYS, views, strict=True))


def digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return the sha256 of the arrays' bytes, in the order of `ARRAYS`, little-endian."""
    data = b"".join(arrays[name].astype("<f8").tobytes() for name in ARRAYS)
    return hashlib.sha256(data).hexdigest()


def load_policy(path: Path) -> tuple[Layout, Floats]:
    """Return two saved players and their memory, float64[2N], checking everything first."""
    name = shown_path(path)
    try:
        with reading(path, PolicyFileError) as file:
            if os.fstat(file.fileno()).st_size > LARGEST_FILE:
                raise ArchiveError("it is larger than any")
            members = read_arrays(file)
        try:
            header = json.loads(members["header"].tobytes())
        except (ValueError, RecursionError):
            raise ArchiveError("its header cannot be read") from None
        return checked_policy(header, members)
    except NewerError as error:
        raise PolicyFileError(f"{name} was saved by a newer afterstate ({error})") from None
    except ArchiveError as error:
        raise PolicyFileError(f"{name} is not a policy that afterstate saved: {error}") from None


def read_arrays(file: BinaryIO) -> dict[str, NDArray[np.generic]]:
    """Read the arrays of an archive, each of a length that is allowed, before any is decoded."""
    try:
        with zipfile.ZipFile(file) as archive:
            members = {m.filename.removesuffix(".npy"): m for m in archive.infolist()}
            if sorted(archive.namelist()) != sorted(f"{name}.npy" for name in LONGEST):
                raise ArchiveError("it does not have the arrays of a policy")
            for name, member in members.items():
                if member.file_size > LONGEST[name]:
                    raise ArchiveError(f"its {member.filename} is longer than any learner's")
                if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise ArchiveError(f"its {member.filename} uses an unknown compression")
            arrays = {}
            for name, member in members.items():
                with archive.open(member) as stream:  # bounded, whatever it claims to unpack to
                    arrays[name] = array_of(stream.read(1 + member.file_size), name)
            return arrays
    except ArchiveError:
        raise
    except Exception as error:
        # A broken archive may raise any exception in the code that reads it.
        raise ArchiveError("it is damaged, or not an .npz file") from error


def array_of(member: bytes, name: str) -> NDArray[np.generic]:
    start = ARRAY.match(member)
    if start is None:
        raise ArchiveError(f"its {name} is not a plain array of numbers")
    dtype = np.dtype(start["dtype"].decode())
    shape = tuple(int(n) for n in start["shape"].split(b",") if n)
    body = 10 + int.from_bytes(start["length"], "little")
    if body != start.end() or len(member) != body + math.prod(shape) * dtype.itemsize:
        raise ArchiveError(f"its {name} has the wrong length")
    return np.frombuffer(member, dtype, offset=body).reshape(shape)


def checked_policy(header: Any, arrays: Mapping[str, NDArray[Any]]) -> tuple[Layout, Floats]:
    """Build the policy from its parts, checking every claim."""
    if not isinstance(header, dict) or not is_count(header.get("format")):
        raise ArchiveError("its header names no format")
    if header["format"] > FORMAT:
        raise NewerError(f"format {header['format']}, this one reads {FORMAT}")
    if not (is_count(header.get("games")) and is_count(header.get("seed"))):
        raise ArchiveError("its header has no number of games or no seed")
    greedy = header.get("greedy_moves")
    counts = greedy if isinstance(greedy, list) else []
    if [type(n) in (int, float) and 0 <= n < 1e18 for n in counts] != [True, True]:
        raise ArchiveError("its header has no numbers of greedy moves")
    try:
        x, o = (PlayerSpec.parse(str(header.get(side)), player_in_header) for side in ("x", "o"))
    except SpecError as error:
        raise ArchiveError(str(error)) from None
    layout = Layout.of(x, o)
    memory = layout.fresh()
    for name, place in memory_views(layout, memory).items():
        array = arrays[name]
        if array.dtype != np.float64 or array.shape != place.shape:
            raise ArchiveError(f"its {name} has the wrong shape for {x} against {o}")
        if not is_in_range(array, counts=name.endswith("visits")):
            raise ArchiveError(f"its {name} has impossible numbers")
        place[:] = array
    if digest(arrays) != header.get("sha256"):
        raise ArchiveError("its checksum is wrong")
    memory[layout.x.counter], memory[layout.o.counter] = counts
    return layout, memory


def is_in_range(array: Floats, *, counts: bool) -> bool:
    """Return whether all numbers are finite and in range; counts must be whole."""
    if counts:
        return bool(((array >= 0) & (array <= 2.0**53) & (array == np.floor(array))).all())
    return bool((np.abs(array) <= LARGEST_VALUE).all())


def is_count(value: Any) -> bool:
    """Return whether a value from JSON is a whole number in [0, 2^64)."""
    return type(value) is int and 0 <= value < 2**64


def player_in_header(text: str) -> tuple[type[Rule], str]:
    """Return the rule that a file's header names, and its options.

    Loading a policy opens no other file and runs no code: a saved policy in the header has its
    values in this file's arrays.
    """
    if (match := AGENT.fullmatch(text)) is not None:
        return named(Agent, match[1]), match[2]
    name, ending, options = text.rpartition(".npz")
    if ending and (not options or options.startswith(":")):
        return named(FromFile, name + ending), options[1:]
    if runs_code(text):
        raise SpecError(f"it learned by the rule {shown(text)}, and a policy never runs code")
    return find_built_in(text)


@cache
def named(kind: type[Rule], name: str) -> type[Rule]:
    """Return an agent or a saved policy by name; what it knows comes with the file or the run."""
    return type("Named", (kind,), {"name": name})


def saved_player(path: str) -> type[Rule]:
    """Return the opponent that plays a saved policy, from the current version of its file."""
    version: tuple[int, ...] = ()
    with suppress(OSError, ValueError):
        found = Path(path).stat()
        version = found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
    return read_policy(path, version)


@lru_cache(maxsize=16)
def read_policy(path: str, version: tuple[int, ...]) -> type[Rule]:
    layout, memory = load_policy(Path(path))

    class FromSavedFile(FromFile):
        """Chooses greedily among the values in the file."""

        name = path

        @classmethod
        def check_side(cls, side: int) -> None:
            if not layout.table(side).rule.learns:
                name = shown_path(path)
                raise PolicyFileError(f"{name} holds no learner that plays {'XO'[side]}")

        @classmethod
        def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> Floats:
            cls.check_side(entries.side)
            return layout.table(entries.side).preferences(memory)[entries.edges]

    return FromSavedFile
