"""Where trials are run: threads of this process, or the workers of a Dask cluster.

Both are a `concurrent.futures.Executor`, so the runner knows no difference. Training is machine
code that runs without the interpreter's lock, so threads use all cores.
"""

from __future__ import annotations

import importlib
import os
import socket
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from learners.errors import UsageError, shown

MOST_WORKERS: Final = 256
DASK_SECONDS: Final = 10
"""How long a cluster may take to answer."""


@dataclass(frozen=True)
class WorkerPool:
    """The workers that run trials."""

    executor: Executor
    size: int
    """Number of trials at once."""
    is_here: bool
    """Whether they are threads of this process, so that a trial can be watched and stopped."""


def cores() -> int:
    """The cores that this process may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


@contextmanager
def threads(workers: int | None = None) -> Iterator[WorkerPool]:
    """Threads, as many as there are cores by default."""
    size = min(workers or cores(), MOST_WORKERS)
    with ThreadPoolExecutor(size, thread_name_prefix="trial") as pool:
        yield WorkerPool(pool, size, is_here=True)


@contextmanager
def dask(address: str) -> Iterator[WorkerPool]:
    """The workers of a Dask cluster; Afterstate must be installed there.

    Args:
        address: of its scheduler, such as ``tcp://10.0.0.5:8786``.

    Raises:
        UsageError: `distributed` is not installed, or no cluster answers.
    """
    client = dask_client(address)
    try:
        size = sum(client.nthreads().values())
        if size == 0:
            raise UsageError(f"the Dask cluster at {shown(address)} has no workers")
        yield WorkerPool(client.get_executor(pure=False), size, is_here=False)
    finally:
        client.close()


def dask_client(address: str) -> Any:
    """A connection to a cluster's scheduler."""
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise UsageError(
            'a Dask cluster needs the package distributed: pip install "afterstate[dask]"'
        ) from None
    # A client that cannot connect leaves threads behind that end with a traceback.
    check_address(address)
    try:
        return distributed.Client(address, timeout=DASK_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise no_answer(address, error) from None


def check_address(address: str) -> None:
    """See whether anyone listens at the address of a scheduler.

    Raises:
        UsageError: nobody does, or it is no address.
    """
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise UsageError(f"{shown(address)} is no address such as tcp://10.0.0.5:8786")
    try:
        socket.create_connection((host.strip("[]"), int(port)), DASK_SECONDS).close()
    except OSError as error:
        raise no_answer(address, error) from None


def no_answer(address: str, error: Exception) -> UsageError:
    """The error for a cluster that cannot be reached."""
    reason = " ".join((getattr(error, "strerror", None) or str(error)).lower().split())
    return UsageError(f"no Dask cluster answers at {shown(address)}: {reason[:200]}")
