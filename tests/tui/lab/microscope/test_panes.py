"""The panes of Step in any room, what is selected in them, and Figure 1.1 of S&B."""

import re
from dataclasses import replace
from typing import Any

import pytest
from drawing import PEN, at_backup, lines_of, meant, panes_at, picked, pointed, scope_at, update_of

from afterstate_lab.game import space
from afterstate_lab.learners.ask.conditions import parse
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup, Event, Move, NoBackup
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import TARGET, WRITE, Timeline
from afterstate_lab.tui.blocks.block import Place, pasted
from afterstate_lab.tui.blocks.meaning import Quantity, Role
from afterstate_lab.tui.blocks.number_line import Mark, NumberLine
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.lab.microscope.card import wrote_condition
from afterstate_lab.tui.lab.microscope.choice import Candidate, Choice
from afterstate_lab.tui.lab.microscope.equation import Equation
from afterstate_lab.tui.lab.microscope.hero import Diagram, names
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.theme.glyphs import ASCII
from afterstate_lab.tui.theme.numerals import decimals

BARE = Pen(ASCII, paints=False, colours=False, heats=False)
OLD, NEW, READ, ERROR = (Quantity(role) for role in (Role.OLD, Role.NEW, Role.READ, Role.ERROR))
MARKS = (Mark(0.98958, "v*", "truth", "┃"), Mark(0.924235, "target", "target", "┃"),
         Mark(0.94094, "old", "x", "●"), Mark(0.939269, "new", "written", "○"))  # fmt: skip


def drawn(block: Any, columns: int, rows: int, pen: Pen = PEN) -> list[str]:
    """The lines of a block in its frame."""
    lines = pasted([Place(block, 0, 0, columns, rows)], rows, pen)
    return ["".join(text for text, _ in line) for line in lines]


def equation(x: str = "td", chosen: Quantity | None = None, **given: Any) -> Equation:
    return replace(Microscope(update_of(x), chosen).equation(), **given)


@pytest.mark.parametrize(
    "size", [(15, 7), (21, 6), (28, 13), (50, 10), (78, 6), (120, 30)], ids=str
)
@pytest.mark.parametrize("x", ["td", "double-q", "menace", "tdlambda"])
def test_every_pane_keeps_to_its_room_and_to_ascii_where_it_must(x: str, size) -> None:
    for pane in (*panes_at(x), *panes_at(x, READ)):
        for pen in (PEN, BARE):
            lines = drawn(pane, *size, pen)
            assert len(lines) <= size[1] and max(map(len, lines)) <= size[0]
        assert all(line.isascii() for line in lines)


def test_a_term_in_a_later_row_is_clicked_where_it_stands() -> None:
    old = Quantity(Role.OLD, update_of("double-q").entry)
    assert list(meant(equation("double-q"), 40, 7, old)).count("Q₂(S,A)") == 2


def test_equal_values_have_one_mark_on_the_number_line_that_names_all() -> None:
    marks = (MARKS[0]._replace(value=1.0), Mark(0.5, "target", "target", "◆"),
             Mark(0.5, "old", "text", "●"))  # fmt: skip
    shown = NumberLine(marks, (0, 1))
    labels, line = ("".join(t for t, _ in row) for row in shown.draw(60, 2, PEN))
    assert labels.split() == ["target=old", "v*"]
    assert (line.count("●"), line.count("◆"), line.count("┃")) == (1, 0, 1)
    (short,) = shown.draw(60, 1, PEN)
    assert "".join(text for text, _ in short).endswith("┃ v* ● target=old")


def test_marks_keep_their_order_side_by_side_and_a_stretch_lies_between_two() -> None:
    labels, line = ("".join(t for t, _ in row) for row in NumberLine(MARKS).draw(60, 2, PEN))
    assert labels.split() == ["target", "new", "old", "v*"]
    assert "┃○●" in line and line.rindex("┃") > line.index("●")
    stretched = NumberLine(MARKS, stretch=(0.4, 0.6)).draw(98, 2, PEN)[1]
    assert "=" * 10 in "".join(text for text, _ in stretched)
    assert "=" not in line


def test_the_colours_of_a_box_show_their_share() -> None:
    rows = (Candidate((0, 2, 6, 8), 4.0, share=0.5, colour=0),
            Candidate((4,), 4.0, share=0.5, colour=4))  # fmt: skip
    lines = drawn(Choice(rows, "beads", places=0), 40, 7)
    assert lines[2].split()[1:7] == ["1", "3", "7", "9", "4", "50%"]
    assert "●" in lines[2] and "eee" in drawn(Choice(rows, "beads", places=0), 60, 7, BARE)[3]


