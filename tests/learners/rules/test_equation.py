"""The declaration of an update equation: terms, spelling, and the code that it describes."""

import linecache
from pathlib import Path

import pytest
from made import LEARNERS, own_rule, run_of, sentences, trained

from afterstate_lab import learners
from afterstate_lab.learners.rules.equation import UNDECLARED, TermRole
from afterstate_lab.learners.rules.spec import BUILT_IN, rules
from afterstate_lab.learners.tape.recording import Backup, Learning
from afterstate_lab.learners.tape.update import codes_of


@pytest.mark.parametrize(("name", "spelled"), sentences("learners/rules/spelled.txt"))
def test_the_typed_spelling_follows_from_the_symbols(name, spelled):
    equation = rules()[name].equation
    assert equation.spelled is None
    assert str(equation) == spelled


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_declares_what_its_target_is_made_of(name):
    equation = rules()[name].equation
    assert equation is not UNDECLARED
    assert all(term.role is not TermRole.TARGET for term in equation.terms)
    assert " ".join(term.symbol for term in equation.terms) == equation.symbols
    assert equation.terms[0].role is TermRole.NEW
    assert all(term.meaning for term in equation.terms if term.role is TermRole.READ)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_event_of_learning_has_the_line_of_its_rule_file_and_its_variables(name):
    """A renamed variable of a hook would leave its term without a number."""
    run, file = trained(name, name, 40), f"learners/rules/{BUILT_IN[name].partition('.')[0]}.py"
    source = Path(learners.__file__).parents[1].joinpath(file).read_text().splitlines()
    for game in (0, 7, 39):
        recording = run.record(game, game + 1)
        codes = codes_of(run, recording, game)
        for event, code in zip(recording.events(), codes, strict=True):
            assert (code.line is not None) == isinstance(event, Learning)
            if code.line is not None:
                named, number = code.line.place.split(":")
                assert (named, code.line.text) == (file, source[int(number) - 1].strip())
            if isinstance(event, Backup):
                assert code.variables.keys() == rules()[name].equation.variables


def test_line_of_a_users_own_rule(tmp_path):
    hook = """
        def after_step(v, tape, me, steps, greedy, t, over, game):
            s = steps[t - 1]
            backup(v, tape, me, s, steps[t], 0.0, 0.5)
    """
    run = run_of(own_rule(tmp_path, hook), "random", 2, 3)

    def lines():
        return {code.line for code in codes_of(run, run.record(1, 2), 1)} - {None}

    assert lines() == {("backup(v, tape, me, s, steps[t], 0.0, 0.5)", "mine.py:8")}
    (tmp_path / "mine.py").unlink()
    linecache.clearcache()
    assert not lines()
