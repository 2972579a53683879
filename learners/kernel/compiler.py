"""Compile the specialized engine with numba, if installed, and keep the machine code on disk.

The cache folder is named by a hash of every source that goes into the kernel. It holds one file of
machine code for each kernel, loaded by llvmlite without the compiler: an object file and the name
of its function, after a hash of both, of the file's name (processor and versions) and of its
folder's name (sources). A file is written atomically, and runs only if no other user can have
written it. What is not there is compiled by a child process: compiling takes 180 MB and holds up
the threads of its process, loading does neither. If the folder cannot be written, nothing is kept;
a damaged file is compiled again.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import os
import shutil
import subprocess
import sys
import threading
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from afterstate_lab.learners.files import (
    cache_root,
    is_only_ours,
    is_private,
    make_folder,
    opened_plain,
    own_command,
    replace_file,
)
from afterstate_lab.learners.kernel import pointers
from afterstate_lab.learners.kernel.hooks import Specializer, WithHooks, error_text

if TYPE_CHECKING:
    from afterstate_lab.learners.kernel.hooks import Hooks

LARGEST = 4_000_000
"""Maximum number of bytes of a file."""
FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p)
"""A C function of the address of a block of words (`learners.kernel.pointers`). A call releases the
interpreter's lock."""
_in_use: list[Any] = []
"""Machine code, never released since a thread can be running it."""


class Unusable(Exception):
    """No usable machine code here."""


def save(file: Path, name: str, code: bytes) -> None:
    """Write a function's object file, whole or not at all."""
    content = name.encode() + b"\0" + code
    replace_file(file, digest(file, content) + content)


def load(file: Path) -> Callable[[bytes], int]:
    """Load the function in a file, for as long as the process runs."""
    try:
        with opened_plain(file) as stream:
            if not is_only_ours(file, os.fstat(stream.fileno())):
                raise Unusable("other users can write to it")
            content = stream.read(LARGEST)
    except OSError as error:
        raise Unusable(str(error)) from None
    known, content = content[:32], content[32:]
    if digest(file, content) != known:
        raise Unusable("it is damaged")
    name, _, code = content.partition(b"\0")
    try:
        llvm = bindings()
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_default_triple().create_target_machine()
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
    except (ImportError, RuntimeError) as error:
        raise Unusable(str(error)) from None
    address = engine.get_function_address(name.decode())
    if not address:
        raise Unusable("it lacks the function")
    _in_use.append(engine)
    return FUNCTION(address)


def bindings() -> Any:
    """Import llvmlite."""
    import llvmlite.binding as llvm  # type: ignore[import-untyped]

    return llvm


def digest(file: Path, content: bytes) -> bytes:
    """Return the hash of a file's content, its name, and its folder's name."""
    return hashlib.sha256(f"{file.parent.name}/{file.name}\n".encode() + content).digest()


