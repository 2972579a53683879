"""What is selected: where it is shown, how it is followed, and who wrote it."""

import re

import pytest
from drawing import PEN, at_backup, lines_of, picked, pointed, scope_at

from afterstate_lab.learners.ask.conditions import parse
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.timeline import TARGET
from afterstate_lab.tui.blocks.meaning import Quantity, Role
from afterstate_lab.tui.lab.microscope.card import wrote_condition
from afterstate_lab.tui.lab.microscope.hero import names
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.theme.numerals import decimals


def backup_of(scope: Microscope) -> Backup:
    assert scope.update.backup is not None
    return scope.update.backup


def test_v_of_the_next_state_is_one_thing_in_six_places():
    scope = scope_at(at_backup("td"), Quantity(Role.READ))
    six, five, four = (decimals(backup_of(scope).target, places) for places in (6, 5, 4))
    assert picked(scope.equation()) == ["V(Sₜ₊₁)", six, "v[s_next]", "›target", "◆"]
    shown = [text.strip("› ") for text in picked(scope.hero(40), 118, 20)]
    name = names(scope.update)[scope.update.looks_at]
    assert shown == [decimals(backup_of(scope).target, 3)] * 2
    assert picked(scope.choice()) == [five]
    assert "taken" in pointed(scope.choice())[0]
    assert picked(scope.diagram()) == [four]
    assert f"›{name} {four}" in "".join(lines_of(scope.diagram()))


def test_the_written_entry_has_an_old_and_a_new_value():
    timeline = at_backup("td")
    old, new = (scope_at(timeline, Quantity(role)) for role in (Role.OLD, Role.NEW))
    backup = backup_of(new)
    assert picked(new.entries()) == [decimals(backup.new, 5)]
    assert picked(old.entries()) == [decimals(backup.old, 5)]
    assert picked(new.equation())[:2] == ["V(Sₜ)", decimals(backup.new, 6)]
    assert picked(old.equation())[:4] == ["V(Sₜ)"] * 2 + [decimals(backup.old, 6)] * 2
    three = decimals(backup.new, 3), decimals(backup.old, 3)
    assert [text.strip("› ") for text in picked(new.hero(40), 118, 20)] == [three[0]] * 2
    assert [text.strip("› →") for text in picked(old.hero(40), 118, 20)] == [three[1]] * 3
    for scope in (old, new):
        assert len(pointed(scope.entries())) == "".join(lines_of(scope.diagram())).count("›") == 1


def test_the_error_is_the_bracket_of_the_rule_and_a_stretch_of_the_line():
    view = scope_at(at_backup("td", phase=TARGET), Quantity(Role.ERROR)).equation()
    assert picked(view)[:5] == ["[", "V(Sₜ₊₁)", "−", "V(Sₜ)", "]"]
    *_, line = view.draw(100, 8, PEN)
    assert re.search("●=+◆|◆=+●", "".join(text for text, _ in line))


def test_the_target_of_q_learning_is_a_sum_and_its_maximum_a_pair():
    timeline = at_backup("q")
    whole = scope_at(timeline, Quantity(Role.TARGET)).equation()
    assert picked(whole)[:5] == ["R", "+", "γ", "×", "max Q(S′,a)"]
    scope = scope_at(timeline, Quantity(Role.READ))
    read = scope.update.looked
    assert read is not None
    assert decimals(read.number, 3) in picked(scope.hero(40), 118, 20)
    assert picked(scope.choice())


def test_an_entry_is_followed_as_itself_whatever_becomes_of_it():
    timeline = at_backup("td", phase=TARGET)
    (entry,) = (read.entry for read in scope_at(timeline).update.reads.values() if read.entry >= 0)
    roles = []
    for _ in range(12):
        selected = scope_at(timeline, Quantity(Role.ENTRY, entry)).selected
        assert selected is not None and selected.entry == entry
        roles.append(selected.role)
        timeline.step_phase()
    assert roles.index(Role.READ) < roles.index(Role.OLD) < roles.index(Role.NEW)


@pytest.mark.parametrize("x", ["td", "negamax", "q", "double-q", "menace", "menace-code"])
def test_a_breakpoint_is_proposed_that_stops_where_the_entry_is_written(x):
    timeline = at_backup(x)
    update = scope_at(timeline).update
    condition = parse(wrote_condition(update, backup_of(scope_at(timeline)).entry))
    condition.check(timeline.recording.layout)
    assert timeline.row in condition.stops(timeline.recording).tolist()
    if x == "q":
        assert wrote_condition(update, update.table.rewards + 1) == "", "a reward has no writer"
