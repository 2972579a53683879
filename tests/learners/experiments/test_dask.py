"""The same trials on a Dask cluster give the same numbers."""

import pytest

from learners.errors import UsageError
from learners.experiments.executors import cores, dask, threads
from learners.experiments.plan import Plan
from learners.experiments.runner import Experiment


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
    with pytest.raises(UsageError, match=r'pip install "afterstate\[dask\]"'):
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
