"""The compiler may be missing, its cache unwritable, stale or damaged: training goes on."""

import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest
from made import layout_of, needs_compiler, until

from afterstate_lab.learners.kernel import compiler
from afterstate_lab.learners.kernel.compiler import Unusable, load, save
from afterstate_lab.learners.kernel.hooks import WithHooks, engine_with_hooks
from afterstate_lab.learners.kernel.kernel import Kernel, new_tally

TRAIN = """
import sys
from afterstate_lab.learners.kernel.kernel import Kernel, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player

layout = Layout.of(*map(parse_player, sys.argv[1:]))
kernel, tally = Kernel(layout, 1), new_tally()
print(kernel.compile(), kernel.compile(recording=True))
kernel.play(layout.fresh(), 0, 5000, tally)
print(tally[1:4].tolist(), *{"numba", "llvmlite.binding"} & {*sys.modules})
"""
OURS = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def play_random(*, compiled):
    layout = layout_of("random")
    kernel = Kernel(layout, 1)
    assert not compiled or kernel.compile()
    tally = new_tally()
    kernel.play(layout.fresh(), 0, 5_000, tally)
    return tally[1:4].tolist()


def run_program(program, cache, *words, **more):
    """Run Python code in another process, with a cache of its own."""
    environment = os.environ | OURS | {"AFTERSTATE_CACHE": str(cache)} | more
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_interpreted_by_request_and_numba_is_never_loaded(monkeypatch, tmp_path):
    told = run_program(TRAIN, tmp_path, "random", "random", AFTERSTATE_INTERPRETED="1").stdout
    assert told == f"False False\n{play_random(compiled=False)}\n"
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    kernel = Kernel(layout_of("td"), 1)
    assert kernel.compile() is False
    assert not kernel.is_compiled


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("error", ["ImportError", "AttributeError"])
def test_numba_that_is_broken_is_one_sentence_and_all_runs_interpreted(tmp_path, error):
    words = "Numba needs NumPy 2.2 or less. Got NumPy 2.3."
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text(f"raise {error}({words!r})")
    program = "from afterstate_lab.learners.kernel import kernel; kernel.WORTH_COMPILING = 0\n"
    program += "from afterstate_lab.tui.command import main; main()"
    env = {"PYTHONPATH": os.pathsep.join([str(tmp_path), OURS["PYTHONPATH"]])}
    found = f"numba cannot be used ({error}: {words})"
    trained = run_program(program, tmp_path / "cache", "train", "--games=20", "--json", **env)
    assert (trained.returncode, json.loads(trained.stdout)["games"]) == (0, 20)
    said = f"afterstate: {found}: everything runs interpreted, with the same results\n"
    assert trained.stderr == said
    told = run_program(program, tmp_path / "cache", "doctor", **env).stdout
    assert re.search(rf"compiler +none: interpreted, .*\n +why: {re.escape(found)}\n", told)


def test_what_is_loaded_is_had_while_another_thread_compiles(monkeypatch):
    play_random(compiled=True)
    monkeypatch.setattr(compiler, "_locks", None)  # nobody who takes it would come back
    assert play_random(compiled=True) == play_random(compiled=False)


