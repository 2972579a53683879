"""A plan says what it wants, and a typo in it is one sentence that says where and what is right."""

import re
from pathlib import Path

import pytest

from afterstate_lab.learners.experiments.plan import Plan
from afterstate_lab.learners.players.policy_file import save_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.toml_reader import LARGEST_FILE, TomlError


def test_a_plan_is_read(tiny):
    assert tiny.title == "Tiny"
    assert [arm.name for arm in tiny.arms] == ["A", "B"]
    assert str(tiny.arms[1].x) == "td:draw=0,exploration=learn"
    assert tiny.seeds == (0, 1, 2)
    assert tiny.points == (0, 100, 200, 300)
    assert [str(metric) for metric in tiny.metrics] == ["value X", "beatable X", "won X"]
    assert tiny.trials == 6


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("games = 300", "game = 300", "line 4: game: unknown key. Did you mean games?"),
        ("games = 300", "games = 3e2", "line 4: games: must be a whole number from 1 to 10,000,0"),
        ("games = 300", "games = true", "line 4: games: must be a whole number"),
        ("games = 300", "games = ", "plan.toml is not valid TOML: Invalid value (at line 4"),
        ("games = 300\n", "", "plan.toml: games is missing"),
        ("seeds = 3", "seeds = 0", "line 5: seeds: must be a whole number from 1 to 1,000, not"),
        ("seeds = 3", "seeds = [1, 1]", "line 5: seeds: one is given twice"),
        ("seeds = 3", "seeds = [1, -1]", "line 5: seeds: '-1' is not a whole number"),
        ("value X", "valeu X", "line 6: metrics: unknown metric 'valeu'. Did you mean val"),
        ("value X", "value", "line 6: metrics: 'value' needs a side: value X or value O"),
        ("value X", "won X", "line 6: metrics: one is given twice"),
        ("points = 3", "points = 0", "line 9: measure.points: must be a whole number from 1"),
        ("points = 3", "spacing = 'cubic'", "line 9: measure.spacing: must be linear or log, not"),
        ("points = 3", "point = 3", "line 9: measure.point: unknown key. Did you"),
        ('"td:draw=0"', '"tdd:draw=0"', "line 13: arms[1].x: unknown player 'tdd'"),
        ("learn", "lern", "line 18: arms[2].x: exploration=lern is not valid: use"),
        ("draw=0,", "darw=0,", "line 18: arms[2].x: td has no option 'darw'"),
        ('o = "random"', 'o = "human"', "line 14: arms[1].o: a person cannot take part"),
        ('o = "random"', 'o = "mine.py:Mine"', "line 14: arms[1].o: 'mine.py:Mine' runs code"),
        ('o = "random"', 'o = "none.npz"', "line 14: arms[1].o: "),
        ('o = "random"', "o = 5", "line 14: arms[1].o: must be a text, not '5'"),
        ('name = "B"', 'name = "A"', "line 17: arms[2].name: two variants are named 'A'"),
        ('name = "B"', 'name = "\\u001b[2J"', "line 17: arms[2].name: has characters that"),
        ('name = "B"', "", "line 16: arms[2]: name is missing"),
        ('name = "B"', 'name = "B"\nbaseline = "C"', "line 18: arms[2].baseline: there is no arm"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(tiny_text, right: str, wrong: str, said: str):
    with pytest.raises(TomlError, match=re.escape(said)) as caught:
        Plan.parse(tiny_text.replace(right, wrong, 1), "plan.toml")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("plan.toml")


@pytest.mark.parametrize(
    ("sweep", "said"),
    [
        ('arm = "C"\noption = "alpha"\nvalues = [1]', "sweep.arm: there is no arm 'C'; there is A"),
        ('option = "lambda"\nvalues = [1]', "sweep.option: no player of arm 'A' has an option"),
        ('option = "z.alpha"\nvalues = [1]', "sweep.option: must be an option's name, or"),
        ('option = "alpha"\nvalues = [2]', "sweep.values: alpha=2 is not valid: use 0 to 1"),
        ('option = "alpha"\nvalues = []', "sweep.values: must be a list of 1 to 100"),
        ('option = "alpha"\nvalues = [true]', "sweep.values: alpha=True is not valid"),
        ('option = "epsilon"\nvalues = ["0\\f..0"]', "sweep.values: '0\\x0c..0' has characters"),
        ('option = "alpha"\nvalues = [0.5, 0.5]', "sweep.values: one is given twice"),
        ('options = "alpha"', "sweep.options: unknown key. Did you mean option?"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_sweep_is_said(tiny_text, sweep: str, said: str):
    with pytest.raises(TomlError, match=re.escape(said)):
        Plan.parse(f"{tiny_text}\n[sweep]\n{sweep}\n")


def swept(tiny_text: str, *sweeps: str) -> Plan:
    return Plan.parse(tiny_text + "".join(f"\n[[sweep]]\n{sweep}\n" for sweep in sweeps))


def test_sweeps_make_an_arm_of_each_value_and_of_every_combination(tiny_text):
    arms = swept(tiny_text, 'arm = "A"\noption = "x.alpha"\nvalues = [0.5, 1]').arms
    assert [arm.name for arm in arms] == ["A alpha=0.5", "A alpha=1", "B"]
    assert [str(arm.x) for arm in arms[:2]] == ["td:alpha=0.5,draw=0", "td:alpha=1,draw=0"]
    assert (arms[0].origin, arms[0].swept) == ("A", (("alpha", "0.5"),))
    alpha = 'arm = "A"\noption = "alpha"\nvalues = [0.1, 0.2]'
    epsilon = 'arm = "A"\noption = "epsilon"\nvalues = ["0.5..0", 0.1]'
    made = [f"A alpha={a} epsilon={e}" for a in ("0.1", "0.2") for e in ("0.5..0", "0.1")]
    assert [arm.name for arm in swept(tiny_text, alpha, epsilon).arms] == [*made, "B"]
    # Without a side: every learner that has the option.
    text = tiny_text.replace('o = "random"', 'o = "td"', 1)
    a, b = swept(text, 'option = "alpha"\nvalues = [0.5]').arms
    assert (str(a.o), str(b.o)) == ("td:alpha=0.5", "random")


def test_too_much_is_refused_before_memory_is_taken(tiny_text):
    text = tiny_text.replace("points = 3", "points = 1000").replace("games = 300", "games = 9999")
    many = [n / 100 for n in range(1, 101)]
    with pytest.raises(TomlError, match="make 60,060,000 numbers; the most is 50,000,000"):
        swept(text.replace("seeds = 3", "seeds = 1000"), f"option = 'alpha'\nvalues = {many[:10]}")
    with pytest.raises(TomlError, match="at most 200,000 characters"):
        Plan.parse("#" * (LARGEST_FILE + 1))
    with pytest.raises(TomlError, match="make more than 500 arms"):
        swept(tiny_text, *(f"option='{o}'\nvalues={many}" for o in ("alpha", "draw")))


def test_a_file_that_is_no_plan_is_refused_in_a_sentence(tmp_path: Path):
    for name, content, said in (
        ("binary.toml", b"\xff\xfe\x00", "is not a plan: it is not UTF-8 text"),
        ("deep.toml", b"a = " + b"[" * 50_000, "is not valid TOML"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(TomlError, match=said):
            Plan.load(tmp_path / name)
    with pytest.raises(TomlError, match=r"cannot read the plan .*: no such file"):
        Plan.load(tmp_path / "missing.toml")
    with pytest.raises(TomlError, match=r"cannot read the plan .*: it is not a regular file"):
        Plan.load(tmp_path)


def test_a_key_depends_on_all_that_the_numbers_depend_on_and_on_nothing_else(tiny_text):
    def keys(right: str, wrong: str) -> tuple[str, ...]:
        return Plan.parse(tiny_text.replace(right, wrong)).keys

    same = Plan.parse(tiny_text).keys
    assert len(set(same)) == 2
    assert keys("Tiny", "Other") == same
    assert keys("seeds = 3", "seeds = 9") == same
    assert keys('"td:draw=0"', '"td:alpha=0.1,draw=0"') == same
    for right, wrong in (("300", "301"), ("points = 3", "points = 4"), ("won X", "won O")):
        assert not set(keys(right, wrong)) & set(same)
    assert keys('"td:draw=0"', '"td:draw=0.1"')[1:] == same[1:]
    assert keys('"td:draw=0"', '"td:draw=0.1"')[0] != same[0]


def test_a_file_without_a_learner_for_its_side_is_refused(tiny_text, tmp_path: Path):
    save_policy(Run(parse_player("td"), parse_player("random")), tmp_path / "x.npz")
    assert Plan.parse(tiny_text.replace('x = "td', f'x = "{tmp_path}/x.npz"\n#', 1))
    with pytest.raises(TomlError, match=r"arms\[1\].o: .* holds no learner that plays O"):
        Plan.parse(tiny_text.replace('"random"', f'"{tmp_path}/x.npz"'))
