"""What came of an experiment: figures that can be worked by hand from the trials."""

import json
from dataclasses import replace

import numpy as np
import pytest

from game import Side
from learners.experiments.metrics import SidedMetric
from learners.experiments.plan import Plan
from learners.experiments.results import ArmResults, Results
from learners.experiments.runner import Experiment
from learners.experiments.trial import Trial

VALUE = SidedMetric.parse("value X")
BEATABLE = SidedMetric.parse("beatable X")


def results_of(plan: Plan, finals: dict[str, list[float]]) -> Results:
    """Results in which both first metrics rise from 0 to these finals, one for each seed."""
    arms = []
    for arm in plan.arms:
        trials = tuple(
            Trial(seed, rising(plan, final), (3, 2, 1), (None, None), 0.1)
            for seed, final in enumerate(finals.get(arm.name, []))
        )
        arms.append(ArmResults(arm, plan, trials))
    return Results(plan, tuple(arms))


def rising(plan: Plan, final: float) -> np.ndarray:
    row = np.linspace(0.0, final, len(plan.points))
    return np.array([row, row, np.full(len(row), np.nan)])


def test_a_curve_is_the_mean_over_seeds_within_its_band(tiny: Plan):
    found = results_of(tiny, {"A": [0.3, 0.6]}).arms[0].curve(VALUE)
    assert found.games == (0, 100, 200, 300)
    assert found.mean == pytest.approx([0.0, 0.15, 0.3, 0.45])
    assert found.low == pytest.approx([0.0, 0.1, 0.2, 0.3])
    assert found.high == pytest.approx([0.0, 0.2, 0.4, 0.6])
    assert found.seeds == 2


def test_a_final_figure_is_the_last_point_and_an_average_that_of_all_but_the_start(tiny: Plan):
    arm = results_of(tiny, {"A": [0.3, 0.6]}).arms[0]
    final, average = arm.final(VALUE), arm.average(VALUE)
    assert final is not None and final.mean == pytest.approx(0.45)
    assert average is not None and average.mean == pytest.approx(0.3)
    assert arm.final(tiny.metrics[2]) is None
    assert arm.average(tiny.metrics[2]) is None


def test_an_arm_without_a_trial_has_no_figures(tiny: Plan):
    found = results_of(tiny, {"A": [0.3]})
    arm = found.arms[1]
    assert arm.final(VALUE) is None
    assert arm.average(VALUE) is None
    assert arm.verdict(Side.X) is None
    assert np.isnan(arm.curve(VALUE).mean).all()
    assert arm.results == (0, 0, 0)
    assert found.improvement(BEATABLE, 1) is None
    json.dumps(found.as_json(), allow_nan=False)


def test_better_means_lower_where_lower_is_better(tiny: Plan):
    found = results_of(tiny, {"A": [0.0, 1.0], "B": [0.0, 0.0]}).improvement(BEATABLE, 1)
    assert found is not None and found.mean == (0.5 + 0.5 + 1 + 1) / 4
    assert results_of(tiny, {"A": [0.0], "B": [1.0]}).improvement(VALUE, 1) is None


def test_an_arm_is_compared_with_its_baseline(tiny_text: str):
    text = tiny_text + '\n[[arms]]\nname = "C"\nx = "td"\no = "td"\nbaseline = "B"\n'
    found = results_of(Plan.parse(text), {})
    assert [found.baseline(n) for n in range(3)] == [None, 0, 1]


def test_a_swept_arm_is_compared_with_the_one_of_the_same_value(tiny_text: str):
    text = tiny_text.replace('name = "B"', 'name = "B"\nbaseline = "A"')
    text += '\n[sweep]\noption = "alpha"\nvalues = [0.1, 0.2]\n'
    found = results_of(Plan.parse(text), {})
    assert [found.baseline(n) for n in range(4)] == [None, 0, 0, 1]


