"""What a spec may go on with, and the values beside a value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab.learners.players.completion import completions, neighbour, told_options, values
from afterstate_lab.learners.rules.spec import PlayerSpec, rules

OPTIONS = [
    pytest.param(rule.name, option, id=f"{rule.name}-{option.name}")
    for rule in rules().values()
    for option in told_options(rule)
]


def texts(text):
    return [one.text for one in completions(text)]


def test_a_name_an_option_and_a_value_are_completed():
    assert texts("") == list(rules())
    assert texts("men") == ["menace", "menace-article", "menace-code"]
    assert texts("td:e") == ["td:every=", "td:exploration=", "td:epsilon="]
    assert texts("td:step=") == ["td:step=constant", "td:step=1/n"]
    assert texts("museum:dr") == ["museum:draw-as-loss", "museum:draws-teach-nothing"]
    assert texts("td:alpha=.2,a") == []  # it is given already
    assert "td:alpha=.2,step=" in texts("td:alpha=.2,")
    assert texts("td:alpha=.2") == ["td:alpha=0.2"]


def test_files_that_play_are_completed_and_no_code_is_run_for_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("mine.npz", "mine.txt", "mi\x1bne.npz"):
        (tmp_path / name).touch()
    (tmp_path / "mine.py").write_text("raise SystemExit")
    (tmp_path / "mines").mkdir()
    assert texts("mine") == ["mine.npz", "mine.py:", "mines/"]
    assert texts(f"{tmp_path}/mine.n") == [f"{tmp_path}/mine.npz"]
    assert texts("mine.py:Mine:") == []
    (tmp_path / "mine.py").write_text("def move(b): 1 / 0\ndef _own(b): 0\nclass Mine: pass")
    assert texts("mine.py:") == ["mine.py:move", "mine.py:Mine"]
    assert texts("mine.py:m") == ["mine.py:move"]


@pytest.mark.slow
@given(st.text(max_size=30).filter(lambda text: "/" not in text))
def test_any_text_has_completions_that_begin_as_it_does_or_none(text):
    for one in texts(text):
        assert one.replace("0.", ".").startswith(text.replace("0.", "."))


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_every_value_offered_is_the_option_s_and_one_on_and_one_back_is_the_same(name, option):
    offered = values(option)
    assert option.format(option.default) in offered
    assert len(set(offered)) == len(offered)
    for text in offered:
        assert option.format(option.parse(text)) == text
        PlayerSpec.parse(f"{name}:{option.name}={text}")
    for value in map(option.parse, offered[1:-1]):
        assert neighbour(option, neighbour(option, value, 1), -1) == value
