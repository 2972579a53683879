"""Run trials on a Dask cluster, without harm to its other users.

Workers report their program first, and trials go to those with the same program. A task names in
text what it calls, and holds plain data: distributed 2026.8 ends a worker that cannot import what a
task refers to, with its nanny, and reports nothing.
"""

from __future__ import annotations

import importlib
import logging
import math
import socket
import threading
import time
import warnings
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Any, Final, NamedTuple

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.experiments.plan import program
from afterstate_lab.learners.kernel.hooks import error_text

SECONDS: Final = 10
"""Time limit for the cluster's answer, and until lost workers are reported."""
LOOK_SECONDS: Final = 1.0
"""Seconds between two looks at the cluster's workers."""
MOST_NAMED: Final = 5
MODULE: Final = "__import__('importlib').import_module('afterstate_lab.learners.experiments.run')"
PROGRAM: Final = (
    f"{MODULE}.program() if __import__('importlib.util').util.find_spec('afterstate_lab') else None"
)
TRIAL: Final = f"(lambda it: it.run_trial(it.Setup(**setup), seed))({MODULE})"


class Sent(NamedTuple):
    """A trial on its way: its future, the variables of its task, and who may run it."""

    trial: Future[Any]
    variables: dict[str, Any]
    workers: frozenset[str]


class Cluster(Executor):
    """The workers of a Dask cluster that have this program; a lost one's trials run on others.

    Args:
        address: of its scheduler, such as ``tcp://10.0.0.5:8786``.

    Raises:
        UsageError: `distributed` is not installed, or no cluster with such workers answers.
    """

    def __init__(self, address: str) -> None:
        self._name = f"the Dask cluster at {shown(address)}"
        try:
            distributed = importlib.import_module("distributed")
        except ImportError:
            raise UsageError(
                'a Dask cluster needs the package distributed: pip install "afterstate-lab[dask]"'
            ) from None
        # It would log a traceback when the scheduler goes away; a sentence says so.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        host, _, port = address.rpartition("://")[2].rpartition(":")
        try:
            # A client that cannot connect leaves threads behind that end with a traceback.
            socket.create_connection((host.strip("[]"), int(port)), SECONDS).close()
            self._client = distributed.Client(address, timeout=SECONDS, set_as_default=False)
        except OSError as error:
            raise UsageError(f"{self._name} does not answer: {error_text(error)}") from None
        except (ValueError, TypeError, OverflowError):
            raise UsageError(
                f"{shown(address)} is not an address such as tcp://10.0.0.5:8786"
            ) from None
        self._programs: dict[str, object] = {}
        """By worker, its program, or none, or an error."""
        self._sent: dict[Any, Sent] = {}
        """By task, the cluster's future."""
        self._over = threading.Event()
        self._workers: frozenset[str] = frozenset()
        """The workers of this program; when all are gone, the last ones."""
        self._max_workers = self._look()
        if not self._workers:
            self.shutdown()
            has = "none of its workers has" if self._programs else "has no workers with"
            raise UsageError(f"{self._name}: {has} Afterstate {program()}")
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, function: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
        """Run `run_trial` with a setup and a seed."""
        setup, seed = arguments
        trial: Future[Any] = Future()
        trial.set_running_or_notify_cancel()
        self._send(trial, {"setup": setup._asdict(), "seed": seed})
        return trial

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Give up all trials that are not over, and leave the cluster."""
        self._over.set()
        with suppress(Exception):
            self._client.cancel([*self._sent], force=True)
        self._client.close(timeout=SECONDS)

    def _send(self, trial: Future[Any], variables: dict[str, Any]) -> None:
        workers = self._workers
        task = self._client.submit(eval, TRIAL, variables, pure=False, workers=[*workers])
        self._sent[task] = Sent(trial, variables, workers)
        task.add_done_callback(self._take)

    def _take(self, task: Any) -> None:
        sent = self._sent.pop(task, None)
        if sent is None or self._over.is_set():
            return  # it was sent again, or nobody waits for it
        try:
            sent.trial.set_result(task.result())
        except BaseException as error:
            sent.trial.set_exception(error)

    def _look(self) -> int:
        """Ask new workers for their program, and send the trials again of which all workers are
        gone; return how many threads run our program."""
        threads: dict[str, int] = self._client.nthreads()
        new = sorted(threads.keys() - self._programs)
        known = {one: told for one, told in self._programs.items() if one in threads}
        if new:
            known |= self._client.run(eval, PROGRAM, workers=new, on_error="return")
        self._programs = known
        if ours := frozenset(one for one, told in known.items() if told == program()):
            self._workers = ours
        if others := [one for one in new if one not in ours]:
            named = ", ".join(others[:MOST_NAMED]) + ", …" * (len(others) > MOST_NAMED)
            warnings.warn(
                f"{len(others)} of {len(threads)} workers of {self._name} have another Afterstate, "
                f"or none, and get no trials: {named}",
                stacklevel=3,
            )
        for task, sent in list(self._sent.items()):
            if not sent.workers & self._workers and self._sent.pop(task, None) is not None:
                self._send(sent.trial, sent.variables)
                task.cancel(force=True)
        return sum(threads[one] for one in ours)

    def _watch(self) -> None:
        """Report that no worker is left; send its trials again once a worker joins."""
        limit = time.monotonic() + SECONDS
        while not self._over.wait(LOOK_SECONDS):
            with suppress(Exception):
                if self._look():
                    limit = time.monotonic() + SECONDS
            if time.monotonic() >= limit:
                limit = math.inf
                warnings.warn(
                    f"No worker of {self._name} is left, and trials wait for new ones with "
                    f"Afterstate {program()}. Ctrl-C keeps what is done",
                    stacklevel=1,
                )
