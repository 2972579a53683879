"""A plan says what it wants, and a typo in it is one sentence that says where and what is right."""

import pytest
from made import TINY

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
    with pytest.raises(TomlError, match="at most 200,000 characters"):
        Plan.parse("#" * (LARGEST_FILE + 1))
    with pytest.raises(TomlError, match="make more than 500 arms"):
        swept(*(f"option='{o}'\nvalues={many}" for o in ("alpha", "draw")))


def test_a_file_that_is_no_plan_is_refused_in_a_sentence(tmp_path):
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


def test_a_key_depends_on_all_that_the_numbers_depend_on_and_on_nothing_else():
    def keys(right, wrong):
        return Plan.parse(TINY.replace(right, wrong)).keys

    same = Plan.parse(TINY).keys
    assert len(set(same)) == 2
    assert keys("Tiny", "Other") == same
    assert keys("seeds = 3", "seeds = 9") == same
    assert keys('"td:draw=0"', '"td:alpha=0.1,draw=0"') == same
    for right, wrong in (("300", "301"), ("points = 3", "points = 4"), ("won X", "won O")):
        assert not set(keys(right, wrong)) & set(same)
    assert keys('"td:draw=0"', '"td:draw=0.1"')[1:] == same[1:]
    assert keys('"td:draw=0"', '"td:draw=0.1"')[0] != same[0]


def test_a_file_without_a_learner_for_its_side_is_refused(tmp_path):
    save_policy(Run(parse_player("td"), parse_player("random")), tmp_path / "x.npz")
    assert Plan.parse(TINY.replace('x = "td', f'x = "{tmp_path}/x.npz"\n#', 1))
    with pytest.raises(TomlError, match=r"arms\[1\].o: .* holds no learner that plays O"):
        Plan.parse(TINY.replace('"random"', f'"{tmp_path}/x.npz"'))