def test_a_click_on_a_row_of_two_tables_finds_each() -> None:
    both = ((0.25, OLD), (0.75, READ))
    view = Choice((Candidate((1,), 0.5, both=both, means=NEW),), "mean")
    for number, means in ((".250", OLD), (".750", READ), ("2", NEW)):
        assert number in meant(view, 68, 5, means)


@pytest.mark.parametrize("pen", [PEN, BARE], ids=["unicode", "ascii"])
def test_what_is_selected_is_pointed_at_in_every_row(pen: Pen) -> None:
    chosen = equation("td", READ)
    rule, numbers, code, *_, labels, _, foot = drawn(chosen, 100, 8, pen)[1:]
    sign, symbol = pen.glyphs.text("›"), pen.glyphs.text("V(Sₜ₊₁)")
    target = decimals(update_of("td").backup.target, 6)
    assert f"{sign}{symbol}" in rule and f"{sign}{target}" in numbers
    assert f"({sign}v[s_next] - v[s])" in code
    assert f"{sign}target" in labels
    assert f"{symbol} {target}: X's value of " in foot
    assert sign not in drawn(equation(), 100, 8, pen)[2]
    long = replace(chosen, selection=(*chosen.selection, "; nobody wrote it" * 5))
    assert "nobody" not in drawn(long, 100, 8, pen)[-1]


@pytest.mark.parametrize("columns", [60, 78, 120])
def test_a_click_lies_where_the_number_is_drawn(columns: int) -> None:
    u = update_of("td", TARGET)
    read = next(term.quantity for term in Equation(u).terms if term.symbol == "V(Sₜ₊₁)")
    texts = list(meant(Equation(u), columns - 2, 6, read))
    assert "v[s_next]" in meant(Equation(u), 98, 8, read)
    assert texts[:2] == ["V(Sₜ₊₁)", decimals(u.backup.target, 6)]
    assert ("δ" in meant(Equation(u), columns - 2, 6, ERROR)) == (columns > 60)


@pytest.mark.parametrize("chosen", [None, Role.OLD, Role.READ])
def test_rows_keep_what_is_lit_or_selected_in_sight(chosen: Role | None) -> None:
    for x in ("td", "chain", "tdlambda"):
        scope = Microscope(update_of(x), None if chosen is None else Quantity(chosen))
        for pane in (scope.choice(), scope.diagram(), scope.entries()):
            rows = 6 if isinstance(pane, Diagram) else 3
            whole = [t for line in pane.draw(50, 40, PEN) for t, role in line if "picked" in role]
            lit = [t for line in pane.draw(50, rows, PEN) for t, role in line
                   if role.endswith(("on selection", "now")) or "picked" in role]  # fmt: skip
            assert lit
            assert chosen is None or not whole or picked(pane, 50, rows)


def backup_of(scope: Microscope) -> Backup:
    assert scope.update.backup is not None
    return scope.update.backup


def test_v_of_the_next_state_is_one_thing_in_six_places():
    scope = scope_at(at_backup("td"), Quantity(Role.READ))
    six, five, four = (decimals(backup_of(scope).target, places) for places in (6, 5, 4))
    assert picked(scope.equation()) == ["V(Sₜ₊₁)", six, "›v[s_next]", "›target", "◆"]
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


X_WINS = {1: 0, 2: 3, 3: 1, 4: 4, 5: 2}
"""X 1, 2, 3 against O 4, 5: X wins at its third move."""


def told(rule: str, phase: int, number: int = 0, player: str = "X") -> str:
    """The words of a player's backup in the first game of two untrained learners."""
    run = Run.of(parse_player(rule), parse_player(rule), 0)
    timeline = Timeline(run)
    timeline.show(run.play(X_WINS))
    found = [
        row
        for row, event in enumerate(timeline.events_of_game())
        if isinstance(event, Backup) and event.player == player
    ]
    timeline.seek(found[number])
    while timeline.row != found[number] or timeline.phase != phase:
        assert timeline.step_phase()
    return scope_at(timeline).equation().words


