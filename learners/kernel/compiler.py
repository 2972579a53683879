"""Compile the bound engine with numba, where there is one, and keep the machine code on disk.

The cache folder is named by a hash of every source that goes into the kernel, because the
compiler's own cache looks only at the file of the outermost function. Where no folder can be
written, nothing is cached; where a cached file is damaged, it is made anew.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from learners.engine.specialize import Bound, Linker
from learners.files import is_private, make_folder, private_files
from learners.kernel import malloc, pointers
from learners.kernel.order import wait
from learners.locations import cache_root

if TYPE_CHECKING:
    from learners.kernel.hooks import Hooks
    from learners.kernel.order import Order

_lock = threading.Lock()
_kernels: dict[str, Callable[..., int]] = {}

OUTER = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""How the kernel is compiled: without the interpreter's lock, and without reference counts (it
allocates nothing)."""
INNER = OUTER | {"forceinline": True}
"""How what it calls is compiled: into its caller."""

KEPT_DAYS = 30
"""Machine code that has not been used for so long is removed."""


def is_available() -> bool:
    """Whether numba can be imported (it is not loaded by asking)."""
    if os.environ.get("AFTERSTATE_INTERPRETED"):
        return False
    from importlib.util import find_spec

    return find_spec("numba") is not None


def compiled(
    bound: Bound,
    pair: tuple[Hooks, Hooks],
    arguments: tuple[Any, ...],
    order: Order | None = None,
    *,
    checked: bool = False,
) -> Callable[..., int] | None:
    """The compiled engine for a pair of hooks, or None where there is no compiler.

    Args:
        bound: the engine bound to the hooks.
        pair: the hooks of both sides.
        arguments: such as the engine will be called with, and no game to play: the machine code
            for their types is there on return.
        order: what another process is told to make, where it is not in the cache yet.
        checked: check every index, for a rule that is a user's own; slower.
    """
    if not is_available():
        return None
    key = kernel_key(pair, arguments)
    with _lock:
        if key not in _kernels:
            with collector_paused():
                _kernels[key] = (
                    checked_kernel(bound, arguments)
                    if checked
                    else made(bound, key, arguments, order)
                )
        return _kernels[key]


