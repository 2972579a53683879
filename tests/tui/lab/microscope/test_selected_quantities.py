"""What is selected: where it is shown, how it is followed, and who wrote it."""

from __future__ import annotations

import pytest
from drawing import picked, pointed

from afterstate_lab.game import Board, space
from afterstate_lab.learners.ask.conditions import parse
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import TARGET, WRITE, Timeline
from afterstate_lab.tui.blocks.meaning import Quantity, Role
from afterstate_lab.tui.lab.microscope.entries import value_history_view
from afterstate_lab.tui.lab.microscope.formula import arguments_of
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.lab.microscope.reading import current_update
from afterstate_lab.tui.lab.microscope.selection import resolved, wrote_condition
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.theme.numerals import decimals
from afterstate_lab.tui.views.words import Words


def text(words: Words) -> str:
    return words if isinstance(words, str) else "".join(piece for piece, _ in words)


def at_backup(x: str, o: str = "random", phase: int = WRITE) -> Timeline:
    """A backup in the middle of a game, at a phase."""
    run = Run.of(parse_player(x), parse_player(o), 3)
    run.train(60)
    timeline = Timeline(run)
    timeline.go_to(30)
    while not (
        isinstance(timeline.event, Backup)
        and timeline.event.ply >= 3
        and timeline.phase == phase
        and timeline.event.player == "X"
    ):
        assert timeline.step_phase()
    return timeline


def scope_at(timeline: Timeline, chosen: Quantity | None = None) -> Microscope:
    update = current_update(timeline)
    assert update is not None
    return Microscope(timeline, update, chosen)


def test_v_of_the_next_state_is_one_thing_in_six_places():
    timeline = at_backup("td")
    scope = scope_at(timeline, Quantity(Role.READ))
    backup = scope.update.backup
    assert backup is not None
    six, five, four = (decimals(backup.target, places) for places in (6, 5, 4))
    assert picked(scope.equation()) == ["V(Sₜ₊₁)", six, "v[s_next]", "›target", "◆"]
    assert picked(scope.next_afterstate(), 28, 7) == [six]
    assert picked(scope.choice()) == [five]
    assert "taken" in pointed(scope.choice())[0]
    assert picked(scope.diagram()) == [four]
    assert scope.next_afterstate().cells in pointed(scope.diagram())[0]


def test_the_written_entry_has_an_old_and_a_new_value():
    timeline = at_backup("td")
    backup = timeline.event
    assert isinstance(backup, Backup)
    old, new = (scope_at(timeline, Quantity(role)) for role in (Role.OLD, Role.NEW))
    assert picked(new.entries()) == [decimals(backup.new, 5)]
    assert picked(old.entries()) == [decimals(backup.old, 5)]
    assert picked(new.equation())[:2] == ["V(Sₜ)", decimals(backup.new, 6)]
    assert picked(old.equation())[:4] == ["V(Sₜ)"] * 2 + [decimals(backup.old, 6)] * 2
    assert picked(new.afterstate(), 28, 7) == [decimals(backup.new, 6)]
    assert not picked(old.afterstate(), 28, 7)
    for scope in (old, new):
        assert len(pointed(scope.entries())) == 1
        assert len(pointed(scope.diagram())) == 1


def test_the_error_is_the_bracket_of_the_rule_and_a_stretch_of_the_line():
    scope = scope_at(at_backup("td", phase=TARGET), Quantity(Role.ERROR))
    view = scope.equation()
    assert picked(view)[:5] == ["[", "V(Sₜ₊₁)", "−", "V(Sₜ)", "]"]
    backup = scope.update.backup
    assert backup is not None
    stretch = next(each for each in view.stretches if each.quantity == view.chosen)
    assert (stretch.first, stretch.last) == (backup.old, backup.target)


def test_the_target_of_q_learning_is_a_sum_and_its_maximum_a_pair():
    timeline = at_backup("q")
    whole = scope_at(timeline, Quantity(Role.TARGET)).equation()
    assert picked(whole)[:5] == ["R", "+", "γ", "×", "max Q(S′,a)"]
    scope = scope_at(timeline, Quantity(Role.READ))
    board = scope.next_afterstate()
    assert board.placed is not None
    assert str(board.placed + 1) in picked(board, 28, 7)
    assert picked(scope.choice())


