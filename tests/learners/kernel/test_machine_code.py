"""Machine code kept in a file runs without the compiler, and only if it is whole and ours."""

import shutil
import subprocess
import sys

import pytest

from afterstate_lab.learners.kernel import compiler
from afterstate_lab.learners.kernel.machine_code import Unusable, load, save

needs_compiler = pytest.mark.skipif(not compiler.is_available(), reason="there is no numba")


def seven():
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine()
    return target.emit_object(llvm.parse_assembly("define i64 @seven(ptr %p) {\nret i64 7\n}"))


@needs_compiler
def test_what_was_saved_is_loaded_and_run(tmp_path):
    file = tmp_path / "kept.code"
    save(file, "seven", seven())
    assert file.stat().st_mode & 0o777 == 0o600
    assert [found.name for found in tmp_path.iterdir()] == ["kept.code"]
    assert load(file)(b"") == 7
    assert load(file)(b"") == 7


def test_no_damaged_file_is_used(tmp_path):
    file = tmp_path / "kept.code"
    save(file, "name", b"0123456789abcdef")
    whole = file.read_bytes()
    for damaged in (b"", whole[:31], whole[:36], whole[:-1], whole + b"x", b"x" + whole[1:]):
        file.write_bytes(damaged)
        with pytest.raises(Unusable):
            load(file)
    with pytest.raises(Unusable):
        load(tmp_path / "missing.code")


@needs_compiler
def test_a_function_that_is_not_there_is_not_called(tmp_path):
    file = tmp_path / "kept.code"
    save(file, "eight", seven())
    with pytest.raises(Unusable):
        load(file)


def test_no_machine_code_of_another_kernel_or_other_sources_is_used(tmp_path):
    file = tmp_path / "sources" / "kernel.code"
    file.parent.mkdir()
    save(file, "name", b"0123456789abcdef")
    for other in (file.with_name("other.code"), tmp_path / "others" / "kernel.code"):
        other.parent.mkdir(exist_ok=True)
        shutil.copy(file, other)
        with pytest.raises(Unusable, match="damaged"):
            load(other)


def test_no_file_that_others_can_write_is_used(tmp_path):
    file = tmp_path / "kept.code"
    save(file, "name", b"0123456789abcdef")
    file.chmod(0o666)
    with pytest.raises(Unusable, match="other users can write"):
        load(file)


KERNEL = """
import sys
from afterstate_lab.learners.kernel.kernel import Kernel
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player
specs = [parse_player(spec) for spec in sys.argv[1:]]
kernel = Kernel(Layout.of(*specs), 1)
print(kernel.compile(), kernel.compile(recording=True), "numba" in sys.modules)
"""


@needs_compiler
@pytest.mark.slow
def test_no_process_but_the_child_needs_the_compiler(monkeypatch, tmp_path):
    monkeypatch.setenv("AFTERSTATE_CACHE", str(tmp_path))
    said = [
        subprocess.run(
            [sys.executable, "-c", KERNEL, "td", "random"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert said == ["True True False\n"] * 2
