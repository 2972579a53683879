"""A user's own rule, or a package's, is a learner like the others, and can break nothing."""

from pathlib import Path

import numpy as np
import pytest
from made import OWN_RULE, is_said, needs_compiler, run_of, sentences

from afterstate_lab.learners.errors import RuleFileError
from afterstate_lab.learners.kernel import compiler
from afterstate_lab.learners.players import user_rule
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run

HEAD = f"{OWN_RULE}    def after_step(v, tape, me, steps, greedy, t, over, game):\n"
TD = "        backup(v, tape, me, steps[t - 1], steps[t], 0.0, me.alpha)\n"


def written(folder, body, name="mine.py"):
    path = folder / name
    path.write_text(HEAD + body)
    return f"{path}:Mine"


@pytest.mark.slow
@needs_compiler
def test_it_is_compiled_with_the_same_bits(tmp_path):
    compiled, interpreted = (run_of(written(tmp_path, TD), "random", seed=3) for _ in range(2))
    assert compiled.kernel().compile()
    for run in (compiled, interpreted):
        run.train(500)
    assert np.array_equal(compiled.memory, interpreted.memory)


@pytest.mark.parametrize(("hook", "said"), sentences("learners/players/rules.txt", "learning"))
def test_what_a_rule_may_not_do_is_one_sentence_and_changes_nothing(tmp_path, hook, said):
    run = run_of(written(tmp_path, f"        {hook}\n"), "random", seed=3)
    before = run.memory.copy()
    with pytest.raises(RuleFileError) as refused:
        run.train(100)
    assert is_said(str(refused.value), said), refused.value
    assert np.array_equal(run.memory, before)
    assert run.games == 0


@pytest.mark.parametrize(("hook", "line"), sentences("learners/players/rules.txt", "writing"))
def test_a_rule_that_writes_behind_the_tape_s_back_is_refused(tmp_path, hook, line):
    body = f"{TD}{hook[3:]}" if hook.startswith("td") else f"        {hook}"
    with pytest.raises(RuleFileError, match="writes to memory directly") as refused:
        parse_player(written(tmp_path, f"{body}\n"))
    said = str(refused.value)
    assert f"in line {line}," in said
    assert "call backup(v, tape, me, entry, read, reward, step)" in said
    assert "write(v, tape, me, entry, read, target, step, trace, new)" in said
    assert said.isprintable()


def test_a_rule_may_store_in_what_is_not_memory(tmp_path):
    own = "        own = [v[s] for s in steps[:t]]\n        own[0] = best(v, [0.0, v[0]], 1)\n"
    best = "def best(u, into, s):\n    into[0] = u[s]\n    return max(into)\n"
    assert parse_player(written(tmp_path, f"{own}{TD}{best}")).learns


def test_a_rule_that_records_what_it_does_not_write_is_refused(tmp_path):
    told = "record(tape, 1, 0, 3, 0, .5, .5, .5, 1.0, .5)"
    body = f"{TD}        if tape is not None:\n            {told}\n"
    path = written(tmp_path, f"{body}from afterstate_lab.learners.engine.backups import record\n")
    with pytest.raises(RuleFileError, match="records other writes than it makes"):
        parse_player(path)


def test_a_rule_is_checked_with_the_options_that_it_is_given(tmp_path):
    hidden = "            held = [v]\n            held[0][1] = 1.0\n"
    body = f"{TD}        if me.alpha > 0.5:\n{hidden}"
    spec = written(tmp_path, body)
    assert parse_player(f"{spec}:alpha=0.4").learns
    with pytest.raises(RuleFileError, match="in line 10,"):
        parse_player(f"{spec}:alpha=0.6")


@pytest.mark.parametrize("recording", [False, True])
def test_machine_code_that_writes_otherwise_than_the_interpreter_is_not_used(
    tmp_path, monkeypatch, recording
):
    spec = parse_player(written(tmp_path, TD))
    kernel = Run(spec, spec, 3).kernel()
    first_write = 0.0

    def machine_code(*arguments):
        *_, first, last, v, _, tape, tally = arguments
        done = kernel.play_interpreted(v, first, last, tally, tape=tape)
        v[0] += first_write
        return done

    monkeypatch.setattr(compiler, "compiled", lambda *arguments, **options: machine_code)
    first_write = 0.5
    assert not kernel.compile(recording=recording)
    first_write = 0.0
    assert kernel.compile(recording=recording)


def test_the_readme_s_example_is_a_learner_of_at_most_25_lines(tmp_path):
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    source = readme.split("```python\n")[1].split("```")[0]
    assert source.count("\n") <= 25
    (tmp_path / "my_rule.py").write_text(source)
    run = run_of(f"{tmp_path}/my_rule.py:Optimist", "td", 500, 3)
    assert run.layout.x.visits(run.memory).sum() > 0


LOOPS = {
    "as it loads": "while True: pass",
    "as it learns": HEAD + "        while True: pass",
    "as it begins": f"{HEAD}{TD}    @classmethod\n    def initial_values(*_):\n      while 1: pass",
}


@pytest.mark.parametrize("source", LOOPS.values(), ids=LOOPS)
def test_a_rule_that_loops_forever_is_ended_with_its_line(tmp_path, monkeypatch, source: str):
    monkeypatch.setattr(user_rule, "SECONDS", 0.2)
    (tmp_path / "loop.py").write_text(source)
    line = source.count("\n") + 1
    said = rf"^'loop.py' was not done after 0.2 s, in line {line}: does it loop forever\?$"
    with pytest.raises(RuleFileError, match=said):
        parse_player(f"{tmp_path / 'loop.py'}:Mine")


def test_a_rule_is_ended_once_its_user_gives_up(tmp_path):
    with pytest.raises(RuleFileError), user_rule.in_time(lambda: True):
        parse_player(written(tmp_path, "        while True: pass", "given_up.py"))


def test_a_rule_cannot_rank_its_values_in_another_way(tmp_path):
    own = "    def preferences(values):\n        return values[0]\n"
    with pytest.raises(RuleFileError, match=r"preferences in .* is not a hook"):
        parse_player(written(tmp_path, TD + own))