def compiled_function(function: Any, arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
    """A plain function that calls no other one, compiled, or None where there is no compiler.

    Args:
        function: the function.
        arguments: such as it will be called with, and nothing to do: the machine code for their
            types is there on return.
    """
    if not is_available():
        return None
    key = f"{function.__module__}.{function.__qualname__}"
    with _lock:
        if key not in _kernels:
            with collector_paused():
                _kernels[key] = made_function(function, arguments)
        return _kernels[key]


def made_function(function: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """A plain function compiled or loaded, from the cache where there is one."""
    numba = importlib.import_module("numba")
    folder = cache_folder(Bound(function))
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
        try:
            with private_files():
                compiled: Callable[..., Any] = numba.njit(cache=True, **OUTER)(function)
                compiled(*arguments)
            return compiled
        except Exception:
            # Whatever a damaged file raises; what is wrong with the function is raised below.
            shutil.rmtree(folder, ignore_errors=True)
    compiled = numba.njit(**OUTER)(function)
    compiled(*arguments)
    return compiled


def made(
    bound: Bound, key: str, arguments: tuple[Any, ...], order: Order | None
) -> Callable[..., int]:
    """The engine compiled or loaded, from the cache where there is one."""
    folder = cache_folder(bound)
    if folder is not None:
        is_cached = any(folder.rglob(f"*{key}*.nbi"))
        process = None if is_cached or order is None else order.start()
        numba = importlib.import_module("numba")
        numba.config.CACHE_DIR = str(folder)
        if process is not None:
            wait(process)
        try:
            with private_files():
                kernel = linked(bound, key, cached=True)
                kernel(*arguments)
            return kernel
        except Exception:
            # Whatever a damaged file raises; what is wrong with the kernel is raised below.
            shutil.rmtree(folder, ignore_errors=True)
    kernel = linked(bound, key, cached=False)
    kernel(*arguments)
    return kernel


def linked(bound: Bound, key: str, *, cached: bool) -> Callable[..., int]:
    """The engine linked for the compiler; the machine code is made or loaded by the first call."""
    numba = importlib.import_module("numba")

    def finish(function: FunctionType) -> Callable[..., Any]:
        if function.__name__ != pointers.play.__name__:
            return numba.njit(**INNER)(function)  # type: ignore[no-any-return]
        function.__qualname__ += f"_{key}"
        return numba.njit(cache=cached, **OUTER)(function)  # type: ignore[no-any-return]

    hooks = {"bare": pointers.bare_intrinsic(), "play_games": bound}
    return Linker(finish).link(Bound(pointers.play, hooks))


def checked_kernel(bound: Bound, arguments: tuple[Any, ...]) -> Callable[..., int]:
    """The engine with every index checked, in this process and uncached."""
    numba = importlib.import_module("numba")
    kernel = Linker(numba.njit(nogil=True, boundscheck=True)).link(bound)
    kernel(*arguments)
    return kernel


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the garbage collector from running while the compiler is loaded and at work.

    Its passes over the compiler's many objects would stall a screen that is drawn meanwhile. What
    the first use has made stays, so the collector need never look at it again.
    """
    is_first = "numba" not in sys.modules
    if is_first:
        malloc.share()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_first:
            gc.freeze()
        if was_enabled:
            gc.enable()


def kernel_key(pair: tuple[Hooks, Hooks], arguments: tuple[Any, ...]) -> str:
    """A name for the hooks and the arguments' types that is the same in every process."""
    names = [
        f"{name}={hook.__module__}.{hook.__qualname__}"
        if isinstance(hook, FunctionType)
        else f"{name}={hook!r}"
        for hooks in pair
        for name, hook in hooks.names().items()
    ]
    names += [
        f"{type(argument).__module__}.{type(argument).__qualname__}" for argument in arguments
    ]
    return hashlib.sha256(" ".join(names).encode()).hexdigest()[:16]


def sources(function: Any, hooks: Any, found: dict[str, str]) -> dict[str, str]:
    """The file of a function and of all that it calls, and the constants that they use."""
    code = function.__code__
    key = f"{code.co_filename}:{code.co_firstlineno}:{function.__qualname__}"
    if key not in found:
        found[key] = code.co_filename
        for name in code.co_names:
            used = hooks.get(name, function.__globals__.get(name))
            if isinstance(used, Bound):
                sources(used.function, used.hooks, found)
            elif isinstance(used, FunctionType):
                sources(used, hooks, found)
            elif isinstance(used, int | float | str | tuple):
                found[f"{key}:{name}={used!r}"] = code.co_filename
    return found


def kernel_hash(bound: Bound) -> str:
    """A hash of all that the machine code depends on, but for the compiler and the processor."""
    found = sources(bound.function, bound.hooks, sources(pointers.play, {}, {}))
    digest = hashlib.sha256()
    for file in sorted(set(found.values())):
        digest.update(Path(file).read_bytes())
    for name in sorted(name.rpartition(":")[2] for name in found if "=" in name):
        digest.update(name.encode())
    return digest.hexdigest()[:24]


def cache_folder(bound: Bound) -> Path | None:
    """The folder for this kernel's machine code, or None where it cannot be written.

    Machine code is run as it is found, so a folder into which others can put files is not used.
    """
    try:
        root = cache_root()
        folder = root / kernel_hash(bound)
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
    """Remove the machine code of older sources that nobody has used for `KEPT_DAYS`."""
    oldest = time.time() - KEPT_DAYS * 86400
    with suppress(OSError):
        for folder in root.iterdir():
            is_ours = len(folder.name) == 24 and set(folder.name) <= set("0123456789abcdef")
            if is_ours and folder != used and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
