"""Saved policies: a `.npz` of plain arrays and a JSON header, fully checked when loaded.

Arrays: `x_values`, `x_visits`, `o_values`, `o_visits` (float64, tables times entries) and `header`
(the bytes of a JSON object: format, x, o, seed, games, greedy_moves, sha256 of the arrays).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from learners.errors import PolicyFileError, SpecError, reason, shown, shown_path
from learners.files import NoPlainFileError, check_lock, opened
from learners.kernel.memory import LARGEST_VALUE, Layout
from learners.players.archive import ArchiveError, read_arrays
from learners.rules.base import Rule
from learners.rules.opponents import Agent, FromFile
from learners.rules.spec import PlayerSpec, find_built_in, runs_code

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.tape.run import Run

FORMAT: Final = 1
ARRAYS: Final = ("x_values", "x_visits", "o_values", "o_visits")
LONGEST: Final = {"header": 16_384} | dict.fromkeys(ARRAYS, 2_000_000)
"""Maximum bytes of the header and of an array: more than any learner needs."""
LARGEST_FILE: Final = sum(LONGEST.values()) + 16_384
AGENT: Final = re.compile(r"(.*):((?:seconds=[^:,]*,)?sha256=[^:,]*)", re.DOTALL)
"""A stored agent and its options: it is told from a rule by the SHA-256 of its file."""
MOST_VISITS: Final = 2.0**53
"""Up to here float64 holds every whole number."""


@dataclass(frozen=True, eq=False)
class SavedPolicy:
    """The contents of a file: two players and their memory."""

    x: PlayerSpec
    o: PlayerSpec
    seed: int
    games: int
    layout: Layout
    memory: NDArray[np.float64]
    """float64[2N]"""


def save_policy(run: Run, path: Path) -> None:
    """Write both players' tables atomically to a file readable by the owner only.

    Raises:
        PolicyFileError: the file cannot be written.
    """
    arrays = {
        name: place.astype("<f8") for name, place in memory_views(run.layout, run.memory).items()
    }
    header = {
        "format": FORMAT,
        "x": run.x.stored_text,
        "o": run.o.stored_text,
        "seed": run.seed,
        "games": run.games,
        "greedy_moves": [
            float(run.memory[run.layout.x.counter]),
            float(run.memory[run.layout.o.counter]),
        ],
        "sha256": digest(arrays),
    }
    text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    members: dict[str, Any] = {"header": text, **arrays}
    with file_beside(path) as file:
        np.savez_compressed(file, **members)
        file.flush()
        os.fsync(file.fileno())
        Path(file.name).replace(path)


def check_place(path: Path) -> None:
    """Check before training that a policy can be saved there.

    Raises:
        PolicyFileError: it cannot.
    """
    if path.suffix != ".npz":
        raise PolicyFileError(f"{shown_path(path)} will not do: a policy's file name ends in .npz")
    if not path.absolute().parent.is_dir():
        raise PolicyFileError(
            f"there is no folder {shown_path(path.absolute().parent)} to save into"
        )
    with file_beside(path), suppress(FileNotFoundError):
        if stat.S_ISDIR(path.lstat().st_mode):
            raise PolicyFileError(f"{shown_path(path)} cannot be written: it is a folder")


@contextmanager
def file_beside(path: Path) -> Iterator[IO[bytes]]:
    """A new file in the same folder, open for writing; removed afterwards unless renamed.

    Raises:
        PolicyFileError: the file cannot be written.
    """
    try:
        check_lock(path)
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=".afterstate-", suffix=".npz", delete=False
        ) as file:
            try:
                yield file
            finally:
                Path(file.name).unlink(missing_ok=True)
    except OSError as error:
        raise PolicyFileError(f"{shown_path(path)} cannot be written: {reason(error)}") from None


def memory_views(layout: Layout, memory: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """The views of memory that the arrays of a file hold, in the order of `ARRAYS`."""
    return {
        "x_values": layout.x.values(memory),
        "x_visits": layout.x.visits(memory),
        "o_values": layout.o.values(memory),
        "o_visits": layout.o.visits(memory),
    }


def digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    """sha256 over the arrays' bytes, in the order of `ARRAYS`, little-endian."""
    sha256 = hashlib.sha256()
    for name in ARRAYS:
        sha256.update(arrays[name].astype("<f8").tobytes())
    return sha256.hexdigest()


