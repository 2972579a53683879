"""Every arm is run once with every seed, whoever runs it and however often it is killed."""

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from learners.experiments import runner
from learners.experiments.journal import NAME
from learners.experiments.plan import Plan
from learners.experiments.runner import Experiment, ExperimentSnapshot
from learners.experiments.trial import run_trial

DEADLINE = 60.0


def numbers(snapshot: ExperimentSnapshot) -> list[tuple[str, int, bytes, str]]:
    """All that an experiment found, but for the time that it took."""
    return [
        (arm.arm.name, trial.seed, trial.values.tobytes(), json.dumps(trial.verdicts))
        for arm in snapshot.results.arms
        for trial in arm.trials
    ]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The trials that are run, by the key of the arm and the seed."""
    made: list[tuple[str, int]] = []

    def counted(setup, seed, watch=None):
        made.append((setup.key, seed))
        return run_trial(setup, seed, watch)

    monkeypatch.setattr(runner, "run_trial", counted)
    return made


@pytest.fixture(scope="module")
def journal(
    tiny: Plan, tmp_path_factory: pytest.TempPathFactory
) -> tuple[ExperimentSnapshot, list[bytes]]:
    """The tiny plan, run once: what was found, and the lines that were kept."""
    folder = tmp_path_factory.mktemp("journal")
    return Experiment(tiny, folder).work(), lines(folder)


def lines(folder: Path) -> list[bytes]:
    return (folder / NAME).read_bytes().splitlines(keepends=True)


def test_one_worker_and_two_find_the_same_numbers(tiny: Plan):
    one, two = (Experiment(tiny, workers=workers).work() for workers in (1, 2))
    assert len(numbers(one)) == 6
    assert numbers(one) == numbers(two)


def test_every_trial_is_run_and_kept_once(tiny: Plan, tmp_path: Path, calls):
    last = Experiment(tiny, tmp_path / "new" / "folder").work()
    assert sorted(calls) == sorted(itertools.product(tiny.keys, tiny.seeds))
    assert len(lines(tmp_path / "new" / "folder")) == 6
    assert (last.done, last.total, last.resumed, last.is_over) == (6, 6, 0, True)
    assert last.trouble == ""


def test_what_is_in_the_journal_is_not_run_again(tiny: Plan, tmp_path: Path, calls):
    first = Experiment(tiny.with_seeds(2), tmp_path).work()
    before, _ = list(calls), calls.clear()
    last = Experiment(tiny, tmp_path).work()
    assert len(before) == 4
    assert sorted(calls) == sorted((key, 2) for key in tiny.keys)
    assert (last.resumed, last.done) == (4, 6)
    assert numbers(first) == [found for found in numbers(last) if found[1] < 2]
    assert numbers(last) == numbers(Experiment(tiny).work())


def test_a_changed_arm_is_run_anew_and_the_other_is_not(
    tiny: Plan, tiny_text: str, tmp_path: Path, calls
):
    Experiment(tiny, tmp_path).work()
    calls.clear()
    changed = Plan.parse(tiny_text.replace('"td:draw=0"', '"td:draw=0,alpha=0.2"'))
    Experiment(changed, tmp_path).work()
    assert sorted(calls) == sorted((changed.keys[0], seed) for seed in tiny.seeds)
    assert Experiment(tiny, tmp_path).snapshot.done == 6


@pytest.mark.parametrize(
    "line",
    [
        b'{"key": "',
        b"\xff\x00\n",
        b"[]\n",
        b"[" * 100_000 + b"\n",
        b'{"key": 5}\n',
        b"nothing\n" * 3,
    ],
)
def test_a_line_that_is_no_trial_is_passed_over(
    tiny: Plan, journal, tmp_path: Path, line: bytes, calls
):
    whole, kept = journal
    (tmp_path / NAME).write_bytes(b"".join(kept[:3]) + line)
    assert numbers(Experiment(tiny, tmp_path).work()) == numbers(whole)
    assert len(calls) == 3
    assert Experiment(tiny, tmp_path).snapshot.done == 6


@pytest.mark.parametrize("torn_at", [1, 0.5, -1])
def test_a_torn_last_line_costs_one_trial(
    tiny: Plan, journal, tmp_path: Path, torn_at: float, calls
):
    whole, (*kept, last) = journal
    cut = torn_at if isinstance(torn_at, int) else int(torn_at * len(last))
    (tmp_path / NAME).write_bytes(b"".join(kept) + last[:cut])
    assert numbers(Experiment(tiny, tmp_path).work()) == numbers(whole)
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("values", []),
        ("values", [["x"] * 4] * 3),
        ("values", [[1e999] * 4] * 3),
        ("verdicts", [None]),
        ("verdicts", [{"beatable": True}, None]),
        ("verdicts", [5, None]),
        ("results", [1, 2]),
        ("seed", "0"),
        ("seed", [0]),
        ("seconds", None),
    ],
)
def test_a_trial_that_does_not_fit_the_plan_is_run_again(
    tiny: Plan, journal, tmp_path: Path, name: str, value, calls
):
    _, (first, *rest) = journal
    spoiled = json.dumps(json.loads(first) | {name: value}).encode() + b"\n"
    (tmp_path / NAME).write_bytes(spoiled + b"".join(rest))
    assert Experiment(tiny, tmp_path).work().resumed == 5
    assert len(calls) == 1


def test_a_journal_that_cannot_be_written_stops_nothing(tiny: Plan, tmp_path: Path):
    (tmp_path / "file").write_text("")
    experiment = Experiment(tiny, tmp_path / "new")
    (tmp_path / "new").symlink_to(tmp_path / "file")
    last = experiment.work()
    assert last.done == 6
    assert last.trouble == "file exists"
    assert (tmp_path / "file").read_text() == ""


def test_what_could_not_be_written_is_written_with_the_next(tiny: Plan, tmp_path: Path):
    experiment = Experiment(tiny, tmp_path / "folder")
    (tmp_path / "folder").write_text("in the way")
    journal = experiment._journal
    assert journal is not None
    trial = run_trial(experiment._setups[0], 0)
    journal.keep([(tiny.keys[0], trial)])
    assert journal.trouble == "file exists"
    (tmp_path / "folder").unlink()
    journal.keep([(tiny.keys[0], run_trial(experiment._setups[0], 1))])
    assert journal.trouble == ""
    assert [json.loads(line)["seed"] for line in lines(tmp_path / "folder")] == [0, 1]


def test_it_stops_within_a_slice_and_keeps_what_is_over(
    tiny: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls
):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    endless = tiny.with_games(10**9)
    experiment, worker = started(Experiment(endless, tmp_path))
    until(lambda: any(arm.share > 0 for arm in experiment.snapshot.arms))
    experiment.stop()
    worker.join(DEADLINE)
    last = experiment.snapshot
    assert not worker.is_alive()
    assert (last.is_over, last.done) == (True, 0)
    assert not (tmp_path / NAME).exists()


class Gate(threading.Event):
    """An event that knows which threads wait for it."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: set[int] = set()

    def wait(self, timeout: float | None = None) -> bool:
        self.waiting.add(threading.get_ident())
        try:
            return super().wait(timeout)
        finally:
            self.waiting.discard(threading.get_ident())