def test_both_tables_of_double_q_can_be_selected():
    scope = scope_at(at_backup("double-q"))
    layout, table = scope.timeline.recording.layout, scope.update.table
    tables = {
        (quantity.entry - table.base) // len(table.entries.boards)
        for quantity in scope.quantities
        if quantity.role in (Role.OLD, Role.READ, Role.ENTRY) and quantity.entry < layout.x.rewards
    }
    assert tables == {0, 1}
    details = [d for row in scope.choice().rows for d in row.details]
    assert {detail.label for detail in details} == {"Q₁", "Q₂"}
    assert all(detail.quantity in scope.quantities for detail in details)


def test_every_trace_can_be_selected_and_is_marked_in_its_row():
    scope = scope_at(at_backup("tdlambda:epsilon=0"))
    rows = scope.entries().rows
    assert len(rows) > 1
    for row in rows:
        (entry,) = row.about
        chosen = Microscope(scope.timeline, scope.update, Quantity(Role.ENTRY, entry))
        assert [row.board in line for line in pointed(chosen.entries())] == [True]


def test_what_has_a_name_in_the_formula_is_followed_by_its_name():
    timeline = at_backup("td", phase=TARGET)
    first = scope_at(timeline, Quantity(Role.READ)).selected
    while timeline.step_phase():
        later = scope_at(timeline, Quantity(Role.READ)).selected
        if later is not None and later != first:
            break
    assert first is not None
    assert later is not None
    assert later.role is first.role is Role.READ
    assert scope_at(timeline).update.target_step is not None


def test_an_entry_is_followed_as_itself_whatever_becomes_of_it():
    timeline = at_backup("td", phase=TARGET)
    entry = next(iter(scope_at(timeline).boards.quantities.reads.values()))
    chosen = Quantity(Role.ENTRY, entry)
    roles = []
    for _ in range(12):
        selected = scope_at(timeline, chosen).selected
        assert selected is not None
        assert selected.entry == entry
        roles.append(selected.role)
        timeline.step_phase()
    assert Role.READ in roles
    assert roles.index(Role.READ) < roles.index(Role.OLD) < roles.index(Role.NEW)


def test_an_entry_that_is_not_shown_stays_selected():
    assert resolved(Quantity(Role.ENTRY, 7), []) == Quantity(Role.ENTRY, 7)
    assert resolved(Quantity(Role.ERROR), []) is None


def test_the_life_of_the_selected_entry_is_shown_with_its_value():
    session = Session(Settings(parse_player("td"), parse_player("random"), 3))
    session.run.train(400)
    session.enter_step_mode()
    while not isinstance(session.timeline.event, Backup):
        session.timeline.step()
    scope = scope_at(session.timeline, Quantity(Role.READ))
    assert scope.selected is not None
    life = value_history_view(session, scope.context, scope.selected)
    board = space().text(scope.selected.entry)
    assert text(life.title) == f"life of {board}"
    assert life.point == (session.timeline.game + 1, scope.context.inputs.value)
    scope = scope_at(session.timeline)
    assert value_history_view(session, scope.context, None).point is None


@pytest.mark.parametrize("x", ["td", "negamax", "q", "double-q", "menace", "menace-code"])
def test_a_breakpoint_is_proposed_that_stops_where_the_entry_is_written(x):
    scope = scope_at(at_backup(x))
    backup = scope.update.backup
    assert backup is not None
    condition = parse(wrote_condition(scope.update, scope.timeline, backup.entry))
    recording = scope.timeline.recording
    condition.check(recording.layout)
    assert scope.timeline.row in condition.stops(recording).tolist()


def test_what_a_win_is_worth_has_no_writer():
    scope = scope_at(at_backup("q"))
    assert wrote_condition(scope.update, scope.timeline, scope.update.table.rewards + 1) == ""


def test_the_last_writer_is_named():
    timeline = at_backup("td")
    backup = timeline.event
    assert isinstance(backup, Backup)
    new = "".join(map(text, scope_at(timeline, Quantity(Role.NEW)).equation().selection))
    assert f"written in game {backup.game + 1}" in new
    untouched = Board().play(0).play(1).play(2).play(3)
    other = Quantity(Role.ENTRY, untouched.id)
    told = "".join(map(text, scope_at(timeline, other).equation().selection))
    assert "never written" in told


def test_the_parts_of_a_call_are_found_by_the_names_of_its_parameters():
    code = "backup(v, tape, me, s, v[s_next], step_size(v, me, s))"
    found = {name: code[first:last] for name, first, last in arguments_of(code)}
    assert (found["entry"], found["target"]) == ("s", "v[s_next]")
    assert found["step"] == "step_size(v, me, s)"
    assert arguments_of("link(v, tape, me, s, s_next, is_broken)") == ()
    assert arguments_of("backup(v, tape,") == ()
