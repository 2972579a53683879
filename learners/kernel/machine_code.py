"""Machine code in a file, loaded by llvmlite without the compiler.

A file contains an object file and the name of its function, after a hash of both, of the file's
name (processor and versions) and of its folder's name (sources). It is written atomically, and runs
only if no other user can have written it.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from afterstate_lab.learners.files import is_only_ours, opened_plain, replace_file

LARGEST = 4_000_000
"""Maximum number of bytes of a file."""
FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p)
"""A C function of the address of a block of words (`learners.kernel.pointers`). A call releases the
interpreter's lock."""
_in_use: list[Any] = []
"""Loaded machine code, never released since a thread can be running it."""


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
