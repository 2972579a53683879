"""The book's exercises: every plan runs, and its answer says what is true."""

import json
import re
from functools import cache

import pytest

from game import Side
from learners.experiments.plan import NAMES, NUMBERS, SidedMetric, built_in, catalogue, find_plan
from learners.experiments.results import Estimate, Results
from learners.experiments.run import Experiment
from learners.judge.figures import BEATABLE
from learners.kernel import compiler
from learners.toml_reader import TomlError

needs_compiler = pytest.mark.skipif(
    not compiler.is_available(), reason="millions of games need the compiler"
)


@pytest.mark.quick("self-play", "exploration")
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n == "step-sizes" else []) for n in NAMES]
)
def test_every_plan_runs_and_has_its_texts(name: str):
    plan = built_in(name)
    for text in (
        plan.title,
        plan.source,
        plan.question,
        plan.prediction,
        plan.measured,
        plan.answer,
    ):
        assert text
    assert plan.question.endswith("?") and plan.prediction.endswith("?")
    last = Experiment(plan.with_games(30).with_seeds(2)).work()
    assert last.done == 2 * len(plan.arms)
    json.dumps(last.results.as_json(), allow_nan=False)
    for metric in plan.metrics:
        assert any(arm.final(metric) for arm in last.results.arms)


def test_only_an_answer_speaks_of_how_much_was_run():
    """What stands above it is shown with however many games and seeds are asked for."""
    for plan in catalogue():
        for text in (plan.question, plan.prediction, plan.measured):
            assert not re.search(r"\d (games|seeds|runs)", " ".join(text.split())), text


def test_a_plan_is_found_by_name_by_number_and_by_file(tmp_path, tiny_text: str):
    assert len(catalogue()) == len(NUMBERS) == 7
    assert find_plan("1.4") is find_plan("exploration")
    (tmp_path / "mine.toml").write_text(tiny_text)
    assert find_plan(str(tmp_path / "mine.toml")).name == "mine"
    with pytest.raises(TomlError, match="no plan 'symetries': did you mean symmetries"):
        find_plan("symetries")
    with pytest.raises(TomlError, match=r"no plan '9': there is self-play, .* or a file.toml"):
        find_plan("9")


@cache
def done(name: str) -> Results:
    """All trials of a plan, once."""
    return Experiment(built_in(name)).work().results


def final(name: str, arm: str, metric: str) -> Estimate:
    found = next(a for a in done(name).arms if a.arm.name == arm)
    estimate = found.final(SidedMetric.parse(metric))
    assert estimate is not None
    return estimate


def shown(name: str, arm: str, metric: str, digits: int = 3) -> float:
    return round(final(name, arm, metric).mean, digits)


def holds(estimate: Estimate, exact: float) -> bool:
    assert estimate.low is not None and estimate.high is not None
    return estimate.low <= exact <= estimate.high


@needs_compiler
@pytest.mark.slow
def test_exercise_1_4_skipping_exploration_learns_the_value_of_never_exploring():
    """Four of the thirty seeds: A's band holds .9948, B's lies between its own worth and it."""
    plan = built_in("exploration").with_seeds(4)
    results = Experiment(plan).work().results
    value, worth, played = plan.metrics
    a, b = (arm.final(value) for arm in results.arms)
    assert a is not None and b is not None and b.high is not None
    assert holds(a, 191 / 192)
    assert 0.9743 - 0.003 < b.mean < b.high < 0.9743
    assert [round(arm.final(worth).mean, 4) for arm in results.arms] == [0.9948, 0.9896]
    chance = results.improvement(played, 1)
    assert chance is not None and chance.mean == 1.0


@needs_compiler
@pytest.mark.slow
def test_exercise_1_1_says_what_is_measured():
    assert shown("self-play", "A against random", "win X") == 0.990
    assert shown("self-play", "B self-play", "win X") == 0.987
    assert shown("self-play", "B self-play", "optimal X", 2) == 0.97
    assert shown("self-play", "C against perfect", "win X") == 0.867
    assert shown("self-play", "C against perfect", "worst-loss X", 2) == 0.71
    beatable = [arm.verdict(Side.X)[BEATABLE] for arm in done("self-play").arms]
    assert beatable == [2, 0, 20]