@pytest.mark.parametrize(
    ("rule", "number", "target", "write"),
    [
        ("td", 2, "The game is over and worth 1.00: more than the .500 expected.",
         "Raise V(S₂) by .10 of the gap: .5000 → .5500, nearer v_π."),
        ("chain", 1, "S₂, just updated, is worth .550: more than the .500 expected.",
         "Raise V(S₁) by .10 of the gap: .5000 → .5050, nearer v_π."),
        ("mc", 2, "X won, which is worth 1.00: more than the .500 expected.",
         "Raise V(S₀) by .10 of the gap: .5000 → .5500, nearer v_π."),
        ("nstep", 0, "S₂, 2 moves on, is worth .500: just as expected.",
         "V(S₀) stays .5000."),
        ("tdlambda", -2, "δ = .5000 reaches S₁, left a step ago, by its trace .800.",
         "Raise V(S₁) by α δ z: .5000 → .5400, nearer v_π."),
        ("negamax", 0, "O can reply 2 for .500, leaving .500: just as expected.",
         "V(S₁) stays .5000."),
        ("q", 0, "The best next move, 2, is worth .500: just as expected.",
         "Q(S,1) stays .5000."),
        ("q", -1, "X won, which is worth 1.00: more than the .500 expected.",
         "Raise Q(S,3) by .10 of the gap: .5000 → .5500, nearer v_π."),
        ("sarsa", 0, "The next move made, 2, is worth .500: just as expected.",
         "Q(S,1) stays .5000."),
        ("expected-sarsa", 0, "X can expect .500 of its next turn: just as expected.",
         "Q(S,1) stays .5000."),
        ("menace", 0, "A win adds 3 beads of colour 1.",
         "Put in 3 beads of colour 1: 4 → 7."),
        ("menace-code", 0, "A win adds 4 beads of colour 1.",
         "Put in 4 beads of colour 1: 2 → 6."),
    ],
)  # fmt: skip
def test_a_win_is_told(rule, number, target, write):
    assert told(rule, TARGET, number) == target
    assert told(rule, WRITE, number) == write


def test_a_loss_is_told_to_the_other_side():
    assert told("td", TARGET, -1, "O") == (
        "The game is over and worth .000: less than the .500 expected."
    )
    assert told("td", WRITE, -1, "O") == "Lower V(S₂) by .10 of the gap: .5000 → .4500, nearer v_π."
    assert told("menace", WRITE, 0, "O") == "Take out 1 bead of colour 4: 4 → 3."
    assert told("menace-code", TARGET, 0, "O") == (
        "A loss takes 5 beads of colour 4 (never below 1)."
    )


A_TO_G = {1: 0, 2: 4, 3: 8, 4: 6, 5: 2, 6: 1, 7: 7, 8: 5}
"""X plays 1, 9, 3, 8; O answers 5, 7, 2, 6. O then has the boards a, c, e, g after its moves."""


@pytest.fixture
def figure() -> Timeline:
    """Figure 1.1: the opponent opens, and the second own move is exploratory, since O has learned
    to like another one better."""
    run = Run.of(parse_player("human"), parse_player("td:epsilon=0"), 0)
    board, table = 0, run.layout.o
    for ply in (1, 2, 3):
        board = int(space().successor[board, A_TO_G[ply]])
    better = int(table.entries.of_edge[space().edge_of[board, 1]])
    run.memory[table.base + better] = 0.9
    timeline = Timeline(run)
    timeline.show(run.play(A_TO_G))
    return timeline


def rows_of(timeline: Timeline, kind: type[Event]) -> list[int]:
    events = [(row, timeline.event_at(row)) for row in timeline.rows]
    return [row for row, event in events
            if isinstance(event, kind) and getattr(event, "player", "") == "O"]  # fmt: skip


def test_backups_go_from_c_to_a_and_from_g_to_e_but_none_from_e_to_c(figure):
    figure.seek(1)
    moves = [figure.event_at(row) for row in rows_of(figure, Move)]
    assert [move.exploratory for move in moves] == [False, True, False, False]
    figure.seek(rows_of(figure, Backup)[-1] + 1)
    lanes = scope_at(figure).diagram()._lanes
    assert [(arc.source, arc.to) for lane in lanes for arc in lane] == [(1, 0), (3, 2), (4, 3)]


def test_the_exploratory_move_and_the_best_sibling_are_told_and_why_there_is_no_backup(figure):
    figure.seek(rows_of(figure, NoBackup)[0] + 1)
    scope = scope_at(figure)
    told, best = (line.split() for line in lines_of(scope.diagram(), 50, 8)[5:7])
    assert (told[1:3], best) == (["explored", "7"], ["★", "2", ".900"])
    assert scope.equation().words == "O explored 7, which says nothing of V(S₁): it stays."
    assert scope.update.index == 1
