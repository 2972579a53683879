"""A user's own rule is a learner like the others, and can break nothing."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from learners.errors import RuleFileError
from learners.kernel.compiler import is_available
from learners.players.resolve import parse_player
from learners.tape.recording import Cursor
from learners.tape.run import Run

HEAD = """
from learners import options
from learners.backups import backup
from learners.rule import Rule

class Mine(Rule):
    options = (options.ALPHA, options.DRAW, options.INITIAL, *options.COMMON)
    def after_step(v, tape, me, steps, greedy, t, over, game):
"""
TD = "        backup(v, tape, me, steps[t - 1], v[steps[t]], me.alpha)\n"


def written(folder: Path, body: str, name: str = "mine.py") -> str:
    path = folder / name
    path.write_text(HEAD + body)
    return f"{path}:Mine"


def trained(spec: str, games: int = 300, *, compiled: bool = False) -> Run:
    run = Run(parse_player(spec), parse_player("td"), 3)
    if compiled:
        assert run.kernel().compile()
    run.train(games)
    return run


def test_a_rule_written_like_td_learns_what_td_learns(tmp_path: Path):
    mine = trained(written(tmp_path, TD))
    td = Run(parse_player("td:exploration=learn"), parse_player("td"), 3)
    td.train(300)
    assert np.array_equal(mine.memory, td.memory)


def test_its_tape_steps_back_to_every_bit(tmp_path: Path):
    run = trained(written(tmp_path, TD))
    recording = run.record(100, 130)
    cursor = Cursor(recording, recording.size)
    cursor.seek(0)
    assert np.array_equal(cursor.v, run.memory_at(100))


@pytest.mark.skipif(not is_available(), reason="there is no compiler")
def test_it_is_compiled_with_the_same_bits(tmp_path: Path):
    spec = written(tmp_path, TD)
    assert np.array_equal(trained(spec, 500, compiled=True).memory, trained(spec, 500).memory)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("        backup(v, tape, me, steps[t - 1] + 9000, 1.0, 0.1)\n", "not its own"),
        ("        backup(v, tape, me, 10**9, 1.0, 0.1)\n", "out of range|out of bounds"),
        ("        backup(v, tape, me, steps[t - 1], float('nan'), 0.1)\n", "not finite"),
        ("        backup(v, tape, me, steps[t - 1], 1 / (t - t), 0.1)\n", "zero"),
        ("        backup(v, tape, me, steps[t - 1], nowhere, 0.1)\n", "nowhere"),
    ],
)
def test_what_a_rule_may_not_do_is_one_sentence_and_changes_nothing(
    tmp_path: Path, body: str, said: str
):
    run = Run(parse_player(written(tmp_path, body)), parse_player("random"), 3)
    before = run.memory.copy()
    with pytest.raises(RuleFileError, match=said) as caught:
        run.train(100)
    assert "\n" not in str(caught.value)
    assert np.array_equal(run.memory, before)
    assert run.games == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def x(:", "syntax error in line 1"),
        ("import nothing_of_this_name", "fails in line 1"),
        ("x = 1", "defines no rule 'Mine'"),
        ("class Mine: pass", "defines no rule 'Mine'"),
        (HEAD.replace("steps, greedy, t, over, game", "steps") + "        pass\n", "8"),
        ("from learners.rules.base import Rule\nclass Mine(Rule): pass\n", "no after_step"),
    ],
)
def test_a_broken_file_is_one_sentence(tmp_path: Path, text: str, said: str):
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(RuleFileError, match=said) as caught:
        parse_player(f"{path}:Mine")
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_sentence(tmp_path: Path):
    with pytest.raises(RuleFileError, match="no such file"):
        parse_player(f"{tmp_path}/none.py:Mine")


def test_the_readme_s_example_is_a_learner_of_at_most_25_lines(tmp_path: Path):
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert example is not None
    source = example.group(1)
    assert len(source.splitlines()) <= 25
    (tmp_path / "my_rule.py").write_text(source)
    name = re.search(r"class (\w+)\(Rule\)", source)
    assert name is not None
    run = trained(f"{tmp_path}/my_rule.py:{name.group(1)}", 500)
    assert run.layout.x.visits(run.memory).sum() > 0
