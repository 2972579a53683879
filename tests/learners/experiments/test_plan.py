"""Plans say what they want, and the answers to the book's exercises say what is true."""

import json
import re

import pytest
from made import TINY, needs_compiler, sentences

from afterstate_lab.learners.experiments import plan as plans
from afterstate_lab.learners.experiments.plan import Plan, SidedMetric, built_in, find_plan
from afterstate_lab.learners.experiments.run import Experiment
from afterstate_lab.learners.players.policy_file import save_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.toml_reader import TomlError


def test_a_plan_is_read(tiny):
    assert tiny.title == "Tiny"
    assert [arm.name for arm in tiny.arms] == ["A", "B"]
    assert str(tiny.arms[1].x) == "td:draw=0,exploration=learn"
    assert tiny.seeds == 3
    assert tiny.points == (0, 100, 200, 300)
    assert [str(metric) for metric in tiny.metrics] == ["value X", "beatable X", "value O"]
    assert tiny.trials == 6
    question = next(line for line in TINY.splitlines() if line.startswith("question"))
    assert Plan.parse(TINY.replace(question, "")).question == ""


def swept(*sweeps, text=TINY):
    return Plan.parse(text + "".join(f"\n[[sweep]]\n{sweep}\n" for sweep in sweeps))


def test_sweeps_make_an_arm_of_each_value_and_of_every_combination():
    arms = swept('arm = "A"\noption = "x.alpha"\nvalues = [0.5, 1]').arms
    assert [arm.name for arm in arms] == ["A alpha=0.5", "A alpha=1", "B"]
    assert [str(arm.x) for arm in arms[:2]] == ["td:alpha=0.5,draw=0", "td:alpha=1,draw=0"]
    assert (arms[0].origin, arms[0].swept) == ("A", (("alpha", "0.5"),))
    alpha = 'arm = "A"\noption = "alpha"\nvalues = [0.1, 0.2]'
    epsilon = 'arm = "A"\noption = "epsilon"\nvalues = ["0.5..0", 0.1]'
    made = [f"A alpha={a} epsilon={e}" for a in ("0.1", "0.2") for e in ("0.5..0", "0.1")]
    assert [arm.name for arm in swept(alpha, epsilon).arms] == [*made, "B"]
    # Without a side: every learner that has the option.
    text = TINY.replace('o = "random"', 'o = "td"', 1)
    a, b = swept('option = "alpha"\nvalues = [0.5]', text=text).arms
    assert (str(a.o), str(b.o)) == ("td:alpha=0.5", "random")


def test_too_much_is_refused_before_memory_is_taken():
    text = TINY.replace("points = 3", "points = 1000").replace("games = 300", "games = 9999")
    many = [n / 100 for n in range(1, 101)]
    with pytest.raises(TomlError, match="make 60,060,000 numbers; the most is 50,000,000"):
        swept(f"option='alpha'\nvalues={many[:10]}", text=text.replace("seeds = 3", "seeds = 1000"))
    with pytest.raises(TomlError, match="make more than 500 arms"):
        swept(*(f"option='{o}'\nvalues={many}" for o in ("alpha", "draw")))


def test_a_key_depends_on_all_that_the_numbers_depend_on_and_on_nothing_else():
    def keys(right, wrong):
        return Plan.parse(TINY.replace(right, wrong)).keys

    same = Plan.parse(TINY).keys
    assert len(set(same)) == 2
    assert keys("Tiny", "Other") == same
    assert keys("seeds = 3", "seeds = 9") == same
    assert keys('"td:draw=0"', '"td:alpha=0.1,draw=0"') == same
    for right, wrong in (("300", "301"), ("points = 3", "points = 4"), ("value O", "win O")):
        assert not set(keys(right, wrong)) & set(same)
    assert keys('"td:draw=0"', '"td:draw=0.1"')[1:] == same[1:]
    assert keys('"td:draw=0"', '"td:draw=0.1"')[0] != same[0]


def test_a_file_without_a_learner_for_its_side_is_refused(tmp_path):
    save_policy(Run(parse_player("td"), parse_player("random")), tmp_path / "x.npz")
    assert Plan.parse(TINY.replace('x = "td', f'x = "{tmp_path}/x.npz"\n#', 1))
    with pytest.raises(TomlError, match=r"arms\[1\].o: .* holds no learner that plays O"):
        Plan.parse(TINY.replace('"random"', f'"{tmp_path}/x.npz"'))


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
    last = Experiment(plan.resized(2, 30)).work()
    assert last.done == 2 * len(plan.arms)
    json.dumps(last.as_json(), allow_nan=False)
    for metric in plan.metrics:
        assert any(arm.figure(metric, False) for arm in last.arms)


def test_points_stay_spaced_as_the_plan_says_with_more_games():
    for log, points in ((True, (1, 32, 1000)), (False, (0, 333, 667, 1000))):
        text = TINY.replace("points = 3", 'points = 3\nspacing = "log"' if log else "points = 3")
        assert Plan.parse(text).resized(games=1000).points == points


def test_a_plan_is_found_by_name_by_number_and_by_file(tmp_path):
    assert len(plans.catalogue()) == len(plans.NUMBERS) == 7
    assert find_plan("1.4") is find_plan("exploration")
    (tmp_path / "mine.toml").write_text(TINY)
    assert find_plan(str(tmp_path / "mine.toml")).name == "mine"


def measured(last, metric, arm):
    """A number of `measured.txt`: of an arm by the beginning of its name."""
    *what, name = arm.split(": ")
    found = next(one for one in last.arms if one.arm.name.startswith(name))
    sided = SidedMetric.parse(metric)
    if sided not in last.plan.metrics:
        verdict = found.verdict(sided.side)
        return verdict[sided.metric.name] / verdict["seeds"]
    if what == ["better"]:
        return last.improvement(sided, found).mean
    return getattr(found.figure(sided, False), what[0] if what else "mean")


def best_of_sweep(last, best, family):
    """The best mean of an option's values, and the value."""
    return best(
        (round(arm.figure(last.plan.metrics[0]).mean, 3), float(value))
        for arm in last.arms
        for option, value in arm.arm.swept
        if f"{arm.arm.family} {option}" == family
    )


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("name", plans.NAMES)
def test_an_answer_says_what_is_measured(name):
    last = Experiment(built_in(name)).work()
    for plan, metric, arm, said in sentences("learners/experiments/measured.txt"):
        if plan == name:
            places = len(said.partition(".")[2])
            assert f"{measured(last, metric, arm):.{places}f}" == said, (arm, metric)
    if name == "td-or-mc":
        assert best_of_sweep(last, min, "TD alpha") == (0.096, 0.1)
        assert best_of_sweep(last, min, "MC alpha") == (0.101, 0.1)
    if name == "step-sizes":
        assert best_of_sweep(last, max, "td alpha") == (0.96, 0.5)
        assert best_of_sweep(last, max, "tdlambda alpha") == (0.95, 0.25)
        assert best_of_sweep(last, max, "mc alpha") == (0.948, 0.25)
        *flat, spoiled = [round(a.figure(last.plan.metrics[0]).mean, 3) for a in last.arms[-7:]]
        assert (min(flat), max(flat), spoiled) == (0.900, 0.903, 0.800)
