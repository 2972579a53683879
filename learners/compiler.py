"""Compile the bound engine with numba, where there is one, and keep the machine code on disk.

The cache folder is named by a hash of every source that goes into the kernel, because the
compiler's own cache looks only at the file of the outermost function. Where no folder can be
written, nothing is cached.
"""

from __future__ import annotations

import gc
import hashlib
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from learners.link import Bound, Linker

if TYPE_CHECKING:
    from learners.kernel import Hooks

_lock = threading.Lock()
_kernels: dict[Any, Callable[..., int]] = {}

INNER = {"nogil": True, "error_model": "numpy", "_nrt": False, "forceinline": True}
"""How every function of the kernel is compiled: without the interpreter's lock, without reference
counts (the kernel allocates nothing), and into its caller."""


def is_available() -> bool:
    """Whether numba can be imported (it is not loaded by asking)."""
    if os.environ.get("AFTERSTATE_INTERPRETED"):
        return False
    from importlib.util import find_spec

    return find_spec("numba") is not None


def compiled(bound: Bound, pair: tuple[Hooks, Hooks]) -> Callable[..., int] | None:
    """The compiled engine for a pair of hooks, or None where there is no compiler.

    Loading numba pauses the garbage collector: its passes over the freshly made compiler would
    stall a screen that is drawn meanwhile.
    """
    with _lock:
        if pair not in _kernels:
            if not is_available():
                return None
            numba = load_numba()
            folder = cache_folder(bound)
            numba.config.CACHE_DIR = str(folder or "")

            def finish(function: FunctionType) -> Callable[..., Any]:
                if function.__name__ != bound.function.__name__:
                    return numba.njit(**INNER)(function)
                function.__qualname__ += f"_{pair_key(pair)}"
                options = INNER | {"forceinline": False}
                try:
                    return numba.njit(cache=folder is not None, **options)(function)
                except RuntimeError:
                    return numba.njit(**options)(function)

            _kernels[pair] = Linker(finish).link(bound)
        return _kernels[pair]


def load_numba() -> Any:
    """Import numba without a pass of the garbage collector in between."""
    if "numba" in sys.modules:
        return sys.modules["numba"]
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        import numba

        return numba
    finally:
        gc.collect()
        gc.freeze()
        if was_enabled:
            gc.enable()


def pair_key(pair: tuple[Hooks, Hooks]) -> str:
    """A name for a pair of hooks that is the same in every process."""
    names = [
        f"{function.__module__}.{function.__qualname__}"
        for hooks in pair
        for function in hooks.names().values()
    ]
    return hashlib.sha256(" ".join(names).encode()).hexdigest()[:16]


def sources(function: FunctionType, hooks: Any, found: dict[str, Path]) -> dict[str, Path]:
    """The files of a function and of all that it calls, by code name."""
    code = function.__code__
    key = f"{code.co_filename}:{code.co_firstlineno}:{function.__qualname__}"
    if key not in found:
        found[key] = Path(code.co_filename)
        for name in code.co_names:
            called = hooks.get(name, function.__globals__.get(name))
            if isinstance(called, Bound):
                sources(called.function, called.hooks, found)
            elif isinstance(called, FunctionType):
                sources(called, hooks, found)
    return found


def cache_folder(bound: Bound) -> Path | None:
    """The folder for this kernel's machine code, or None where it cannot be written."""
    digest = hashlib.sha256()
    files = sorted(set(sources(bound.function, bound.hooks, {}).values()))
    for file in files:
        digest.update(file.read_bytes())
    root = os.environ.get("AFTERSTATE_CACHE") or (
        Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "afterstate"
    )
    folder = Path(root) / digest.hexdigest()[:24]
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
