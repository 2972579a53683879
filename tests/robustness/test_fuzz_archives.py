"""Saved policies that a stranger has worked on, part by part: read as they are, or refused."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzz_inputs import tried
from fuzz_targets import refused
from hypothesis import given, settings
from hypothesis import strategies as st

from afterstate_lab.learners.errors import PolicyFileError
from afterstate_lab.learners.players.policy_file import (
    LARGEST_FILE,
    LONGEST,
    LONGEST_LIST,
    load_policy,
    save_policy,
)
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run

MOST_MEMORY = 4 * LARGEST_FILE
DTYPES = ("<f8", "|u1", ">f8", "<f4", "<i8", "|O", "|V8", "<U9", "|b1", "<M8[s]", "<c16", "x" * 99)
LENGTHS = st.one_of(
    st.sampled_from((0, 1, 2, 5478, -1, 2**31, 2**63, 10**18, 10**30)), st.integers(0, 9)
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
KEYS = ("format", "x", "o", "seed", "games", "greedy_moves", "sha256")
NAMES = (*(f"{name}.npy" for name in LONGEST), "../x.npy", "/etc/passwd", "x_values", "\x1b[2J.npy")


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The members of a sound file."""
    path = tmp_path_factory.mktemp("policy") / "sound.npz"
    run = Run(parse_player("td"), parse_player("q"), seed=9)
    run.train(20)
    save_policy(run, path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def npy(dtype: str, shape: tuple[int, ...], *, fortran: bool, version: int, body: bytes) -> bytes:
    """An array as numpy writes it, true or not."""
    said = repr({"descr": dtype, "fortran_order": fortran, "shape": shape}).replace("}", ", }")
    text = said.encode().ljust((len(said) + 75) // 64 * 64 + 53) + b"\n"
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes((version, 0)) + length + text + body


ARRAYS = st.builds(
    npy,
    st.sampled_from(DTYPES),
    st.lists(LENGTHS, max_size=4).map(tuple),
    fortran=st.booleans(),
    version=st.sampled_from((1, 2, 3, 9)),
    body=st.binary(max_size=64) | st.integers(0, 5000).map(lambda n: bytes(8 * n)),
)


def header_with(sound: bytes, key: str, value: Any) -> bytes:
    """The header of a file with another value at a key."""
    told = json.loads(np.load(io.BytesIO(sound)).tobytes()) | {key: value}
    file = io.BytesIO()
    np.save(file, np.frombuffer(json.dumps(told).encode(), np.uint8))
    return file.getvalue()


@st.composite
def archives(draw: st.DrawFn, members: dict[str, bytes]) -> bytes:
    """A file with other members, other arrays, another header, or other bytes about them."""
    changed = list(members.items())
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(changed) - 1))
        name, data = changed[at]
        match draw(st.sampled_from(("array", "header", "rename", "repeat", "drop", "cut"))):
            case "array":
                changed[at] = name, draw(ARRAYS)
            case "header":
                header = header_with(members["header.npy"], draw(st.sampled_from(KEYS)), draw(JSON))
                changed = [(n, header if n == "header.npy" else d) for n, d in changed]
            case "rename":
                changed[at] = draw(st.sampled_from(NAMES)), data
            case "repeat":
                changed.append((name, draw(ARRAYS)))
            case "cut":
                changed[at] = name, data[: draw(st.integers(0, len(data)))]
            case _ if len(changed) > 1:
                del changed[at]
    packed = bytearray(zipped(changed, draw(st.sampled_from((zipfile.ZIP_DEFLATED, 0)))))
    tail = len(packed) - packed.rfind(b"PK\x01\x02")
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(1, tail) | st.integers(1, len(packed)))
        many = draw(st.sampled_from((1, 2, 4, 8)))
        packed[-place : len(packed) - place + many] = draw(st.binary(min_size=many, max_size=many))
    return bytes(packed)


def zipped(members: list[tuple[str, bytes]], packing: int) -> bytes:
    """An archive of members, whose names may be there twice."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, packing)
    return file.getvalue()


def is_read(path: Path, most: int = MOST_MEMORY) -> bool:
    """Whether a file is read; refused otherwise, and neither way with more memory than so many."""
    tracemalloc.start()
    try:
        policy = load_policy(path)
        assert np.isfinite(policy.memory).all()
        return True
    except PolicyFileError as error:
        return refused(error)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < most


@tried(150, 1_500, pytest.mark.slow)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_was_worked_on_is_read_or_refused(
    members: dict[str, bytes], tmp_path: Path, profile: settings
) -> None:
    read, path = [], tmp_path / "policy.npz"

    @profile
    @given(st.data())
    def law(data: st.DataObject) -> None:
        path.write_bytes(data.draw(archives(members)))
        read.append(is_read(path))

    law()
    assert any(read)


def long_list(path: Path) -> bytes:
    """More members than anybody could want, each with nothing in it."""
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(30_000):
            archive.writestr(f"{number:x}", b"")
    return path.read_bytes()


def test_a_list_of_too_many_members_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    assert LONGEST_LIST < len(long_list(path)) < LARGEST_FILE
    assert not is_read(path, most=1_000_000)


@pytest.mark.slow
def test_neither_is_one_that_only_a_zip64_record_tells_of(tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    whole = bytearray(long_list(path))
    size, place = struct.unpack("<II", whole[-10:-2])
    record = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 5, 5, size, place)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, len(whole) - 22, 1)
    whole[-10:-6] = struct.pack("<I", 300)
    path.write_bytes(whole[:-22] + record + locator + whole[-22:])
    with zipfile.ZipFile(path) as archive:
        assert len(archive.infolist()) == 30_000
    assert not is_read(path, most=1_000_000)
