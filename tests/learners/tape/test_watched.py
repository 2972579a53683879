"""Source lines: the line that is shown is the line that ran."""

import linecache
import textwrap
from pathlib import Path

import pytest
from made import LEARNERS, run_of

from afterstate_lab import learners
from afterstate_lab.learners.rules.spec import BUILT_IN
from afterstate_lab.learners.tape.events import Learning
from afterstate_lab.learners.tape.watched import watch

ROOT = Path(learners.__file__).parents[1]


def source_lines(run, recording, game):
    return [reads.line for reads in watch(run, recording, game)]


@pytest.mark.parametrize("name", LEARNERS)
def test_every_event_of_learning_has_the_line_of_its_rule_file(name, trained):
    run = trained(name, name, 40)
    for game in (0, 7, 39):
        recording = run.record(game, game + 1)
        lines = source_lines(run, recording, game)
        assert len(lines) == recording.size
        for event, line in zip(recording.events(), lines, strict=True):
            assert (line is not None) == isinstance(event, Learning)
            if line is not None:
                assert line.file == f"learners/rules/{BUILT_IN[name].partition('.')[0]}.py"
                code = (ROOT / line.file).read_text().splitlines()
                assert line.text == code[line.number - 1].strip()


def test_line_of_a_users_own_rule(tmp_path):
    file = tmp_path / "halfway.py"
    file.write_text(
        textwrap.dedent(
            """
            from afterstate_lab.learners.backups import backup
            from afterstate_lab.learners.rule import Rule


            class Halfway(Rule):
                def after_step(v, tape, me, steps, greedy, t, over, game):
                    s = steps[t - 1]
                    backup(v, tape, me, s, v[steps[t]], 0.5)
            """
        )
    )
    run = run_of(f"{file}:Halfway", "random", 2, 3)
    lines = {line for line in source_lines(run, run.record(1, 2), 1) if line is not None}
    assert [(line.text, line.file, line.number) for line in lines] == [
        ("backup(v, tape, me, s, v[steps[t]], 0.5)", "halfway.py", 9)
    ]
    file.unlink()
    linecache.clearcache()
    assert not any(source_lines(run, run.record(1, 2), 1))
