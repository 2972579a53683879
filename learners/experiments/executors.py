"""Where trials are run: threads of this process, or the workers of a Dask cluster.

Both are a `concurrent.futures.Executor`, so the runner knows no difference. Training is machine
code that runs without the interpreter's lock, so threads use all cores.
"""

from __future__ import annotations

import importlib
import logging
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from learners.errors import UsageError, shown
from learners.experiments.trial import check_program, program
from learners.kernel.checked import error_text
from learners.kernel.cores import cores

MOST_WORKERS: Final = 256
DASK_SECONDS: Final = 10
"""How long a cluster may take to answer."""
ASK_PROGRAM: Final = "__import__('learners.experiments.trial', fromlist=['program']).program()"
"""Evaluated by a worker; it needs nothing of Afterstate to read it."""


def no_check() -> None:
    """For executors of which nothing can be asked: every trial checks its program itself."""


@dataclass(frozen=True)
class WorkerPool:
    """The workers that run trials."""

    executor: Executor
    size: int
    """Number of trials at once."""
    check: Callable[[], None] = no_check
    """Called before the first trial and every few seconds; raises a `UsageError` when a worker has
    another program, or none is left."""
    is_here: bool = False
    """Whether they are threads of this process, so that a trial can be watched and stopped."""


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
        check = DaskWorkers(client, address).check
        yield WorkerPool(client.get_executor(pure=False), size, check)
    finally:
        client.close(timeout=DASK_SECONDS)


class DaskWorkers:
    """Asks every worker of a cluster, each once, which program it has."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address
        self._known: set[str] = set()

    def check(self) -> None:
        """Ask the workers that have joined since.

        Raises:
            UsageError: one has another program or none, or there are no workers any more.
        """
        try:
            workers = set(self._client.scheduler_info(n_workers=-1)["workers"])
            new = sorted(workers - self._known)
            told = (
                self._client.run(eval, ASK_PROGRAM, workers=new, on_error="return") if new else {}
            )
        except (OSError, TimeoutError) as error:
            raise no_answer(self._address, error) from None
        if not workers:
            raise UsageError(f"the Dask cluster at {shown(self._address)} has lost all its workers")
        for worker in new:
            found = told.get(worker)
            if isinstance(found, OSError):
                continue  # It has left again; if it comes back it is asked again.
            if not isinstance(found, str):
                raise UsageError(
                    f"the worker {shown(worker)} cannot run Afterstate "
                    f"({type(found).__name__}): install {program()} there"
                )
            check_program(program(), found, worker)
            self._known.add(worker)


@contextmanager
def executor(text: str) -> Iterator[WorkerPool]:
    """Any `concurrent.futures.Executor`: processes, or a batch system's.

    Args:
        text: ``module:factory``; the factory is called without arguments and returns the executor.

    Raises:
        UsageError: there is no such factory, or it makes no executor.
    """
    module, _, name = text.partition(":")
    try:
        made = getattr(importlib.import_module(module), name)()
    except (Exception, SystemExit) as error:
        raise UsageError(
            f"--executor {shown(text)} must be module:factory; it fails: {error_text(error)}"
        ) from None
    if not isinstance(made, Executor):
        raise UsageError(f"--executor {shown(text)} makes no concurrent.futures.Executor")
    size = getattr(made, "_max_workers", None)
    with made:
        yield WorkerPool(made, size if isinstance(size, int) and size > 0 else cores())


def dask_client(address: str) -> Any:
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise UsageError(
            'a Dask cluster needs the package distributed: pip install "afterstate-lab[dask]"'
        ) from None
    # It would log a traceback where the scheduler goes away, which is said in a sentence.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
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
    reason = " ".join((getattr(error, "strerror", None) or str(error)).lower().split())
    return UsageError(f"no Dask cluster answers at {shown(address)}: {reason[:200]}")
