"""Players of installed packages: found by name, used as those of files, refused in a sentence."""

from __future__ import annotations

import pytest

from afterstate_lab.learners.errors import RuleFileError, SpecError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run

RULE = '''
from course.steps import HALF
from afterstate_lab.learners.engine.backups import backup
from afterstate_lab.learners.rules.td import TemporalDifference


class Bold(TemporalDifference):
    """td, by half of the way."""

    @staticmethod
    def after_step(v, tape, me, steps, greedy, t, over, game):
        if t and greedy[t]:
            backup(v, tape, me, steps[t - 1], v[steps[t]], HALF)
'''
AGENT = "def first(board):\n    return board.index('.') + 1\n"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Installs a package with these players, by the lines of its entry points."""

    def install(lines, name="course", **files):
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(lines)
        folder = tmp_path / name
        folder.mkdir()
        for stem, text in {"__init__": "", **files}.items():
            (folder / f"{stem}.py").write_text(text)

    monkeypatch.syspath_prepend(str(tmp_path))
    return install


def test_a_rule_of_a_package_plays_and_learns(course):
    course("[afterstate.rules]\nbold = course.rules:Bold\n", rules=RULE, steps="HALF = 0.5\n")
    spec = parse_player("bold:epsilon=0.2")
    assert spec.settings["epsilon"] == parse_player("td:epsilon=0.2").settings["epsilon"]
    assert str(spec).endswith("course/rules.py:Bold:epsilon=0.2")
    run = Run.of(spec, spec, 1)
    run.train(20)
    assert run.games == 20


def test_an_agent_of_a_package_is_asked(course):
    course("[afterstate.players]\nfirst-free = course.agents:first\n", agents=AGENT)
    assert parse_player("first-free").rule.is_asked


@pytest.mark.parametrize(
    ("lines", "text", "error", "said"),
    [
        ("bad = course.bad:Bad", "bad", RuleFileError, "fails in line 1: division by zero"),
        ("bad = course.none:Bad", "bad", SpecError, "the player 'bad' of course is missing"),
        ("bad = course.bad", "bad", SpecError, "must be MODULE:NAME of a file"),
        ("td = course.bad:Bad", "tdd", SpecError, "Did you mean td?"),
    ],
)
def test_what_is_wrong_with_a_plug_in_is_one_sentence(course, lines, text, error, said):
    course(f"[afterstate.rules]\n{lines}\n", bad="1 / 0\n")
    with pytest.raises(error) as caught:
        parse_player(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_two_of_one_name_are_refused(course):
    for name in ("course", "other"):
        course(f"[afterstate.rules]\nbold = {name}.rules:Bold\n", name)
    with pytest.raises(SpecError, match="course and other each have a player 'bold'"):
        parse_player("bold")