def load_policy(path: Path) -> SavedPolicy:
    """Read a saved policy, checking everything before it is used.

    Raises:
        PolicyFileError: the file is missing, broken, hostile, or of a newer format.
    """
    try:
        with opened(path) as file:
            if os.fstat(file.fileno()).st_size > LARGEST_FILE:
                raise ArchiveError("it is larger than any")
            members = read_arrays(file, LONGEST)
    except (FileNotFoundError, ValueError) as error:
        if isinstance(error, ArchiveError):
            raise refused(path, str(error)) from None
        raise PolicyFileError(f"there is no file {shown_path(path)}") from None
    except NoPlainFileError as error:
        raise refused(path, reason(error)) from None
    except OSError as error:
        raise PolicyFileError(f"{shown_path(path)} cannot be read: {reason(error)}") from None
    try:
        header = json.loads(members["header"].tobytes())
    except (ValueError, RecursionError):
        raise refused(path, "its header cannot be read") from None
    return checked_policy(path, header, members)


def refused(path: Path, why: str) -> PolicyFileError:
    """The error for a file that is no saved policy."""
    return PolicyFileError(f"{shown_path(path)} is not a policy that afterstate saved: {why}")


def checked_policy(path: Path, header: Any, arrays: Mapping[str, NDArray[Any]]) -> SavedPolicy:
    """Build the policy from its parts, checking every claim.

    Raises:
        PolicyFileError: a claim is false, or the format is newer.
    """
    if not isinstance(header, dict) or not is_count(header.get("format")):
        raise refused(path, "its header says no format")
    if header["format"] > FORMAT:
        raise PolicyFileError(
            f"{shown_path(path)} was saved by a newer afterstate (format {header['format']}, "
            f"this one reads {FORMAT})"
        )
    games, seed, greedy = header.get("games"), header.get("seed"), header.get("greedy_moves")
    if games is None or seed is None or not (is_count(games) and is_count(seed)):
        raise refused(path, "its header has no number of games or no seed")
    if not (isinstance(greedy, list) and len(greedy) == 2 and all(map(is_number, greedy))):
        raise refused(path, "its header has no numbers of greedy moves")
    try:
        x, o = (PlayerSpec.parse(str(header.get(side)), player_in_header) for side in ("x", "o"))
    except SpecError as error:
        raise refused(path, str(error)) from None
    layout = Layout.of(x, o)
    memory = layout.fresh()
    for name, place in memory_views(layout, memory).items():
        array = arrays[name]
        if array.dtype != np.float64 or array.shape != place.shape:
            raise refused(path, f"its {name} has the wrong shape for {x} against {o}")
        if not is_in_range(array, counts=name.endswith("visits")):
            raise refused(path, f"its {name} has numbers that no learner has")
        place[:] = array
    if digest(arrays) != header.get("sha256"):
        raise refused(path, "its arrays are not those that were saved (checksum)")
    memory[layout.x.counter], memory[layout.o.counter] = greedy
    return SavedPolicy(x, o, seed, games, layout, memory)


def is_in_range(array: NDArray[np.float64], *, counts: bool) -> bool:
    """Whether all numbers are finite and in range; counts must be whole."""
    if counts:
        return bool(((array >= 0) & (array <= MOST_VISITS) & (array == np.floor(array))).all())
    return bool((np.abs(array) <= LARGEST_VALUE).all())


def is_count(value: Any) -> bool:
    """Whether a value from JSON is a whole number in [0, 2^64)."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**64


def is_number(value: Any) -> bool:
    """Whether a value from JSON is a number >= 0 that memory can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e18


def player_in_header(text: str) -> tuple[type[Rule], str]:
    """The rule that the header of a file names, and the text of its options.

    Loading a policy opens no other file and runs no code: if the header names a saved policy, its
    values are those in this file's arrays.

    Raises:
        SpecError: there is no such rule.
    """
    name, ending, options = text.rpartition(".npz")
    if ending and (not options or options.startswith(":")):
        return named_policy(name + ending), options[1:]
    if (match := AGENT.fullmatch(text)) is not None:
        return named_agent(match[1]), match[2]
    if runs_code(text):
        raise SpecError(f"it learned by the rule {shown(text)}, and no code is run for a file")
    return find_built_in(text)


@cache
def named_agent(name: str) -> type[Rule]:
    """An agent known by name only: its moves come with the file or the run that names it."""

    class NamedAgent(Agent):
        """An agent that is not asked again."""

    NamedAgent.name = name
    return NamedAgent


@cache
def named_policy(path: str) -> type[Rule]:
    """A saved policy known by name only."""

    class Named(FromFile):
        """A player whose values come with the file that names it."""

        name = path

    return Named
