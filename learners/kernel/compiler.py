"""Compile the specialized engine with numba, if installed, and keep the machine code on disk.

The cache folder is named by a hash of every source that goes into the kernel. It holds one file of
machine code for each kernel, which runs without the compiler. On Linux and x86-64 it is linked;
elsewhere it is an object file and the name of its function, which llvmlite links. It follows its
hash, which covers the file's name (processor and versions) and its folder's name (sources) too. A
file is written atomically, and runs only if no other user can have written it. What is not there is
compiled by a child process: compiling takes 180 MB and holds up the threads of its process, loading
does neither. If the folder cannot be written, nothing is kept; a damaged file is compiled again.

A kernel gets its arguments as one block of words, with arrays as bare addresses. A word is eight
bytes: a number or an address. To the compiler an array is seven words, and each index into it is
tested for a sign; the engine needs neither. With bare addresses, recording is a tenth faster, and a
call costs 2 us, not 4 to 11. The fields named in a tuple's `fixed` are not words: the machine code
is made for their values.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import mmap
import os
import struct
import subprocess
import sys
import threading
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ctypes import addressof, c_char
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from afterstate_lab.learners.engine.play import unbound
from afterstate_lab.learners.files import (
    is_only_ours,
    is_private,
    make_folder,
    opened_plain,
    own_command,
    replace_file,
    user_folder,
)
from afterstate_lab.learners.kernel.hooks import Specializer, WithHooks, error_text

LARGEST = 4_000_000
"""Maximum number of bytes of a file."""
FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p)
"""A C function of the address of a block of words (`learners.kernel.compiler`). A call releases the
interpreter's lock."""
ELF, X86_64 = b"\x7fELF\2\1", 62
"""The beginning of an object file of Linux with 64 bits, and its number of the processor."""
IN_MEMORY, BYTES, SYMBOLS, REFERENCES, WHOLE_ADDRESS = 2, 1, 2, 4, 1
"""ELF's numbers: a flag of sections, three kinds of them, and a kind of reference."""
_in_use: list[Any] = []
"""Machine code, never released since a thread can be running it."""


class Unusable(Exception):
    """No usable machine code here."""


def save(file: Path, name: str, code: bytes) -> None:
    """Write a function's object file, linked if possible; whole or not at all."""
    content = linked(name, code) or name.encode() + b"\0" + code
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
    return FUNCTION(linked_by_llvm(name.decode(), code) if name else placed(code))


def linked_by_llvm(name: str, code: bytes) -> int:
    """Return the address of a function of an object file."""
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
    address = engine.get_function_address(name)
    if not address:
        raise Unusable("it lacks the function")
    _in_use.append(engine)
    return int(address)


class Section(NamedTuple):
    """A section of an ELF file."""

    kind: int
    flags: int
    link: int
    about: int
    content: bytes


def linked(name: str, code: bytes) -> bytes | None:
    """Link an object file for Linux on x86-64, to be `placed`; None if that needs llvmlite.

    llvmlite's library holds 7 MB in a process. Code for a process of any size refers to itself by
    whole addresses only, to each of which the address of its memory is added.
    """
    if sys.platform != "linux" or not code.startswith(ELF) or code[18] != X86_64:
        return None
    (at,), (count,) = struct.unpack_from("<Q", code, 40), struct.unpack_from("<H", code, 60)
    headers = code[at : at + 64 * count]
    sections = [
        Section(kind, flags, link, about, code[start : start + size])
        for kind, flags, start, size, link, about in struct.iter_unpack("<4xIQ8x2Q2I16x", headers)
    ]
    image, starts, places = bytearray(), {}, []
    for number, section in enumerate(sections):
        if section.kind == BYTES and section.flags & IN_MEMORY:
            # On a page of its own: beside the constants, training is 5% slower.
            image += bytes(-len(image) % mmap.PAGESIZE)
            starts[number] = len(image)
            image += section.content
    (table,) = (section for section in sections if section.kind == SYMBOLS)
    symbols = list(struct.iter_unpack("<I2xH2Q", table.content))
    for section in sections:
        if section.kind == REFERENCES and section.about in starts:
            for place, kind, number, more in struct.iter_unpack("<Q2Iq", section.content):
                _, inside, value, _ = symbols[number]
                if kind != WHOLE_ADDRESS or inside not in starts:
                    return None
                places.append(starts[section.about] + place)
                struct.pack_into("<q", image, places[-1], starts[inside] + value + more)
    names = sections[table.link].content
    for start, inside, value, _ in symbols:
        if names.startswith(name.encode() + b"\0", start) and inside in starts:
            form = f"<x2I{len(places)}I"  # no name of a function, for llvmlite, before the zero
            return struct.pack(form, starts[inside] + value, len(places), *places) + image
    return None