@pytest.mark.slow
@needs_compiler
def test_where_no_child_starts_it_is_compiled_here_and_anew_where_the_cache_is_damaged(
    monkeypatch, tmp_path, capfd
):
    monkeypatch.setenv("AFTERSTATE_CACHE", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no python"))
    monkeypatch.setattr(compiler, "made_before", {})
    assert play_random(compiled=True) == play_random(compiled=False)
    (file,) = (found for found in tmp_path.rglob("*") if found.is_file())
    assert file.suffix == ".code", "no other file is needed"
    whole = file.read_bytes()
    file.write_bytes(whole[:40] + b"\x0f\x0b" + whole[42:])
    monkeypatch.setattr(compiler, "made_before", {})
    assert play_random(compiled=True) == play_random(compiled=False)
    assert compiler.load(file), "it was made anew"
    assert capfd.readouterr() == ("", "")


@needs_compiler
@pytest.mark.skipif(sys.platform == "win32", reason="a process is never killed by a signal there")
def test_where_the_child_is_killed_this_process_holds_no_compiler_either(monkeypatch, tmp_path):
    monkeypatch.setenv("AFTERSTATE_CACHE", str(tmp_path))
    monkeypatch.setattr(compiler, "made_before", {})
    monkeypatch.setattr(compiler, "compiled_here", None)
    killed = [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]
    monkeypatch.setattr(compiler, "own_command", lambda module: (killed, {}))
    assert not Kernel(layout_of("random"), 1).compile()


CHILD = """
import runpy, sys, threading
from pathlib import Path
begun = Path(sys.argv.pop())
threading.Thread.start = lambda thread: begun.touch()
runpy.run_module("afterstate_lab.learners.precompile", run_name="__main__", alter_sys=True)
"""
"""The child without the thread that waits for the end of its input."""
ORDERS = """
import sys
from afterstate_lab.learners.kernel import compiler

words = ("double-q", "tdlambda", "False", "False", "True")
if len(sys.argv) > 1:
    child, begun = sys.argv[1:]
    (_, variables), words = compiler.own_command(""), (*words, begun)
    compiler.own_command = lambda module: ([sys.executable, "-c", child], variables)
compiler.compile_in_child(words)
"""


@needs_compiler
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
@pytest.mark.quick("by a signal")
@pytest.mark.parametrize("child", ["", CHILD], ids=["by the end of its input", "by a signal"])
def test_the_child_ends_with_the_process_that_started_it(tmp_path, child):
    begun, env = tmp_path / "begun", os.environ | OURS | {"AFTERSTATE_CACHE": str(tmp_path)}
    words = (child, str(begun)) if child else ()
    with subprocess.Popen([sys.executable, "-c", ORDERS, *words], env=env) as parent:
        children = psutil.Process(parent.pid).children
        until(begun.exists if child else children)
        compiles = children()
        parent.kill()
    assert not psutil.wait_procs(compiles, 10.0)[1], "it compiles on by itself"
    assert not list(tmp_path.rglob("*.code")), "it ended because it was done"


def module_from(path, source):
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_edited_helper_or_constant_in_another_file_gives_another_kernel(tmp_path):
    def kernel_hash(body):
        helper = module_from(tmp_path / "helper.py", f"def helper(x):\n    return {body}\n")
        rule = module_from(tmp_path / "rule.py", "def hook(x):\n    return helper(x)\n")
        rule.helper = helper.helper
        return compiler.kernel_hash(WithHooks(rule.hook))

    assert kernel_hash("x + 1") == kernel_hash("x + 1")
    assert kernel_hash("x + 1") != kernel_hash("x + 2")
    rule = module_from(tmp_path / "other.py", "RATE = 1\ndef hook(x):\n    return x + RATE\n")
    before = compiler.kernel_hash(WithHooks(rule.hook))
    rule.RATE = 2
    assert compiler.kernel_hash(WithHooks(rule.hook)) != before


def test_machine_code_is_made_for_hooks_words_and_places_in_memory_and_for_no_free_number():
    def key(x, o="", *, with_arguments=True):
        kernel = Kernel(layout_of(x, o), 1)
        arguments = kernel._arguments(np.zeros(2), 0, 0, None, None, new_tally())
        engine = engine_with_hooks(*kernel._hooks)
        return compiler.kernel_key(engine, arguments if with_arguments else ())

    names = "td", "td:step=1/n", "td:decay=0.5,every=9", "q", "random"
    assert len({key(name, with_arguments=False) for name in names}) == len(names)
    assert key("td:alpha=0.5,epsilon=0.2,draw=0.1", "td") == key("td")
    assert key("td:exploration=learn", "td") != key("td")
    assert key("td:symmetry=on", "td") == key("td"), "other entries, by the same code"
    assert key("q", "q:symmetry=on") != key("q"), "the visits of X lie elsewhere"


OWN_FUNCTIONS = """
import re, numba
from afterstate_lab.learners.kernel import compiler
from afterstate_lab.learners.kernel.kernel import Kernel
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player

def known_length(a, n):
    s = 1.0
    for i in range(300):
        s = s * 0.5 + a[i]
    return s

def unknown_length(a, n):
    s = 1.0
    for i in range(n):
        s = s * 0.5 + a[i]
    return s

def instructions():
    made = [numba.njit("f8(f8[::1], i8)")(function) for function in (known_length, unknown_length)]
    texts = ["".join(function.inspect_asm().values()) for function in made]
    return [len(re.findall(r"^\\t[a-z]", text, re.MULTILINE)) for text in texts]

print(instructions())
with compiler.loops_written_out():
    print(instructions())
spec = parse_player("random")
print(Kernel(Layout.of(spec, spec), 1).compile(in_child=False), instructions())
"""


@pytest.mark.slow
@needs_compiler
def test_the_users_own_functions_are_compiled_as_if_the_engine_never_was(tmp_path):
    lines = run_program(OWN_FUNCTIONS, tmp_path).stdout.splitlines()
    usual, in_our_way, after = lines
    assert after == f"True {usual}"
    assert all(a != b for a, b in zip(json.loads(usual), json.loads(in_our_way), strict=True))


SEVEN = "define i64 @seven(ptr %p) {\nret i64 7\n}"
CALLS = """
@halves = private constant [4 x double] [double 0.5, double 1.5, double 2.5, double 3.5]
define i64 @first(ptr %p) noinline {
  %n = load i64, ptr %p
  %at = getelementptr double, ptr @halves, i64 %n
  %half = load double, ptr %at
  %sum = fadd double %half, 1.23e2
  %whole = fptosi double %sum to i64
  ret i64 %whole
}
define i64 @other(ptr %p) {
  %found = call i64 @first(ptr %p)
  %more = add i64 %found, 1000
  ret i64 %more
}
"""


def object_file(assembly=SEVEN):
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine()
    return target.emit_object(llvm.parse_assembly(assembly))


@needs_compiler
@pytest.mark.parametrize("links", [True, False])
def test_what_was_saved_is_loaded_and_run(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(compiler, "linked", lambda name, code: None)
    file = tmp_path / "kept.code"
    save(file, "other", object_file(CALLS))
    assert file.stat().st_mode & 0o777 == 0o600
    assert [found.name for found in tmp_path.iterdir()] == ["kept.code"]
    halves = [1123, 1124, 1125, 1126]  # 123.5 to 126.5, towards zero, and a thousand
    for _ in range(2):
        function = load(file)
        assert [function(n.to_bytes(8, sys.byteorder)) for n in range(4)] == halves
    save(file, "one that is not there", object_file(CALLS))
    with pytest.raises(Unusable):
        load(file)


@needs_compiler
def test_code_that_calls_what_only_another_process_has_is_not_linked():
    calls = SEVEN.replace("ret i64 7", "%a = call i64 @far(ptr %p)\nret i64 %a")
    assert compiler.linked("seven", object_file(f"declare i64 @far(ptr)\n{calls}")) is None
    assert compiler.linked("eight", object_file()) is None


def test_no_file_is_used_but_the_one_that_was_saved_there(tmp_path):
    file = tmp_path / "sources" / "kept.code"
    file.parent.mkdir()
    save(file, "name", b"0123456789abcdef")
    whole = file.read_bytes()
    for damaged in (b"", whole[:31], whole[:36], whole[:-1], whole + b"x", b"x" + whole[1:]):
        file.write_bytes(damaged)
        with pytest.raises(Unusable):
            load(file)
    file.write_bytes(whole)
    for name in ("sources/other.code", "others/kept.code"):
        other = tmp_path / name
        other.parent.mkdir(exist_ok=True)
        with pytest.raises(Unusable, match="damaged"):
            load(Path(shutil.copy(file, other)))
    file.chmod(0o666)
    with pytest.raises(Unusable, match="other users can write"):
        load(file)
    with pytest.raises(Unusable):
        load(tmp_path / "missing.code")


@needs_compiler
@pytest.mark.slow
def test_no_process_but_the_child_needs_the_compiler(tmp_path):
    first, again = (run_program(TRAIN, tmp_path, "td", "random").stdout for _ in range(2))
    assert first == again and first.startswith("True True\n")
    links = sys.platform == "linux" and platform.machine() == "x86_64"
    assert first.endswith("]\n" if links else "] llvmlite.binding\n")