def test_a_sweep_is_a_series_of_each_arm(tiny_text: str):
    text = tiny_text + '\n[sweep]\noption = "alpha"\nvalues = [0.1, 0.2]\n'
    finals = {"A alpha=0.1": [0.3], "A alpha=0.2": [0.6], "B alpha=0.1": [0.9]}
    series = results_of(Plan.parse(text), finals).sweep(VALUE)
    assert list(series) == ["A alpha", "B alpha"]
    first, second = series["A alpha"]
    assert (first.value, second.value) == ("0.1", "0.2")
    assert first.estimate is not None and first.estimate.mean == 0.3
    assert series["B alpha"][1].estimate is None
    plan = Plan.parse(text.replace("points = 3", 'points = 3\njudge = "run"'))
    judged_by_run = results_of(plan, finals)
    over_run = judged_by_run.sweep(VALUE)["A alpha"][0]
    assert over_run.estimate is not None and over_run.estimate.mean == pytest.approx(0.2)
    assert judged_by_run.arms[0].figure(VALUE) == over_run.estimate
    assert (plan.judged_by, judged_by_run.as_json()["judged_by"]) == ("mean over the run", "run")


def test_a_plan_judged_by_the_run_compares_arms_by_it(tiny: Plan):
    plan = replace(tiny, over_run=True)
    early, late = [np.array([0.0, 0.9, 0.9, 0.3])] * 2, [np.array([0.0, 0.1, 0.1, 0.4])] * 2
    arms = tuple(
        ArmResults(arm, plan, tuple(Trial(n, np.array([row] * 3), (3, 2, 1), (None, None), 0.1)
                                    for n, row in enumerate(rows)))
        for arm, rows in zip(plan.arms, (late, early), strict=True)
    )  # fmt: skip
    won = tiny.metrics[2]
    better = Results(plan, arms).improvement(won, 1)
    assert better is not None and better.mean == 1.0
    at_end = Results(tiny, tuple(replace(arm, plan=tiny) for arm in arms))
    better = at_end.improvement(won, 1)
    assert better is not None and better.mean == 0.0


def test_an_answer_says_what_it_was_found_with_and_comes_after_what_was_run(tiny: Plan):
    smaller = replace(tiny, answer="No.").with_seeds(1).with_games(100)
    assert smaller.answer_heading == "Answer, from 3 seeds of 300 games"
    assert smaller.run_heading == "This run, 1 seed of 100 games"
    told = results_of(smaller, {}).as_json()
    assert (told["seeds"], told["games"]) == (1, 100)
    assert told["answer_from"] == {"seeds": 3, "games": 300}
    assert list(told)[-2:] == ["answer", "answer_from"]


def test_a_share_of_seeds_has_the_exact_band(tiny: Plan):
    arm = results_of(tiny, {"A": [0.0] * 20}).arms[0]
    final = arm.final(BEATABLE)
    assert final is not None and (final.mean, final.low) == (0.0, 0.0)
    assert final.high == pytest.approx(1 - 0.025 ** (1 / 20))
    assert final.as_json()["band_kind"] == "Clopper-Pearson"
    assert arm.curve(BEATABLE).high[-1] == final.high
    value = arm.final(VALUE)
    assert value is not None and value.as_json()["band_kind"] == "bootstrap"


def test_a_plan_without_a_sweep_has_no_series(tiny: Plan):
    assert results_of(tiny, {"A": [0.1]}).sweep(VALUE) == {}


def test_all_figures_are_there_as_json(tiny: Plan):
    told = Experiment(tiny).work().results.as_json()
    json.dumps(told, allow_nan=False)
    first, second = told["arms"]
    assert first["verdicts"]["O"] is None
    assert first["verdicts"]["X"]["seeds"] == 3
    assert first["verdicts"]["X"]["decisions"] == 2423
    assert sum(first["results"].values()) == 900
    assert first["metrics"]["value X"]["reference"]["value"] == pytest.approx(191 / 192)
    assert first["metrics"]["won X"]["curve"]["mean"][0] is None
    assert (first["baseline"], second["baseline"]) == (None, "A")
    assert second["metrics"]["beatable X"]["better_than_baseline"] is not None
