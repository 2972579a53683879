"""Files from strangers: broken, lying, hostile or no files at all, each refused in one sentence."""

import os
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.errors import PolicyFileError
from learners.players.policy_file import ARRAYS, LARGEST_FILE, load_policy, save_policy
from learners.players.resolve import parse_player
from learners.tape.run import Run


def trained(games: int = 200) -> Run:
    run = Run(parse_player("td"), parse_player("q"), seed=9)
    run.train(games)
    return run


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "policy.npz"
    save_policy(trained(), path)
    return path


def members(path: Path) -> dict[str, Any]:
    """The arrays of a file, to be changed and written again."""
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def refusal(path: Path) -> str:
    """The one sentence with which a file is refused."""
    with pytest.raises(PolicyFileError) as error:
        load_policy(path)
    assert str(error.value).isprintable()
    return str(error.value).replace(str(path.parent) + "/", "")


def pickled(path: Path) -> None:
    """An object array, which would run code if it were loaded as numpy can."""
    arrays = members(path) | {"x_values": np.array([print], dtype=object)}
    np.savez(path, **arrays)


def with_member(path: Path, member: bytes) -> None:
    """Pack a file again with other bytes for its `o_values`."""
    with zipfile.ZipFile(path) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (packed | {"o_values.npy": member}).items():
            archive.writestr(name, data)


def bomb(path: Path) -> None:
    """A small file with a member of 50 MB."""
    with_member(path, bytes(50_000_000))
    assert path.stat().st_size < LARGEST_FILE


def hidden_bomb(path: Path) -> None:
    """The same, but its length is given as 10 bytes."""
    bomb(path)
    data = path.read_bytes()
    path.write_bytes(data.replace(struct.pack("<L", 50_000_000), struct.pack("<L", 10)))


def boastful(path: Path) -> None:
    """A few bytes that say they are an array of 8 TB."""
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (999999999, 999), }"
    with_member(path, b"\x93NUMPY\x01\x00v\x00" + header.ljust(117) + b"\n")


def strangely_packed(path: Path) -> None:
    """Members packed in a way that may ask for much memory."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        for name in (*ARRAYS, "header"):
            archive.writestr(f"{name}.npy", b"x")


def one_too_many(path: Path) -> None:
    np.savez(path, **members(path), more=np.zeros(1))


def one_too_few(path: Path) -> None:
    arrays = members(path)
    del arrays["o_visits"]
    np.savez(path, **arrays)


def twice(path: Path) -> None:
    """Two members of one name, of which readers see different ones."""
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("header.npy", b"x")


def climbing(path: Path) -> None:
    """A member with a name that leads out of the folder."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../header.npy", b"x")


def spoiled(path: Path) -> None:
    """A deflated member with a wrong bit in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 0x40
    path.write_bytes(data)


def encrypted(path: Path) -> None:
    """Members that ask for a password."""
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(mark, at + 4)
    path.write_bytes(data)


def deep(path: Path) -> None:
    """A header of brackets in brackets."""
    header = np.frombuffer(b"[" * 16_000, dtype=np.uint8)
    np.savez(path, **(members(path) | {"header": header}))


def endless_number(path: Path) -> None:
    header = np.frombuffer(b'{"format": 1' + b"0" * 9_000 + b"}", dtype=np.uint8)
    np.savez(path, **(members(path) | {"header": header}))


def long_header(path: Path) -> None:
    header = np.frombuffer(b" " * 20_000, dtype=np.uint8)
    np.savez(path, **(members(path) | {"header": header}))


def list_for_header(path: Path) -> None:
    np.savez(path, **(members(path) | {"header": np.frombuffer(b"[1]", dtype=np.uint8)}))


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (pickled, "its x_values is no plain array of numbers"),
        (bomb, "its o_values.npy is longer than any learner's"),
        (hidden_bomb, ("it is damaged", "its o_values is no plain array")),
        (boastful, "its o_values is not as long as it says"),
        (strangely_packed, "its x_values.npy is packed in a strange way"),
        (one_too_many, "it does not hold the arrays that one holds"),
        (one_too_few, "it does not hold the arrays that one holds"),
        (twice, "it does not hold the arrays that one holds"),
        (climbing, "it does not hold the arrays that one holds"),
        (spoiled, "it is damaged, or no .npz file at all"),
        (encrypted, "it is damaged, or no .npz file at all"),
        (deep, "its header cannot be read"),
        (endless_number, "its header cannot be read"),
        (long_header, "its header.npy is longer than any learner's"),
        (list_for_header, "its header says no format"),
        (lambda path: path.write_bytes(b""), "it is damaged, or no .npz file at all"),
        (lambda path: path.write_text("x,y\n1,2\n"), "it is damaged, or no .npz file at all"),
        (lambda path: os.truncate(path, LARGEST_FILE + 1), "it is larger than any"),
    ],
)
def test_a_broken_or_hostile_file_is_refused(
    saved: Path, spoil: Callable[[Path], None], why: str | tuple[str, ...]
):
    spoil(saved)
    beginning = "'policy.npz' is not a policy that afterstate saved: "
    assert refusal(saved).removeprefix(beginning).startswith(why)


@settings(max_examples=60)
@given(st.data())
def test_a_truncated_or_overwritten_file_is_refused_or_still_the_same(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
):
    path = tmp_path_factory.mktemp("bits") / "policy.npz"
    run = trained(games=5)
    save_policy(run, path)
    whole = path.read_bytes()
    if data.draw(st.booleans()):
        path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    else:
        at, byte = data.draw(st.integers(0, len(whole) - 1)), data.draw(st.binary(min_size=1))
        path.write_bytes(whole[:at] + byte + whole[at + len(byte) :])
    try:
        policy = load_policy(path)
    except PolicyFileError as error:
        assert str(error).isprintable()
    else:
        assert policy.memory.tobytes() == run.memory.tobytes()


def test_what_is_no_ordinary_file_is_refused(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.npz")
    (tmp_path / "folder.npz").mkdir()
    (tmp_path / "lost.npz").symlink_to(tmp_path / "gone.npz")
    (tmp_path / "loop.npz").symlink_to(tmp_path / "loop.npz")
    for name, why in (
        ("pipe.npz", "it is no ordinary file"),
        ("folder.npz", "it is no ordinary file"),
        ("gone.npz", "there is no file 'gone.npz'"),
        ("lost.npz", "there is no file 'lost.npz'"),
        ("loop.npz", "too many levels of symbolic links"),
        ("x" * 300 + ".npz", "file name too long"),
        ("policy.npz/x.npz", "there is no file"),
        ("\x1b[31m.npz", "there is no file '\\x1b[31m.npz'"),
        ("nul\0.npz", "there is no file 'nul\\x00.npz'"),
    ):
        assert why in refusal(tmp_path / name)


@pytest.mark.parametrize("spoil", [bomb, hidden_bomb, boastful, strangely_packed])
def test_refusing_takes_no_more_memory_than_reading(saved: Path, spoil: Callable[[Path], None]):
    spoil(saved)
    tracemalloc.start()
    try:
        refusal(saved)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < LARGEST_FILE
