"""Saved policies: a `.npz` of plain arrays and a JSON header, trusted no further than checked.

Arrays: `x_values`, `x_visits`, `o_values`, `o_visits` (float64, tables times entries) and `header`
(the bytes of a JSON object: format, x, o, seed, games, greedy_moves, sha256 of the arrays).
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from learners.errors import PolicyFileError, SpecError, shown
from learners.memory import Layout
from learners.spec import PlayerSpec

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.run import Run

FORMAT = 1
ARRAYS = ("x_values", "x_visits", "o_values", "o_visits")
LONGEST_HEADER = 16_384
LARGEST_ARRAY = 2_000_000
"""Bytes of the largest array that any learner has, with room to spare."""


@dataclass(frozen=True, eq=False)
class SavedPolicy:
    """What a file holds: two players and what they had learned."""

    x: PlayerSpec
    o: PlayerSpec
    seed: int
    games: int
    layout: Layout
    memory: NDArray[np.float64]
    """float64[2N]"""


def save_policy(run: Run, path: Path) -> None:
    """Write what both players know, whole or not at all, readable by the owner only.

    Raises:
        PolicyFileError: the file cannot be written.
    """
    arrays = memory_arrays(run.layout, run.memory)
    header = {
        "format": FORMAT,
        "x": str(run.x),
        "o": str(run.o),
        "seed": run.seed,
        "games": run.games,
        "greedy_moves": [
            float(run.memory[run.layout.x.counter]),
            float(run.memory[run.layout.o.counter]),
        ],
        "sha256": digest(arrays),
    }
    text = json.dumps(header).encode()
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".afterstate-", suffix=".npz")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez_compressed(file, header=np.frombuffer(text, dtype=np.uint8), **arrays)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise PolicyFileError(f"{shown(path)} cannot be written: {error.strerror}") from None


def memory_arrays(layout: Layout, memory: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """The arrays that a file holds, as copies."""
    return {
        "x_values": layout.x.values(memory).copy(),
        "x_visits": layout.x.visits(memory).copy(),
        "o_values": layout.o.values(memory).copy(),
        "o_visits": layout.o.visits(memory).copy(),
    }


def digest(arrays: dict[str, NDArray[np.float64]]) -> str:
    """sha256 over the arrays' bytes, in the order of `ARRAYS`, little-endian."""
    told = hashlib.sha256()
    for name in ARRAYS:
        told.update(np.ascontiguousarray(arrays[name]).astype("<f8").tobytes())
    return told.hexdigest()


def load_policy(path: Path) -> SavedPolicy:
    """Read a saved policy, checking everything before it is used.

    Raises:
        PolicyFileError: the file is missing, broken, hostile, or of a newer format.
    """
    if not path.exists():
        raise PolicyFileError(f"there is no file {shown(path)}")
    try:
        with path.open("rb") as file:
            header, arrays = read_members(file, path)
    except OSError as error:
        raise PolicyFileError(f"{shown(path)} cannot be read: {error.strerror}") from None
    except (zipfile.BadZipFile, EOFError, ValueError, KeyError, NotImplementedError) as error:
        if isinstance(error, PolicyFileError):
            raise
        raise refused(path, "it is damaged, or no .npz file at all") from None
    return checked_policy(path, header, arrays)


def refused(path: Path, why: str) -> PolicyFileError:
    """The error for a file that is not taken."""
    return PolicyFileError(f"{shown(path)} is not a policy that afterstate saved: {why}")


def read_members(file: Any, path: Path) -> tuple[Any, dict[str, NDArray[np.float64]]]:
    """Read the header and the arrays, each only after its size has been looked at."""
    with zipfile.ZipFile(file) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist()}
        wanted = {f"{name}.npy" for name in (*ARRAYS, "header")}
        if set(sizes) != wanted or len(archive.infolist()) != len(wanted):
            raise refused(path, "it does not hold the arrays that one holds")
        if sizes.pop("header.npy") > LONGEST_HEADER:
            raise refused(path, "its header is too long")
        if max(sizes.values()) > LARGEST_ARRAY:
            raise refused(path, "its arrays are larger than any learner's")
        file.seek(0)
        with np.load(file, allow_pickle=False) as members:
            header = json.loads(bytes(members["header"].astype(np.uint8)).decode())
            return header, {name: members[name] for name in ARRAYS}


def checked_policy(
    path: Path, header: Any, arrays: dict[str, NDArray[np.float64]]
) -> SavedPolicy:
    """Build the policy from parts whose every claim is checked."""
    if not isinstance(header, dict) or not isinstance(header.get("format"), int):
        raise refused(path, "its header says no format")
    if header["format"] > FORMAT:
        raise PolicyFileError(
            f"{shown(path)} was saved by a newer afterstate (format {header['format']}, "
            f"this one reads {FORMAT})"
        )
    games, seed, greedy = header.get("games"), header.get("seed"), header.get("greedy_moves")
    if not (is_count(games) and is_count(seed)):
        raise refused(path, "its header has no number of games or no seed")
    if not (isinstance(greedy, list) and len(greedy) == 2 and all(is_finite(n) for n in greedy)):
        raise refused(path, "its header has no numbers of greedy moves")
    try:
        x, o = (PlayerSpec.parse(str(header.get(side))) for side in ("x", "o"))
    except SpecError as error:
        raise refused(path, str(error)) from None
    layout = Layout.of(x, o)
    memory = layout.fresh()
    for name, place in memory_views(layout, memory).items():
        array = arrays[name]
        if array.dtype != np.float64 or array.shape != place.shape:
            raise refused(path, f"{name} has the wrong shape for {x} and {o}")
        if not np.isfinite(array).all():
            raise refused(path, f"{name} has numbers that are not finite")
        place[:] = array
    if digest(arrays) != header.get("sha256"):
        raise refused(path, "its arrays are not those that were saved (checksum)")
    memory[layout.x.counter], memory[layout.o.counter] = greedy
    return SavedPolicy(x, o, seed, games, layout, memory)


def memory_views(layout: Layout, memory: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """The places in memory to which the arrays of a file belong."""
    return {
        "x_values": layout.x.values(memory),
        "x_visits": layout.x.visits(memory),
        "o_values": layout.o.values(memory),
        "o_visits": layout.o.visits(memory),
    }


def is_count(value: Any) -> bool:
    """Whether a value from JSON is a whole number >= 0."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_finite(value: Any) -> bool:
    """Whether a value from JSON is a number >= 0 that memory can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e18
