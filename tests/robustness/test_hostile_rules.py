"""A user's own rule that is no rule: said in one sentence before it plays, and nothing is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from afterstate_lab.learners.errors import RuleFileError
from afterstate_lab.learners.players.policy_file import LARGEST_VALUE
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run

HEAD = """
import numpy as np
from afterstate_lab.learners import options
from afterstate_lab.learners.backups import backup
from afterstate_lab.learners.rules.td import TemporalDifference
class Mine(TemporalDifference):
"""
CLASS = "    @classmethod\n    def "
FAULTS = {
    "    options = 5": "'int' object is not iterable",
    "    options = (1,)": "has no attribute 'name'",
    "    options = (*TemporalDifference.options, *TemporalDifference.options)": "duplicate",
    "    options = (options.Option('\\x1b[2J', 1.0, ''),)": "valid identifiers",
    "    human = True": "a person plays by no rule",
    "    tables = 0": "cannot reshape",
    f"{CLASS}rewards(cls, settings): return 'a', 'b', 'c'": "could not convert",
    f"{CLASS}rewards(cls, settings): raise KeyError('\\x1b[2J')": "in line 8: '",
    f"{CLASS}rewards(cls, settings): return 1.0, float('nan'), 0.0": "not finite",
    f"{CLASS}initial_values(cls, entries, settings): return np.zeros(3)": "could not broadcast",
    f"{CLASS}initial_values(cls, entries, settings): return np.full(5478, 1e31)": "beyond 1e30",
    f"{CLASS}entries(cls, side, settings): return None": "no attribute 'boards'",
    f"{CLASS}exploration(cls, side, settings): return 'odd', ()": "out of range",
    f"{CLASS}preferences(cls, values, entries): raise ValueError('no')": "in line 8: no",
    "    pass\nraise SystemExit": "fails in line 8: SystemExit",
    "    pass\n\0": "null bytes",
    "    pass\n\x1b[2J": "syntax error in line 8",
}


def written(folder: Path, body: str) -> str:
    """The spec of a rule with this body."""
    file = folder / "mine.py"
    file.write_text(f"{HEAD}{body}\n")
    return f"{file}:Mine"


@pytest.mark.parametrize("body", FAULTS, ids=range(len(FAULTS)))
def test_what_is_no_rule_is_refused_before_it_plays(tmp_path: Path, body: str) -> None:
    with pytest.raises(RuleFileError) as refused:
        parse_player(written(tmp_path, body))
    assert FAULTS[body] in str(refused.value)
    assert str(refused.value).isprintable()


def test_what_is_a_rule_plays(tmp_path: Path) -> None:
    spec = parse_player(written(tmp_path, "    pass"))
    run = Run(spec, spec)
    run.train(5)
    assert run.games == 5


def test_a_rule_writes_no_number_that_could_not_be_read_again(tmp_path: Path) -> None:
    body = """    def after_game(v, tape, me, steps, greedy, t, over, game):
        backup(v, tape, me, steps[t - 1], NUMBER, 1.0)"""
    for number, is_written in ((LARGEST_VALUE, True), (2 * LARGEST_VALUE, False)):
        folder = tmp_path / str(is_written)
        folder.mkdir()
        spec = parse_player(written(folder, body.replace("NUMBER", repr(number))))
        run = Run(spec, parse_player("random"))
        if is_written:
            run.train(1)
        else:
            with pytest.raises(RuleFileError, match="beyond 1e30"):
                run.train(1)
