"""The declaration of an update equation: terms, spelling, and the code that it describes."""

import linecache
from pathlib import Path

import numpy as np
import pytest
from made import LEARNERS, own_rule, run_of

from afterstate_lab import learners
from afterstate_lab.learners.rules.equation import UNDECLARED, TermRole
from afterstate_lab.learners.rules.spec import BUILT_IN, rules
from afterstate_lab.learners.tape.recording import Backup, Learning
from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.learners.tape.update import codes_of, record_of

SPELLED = {
    "td": "V(S_t) <- V(S_t) + alpha [V(S_t+1) - V(S_t)]",
    "mc": "V(S_t) <- V(S_t) + alpha [G - V(S_t)]",
    "nstep": "V(S_t) <- V(S_t) + alpha [V(S_min(t+n,T)) - V(S_t)]",
    "q": "Q(S,A) <- Q(S,A) + alpha [R + gamma max_a Q(S',a) - Q(S,A)]",
    "sarsa": "Q(S,A) <- Q(S,A) + alpha [R + gamma Q(S',A') - Q(S,A)]",
    "expected-sarsa": "Q(S,A) <- Q(S,A) + alpha [R + gamma sum_a pi(a|S') Q(S',a) - Q(S,A)]",
    "double-q": "Q1(S,A) <- Q1(S,A) + alpha [R + gamma Q2(S',argmax_a Q1(S',a)) - Q1(S,A)]",
    "menace": "beads(S_t,A_t) <- max(0, beads(S_t,A_t) + R)",
    "menace-code": "beads(S_k,A_k) <- max(1, beads(S_k,A_k) +- [(9-L)//2 + (10-L+k)//2])",
}


@pytest.mark.parametrize("name", SPELLED)
def test_the_typed_spelling_follows_from_the_symbols(name):
    equation = rules()[name].equation
    assert equation.spelled is None
    assert str(equation) == SPELLED[name]


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_declares_what_its_target_is_made_of(name):
    equation = rules()[name].equation
    assert equation is not UNDECLARED
    assert all(term.role is not TermRole.TARGET for term in equation.terms)
    assert " ".join(term.symbol for term in equation.terms) == equation.symbols
    assert equation.terms[0].role is TermRole.NEW
    assert all(term.meaning for term in equation.terms if term.role is TermRole.READ)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_variable_that_an_equation_names_is_in_the_code(name, trained):
    """A renamed variable of a hook would leave its term without a number."""
    timeline = Timeline(trained(name, name, 40))
    timeline.go_to(30)
    equation = rules()[name].equation
    events = [*map(timeline.event_at, timeline.rows)]
    for event, code in zip(events, timeline.codes(timeline.recording, 30), strict=True):
        if isinstance(event, Backup):
            assert code.variables.keys() == equation.variables


def test_a_double_q_tie_is_told_as_it_fell(trained):
    """The move that is shown is the one whose entry was read, not the first of the equal ones."""
    timeline = Timeline(trained("double-q", "random", 40))
    table, later_than_first = timeline.run.layout.x, 0
    size = len(table.entries.boards)
    recording = timeline.run.record(0, 40)
    for row, event in enumerate(recording.events()):
        if not isinstance(event, Backup) or event.read == table.rewards:
            continue
        mine, (chosen, which) = event.entry // size, (event.read % size, event.read // size)
        assert which == 1 - mine
        held = table.values(record_of(recording, row).v)[mine]
        board = table.entries.boards[chosen]
        pairs = np.flatnonzero(table.entries.boards == board)
        assert held[chosen] == held[pairs].max()
        later_than_first += chosen != pairs[held[pairs].argmax()]
    assert later_than_first > 0


ROOT = Path(learners.__file__).parents[1]


def source_lines(run, recording, game):
    return [code.line for code in codes_of(run, recording, game)]


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
                file, number = line.place.split(":")
                assert file == f"learners/rules/{BUILT_IN[name].partition('.')[0]}.py"
                assert line.text == (ROOT / file).read_text().splitlines()[int(number) - 1].strip()


def test_line_of_a_users_own_rule(tmp_path):
    hook = """
        def after_step(v, tape, me, steps, greedy, t, over, game):
            s = steps[t - 1]
            backup(v, tape, me, s, steps[t], 0.0, 0.5)
    """
    run = run_of(own_rule(tmp_path, hook), "random", 2, 3)
    lines = {line for line in source_lines(run, run.record(1, 2), 1) if line is not None}
    assert lines == {("backup(v, tape, me, s, steps[t], 0.0, 0.5)", "mine.py:8")}
    (tmp_path / "mine.py").unlink()
    linecache.clearcache()
    assert not any(source_lines(run, run.record(1, 2), 1))
