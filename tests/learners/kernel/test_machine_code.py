"""Machine code kept in a file runs without the compiler, and only if it is whole and ours."""

import ctypes
import platform
import shutil
import struct
import sys
from pathlib import Path

import pytest

from learners.kernel import compiler, machine_code
from learners.kernel.kernel import Kernel, new_tally
from learners.kernel.machine_code import CodeImage, Unusable, digest, image_of
from learners.kernel.memory import Layout
from learners.players.resolve import parse_player

RETURN_SEVEN = bytes.fromhex("48b80700000000000000c3")
"""movabs $7, %rax; ret"""
RETURN_OWN_WORD = (
    bytes.fromhex("48b8") + struct.pack("<Q", 16) + bytes.fromhex("488b00c3").ljust(6, b"\0")
)
"""movabs $(image + 16), %rax; mov (%rax), %rax; ret; then the word, at offset 16."""

runs_here = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"),
    reason="machine code of another processor or system",
)
needs_compiler = pytest.mark.skipif(not compiler.is_available(), reason="there is no numba")


@runs_here
def test_a_saved_image_is_loaded_and_run(tmp_path):
    file = tmp_path / "kept.code"
    CodeImage(0, (), RETURN_SEVEN).save(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [found.name for found in tmp_path.iterdir()] == ["kept.code"]
    assert CodeImage.load(file).function()(b"") == 7


@runs_here
def test_an_address_within_it_is_where_it_was_put(tmp_path):
    image = CodeImage(0, (2,), RETURN_OWN_WORD + struct.pack("<q", 1234))
    assert image.function()(b"") == 1234
    assert image.function()(b"") == 1234, "put elsewhere, it is itself again"


@runs_here
def test_what_runs_can_not_be_written_and_what_is_written_does_not_run(monkeypatch):
    kept = []
    monkeypatch.setattr(machine_code, "_in_use", kept)
    CodeImage(0, (), RETURN_SEVEN).function()
    (memory,) = kept
    at = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    with Path("/proc/self/maps").open() as maps:
        (rights,) = (
            line.split()[1]
            for line in maps
            if int(line.split("-")[0], 16) <= at < int(line.split("-")[1].split()[0], 16)
        )
    assert rights == "r-xp"


@pytest.fixture
def image():
    return CodeImage(3, (2,), b"0123456789abcdef")


def test_no_damaged_file_is_used(tmp_path, image):
    file = tmp_path / "kept.code"
    image.save(file)
    assert CodeImage.load(file) == image
    whole = file.read_bytes()
    for damaged in (b"", whole[:31], whole[:36], whole[:-1], whole + b"x", b"x" + whole[1:]):
        file.write_bytes(damaged)
        with pytest.raises(Unusable):
            CodeImage.load(file)
    with pytest.raises(Unusable):
        CodeImage.load(tmp_path / "missing.code")


def test_no_machine_code_of_another_kernel_or_other_sources_is_used(tmp_path, image):
    file = tmp_path / "sources" / "kernel.code"
    file.parent.mkdir()
    image.save(file)
    for other in (file.with_name("other.code"), tmp_path / "others" / "kernel.code"):
        other.parent.mkdir(exist_ok=True)
        shutil.copy(file, other)
        with pytest.raises(Unusable, match="damaged"):
            CodeImage.load(other)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        struct.pack("<2I", 0, 0),  # no code
        struct.pack("<2I", 4, 0) + b"code",  # starts behind its end
        struct.pack("<2I", 0, 9) + b"code",  # fewer addresses than it says
        struct.pack("<3I", 0, 1, 1) + b"12345678",  # an address that ends behind its end
    ],
)
def test_no_image_reaches_beyond_itself(tmp_path, content):
    file = tmp_path / "kept.code"
    file.write_bytes(digest(file, content) + content)
    with pytest.raises(Unusable, match="damaged"):
        CodeImage.load(file)


def test_no_file_that_others_can_write_is_used(tmp_path):
    file = tmp_path / "kept.code"
    CodeImage(0, (), RETURN_SEVEN).save(file)
    file.chmod(0o666)
    with pytest.raises(Unusable, match="others"):
        CodeImage.load(file)


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"\x7fELF\x02\x01" + bytes(60), b"MZ" * 99])
def test_what_is_no_object_file_makes_no_image(content):
    with pytest.raises(Unusable):
        CodeImage.of_object(content, b"cfunc.")


