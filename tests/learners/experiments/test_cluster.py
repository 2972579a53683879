"""A Dask cluster runs an experiment: with workers of others, workers that die, and none at all."""

import os
import signal
import subprocess
import sys
import threading

import pytest
from made import TINY, numbers, until

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments import cluster
from afterstate_lab.learners.experiments.cluster import Cluster
from afterstate_lab.learners.experiments.run import JOURNAL, Experiment, kept

WITHOUT_US = """
import sys
class Without:
    def __init__(self, finder):
        self.finder = finder
    def __getattr__(self, name):
        return getattr(self.finder, name)
    def find_spec(self, name, *more):
        ours = name.partition(".")[0] == "afterstate_lab"
        return None if ours else self.finder.find_spec(name, *more)
sys.meta_path[:] = map(Without, sys.meta_path)
"""
"""A site in which our package is not installed."""
ALONE = {"threads_per_worker": 1, "dashboard_address": None}


@pytest.fixture
def distributed():
    return pytest.importorskip("distributed", reason="distributed is not installed")


@pytest.mark.quick("no package")
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tcp://127.0.0.1:1", "the Dask cluster at 'tcp://127.0.0.1:1' does not answer: "),
        ("nonsense", "'nonsense' is not an address such as tcp://10.0.0.5:8786"),
        ("tcp://host:port", "is not an address"),
        ("", r'pip install "afterstate-lab\[dask\]"'),
    ],
    ids=["no answer", "no address", "no port", "no package"],
)
def test_a_cluster_that_is_not_there_is_a_sentence(request, monkeypatch, address, said):
    if address:
        request.getfixturevalue("distributed")
    else:
        monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=said):
        Cluster(address)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_cluster_finds_the_same_numbers_also_when_a_worker_is_killed(distributed, tiny, tmp_path):
    here = Experiment(tiny).work()
    with distributed.LocalCluster(n_workers=2, **ALONE) as local:
        address = local.scheduler_address
        first = Experiment(tiny.resized(2), tmp_path, pool=Cluster(address)).work()
        again = Experiment(tiny, tmp_path, pool=Cluster(address))
        worker, *_ = local.get_client().run(os.getpid).values()
        thread = threading.Thread(target=again.work)
        thread.start()
        os.kill(worker, signal.SIGKILL)
        thread.join()
    assert (first.done, again.snapshot.resumed, again.snapshot.done) == (4, 4, 6)
    assert numbers(again.snapshot) == numbers(here)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_worker_of_others_gets_no_trial_and_lives_on(distributed, tiny, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_US)
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    with distributed.LocalCluster(n_workers=1, **ALONE) as local:
        address = local.scheduler_address
        command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        with subprocess.Popen([*command, "--name", "foreign"], env=env, **quiet) as foreign:
            client = local.get_client()
            client.wait_for_workers(2, timeout=60)
            with pytest.warns(UserWarning, match="1 of 2 workers .* get no trials: tcp://"):
                there = Experiment(tiny, pool=Cluster(address)).work()
            names = [worker.name for worker in local.scheduler.workers.values()]
            assert "foreign" in names
            assert foreign.poll() is None
            local.scale(0)
            until(lambda: len(client.nthreads()) == 1)
            with (
                pytest.warns(UserWarning, match="get no trials"),
                pytest.raises(UsageError, match="none of its workers has Afterstate"),
            ):
                Cluster(address)
            foreign.terminate()
            _, said = foreign.communicate()
    assert numbers(there) == numbers(Experiment(tiny).work())
    assert b"Traceback" not in said


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_trials_wait_for_a_new_worker_when_all_are_gone_and_it_is_said(
    distributed, tiny, monkeypatch
):
    monkeypatch.setattr(cluster, "SECONDS", 1)
    long = tiny.resized(40)
    with distributed.LocalCluster(n_workers=1, **ALONE) as local:
        experiment = Experiment(long, pool=Cluster(local.scheduler_address))
        thread = threading.Thread(target=experiment.work)
        with pytest.warns(UserWarning, match="No worker of .* is left"):
            thread.start()
            until(lambda: experiment.snapshot.done)
            local.scale(0)
            before = -1
            while experiment.snapshot.done != before:
                before = experiment.snapshot.done
                thread.join(5)
        assert 0 < before < long.trials
        local.scale(1)
        until(lambda: experiment.snapshot.done > before, seconds=120)
        experiment.stop()
        thread.join(20)
        assert not thread.is_alive()


@pytest.mark.slow
def test_ctrl_c_leaves_a_cluster_without_workers_and_keeps_what_is_done(
    distributed, tiny, tmp_path
):
    plan, out = tmp_path / "tiny.toml", tmp_path / "out"
    plan.write_text(TINY)
    words = f"-m afterstate_lab experiment {plan} --seeds 400 --out {out}".split()
    with distributed.LocalCluster(n_workers=1, **ALONE) as local:
        command = [sys.executable, *words, "--dask", local.scheduler_address]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as it:
            until((out / JOURNAL).exists)
            local.scale(0)
            until(lambda: not local.scheduler.workers)
            it.send_signal(signal.SIGINT)
            _, said = it.communicate(timeout=30)
    assert it.returncode == 130
    assert b"Traceback" not in said
    assert 0 < len(kept(out, tiny.resized(400))) < 800
