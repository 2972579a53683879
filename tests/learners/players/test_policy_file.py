"""Saved policies: what comes back is what was saved; what lies or is broken is one sentence."""

import json
import os
import tracemalloc
import zipfile

import numpy as np
import pytest
from made import LEARNERS, is_said, run_of, sentences

from afterstate_lab.learners.errors import PolicyFileError
from afterstate_lab.learners.players import policy_file


def trained(x="td", o="q", games=200):
    return run_of(x, o, games, 9)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "policy.npz"


@pytest.fixture
def saved(path):
    policy_file.save_policy(trained(), path)
    return path


def members(path):
    """The arrays of a file, to be changed and written again."""
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def rewritten(path, honest=True, **changes):
    """Write a file again with other members, as arrays, bytes or None, and keys of its header."""
    arrays = members(path)
    header = json.loads(arrays["header"].tobytes())
    for name, value in changes.items():
        is_member = name in arrays or isinstance(value, np.ndarray)
        (arrays if is_member else header)[name] = value
    if honest and all(np.asarray(arrays[name]).dtype.kind == "f" for name in policy_file.ARRAYS):
        header["sha256"] = policy_file.digest(arrays)
    text = changes.get("header", json.dumps(header).encode())
    arrays["header"] = np.frombuffer(text, dtype=np.uint8)
    np.savez(path, **{name: value for name, value in arrays.items() if value is not None})


def refusal(path):
    with pytest.raises(PolicyFileError) as error:
        policy_file.load_policy(path)
    assert str(error.value).isprintable()
    return str(error.value).replace(str(path.parent) + "/", "")


def test_the_largest_policy_is_not_too_large(path):
    """Two tables a side, every number different, so that nothing is compressed."""
    run = trained("double-q", "double-q")
    digits = np.random.default_rng(0)
    for table in (run.layout.x, run.layout.o):
        table.values(run.memory)[:] = digits.random((2, len(table.entries.boards)))
        table.visits(run.memory)[:] = digits.integers(2**53, size=(2, len(table.entries.boards)))
    policy_file.save_policy(run, path)
    assert policy_file.load_policy(path)[1].tobytes() == run.memory.tobytes()


@pytest.mark.parametrize("spec", [*LEARNERS, "td:decay=.9,every=7", "q:symmetry=on"])
def test_what_is_loaded_is_what_was_saved(spec, path):
    run = trained(spec, spec)
    policy_file.save_policy(run, path)
    layout, memory = policy_file.load_policy(path)
    assert memory.tobytes() == run.memory.tobytes()
    assert (layout.x.spec, layout.o.spec) == (run.x, run.o)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_save_that_fails_leaves_the_old_file(saved, monkeypatch, error):
    def fail(_):
        raise error

    before = saved.read_bytes()
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises((PolicyFileError, KeyboardInterrupt), match=r"no space left on device|^$"):
        policy_file.save_policy(trained(), saved)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_a_place_is_tried_and_left_empty(tmp_path):
    policy_file.check_place(tmp_path / "new.npz")
    assert not list(tmp_path.iterdir())


def test_a_changed_number_and_a_newer_format_are_noticed(saved):
    values = members(saved)["x_values"]
    values[0, 77] += 1e-9
    rewritten(saved, honest=False, x_values=values)
    assert refusal(saved).endswith("its checksum is wrong")
    rewritten(saved, format=2)
    assert refusal(saved) == (
        "'policy.npz' was saved by a newer afterstate (format 2, this one reads 1)"
    )


def with_member(path, member):
    """Pack a file again with other bytes for its `o_values`."""
    with zipfile.ZipFile(path) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (packed | {"o_values.npy": member}).items():
            archive.writestr(name, data)


def bomb(path):
    with_member(path, bytes(50_000_000))
    assert path.stat().st_size < policy_file.LARGEST_FILE


def boastful(path):
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (999999999, 999), }"
    with_member(path, b"\x93NUMPY\x01\x00v\x00" + header.ljust(117) + b"\n")


def twice(path):
    """Two members of one name, of which readers see different ones."""
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("header.npy", b"x")


def many(path):
    """A list of members that alone would take long to read."""
    with zipfile.ZipFile(path, "w") as archive:
        for index in range(5_000):
            archive.writestr(f"{index:x}", b"")
    assert path.stat().st_size < policy_file.LARGEST_FILE


BREAKS = {
    "bomb": bomb,
    "boastful": boastful,
    "twice": twice,
    "many": many,
    "empty": lambda path: path.write_bytes(b""),
    "a table": lambda path: path.write_text("x,y\n1,2\n"),
    "too large": lambda path: os.truncate(path, policy_file.LARGEST_FILE + 1),
}


@pytest.mark.parametrize(("lie", "said"), sentences("learners/players/lies.txt"))
def test_a_broken_or_hostile_file_or_one_that_lies_is_refused_without_much_memory(saved, lie, said):
    if lie in BREAKS:
        BREAKS[lie](saved)
    else:
        rewritten(saved, **eval(f"dict({lie})"))
    tracemalloc.start()
    try:
        told = refusal(saved)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 8_000_000
    beginning = "'policy.npz' is not a policy that afterstate saved: "
    assert is_said(told.removeprefix(beginning), said), told