@cache
def machine() -> str:
    """Return a hash of the processor's features and of all versions that affect machine code."""
    from importlib.metadata import version

    llvm = bindings()
    known = [llvm.get_process_triple(), llvm.get_host_cpu_name(), sys.version]
    known += [llvm.get_host_cpu_features().flatten()]
    known += [f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy")]
    known += sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_"))
    return hashlib.sha256("\n".join(known).encode()).hexdigest()[:16]


_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
"""One for each key, and one for the compiler in this process."""
_kernels: dict[str, Callable[..., int]] = {}
why_broken = ""
"""Why numba, though installed, cannot be used, with its own words; empty until that is tried."""

OUTER = {"error_model": "numpy", "_nrt": False}
"""Options of the kernel: as it allocates nothing, without reference counts."""
INNER = OUTER | {"forceinline": True}
"""Options of the functions that the kernel calls: compiled into their caller."""

LOOPS = ("-unroll-threshold=20000", "-unroll-runtime=false")
"""LLVM options: unroll loops of known length completely, as over the plies of a game, and no
others, since a position has few moves."""
USUAL_LOOPS = ("-unroll-threshold=300", "-unroll-runtime=true")
"""The default values of these options."""

KEPT_DAYS = 30
"""Days after which unused machine code is removed."""
LONGEST = 120.0
"""Time limit of the child, in seconds."""


class Broken(Exception):
    """numba is installed and cannot be imported."""


def is_available() -> bool:
    """Return whether numba is installed and was not found to be broken, without importing it."""
    if os.environ.get("AFTERSTATE_INTERPRETED") or os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return False

    return not why_broken and find_spec("numba") is not None


def numba() -> Any:
    """Import numba; warn where that fails, once, and try no more.

    Raises:
        Broken: it does not fit the other packages, or its libraries cannot be loaded.
    """
    global why_broken
    try:
        return importlib.import_module("numba")
    except Exception as error:
        why_broken = f"numba cannot be used ({type(error).__name__}: {error_text(error)[:200]})"
        warnings.warn(
            f"{why_broken}: everything runs interpreted, with the same results", stacklevel=2
        )
        raise Broken from None


def compiled(
    engine: WithHooks,
    pair: tuple[Hooks, Hooks],
    arguments: tuple[Any, ...],
    order: tuple[str, ...] = (),
    *,
    checked: bool = False,
) -> Callable[..., int] | None:
    """Return the compiled engine for a pair of hooks, or None without a compiler.

    It is a function of a block of words (`learners.kernel.pointers`); if checked, of the arguments.

    Args:
        engine: the engine with the hooks.
        pair: the hooks of both sides.
        arguments: arguments of the engine with no game to play.
        order: arguments of `learners.precompile` with which a child makes the same; none: no child.
        checked: check every index, for a user's own rule; slower.
    """
    if not is_available():
        return None
    key = kernel_key(pair, arguments)

    def make() -> Callable[..., int]:
        if checked:
            return checked_kernel(engine, arguments)
        v, changing = arguments[0], arguments[pointers.LASTING.stop :]
        low, high, first, last, _, tape, tally = changing
        words = arguments[pointers.LASTING] + (low, high, first, last, v, tally, tape)
        generic = WithHooks(pointers.play, {"play_games": engine})
        return cached_function(generic, key, words, order)

    return made_once(key, make)


def compiled_function(
    function: Any, arguments: tuple[Any, ...], order: tuple[str, ...] = ()
) -> Callable[[bytes], int] | None:
    """Return a compiled function of the block of its arguments, or None without a compiler.

    Args:
        function: the function, without hooks.
        arguments: numbers and arrays like those that it is called with; an array is a bare address.
        order: as for `compiled`.
    """
    if not is_available():
        return None
    names = [f"{function.__module__}.{function.__qualname__}", *map(pointers.layout, arguments)]
    key = hashlib.sha256(" ".join(names).encode()).hexdigest()[:16]
    generic = WithHooks(pointers.plain, {"function": WithHooks(function)})
    return made_once(key, lambda: cached_function(generic, key, arguments, order))


def made_once(key: str, make: Callable[[], Callable[..., int]]) -> Callable[..., int] | None:
    """Return machine code by its key, made once; only threads that need the same wait for it.

    None where numba is broken.
    """
    with suppress(Broken):
        if key not in _kernels:
            with _locks[key]:
                if key not in _kernels:
                    _kernels[key] = make()
        return _kernels[key]
    return None


def has_machine_code() -> bool:
    return bool(_kernels)


def cached_function(
    generic: WithHooks, key: str, arguments: tuple[Any, ...], order: tuple[str, ...]
) -> Callable[[bytes], int]:
    """Return a function of a block of words, loaded from the cache or compiled."""
    folder = cache_folder(generic)
    if folder is None:
        return compiled_here(generic, arguments, None)
    kept = folder / f"{key}.{machine()}.code"
    with suppress(Unusable):
        return load(kept)
    if order:
        compile_in_child(order)
        with suppress(Unusable):
            return load(kept)
    return compiled_here(generic, arguments, kept)


def compile_in_child(order: tuple[str, ...]) -> None:
    """Compile into the cache in a child process, which ends with this one."""
    command, variables = own_command("afterstate_lab.learners.precompile")
    with (
        suppress(OSError, ValueError, subprocess.TimeoutExpired),
        subprocess.Popen(
            [*command, *order],
            env=os.environ | variables,
            stdin=subprocess.PIPE,  # its other end closes with this process
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as child,
    ):
        try:
            child.wait(LONGEST)
        finally:
            child.kill()


def compiled_here(
    generic: WithHooks, arguments: tuple[Any, ...], kept: Path | None
) -> Callable[[bytes], int]:
    """Return a function of a block of words, compiled in this process and saved to a file."""
    nb = numba()

    def finish(function: FunctionType) -> Any:
        if function.__name__ != generic.function.__name__:
            return nb.njit(**INNER)(function)
        signature = nb.int64(nb.types.CPointer(nb.int64))
        return nb.cfunc(signature, **OUTER)(function)

    read = pointers.arguments_intrinsic(arguments)
    with _locks[""], loops_written_out():
        made: Any = Specializer(finish).specialize(
            WithHooks(generic.function, {**generic.hooks, "arguments_of": read})
        )
    _in_use.append(made)
    if kept is not None and not needs_others(made._library):
        with suppress(OSError):
            save(kept, made.native_name, made._library._get_compiled_object())
    return FUNCTION(made.address)


def needs_others(library: Any) -> bool:
    """Return whether it calls a function that only the compiler's process has."""
    functions = library._final_module.functions
    return any(f.is_declaration and not f.name.startswith("llvm.") for f in functions)


@contextmanager
def loops_written_out() -> Iterator[None]:
    """Compile with `LOOPS`.

    LLVM keeps options for the whole process, and who uses the library may compile functions too.
    """
    llvm = bindings()
    try:
        for option in LOOPS:
            llvm.set_option("afterstate", option)
        yield
    finally:
        for option in USUAL_LOOPS:
            llvm.set_option("afterstate", option)


def checked_kernel(engine: WithHooks, arguments: tuple[Any, ...]) -> Callable[..., int]:
    """Return the engine with every index checked, compiled in this process and not cached."""
    kernel = Specializer(numba().njit(nogil=True, boundscheck=True)).specialize(engine)
    with _locks[""]:
        kernel(*arguments)
    return kernel


def kernel_key(pair: tuple[Hooks, Hooks], arguments: tuple[Any, ...]) -> str:
    """Return a name of the hooks and the arguments' types, the same in every process."""
    names = [
        f"{name}={hook.__module__}.{hook.__qualname__}"
        if isinstance(hook, FunctionType)
        else f"{name}={hook!r}"
        for hooks in pair
        for name, hook in hooks.names().items()
    ]
    names += [pointers.layout(argument) for argument in arguments]
    return hashlib.sha256(" ".join(names).encode()).hexdigest()[:16]


def sources(function: Any, hooks: Any, found: dict[str, str]) -> dict[str, str]:
    """Return the files of a function and of all functions that it calls, and their constants."""
    code = function.__code__
    key = f"{code.co_filename}:{code.co_firstlineno}:{function.__qualname__}"
    if key not in found:
        found[key] = code.co_filename
        for name in code.co_names:
            used = hooks.get(name, function.__globals__.get(name))
            if isinstance(used, WithHooks):
                sources(used.function, used.hooks, found)
            elif isinstance(used, FunctionType):
                sources(used, hooks, found)
            elif isinstance(used, int | float | str | tuple):
                found[f"{key}:{name}={used!r}"] = code.co_filename
    return found


def kernel_hash(engine: WithHooks) -> str:
    """Return a hash of the sources of an engine and its hooks: equal hashes give equal bits."""
    found = sources(engine.function, engine.hooks, {})
    digest = hashlib.sha256()
    for file in sorted(set(found.values())):
        digest.update(Path(file).read_bytes())
    for name in sorted(name.rpartition(":")[2] for name in found if "=" in name):
        digest.update(name.encode())
    return digest.hexdigest()[:24]


def cache_folder(engine: WithHooks) -> Path | None:
    """Return the folder of this kernel's machine code, or None if it cannot be written.

    Machine code is not checked before it runs, so a folder that other users can write to is not
    used.
    """
    try:
        root = cache_root()
        known = kernel_hash(engine).encode() + Path(__file__).read_bytes()
        folder = root / hashlib.sha256(known).hexdigest()[:24]
        make_folder(folder)
        os.utime(folder)
        is_ours = is_private(root) and is_private(folder) and os.access(folder, os.W_OK)
    except (OSError, RuntimeError):
        return None
    if not is_ours:
        return None
    remove_unused(root, folder)
    return folder


def remove_unused(root: Path, used: Path) -> None:
    """Remove machine code of other sources that was unused for `KEPT_DAYS`."""
    oldest = time.time() - KEPT_DAYS * 86400
    with suppress(OSError):
        for folder in root.iterdir():
            is_ours = len(folder.name) == 24 and set(folder.name) <= set("0123456789abcdef")
            if is_ours and folder != used and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
