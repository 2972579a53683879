"""Every arm is run once with every seed, whoever runs it and however often it is killed."""

import itertools
import json
import signal
import subprocess
import sys
import threading
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made import TINY, needs_compiler, numbers, run_of, until

from afterstate_lab.game import Board
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments import run
from afterstate_lab.learners.experiments.plan import Arm, Plan, program, turning
from afterstate_lab.learners.experiments.run import Experiment, Setup, run_trial
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.players.policy_file import save_policy
from afterstate_lab.learners.players.resolve import parse_player

POINTS = (0, 100, 300)


@pytest.mark.parametrize("compiles", [False, pytest.param(True, marks=needs_compiler)])
def test_a_trial_learns_what_a_run_of_the_same_seed_learns(compiles):
    done = run_trial(Setup("", "td", "td", POINTS, ("value X",), compiles, program()), 7)
    for n, games in enumerate(POINTS):
        made = run_of(games=games, seed=7)
        values = made.layout.x.values(made.memory)[0]
        assert done.values[0, n] == values[Board().id]
    for told, evaluation in zip(
        done.verdicts, evaluate_memory(made.layout, made.memory), strict=True
    ):
        assert told is not None and evaluation is not None
        assert evaluation.values.items() <= told.values.items()
    won_x, won_o, drawn = made.tally[1:4].tolist()
    assert done.results == (won_x, drawn, won_o)
    told = done.as_json()
    assert (told["seed"], sum(told["results"])) == (7, 300)


@pytest.fixture
def calls(monkeypatch):
    """The trials that are run, by who is X and the seed."""
    made: list[tuple[str, int]] = []

    def counted(setup, seed, watch=None):
        made.append((setup.x, seed))
        return run_trial(setup, seed, watch)

    monkeypatch.setattr(run, "run_trial", counted)
    return made


@pytest.fixture(scope="module")
def journal(tiny, tmp_path_factory):
    """The tiny plan, run once: what was found, and the lines that were kept."""
    folder = tmp_path_factory.mktemp("journal")
    return Experiment(tiny, folder).work(), lines(folder)


def lines(folder):
    return (folder / run.JOURNAL).read_bytes().splitlines(keepends=True)


def test_every_trial_is_run_and_kept_once_by_any_number_of_workers(tiny, tmp_path, calls):
    last = Experiment(tiny, tmp_path / "new" / "folder", pool=ThreadPoolExecutor(1)).work()
    players = [str(arm.x) for arm in tiny.arms]
    assert sorted(calls) == sorted(itertools.product(players, range(tiny.seeds)))
    assert len(lines(tmp_path / "new" / "folder")) == len(numbers(last)) == 6
    assert (last.done, last.resumed, last.is_over) == (6, 0, True)
    assert last.trouble == ""
    assert numbers(last) == numbers(Experiment(tiny, pool=ThreadPoolExecutor(2)).work())


def test_what_is_in_the_journal_is_not_run_again_but_a_changed_arm_is(tiny, tmp_path, calls):
    first = Experiment(tiny.resized(2), tmp_path).work()
    assert len(calls) == 4
    calls.clear()
    last = Experiment(tiny, tmp_path).work()
    assert sorted(calls) == [(str(arm.x), 2) for arm in tiny.arms]
    assert (last.resumed, last.done) == (4, 6)
    assert numbers(first) == [found for found in numbers(last) if found[1] < 2]
    assert numbers(last) == numbers(Experiment(tiny).work())
    calls.clear()
    changed = Plan.parse(TINY.replace('"td:draw=0"', '"td:draw=0,alpha=0.2"'))
    Experiment(changed, tmp_path).work()
    assert sorted(calls) == [(str(changed.arms[0].x), seed) for seed in range(tiny.seeds)]
    assert Experiment(tiny, tmp_path).work().resumed == 6
    assert Experiment(tiny.resized(2), tmp_path).work().resumed == 4


def test_a_player_saved_again_under_its_name_is_another_player(tiny, tmp_path):
    file = tmp_path / "saved.npz"

    def found():
        players = parse_player(str(file)), parse_player("random")
        return numbers(Experiment(replace(tiny, arms=(Arm("saved", *players),))).work())

    save_policy(run_of(games=100), file)
    first = found()
    save_policy(run_of(games=5_000), file)
    again = found()
    assert again != first
    run.prepared.cache_clear()
    assert again == found()


NO_TRIALS = b"\xff\x00\n", b"[]\n", b"[" * 100_000 + b"\n", b'{"key": 5}\n', b"nothing\n" * 3
MISFITS = (
    ("values", []), ("values", [["x"] * 4] * 3), ("values", [[1e999] * 4] * 3),
    ("verdicts", [None]), ("verdicts", [{"beatable": True}, None]), ("verdicts", [5, None]),
    ("results", [1, 2]), ("seed", "0"), ("seed", [0]),
)  # fmt: skip


@pytest.mark.parametrize("torn", [1, 200, -1])
def test_a_line_that_is_torn_or_no_trial_of_the_plan_costs_its_trial(
    tiny, journal, tmp_path, torn, calls
):
    whole, (first, *kept, last) = journal
    misfits = [json.dumps(json.loads(first) | dict([new])).encode() + b"\n" for new in MISFITS]
    for line in (*NO_TRIALS, *misfits, last[:torn]):
        assert run.read_trial(line, (3, 4)) is None
    (tmp_path / run.JOURNAL).write_bytes(b"".join([*misfits, *NO_TRIALS, *kept, last[:torn]]))
    found = Experiment(tiny, tmp_path).work()
    assert numbers(found) == numbers(whole)
    assert (len(calls), found.resumed) == (2, 4)
    assert Experiment(tiny, tmp_path).work().resumed == 6


