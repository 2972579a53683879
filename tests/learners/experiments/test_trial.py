"""A trial is a run: the same games, the same memory, measured on the way."""

import numpy as np
import pytest

from game import Board
from learners.experiments import trial as trials
from learners.experiments.trial import Setup, program, run_trial
from learners.judge.evaluation import evaluate_memory
from learners.kernel import compiler
from learners.kernel.kernel import Kernel, new_tally
from learners.kernel.memory import Layout
from learners.players.resolve import parse_player
from learners.tape.run import Run

POINTS = (0, 100, 300)


def setup(x: str = "td", o: str = "td", metrics=("value X", "won X"), compiles=False) -> Setup:
    return Setup(f"{x} {o}", x, o, POINTS, tuple(metrics), compiles, program())


def trained(games: int, seed: int = 7) -> Run:
    run = Run(parse_player("td"), parse_player("td"), seed)
    run.train(games)
    return run


def test_a_trial_learns_what_a_run_of_the_same_seed_learns():
    done = run_trial(setup(), 7)
    for n, games in enumerate(POINTS):
        run = trained(games)
        values = run.layout.x.values(run.memory)[0]
        assert done.values[0, n] == values[Board().id]
    x, o = evaluate_memory(run.layout, run.memory)
    assert x is not None and o is not None
    for told, evaluation in zip(done.verdicts, (x, o), strict=True):
        assert told is not None
        assert evaluation.as_json().items() <= told.items()
    won_x, won_o, drawn = run.tally[1:4].tolist()
    assert done.results == (won_x, drawn, won_o)


def test_the_results_since_the_point_before_add_up():
    metrics = ("won X", "drawn X", "lost X")
    shares = run_trial(setup(metrics=metrics), 7).values
    assert np.isnan(shares[:, 0]).all()
    assert shares[:, 1:].sum(axis=0).tolist() == [1.0, 1.0]
    first, whole = trained(100).tally[1], trained(300).tally[1]
    assert shares[0, 1:].tolist() == [first / 100, (whole - first) / 200]


def test_slices_and_who_watches_change_nothing(monkeypatch: pytest.MonkeyPatch):
    seen = []

    class Watcher:
        def advanced(self, games, values):
            seen.append((games, int(np.isfinite(values[0]).sum())))

    plain = run_trial(setup(), 7)
    monkeypatch.setattr(trials, "SLICE_INTERPRETED", 80)
    watched = run_trial(setup(), 7, Watcher())
    assert seen == [(80, 1), (100, 1), (180, 2), (260, 2), (300, 2)]
    assert watched.values.tobytes() == plain.values.tobytes()
    assert watched.verdicts == plain.verdicts


@pytest.mark.skipif(not compiler.is_available(), reason="there is no compiler")
def test_compiled_and_interpreted_trials_are_the_same_to_the_bit():
    one, other = run_trial(setup(), 7), run_trial(setup(compiles=True), 7)
    assert one.values.tobytes() == other.values.tobytes()


def test_a_kernel_with_another_seed_is_the_kernel_of_that_seed():
    spec = parse_player("td")
    layout = Layout.of(spec, spec)
    first, memories = Kernel(layout, 1), []
    first.play(layout.fresh(), 0, 5, new_tally())
    for kernel in (first.with_seed(2), Kernel(layout, 2), first, Kernel(layout, 1)):
        memory = layout.fresh()
        kernel.play(memory, 0, 100, new_tally())
        memories.append(memory.tobytes())
    assert memories[0] == memories[1] != memories[2] == memories[3]


def test_a_trial_as_json_has_no_number_that_json_has_not():
    told = run_trial(setup(metrics=("value O", "won X")), 7).as_json()
    assert told["values"][1][0] is None
    assert told["seed"] == 7
    assert sum(told["results"]) == 300