def placed(code: bytes) -> int:
    """Put linked code where it can run; return the address of its function."""
    if sys.platform != "linux":
        raise Unusable("it is for Linux")
    entry, count = struct.unpack_from("<2I", code)
    image = code[8 + 4 * count :]
    memory = mmap.mmap(-1, len(image), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.write(image)
    start = address(memory)
    for place in struct.unpack_from(f"<{count}I", code, 8):
        (inside,) = struct.unpack_from("<Q", memory, place)
        struct.pack_into("<Q", memory, place, start + inside)
    pages = ctypes.c_void_p(start), ctypes.c_size_t(len(image))
    if ctypes.CDLL(None).mprotect(*pages, mmap.PROT_READ | mmap.PROT_EXEC):
        raise Unusable("the system does not let it run")
    _in_use.append(memory)
    return start + int(entry)


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
    try:  # on Linux without llvmlite's library
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        processor = "\n".join(sorted({line for line in lines if line.startswith(FEATURES)}))
    except OSError:
        llvm = bindings()
        processor = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
    known = [processor, sys.version, np.__version__]
    for name in ("numba", "llvmlite"):
        found = find_spec(name)
        if found is not None and found.origin:  # `importlib.metadata` loads much more
            file = Path(found.origin).with_name("_version.py")
            known.append(file.read_text("utf-8") if file.exists() else "")
    known += sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_"))
    return hashlib.sha256("\n".join(known).encode()).hexdigest()[:16]


FEATURES = "cpu family", "model", "flags", "CPU ", "Features"
"""Beginnings of lines, of x86 and ARM."""
_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
"""One for each key, and one for the compiler in this process."""
made_before: dict[str, Callable[..., int]] = {}
"""The functions compiled or loaded in this process."""
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


class Broken(Exception):
    """numba is installed and cannot be imported, or a child process that had it was killed."""


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
    function: WithHooks,
    arguments: tuple[Any, ...],
    order: tuple[str, ...] = (),
    *,
    result: bool = False,
    checked: bool = False,
) -> Callable[..., int] | None:
    """Return a compiled function of the block of its arguments, made once, or None.

    None without a compiler, or where numba is `Broken`. Only threads that need the same function
    wait for it.

    Args:
        function: the function and its hooks.
        arguments: numbers and arrays like those that it is called with, with no game to play; an
            array is a bare address.
        order: arguments of `learners.precompile` with which a child makes the same; none: no child.
        result: whether it returns a whole number; else the compiled function returns 0.
        checked: for a user's own rule: it takes the arguments themselves and checks every index. It
            is slower, and not cached.
    """
    if not is_available():
        return None
    key = kernel_key(function, arguments)
    if key not in made_before:
        with suppress(Broken), _locks[key]:
            if key in made_before:
                pass  # another thread has made it meanwhile
            elif checked:
                checking = numba().njit(nogil=True, boundscheck=True)
                kernel = Specializer(checking).specialize(function)
                with _locks[""]:
                    kernel(*arguments)
                made_before[key] = kernel
            else:
                generic = WithHooks(answer if result else plain, {"function": function})
                made_before[key] = cached_function(generic, key, arguments, order)
    return made_before.get(key)


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
        was_killed = compile_in_child(order)
        with suppress(Unusable):
            return load(kept)
        if was_killed:  # for want of memory: there is less here
            raise Broken
    return compiled_here(generic, arguments, kept)