def test_a_journal_that_cannot_be_written_stops_nothing(tiny, tmp_path):
    class InTheWay(ThreadPoolExecutor):
        def submit(self, *arguments):
            with suppress(FileExistsError):
                (tmp_path / "new").symlink_to(tmp_path / "file")
            return super().submit(*arguments)

    (tmp_path / "file").write_text("")
    last = Experiment(tiny, tmp_path / "new", pool=InTheWay(1)).work()
    assert last.done == 6
    assert last.trouble == "file exists"
    assert (tmp_path / "file").read_text() == ""


def test_it_stops_within_a_slice_and_keeps_what_is_over(tiny, tmp_path, monkeypatch, calls):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    endless = tiny.resized(games=10**9)
    experiment = Experiment(endless, tmp_path)
    worker = threading.Thread(target=experiment.work, daemon=True)
    worker.start()
    until(lambda: experiment.snapshot.share > 0)
    experiment.stop()
    worker.join(60.0)
    last = experiment.snapshot
    assert not worker.is_alive()
    assert (last.is_over, last.done) == (True, 0)
    assert not (tmp_path / run.JOURNAL).exists()


def test_what_a_trial_raises_ends_the_experiment_and_keeps_the_others(tiny, tmp_path, monkeypatch):
    def failing(setup, seed, watch=None):
        if seed == 2:
            raise RuntimeError("this seed fails")
        return run_trial(setup, seed, watch)

    monkeypatch.setattr(run, "run_trial", failing)
    experiment = Experiment(tiny, tmp_path, pool=ThreadPoolExecutor(1))
    with pytest.raises(RuntimeError, match="this seed fails"):
        experiment.work()
    assert experiment.snapshot.is_over
    assert len(lines(tmp_path)) >= 4


@pytest.mark.slow
def test_a_kill_in_the_middle_costs_no_finished_trial(tmp_path, calls):
    """SIGKILL while trials are being run and written; then the rest, to the same bits."""
    text = TINY.replace("seeds = 3", "seeds = 15")
    plan, trials, file = Plan.parse(text), 30, tmp_path / "plan.toml"
    file.write_text(text)
    words = f"-m afterstate_lab experiment {file} --out {tmp_path}".split()
    killed = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
    until(lambda: (tmp_path / run.JOURNAL).exists() and len(lines(tmp_path)) >= 5)
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


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (None, "the workers were lost: a trial was cancelled"),
        (BrokenExecutor("it died"), "the workers were lost: it died"),
        (ImportError(), r"cannot run Afterstate \(ImportError\): install .* there"),
    ],
)
@pytest.mark.parametrize("is_taken", [False, True])
def test_an_executor_that_is_gone_is_a_sentence(tiny, error, why, is_taken):
    class Gone(Executor):
        def submit(self, *arguments, **options):
            future: Future[Any] = Future()
            if error is None:
                future.cancel()
                future.set_running_or_notify_cancel()
            else:
                future.set_exception(error)
            return future if is_taken else future.result()

    with pytest.raises(UsageError, match=why):
        Experiment(tiny, pool=Gone()).work()


def test_every_trial_checks_the_program_that_runs_it_and_the_engine_is_part_of_its_key(
    tiny, monkeypatch
):
    setup, before = Setup.of(tiny, 0), program.__wrapped__()
    with pytest.raises(UsageError, match="install the same there"):
        run_trial(setup._replace(program="0.0 (engine 12345678)"), 0)
    assert before == setup.program
    read = Path.read_bytes
    with monkeypatch.context() as patch:
        patch.setattr(
            Path, "read_bytes", lambda file: read(file) + b"#" * (file.name == "museum.py")
        )
        assert program.__wrapped__() != before
    keys = tiny.keys
    monkeypatch.setattr("afterstate_lab.learners.experiments.plan.program", lambda: "0.0")
    assert set(keys).isdisjoint(tiny.resized(1).keys)


@pytest.mark.parametrize("is_stopped", [False, True])
def test_an_agent_is_asked_once_for_all_trials_and_a_stop_ends_the_asking(tmp_path, is_stopped):
    begun, file = tmp_path / "begun", tmp_path / "agent.py"
    file.write_text(
        f"import time\nopen({str(begun)!r}, 'a').write('.')\ndef move(board):\n"
        f"    time.sleep({60 * is_stopped})\n    return board.index('.') + 1\n"
    )
    players = parse_player("td"), parse_player(f"{file}:move")
    plan = turning(*players, "alpha", ["0.1", "0.2"], seeds=2, games=20)
    work = Experiment(plan, pool=ThreadPoolExecutor(4))
    thread = threading.Thread(target=work.run)
    thread.start()
    until(begun.exists)
    if is_stopped:
        work.snapshot.as_json()  # no screen or report asks it either
        work.stop()
    thread.join(10)
    assert not thread.is_alive()
    work.snapshot.as_json()
    assert (work.failure, work.snapshot.done) == ("", 0 if is_stopped else 4)
    assert begun.read_text() == "." * (1 if is_stopped else 2)  # twice, to see that it is the same
