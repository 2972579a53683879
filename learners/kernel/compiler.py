"""Compile the specialized engine with numba, if installed, and cache the machine code on disk.

The cache folder is named by a hash of every source that goes into the kernel, because the
compiler's own cache checks only the file of the outermost function. If the folder cannot be
written, nothing is cached; a damaged file is compiled again.
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

from learners.engine.specialize import Specializer, WithHooks
from learners.files import cache_root, is_private, make_folder, private_files
from learners.kernel import malloc, pointers
from learners.kernel.order import wait

if TYPE_CHECKING:
    from learners.kernel.hooks import Hooks
    from learners.kernel.order import Order

_lock = threading.Lock()
_kernels: dict[str, Callable[..., int]] = {}

OUTER = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""Options of the kernel: without the interpreter's lock and, as it allocates nothing, without
reference counts."""
INNER = OUTER | {"forceinline": True}
"""Options of the functions that the kernel calls: compiled into their caller."""

KEPT_DAYS = 30
"""Days after which unused machine code is removed."""


def is_available() -> bool:
    """Whether numba can be imported; does not import it."""
    if os.environ.get("AFTERSTATE_INTERPRETED"):
        return False
    from importlib.util import find_spec

    return find_spec("numba") is not None


def compiled(
    engine: WithHooks,
    pair: tuple[Hooks, Hooks],
    arguments: tuple[Any, ...],
    order: Order | None = None,
    *,
    checked: bool = False,
) -> Callable[..., int] | None:
    """The compiled engine for a pair of hooks, or None without a compiler.

    Args:
        engine: the engine with the hooks.
        pair: the hooks of both sides.
        arguments: arguments of the engine with no game to play: on return, the machine code for
            their types exists.
        order: lets another process compile what is not in the cache.
        checked: check every index, for a user's own rule; slower.
    """
    if not is_available():
        return None
    key = kernel_key(pair, arguments)
    with _lock:
        if key not in _kernels:
            with collector_paused():
                _kernels[key] = (
                    checked_kernel(engine, arguments)
                    if checked
                    else cached_kernel(engine, key, arguments, order)
                )
        return _kernels[key]


def compiled_function(function: Any, arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
    """A plain function that calls no other function, compiled, or None without a compiler.

    Args:
        function: the function.
        arguments: arguments that give it nothing to do: on return, the machine code for their types
            exists.
    """
    if not is_available():
        return None
    key = f"{function.__module__}.{function.__qualname__}"
    with _lock:
        if key not in _kernels:
            with collector_paused():
                _kernels[key] = cached_function(function, arguments)
        return _kernels[key]


def cached_function(function: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """A plain function, loaded from the cache or compiled."""
    numba = importlib.import_module("numba")
    folder = cache_folder(WithHooks(function))
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
        try:
            with private_files():
                compiled: Callable[..., Any] = numba.njit(cache=True, **OUTER)(function)
                compiled(*arguments)
            return compiled
        except Exception:
            # A damaged file may raise anything; an error of the function is raised below.
            shutil.rmtree(folder, ignore_errors=True)
    compiled = numba.njit(**OUTER)(function)
    compiled(*arguments)
    return compiled


def cached_kernel(
    engine: WithHooks, key: str, arguments: tuple[Any, ...], order: Order | None
) -> Callable[..., int]:
    """The engine, loaded from the cache or compiled."""
    folder = cache_folder(engine)
    if folder is not None:
        is_cached = any(folder.rglob(f"*{key}*.nbi"))
        process = None if is_cached or order is None else order.start()
        numba = importlib.import_module("numba")
        numba.config.CACHE_DIR = str(folder)
        if process is not None:
            wait(process)
        try:
            with private_files():
                kernel = specialized(engine, key, cached=True)
                kernel(*arguments)
            return kernel
        except Exception:
            # A damaged file may raise anything; an error of the kernel is raised below.
            shutil.rmtree(folder, ignore_errors=True)
    kernel = specialized(engine, key, cached=False)
    kernel(*arguments)
    return kernel


def specialized(engine: WithHooks, key: str, *, cached: bool) -> Callable[..., int]:
    """The engine specialized for the compiler; its first call compiles or loads machine code."""
    numba = importlib.import_module("numba")

    def finish(function: FunctionType) -> Callable[..., Any]:
        if function.__name__ != pointers.play.__name__:
            return numba.njit(**INNER)(function)  # type: ignore[no-any-return]
        function.__qualname__ += f"_{key}"
        return numba.njit(cache=cached, **OUTER)(function)  # type: ignore[no-any-return]

    hooks = {"bare": pointers.bare_intrinsic(), "play_games": engine}
    return Specializer(finish).specialize(WithHooks(pointers.play, hooks))


def checked_kernel(engine: WithHooks, arguments: tuple[Any, ...]) -> Callable[..., int]:
    """The engine with every index checked, compiled in this process and not cached."""
    numba = importlib.import_module("numba")
    kernel = Specializer(numba.njit(nogil=True, boundscheck=True)).specialize(engine)
    kernel(*arguments)
    return kernel


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the garbage collector while the compiler is loaded and runs.

    Its passes over the compiler's many objects would stall the screen. The objects of the first use
    live as long as the process, so they are frozen: the collector skips them from then on.
    """
    is_first = "numba" not in sys.modules
    if is_first:
        malloc.limit_arenas()
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
    """A name of the hooks and the arguments' types, equal in every process."""
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
    """The files of a function and of all functions that it calls, and the constants they use."""
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
    """A hash of all that the machine code depends on, except the compiler and the processor."""
    found = sources(engine.function, engine.hooks, sources(pointers.play, {}, {}))
    digest = hashlib.sha256()
    for file in sorted(set(found.values())):
        digest.update(Path(file).read_bytes())
    for name in sorted(name.rpartition(":")[2] for name in found if "=" in name):
        digest.update(name.encode())
    return digest.hexdigest()[:24]


def cache_folder(engine: WithHooks) -> Path | None:
    """The folder of this kernel's machine code, or None if it cannot be written.

    Machine code is run without a check, so a folder that other users can write to is not used.
    """
    try:
        root = cache_root()
        folder = root / kernel_hash(engine)
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
    """Remove machine code of other sources that was not used for `KEPT_DAYS`."""
    oldest = time.time() - KEPT_DAYS * 86400
    with suppress(OSError):
        for folder in root.iterdir():
            is_ours = len(folder.name) == 24 and set(folder.name) <= set("0123456789abcdef")
            if is_ours and folder != used and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
