"""The book's exercises: every plan runs, and its answer says what is true."""

import json
import re
from collections.abc import Callable
from functools import cache

import pytest
from made import TINY

from afterstate_lab.game import Side
from afterstate_lab.learners.experiments import plan as plans
from afterstate_lab.learners.experiments.plan import SidedMetric, built_in, find_plan
from afterstate_lab.learners.experiments.results import reference
from afterstate_lab.learners.experiments.run import Experiment
from afterstate_lab.learners.judge.figures import BEATABLE
from afterstate_lab.learners.kernel import compiler
from afterstate_lab.learners.toml_reader import TomlError

needs_compiler = pytest.mark.skipif(
    not compiler.is_available(), reason="millions of games need the compiler"
)


@pytest.mark.quick("self-play", "exploration")
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow if n == "step-sizes" else []) for n in plans.NAMES],
)
def test_every_plan_runs_and_has_its_texts(name):
    plan = built_in(name)
    texts = plan.title, plan.source, plan.question, plan.prediction, plan.measured, plan.answer
    assert all(texts)
    assert plan.question.endswith("?") and plan.prediction.endswith("?")
    # What stands above the answer is shown with however many games and seeds are asked for.
    for text in (plan.question, plan.prediction, plan.measured):
        assert not re.search(r"\d (games|seeds|runs)", text)
    last = Experiment(plan.with_games(30).with_seeds(2)).work()
    assert last.done == 2 * len(plan.arms)
    json.dumps(last.as_json(), allow_nan=False)
    for metric in plan.metrics:
        assert any(arm.figure(metric, False) for arm in last.arms)


def test_a_plan_is_found_by_name_by_number_and_by_file(tmp_path):
    assert len(plans.catalogue()) == len(plans.NUMBERS) == 7
    assert find_plan("1.4") is find_plan("exploration")
    (tmp_path / "mine.toml").write_text(TINY)
    assert find_plan(str(tmp_path / "mine.toml")).name == "mine"
    with pytest.raises(
        TomlError, match=r"unknown experiment 'symetries'\. Did you mean symmetries"
    ):
        find_plan("symetries")
    with pytest.raises(
        TomlError, match=r"unknown experiment '9': use self-play, .* or a file.toml"
    ):
        find_plan("9")


@cache
def done(name):
    return Experiment(built_in(name)).work()


def final(name, arm, metric):
    found = next(a for a in done(name).arms if a.arm.name.startswith(arm))
    return found.figure(SidedMetric.parse(metric), False)


MEASURED = {
    ("self-play", "win X"): {"A": "0.990", "B": "0.987", "C": "0.867"},
    ("self-play", "optimal X"): {"B": "0.97"},
    ("self-play", "worst-loss X"): {"C": "0.71"},
    ("symmetries", "rms-v* O"): {"A": "0.112", "B": "0.050"},
    ("symmetries", "greedy-value O"): {"A": "0.9384", "C": "0.978", "D": "0.953"},
    ("greedy-play", "greedy-value X"): {"A": "0.970", "B": "0.991", "C": "0.992", "D": "0.989"},
    ("greedy-play", "coverage X"): {"A": "0.06", "D": "1.000"},
    ("exploration", "value X"): {"A": "0.9948", "B": "0.9726"},
    ("exploration", "greedy-value X"): {"A": "0.9948", "B": "0.9896"},
    ("exploration", "behaviour-value X"): {"A": "0.970", "B": "0.9739"},
    ("improvements", "optimal X"): {
        "A": "0.938", "B": "0.977", "C": "0.984", "D": "0.997", "E": "1.000",
    },
    ("td-or-mc", "rms-v_pi X"): {
        "TD 1/n": "0.084", "MC 1/n": "0.094", "TD alpha=0.4": "0.164", "MC alpha=0.4": "0.194",
        "TD alpha=0.02": "0.187", "MC alpha=0.02": "0.174",
    },
}  # fmt: skip
"""What the answers say of an arm, by the beginning of its name, to the digits that they give."""


def self_play():
    beatable = [arm.verdict(Side.X)[BEATABLE] for arm in done("self-play").arms]
    assert beatable == [2, 0, 20]


def improvements():
    for arm in done("improvements").arms[1:]:
        assert (arm.verdict(Side.X)[BEATABLE], arm.verdict(Side.O)[BEATABLE]) == (0, 0)
    assert final("improvements", "E", "optimal O").low == 1.0


def greedy_play():
    assert abs(final("greedy-play", "B", "behaviour-value X").mean - 0.970) < 0.001


def symmetries():
    """All twenty, to the last bit but one: each plays as well against random moves as can be."""
    greedy = SidedMetric.parse("greedy-value O")
    assert final("symmetries", "B", str(greedy)).low == pytest.approx(887 / 945)
    worse = done("symmetries").improvement(greedy, 3)
    assert worse.mean == 0.0
    best = reference(done("symmetries").arms[3].arm, greedy)
    assert round(best.value, 4) == 0.9811


def exploration():
    """Who skips exploration learns what never exploring is worth."""
    a, b = (final("exploration", arm, "value X") for arm in "AB")
    assert a.low <= 191 / 192 <= a.high
    assert 0.9743 - 0.003 < b.mean < b.high < 0.9743
    assert done("exploration").improvement(built_in("exploration").metrics[2], 1).mean == 1.0


def best_of_sweep(name, metric, best, found):
    sweep = done(name).sweep(SidedMetric.parse(metric))
    series = {
        arm: [(round(estimate.mean, 3), value) for value, estimate in points]
        for arm, points in sweep.items()
    }
    assert {arm: best(series[arm]) for arm in found} == found
    if name == "step-sizes":
        *flat, spoiled = [mean for mean, _ in series["q alpha"]]
        assert (min(flat), max(flat), spoiled) == (0.900, 0.903, 0.800)


CLAIMS: dict[str, Callable[[], None]] = {
    "self-play": self_play,
    "symmetries": symmetries,
    "greedy-play": greedy_play,
    "exploration": exploration,
    "improvements": improvements,
    "td-or-mc": lambda: best_of_sweep(
        "td-or-mc", "rms-v_pi X", min, {"TD alpha": (0.096, "0.1"), "MC alpha": (0.101, "0.1")}
    ),
    "step-sizes": lambda: best_of_sweep(
        "step-sizes", "behaviour-value X", max,
        {"td alpha": (0.96, "0.5"), "tdlambda alpha": (0.95, "0.25"), "mc alpha": (0.948, "0.25")},
    ),
}  # fmt: skip
"""What else the answers say: of chances, bests and worsts."""


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("name", CLAIMS)
def test_an_answer_says_what_is_measured(name):
    for (plan, metric), told in MEASURED.items():
        for arm, said in told.items() if plan == name else ():
            assert f"{final(name, arm, metric).mean:.{len(said) - 2}f}" == said, (arm, metric)
    CLAIMS[name]()
