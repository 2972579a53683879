"""The same trials on a Dask cluster give the same numbers."""

import subprocess
import sys
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from learners.errors import UsageError
from learners.experiments.executors import WorkerPool, dask, executor, threads
from learners.experiments.plan import Plan, sources_hash
from learners.experiments.runner import Experiment
from learners.experiments.trial import OtherProgramError, Setup, run_trial
from learners.kernel.cores import cores


def test_threads_are_as_many_as_asked_or_one_a_core():
    with threads() as pool:
        assert pool.size == cores()
    with threads(3) as pool:
        assert (pool.size, pool.is_here) == (3, True)


def test_a_cluster_that_is_not_there_is_said_in_a_sentence(tiny: Plan):
    pytest.importorskip("distributed", reason="distributed is not installed")
    for address, said in (
        ("tcp://127.0.0.1:1", "no Dask cluster answers at 'tcp://127.0.0.1:1'"),
        ("nonsense", "'nonsense' is no address such as tcp://10.0.0.5:8786"),
        ("tcp://host:port", "is no address"),
    ):
        with pytest.raises(UsageError, match=said):
            Experiment(tiny, pool=dask(address)).work()


def test_without_the_package_it_is_said_what_to_install(
    tiny: Plan, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(UsageError, match=r'pip install "afterstate-lab\[dask\]"'):
        Experiment(tiny, pool=dask("tcp://127.0.0.1:8786")).work()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_cluster_of_two_workers_finds_the_same_numbers(tiny: Plan, tmp_path):
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    here = Experiment(tiny).work()
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        first = Experiment(tiny.with_seeds(2), tmp_path, pool=dask(address)).work()
        there = Experiment(tiny, tmp_path, pool=dask(address)).work()
    assert (first.done, there.resumed, there.done) == (4, 4, 6)
    for ours, theirs in zip(here.results.arms, there.results.arms, strict=True):
        for one, other in zip(ours.trials, theirs.trials, strict=True):
            assert one.values.tobytes() == other.values.tobytes()
            assert one.verdicts == other.verdicts
            assert one.results == other.results


WORKER = """
import asyncio, sys
{before}
from distributed import Worker
async def serve():
    async with Worker("{address}", nthreads=1) as worker:
        await worker.finished()
asyncio.run(serve())
"""
STRANGERS = {
    "import sys; sys.modules['learners'] = None": "cannot run Afterstate",
    "import learners.experiments.trial as t; t.program = lambda: '0.0 (engine 12345678)'": (
        r"has Afterstate '0\.0 \(engine 12345678\)', not .*: install the same there"
    ),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("before", STRANGERS, ids=["without the program", "another engine"])
def test_a_worker_with_another_program_is_refused_before_the_first_trial(tiny: Plan, before: str):
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    with distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster:
        code = WORKER.format(before=before, address=cluster.scheduler_address)
        worker = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
        try:
            with distributed.Client(cluster, set_as_default=False) as client:
                client.wait_for_workers(1, timeout=60)
            experiment = Experiment(tiny, pool=dask(cluster.scheduler_address))
            with pytest.raises(UsageError, match=STRANGERS[before]):
                experiment.work()
            assert experiment.snapshot.done == 0
        finally:
            worker.kill()
            worker.wait()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_cluster_without_workers_is_a_sentence(tiny: Plan):
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster,
        pytest.raises(UsageError, match="has no workers"),
    ):
        Experiment(tiny, pool=dask(cluster.scheduler_address)).work()


@pytest.mark.slow
def test_any_executor_finds_the_same_numbers(
    tiny: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "my_cluster.py").write_text(
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from multiprocessing import get_context\n"
        "def two(): return ProcessPoolExecutor(2, mp_context=get_context('spawn'))\n"
        "def none(): return 5\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    here = Experiment(tiny).work()
    there = Experiment(tiny, pool=executor("my_cluster:two")).work()
    for ours, theirs in zip(here.results.arms, there.results.arms, strict=True):
        for one, other in zip(ours.trials, theirs.trials, strict=True):
            assert one.values.tobytes() == other.values.tobytes()
            assert one.verdicts == other.verdicts
    for text, said in (
        ("my_cluster:none", "makes no concurrent.futures.Executor"),
        ("my_cluster:three", "must be module:factory; it fails: module 'my_cluster' has no"),
        ("sys:exit", "must be module:factory; it fails: SystemExit"),
        ("nothing", "must be module:factory; it fails: No module named 'nothing'"),
    ):
        with pytest.raises(UsageError, match=said):
            Experiment(tiny, pool=executor(text)).work()


def test_workers_that_are_lost_are_a_sentence(tiny: Plan, monkeypatch: pytest.MonkeyPatch):
    def lost(*arguments: object) -> None:
        raise BrokenExecutor("a process died abruptly")

    monkeypatch.setattr("learners.experiments.runner.run_trial", lost)
    with pytest.raises(UsageError, match="the workers were lost: a process died abruptly"):
        Experiment(tiny).work()


class Gone(Executor):
    """Its workers are gone: it takes no trial, or cancels each that it took."""

    def __init__(self, *, takes: bool) -> None:
        self._takes = takes

    def submit(self, *arguments: object, **options: object) -> Future[Any]:
        if not self._takes:
            raise BrokenExecutor("a process died abruptly")
        future: Future[Any] = Future()
        future.cancel()
        future.set_running_or_notify_cancel()
        return future


@pytest.mark.parametrize(
    ("takes", "why"), [(True, "a trial was cancelled"), (False, "a process died")]
)
def test_an_executor_that_is_gone_is_a_sentence(tiny: Plan, takes: bool, why: str):
    pool = nullcontext(WorkerPool(Gone(takes=takes), 2))
    with pytest.raises(UsageError, match=f"the workers were lost: {why}"):
        Experiment(tiny, pool=pool).work()


def test_every_trial_checks_the_program_that_runs_it(tiny: Plan):
    setup = Setup.of(tiny, 0)
    with pytest.raises(OtherProgramError, match="install the same there"):
        run_trial(replace(setup, program="0.0 (engine 12345678)"), 0)
    assert sources_hash() in setup.program


def test_the_engine_is_part_of_a_trial_s_key(tiny: Plan, monkeypatch: pytest.MonkeyPatch):
    before = tiny.keys
    monkeypatch.setattr("learners.experiments.plan.sources_hash", lambda: "12345678")
    assert set(before).isdisjoint(tiny.with_seeds(1).keys)


def test_the_engine_s_hash_counts_the_rules_of_the_museum(monkeypatch: pytest.MonkeyPatch):
    before, read = sources_hash.__wrapped__(), Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda file: read(file) + b"#" * (file.name == "museum.py")
    )
    assert sources_hash.__wrapped__() != before