def compile_in_child(order: tuple[str, ...]) -> bool:
    """Compile into the cache in a child process, which ends with this one.

    However long a busy machine takes, this process needs no compiler: it interprets meanwhile.

    Returns:
        Whether the child was killed.
    """
    command, variables = own_command("afterstate_lab.learners.precompile")
    with (
        suppress(OSError, ValueError),
        subprocess.Popen(
            [*command, *order],
            env=os.environ | variables,
            stdin=subprocess.PIPE,  # its other end closes with this process
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as child,
    ):
        try:
            return child.wait() < 0
        finally:
            child.kill()
    return False


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

    read = arguments_intrinsic(arguments)
    with _locks[""], loops_written_out():
        made: Any = Specializer(finish).specialize(
            WithHooks(generic.function, {**generic.hooks, "arguments_of": read})
        )
    _in_use.append(made)
    library = made._library
    declared = (f.name for f in library._final_module.functions if f.is_declaration)
    # another process has no function that is only declared, except LLVM's own
    if kept is not None and all(name.startswith("llvm.") for name in declared):
        with suppress(OSError):
            save(kept, made.native_name, library._get_compiled_object())
    return FUNCTION(made.address)


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


def kernel_key(function: WithHooks, arguments: tuple[Any, ...]) -> str:
    """Return a name of the hooks and the arguments' types, the same in every process."""
    names = [described(function), *map(layout, arguments)]
    return hashlib.sha256(" ".join(names).encode()).hexdigest()[:16]


def described(bound: Any) -> str:
    """Return the name of a function with its hooks, or a constant."""
    if isinstance(bound, WithHooks):
        hooks = (f"{name}={described(one)}" for name, one in bound.hooks.items())
        return f"{described(bound.function)}({' '.join(hooks)})"
    if isinstance(bound, FunctionType):
        return f"{bound.__module__}.{bound.__qualname__}"
    return repr(bound)


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
    used. Code of other sources that was unused for `KEPT_DAYS` is removed.
    """
    import shutil  # loads every compression

    try:
        root = user_folder("cache")
        known = kernel_hash(engine).encode() + Path(__file__).read_bytes()
        folder = root / hashlib.sha256(known).hexdigest()[:24]
        make_folder(folder)
        os.utime(folder)
        is_ours = is_private(root) and is_private(folder) and os.access(folder, os.W_OK)
    except (OSError, RuntimeError):
        return None
    if not is_ours:
        return None
    oldest = time.time() - KEPT_DAYS * 86400
    with suppress(OSError):
        for other in root.iterdir():
            is_code = len(other.name) == 24 and set(other.name) <= set("0123456789abcdef")
            if is_code and other != folder and other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)
    return folder


arguments_of: Any = unbound
function: Any = unbound


def answer(words: Any) -> Any:
    """Call a function on a block of words, and return its result."""
    return function(*arguments_of(words))


def plain(words: Any) -> Any:
    """Call a function without a result on a block of words."""
    function(*arguments_of(words))
    return 0


def address(array: Any) -> int:
    """Return the address of a writable array."""
    return addressof(c_char.from_buffer(array))  # thrice as fast as the array's own way


def numbers(value: Any) -> Iterator[int | float]:
    if isinstance(value, np.ndarray):
        if value.size and value.flags.writeable:
            yield address(value)
        else:
            yield value.ctypes.data
    elif isinstance(value, tuple):
        for name, field in named(value):
            if not is_fixed(value, name):
                yield from numbers(field)
    elif value is not None:
        yield value


def block(arguments: tuple[Any, ...]) -> bytes:
    """Return the words of arguments; keep their arrays alive meanwhile."""
    words = [word for argument in arguments for word in numbers(argument)]
    form = "".join("d" if isinstance(word, float) else "q" for word in words)
    return struct.pack(form, *words)


def layout(value: Any) -> str:
    """Return the types of an argument's words, and its fixed values."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}[]"
    if isinstance(value, tuple):
        fields = (
            f"{name}={field!r}" if is_fixed(value, name) else f"{name}:{layout(field)}"
            for name, field in named(value)
        )
        return f"({' '.join(fields)})"
    return type(value).__name__


def named(value: Any) -> Iterator[tuple[str, Any]]:
    return zip(value._fields, value, strict=True)


def is_fixed(value: Any, field: str) -> bool:
    """Return whether the machine code is made for the value of a tuple's field."""
    return field in getattr(value, "fixed", ())


def arguments_intrinsic(like: tuple[Any, ...]) -> Any:
    """The compiler's function from the address of a block of words to arguments like these."""
    from numba import from_dtype
    from numba.core import types
    from numba.extending import intrinsic

    def kind_of(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return types.CPointer(from_dtype(value.dtype))  # type: ignore[no-untyped-call]
        if isinstance(value, tuple):
            return types.NamedTuple([kind_of(field) for field in value], type(value))  # type: ignore[no-untyped-call]
        if value is None:
            return types.none
        return {bool: types.boolean, int: types.int64, float: types.float64}[type(value)]

    kinds = types.Tuple([kind_of(one) for one in like])  # type: ignore[no-untyped-call]

    @intrinsic
    def arguments_of(typing_context: Any, words: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            from llvmlite import ir

            word = ir.IntType(64)
            places = ([ir.Constant(word, at)] for at in count())
            read = (builder.load(builder.gep(given[0], place)) for place in places)

            def lowered(value: Any, fixed: bool = False) -> Any:
                kind = kind_of(value)
                form = context.get_value_type(kind)
                if fixed:
                    return ir.Constant(form, value)
                if isinstance(value, np.ndarray):
                    return builder.inttoptr(next(read), form)
                if isinstance(value, tuple):
                    fields = [lowered(field, is_fixed(value, name)) for name, field in named(value)]
                    return context.make_tuple(builder, kind, fields)
                if value is None:
                    return context.get_dummy_value()
                if isinstance(value, float):
                    return builder.bitcast(next(read), form)
                number = next(read)
                return builder.trunc(number, form) if isinstance(value, bool) else number

            return context.make_tuple(builder, kinds, [lowered(one) for one in like])

        return kinds(words), generate

    return arguments_of