def object_file(relocation=1, symbol=(3, 2), data=(1, 2), relocations=4):
    """An object with a function, eight bytes of data, and one relocation of the function.

    Args:
        relocation: the kind of the relocation.
        symbol: kind and section of the symbol that it is relative to.
        data: kind and flags of the section of data.
        relocations: kind of the section that holds the relocation.
    """
    names = b"\0cfunc.play\0"
    code, word = RETURN_OWN_WORD, struct.pack("<q", 99)
    symbols = struct.pack("<I2BH2Q", 0, 0, 0, 0, 0, 0)
    symbols += struct.pack("<I2BH2Q", 0, symbol[0], 0, symbol[1], 0, 0)
    symbols += struct.pack("<I2BH2Q", 1, 18, 0, 1, 0, len(code))
    entry = struct.pack("<2Qq", 2, 1 << 32 | relocation, 0)
    parts = [code, word, entry, symbols, names]
    starts = [64 + sum(map(len, parts[:i])) for i in range(len(parts))]
    table = starts[-1] + len(names)
    header = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack("<2HI", 1, 62, 1)
    header += struct.pack("<3QI6H", 0, 0, table, 0, 64, 0, 0, 64, 6, 5)
    shapes = [(1, 6, 0, 0), (*data, 0, 0), (relocations, 0, 4, 1), (2, 0, 5, 0), (3, 0, 0, 0)]
    sections = bytes(64) + b"".join(
        struct.pack("<2I4Q2I2Q", 0, kind, flags, 0, starts[i], len(parts[i]), link, info, 8, 0)
        for i, (kind, flags, link, info) in enumerate(shapes)
    )
    return header + b"".join(parts) + sections


def test_an_object_file_becomes_an_image_that_reads_its_own_data():
    image = image_of(object_file(), b"cfunc.")
    assert (image.start, image.addresses) == (0, (2,))
    assert struct.unpack_from("<Q", image.code, 2) == (16,)
    assert struct.unpack_from("<q", image.code, 16) == (99,)


@pytest.mark.parametrize(
    "unknown",
    [
        {"relocation": 2},  # relative to the instruction
        {"symbol": (0, 0)},  # undefined: it lies in the program or a library
        {"symbol": (10, 1)},  # an address that a function would tell
        {"data": (8, 3)},  # variables
        {"data": (1, 3)},  # variables with values
        {"data": (14, 2)},  # functions to be called first
        {"relocations": 9},
    ],
)
def test_an_object_that_needs_more_makes_no_image(unknown):
    with pytest.raises(Unusable):
        image_of(object_file(**unknown), b"cfunc.")


@needs_compiler
@runs_here
@pytest.mark.slow
def test_a_damaged_file_is_compiled_again_without_a_word(monkeypatch, tmp_path, capfd):
    monkeypatch.setenv("AFTERSTATE_CACHE", str(tmp_path))
    spec = parse_player("random")
    layout = Layout.of(spec, spec)

    def played():
        monkeypatch.setattr(compiler, "_kernels", {})
        kernel, tally = Kernel(layout, 1), new_tally()
        assert kernel.compile(elsewhere=False)
        kernel.play(layout.fresh(), 0, 5_000, tally)
        return tally.tolist()

    expected = new_tally()
    Kernel(layout, 1).play(layout.fresh(), 0, 5_000, expected)
    assert played() == expected.tolist()
    (file,) = (found for found in tmp_path.rglob("*") if found.is_file())
    assert file.suffix == ".code", "no other file is needed"
    whole = file.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], whole[:40] + b"\x0f\x0b" + whole[42:]):
        file.write_bytes(damaged)
        assert played() == expected.tolist()
        assert file.read_bytes() == whole, "it was made anew"
    assert capfd.readouterr() == ("", "")


@runs_here
def test_a_locked_lab_runs_the_machine_code_that_is_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("AFTERSTATE_LOCKED", "1")
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path / "data"))
    file = tmp_path / "kept.code"
    CodeImage(0, (), RETURN_SEVEN).save(file)
    assert CodeImage.load(file).function()(b"") == 7


@runs_here
def test_the_name_tells_versions_and_the_compilers_settings(monkeypatch):
    first = machine_code.machine()
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    assert machine_code.machine.__wrapped__() != first
    monkeypatch.delenv("NUMBA_CPU_NAME")
    assert machine_code.machine.__wrapped__() == first
    monkeypatch.setattr(sys, "version", "another Python")
    assert machine_code.machine.__wrapped__() != first
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert machine_code.machine.__wrapped__() == ""