@needs_compiler
@pytest.mark.slow
def test_exercise_1_2_says_what_is_measured():
    name = "symmetries"
    assert shown(name, "A random", "rms-v* O") == 0.112
    assert shown(name, "B random, shared", "rms-v* O") == 0.050
    # All twenty, to the last bit but one: each plays as well against random moves as can be.
    assert final(name, "B random, shared", "greedy-value O").low == pytest.approx(887 / 945)
    assert shown(name, "A random", "greedy-value O", 4) == 0.9384
    assert shown(name, "C biased", "greedy-value O") == 0.978
    assert shown(name, "D biased, shared", "greedy-value O") == 0.953
    worse = done(name).improvement(SidedMetric.parse("greedy-value O"), 3)
    assert worse is not None and worse.mean == 0.0
    best = done(name).arms[3].reference(SidedMetric.parse("greedy-value O"))
    assert best is not None and round(best.value, 4) == 0.9811


@needs_compiler
@pytest.mark.slow
def test_exercise_1_3_says_what_is_measured():
    name, worth = "greedy-play", "greedy-value X"
    arms = ("A greedy", "B explores", "C explores less and less", "D greedy, an optimist")
    assert [shown(name, arm, worth) for arm in arms] == [0.970, 0.991, 0.992, 0.989]
    assert shown(name, "A greedy", "coverage X", 2) == 0.06
    assert shown(name, "D greedy, an optimist", "coverage X") == 1.0
    assert abs(final(name, "B explores", "behaviour-value X").mean - 0.970) < 0.001


@needs_compiler
@pytest.mark.slow
def test_exercise_1_4_says_what_is_measured():
    name = "exploration"
    a, b = (final(name, arm, "value X") for arm in ("A skip", "B learn"))
    assert holds(a, 191 / 192)
    assert (round(a.mean, 4), round(b.mean, 4)) == (0.9948, 0.9726)
    assert shown(name, "A skip", "greedy-value X", 4) == 0.9948
    assert shown(name, "B learn", "greedy-value X", 4) == 0.9896
    assert shown(name, "A skip", "behaviour-value X") == 0.970
    assert shown(name, "B learn", "behaviour-value X", 4) == 0.9739


@needs_compiler
@pytest.mark.slow
def test_exercise_1_5_says_what_is_measured():
    arms = done("improvements").arms
    optimal = [arm.final(SidedMetric.parse("optimal X")).mean for arm in arms]
    assert [round(100 * share, 1) for share in optimal] == [93.8, 97.7, 98.4, 99.7, 100.0]
    for arm in arms[1:]:
        assert (arm.verdict(Side.X)[BEATABLE], arm.verdict(Side.O)[BEATABLE]) == (0, 0)
    assert final("improvements", "E negamax", "optimal O").low == 1.0


@needs_compiler
@pytest.mark.slow
def test_example_6_2_says_what_is_measured():
    def error(arm: str) -> float:
        return shown("td-or-mc", arm, "rms-v_pi X")

    assert [error("TD 1/n"), error("MC 1/n")] == [0.084, 0.094]
    assert [error("TD alpha=0.4"), error("MC alpha=0.4")] == [0.164, 0.194]
    assert [error("TD alpha=0.02"), error("MC alpha=0.02")] == [0.187, 0.174]
    series = done("td-or-mc").sweep(SidedMetric.parse("rms-v_pi X"))
    smallest = {
        name: min((point.estimate.mean, point.value) for point in points)
        for name, points in series.items()
    }
    assert [round(error, 3) for error, _ in smallest.values()] == [0.096, 0.101]
    assert [value for _, value in smallest.values()] == ["0.1", "0.1"]


@needs_compiler
@pytest.mark.slow
def test_figure_2_6_says_what_is_measured():
    series = done("step-sizes").sweep(SidedMetric.parse("behaviour-value X"))
    best = {
        name: max((round(point.estimate.mean, 3), point.value) for point in points)
        for name, points in series.items()
    }
    assert best["td alpha"] == (0.960, "0.5")
    assert best["tdlambda alpha"] == (0.950, "0.25")
    assert best["mc alpha"] == (0.948, "0.25")
    *flat, spoiled = [round(point.estimate.mean, 3) for point in series["q alpha"]]
    assert (min(flat), max(flat), spoiled) == (0.900, 0.903, 0.800)