@pytest.mark.slow
def test_a_pause_holds_all_trials_until_it_is_over(tiny: Plan):
    ticks = itertools.count()
    plan = tiny.with_games(40_000).with_seeds(1)
    experiment = Experiment(plan, workers=2, clock=lambda: float(next(ticks)))
    experiment._go = gate = Gate()
    experiment.pause()
    experiment, worker = started(experiment)
    until(lambda: len(gate.waiting) == 1)
    held = experiment.snapshot
    assert (held.is_paused, held.is_over, held.seconds) == (True, False, 0.0)
    assert [arm.share for arm in held.arms] == [0.0, 0.0]
    experiment.resume()
    until(lambda: experiment.snapshot.arms[0].share > 0)
    experiment.pause()
    until(lambda: len(gate.waiting) == 2)
    first, again = experiment.snapshot, experiment.snapshot
    assert 0 < first.arms[0].share < 1
    assert [arm.share for arm in again.arms] == [arm.share for arm in first.arms]
    assert again.seconds == first.seconds > 0
    experiment.resume()
    worker.join(DEADLINE)
    assert experiment.snapshot.done == 2


@pytest.mark.slow
def test_a_curve_grows_before_its_first_trial_is_over(tiny: Plan, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    experiment, worker = started(Experiment(tiny.with_games(60_000).with_seeds(1), workers=1))

    def grown() -> bool:
        arm = experiment.snapshot.results.arms[0]
        curve = arm.curve(tiny.metrics[0])
        known = np.isfinite(curve.mean)
        return not arm.trials and curve.low is None and 2 <= known.sum() < len(known)

    until(grown)
    assert experiment.snapshot.seconds_left is not None
    experiment.stop()
    worker.join(DEADLINE)


def test_the_time_left_follows_the_trials_of_this_session(tiny: Plan, tmp_path: Path):
    Experiment(tiny.with_seeds(1), tmp_path).work()
    ticking = itertools.count()
    experiment = Experiment(tiny, tmp_path, workers=1, clock=lambda: float(next(ticking)))
    assert experiment.snapshot.seconds_left is None
    last = experiment.work()
    assert last.seconds > 0
    assert last.seconds_left == 0.0
    assert [arm.share for arm in last.arms] == [1.0, 1.0]


def test_what_a_trial_raises_ends_the_experiment_and_keeps_the_others(
    tiny: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def failing(setup, seed, watch=None):
        if seed == 2:
            raise RuntimeError("this seed fails")
        return run_trial(setup, seed, watch)

    monkeypatch.setattr(runner, "run_trial", failing)
    experiment = Experiment(tiny, tmp_path, workers=1)
    with pytest.raises(RuntimeError, match="this seed fails"):
        experiment.work()
    assert experiment.snapshot.is_over
    assert len(lines(tmp_path)) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [12, pytest.param(25, marks=pytest.mark.slow)])
def test_a_kill_in_the_middle_costs_no_finished_trial(
    tiny_text: str, tmp_path: Path, calls, seeds: int
):
    """SIGKILL while trials are being run and written; then the rest, to the same bits."""
    text = tiny_text.replace("seeds = 3", f"seeds = {seeds}")
    plan, trials = Plan.parse(text), 2 * seeds
    (tmp_path / "plan.toml").write_text(text)
    code = (
        "import sys; from pathlib import Path; from learners.experiments.plan import Plan; "
        "from learners.experiments.runner import Experiment; folder = Path(sys.argv[1]); "
        "Experiment(Plan.load(folder / 'plan.toml'), folder, workers=2).work()"
    )
    root = str(Path(__file__).parents[3])
    killed = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], env=os.environ | {"PYTHONPATH": root}
    )
    until(lambda: (tmp_path / NAME).exists() and len(lines(tmp_path)) >= 5)
    killed.send_signal(signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    whole = [line for line in lines(tmp_path) if line.endswith(b"\n")]
    assert 5 <= len(whole) < trials
    last = Experiment(plan, tmp_path).work()
    assert last.resumed == len(whole)
    assert len(calls) == trials - len(whole)
    assert numbers(last) == numbers(Experiment(plan).work())
    kept = [json.loads(line) for line in lines(tmp_path) if line.endswith(b"}\n")]
    assert len({(trial["key"], trial["seed"]) for trial in kept}) == len(kept) == trials


def started(experiment: Experiment) -> tuple[Experiment, threading.Thread]:
    worker = threading.Thread(target=experiment.work, daemon=True)
    worker.start()
    return experiment, worker


def until(condition) -> None:
    """Wait for something that comes true soon."""
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)
