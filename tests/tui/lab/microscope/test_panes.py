"""The panes of Step in any room, what is selected in them, and Figure 1.1 of S&B."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from drawing import PEN, at_backup, cut_numbers, lines_of, panes_at, picked, update_of

from afterstate_lab.game import Side, space
from afterstate_lab.learners.ask.conditions import parse
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.learners.tape.recording import Backup, Event, Move, NoBackup
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import TARGET, WRITE, Timeline
from afterstate_lab.tui.blocks.block import Place, Quantity, Role, pasted
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.lab.microscope.choice import choice_of
from afterstate_lab.tui.lab.microscope.picture import Hero, Stairs
from afterstate_lab.tui.lab.microscope.reading import update_at
from afterstate_lab.tui.lab.microscope.words import sentence
from afterstate_lab.tui.theme.glyphs import ASCII
from afterstate_lab.tui.theme.numerals import decimals

KEPT = Path(__file__).parents[3] / "scenarios" / "blocks" / "microscope.txt"
BARE = Pen(ASCII, paints=False, colours=False)
READ = Quantity(Role.READ)


def drawn(block: Any, columns: int, rows: int, pen: Pen = PEN) -> list[str]:
    """The lines of a block in its frame."""
    lines = pasted([Place(block, 0, 0, columns, rows)], rows, pen)
    return ["".join(text for text, _ in line) for line in lines]


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


@pytest.mark.parametrize("x", ["td", "double-q", "menace", "tdlambda", "q"])
def test_no_pane_of_a_page_cuts_a_number(x: str) -> None:
    u = update_of(x)
    stairs = Stairs(update=u, sweep=None, rows=40)
    for pane in (*panes_at(x), Hero(update=u, rows=40), stairs):
        assert not [*cut_numbers(pane, 76, 80, 100, 120, 200)]


def test_the_colours_of_a_box_show_their_share() -> None:
    lines = lines_of(choice_of(update_of("menace")), 60, 7)[1:]
    assert [" ".join(line.split()[-3:]) for line in lines] == [
        "██████ ★ drawn", "15% .995 █", "9% .993 █"
    ]  # fmt: skip


@pytest.mark.parametrize("x", ["td", "double-q", "menace"])
def test_the_move_that_was_made_stays_in_sight(x: str) -> None:
    view = choice_of(update_of(x))
    taken = next(one for one in view.items if one.is_taken)
    for rows in range(2, 9):
        (lit,) = (line for line in lines_of(view, 50, rows) if line.startswith("▸"))
        assert lit[1:].split()[0] == str(taken.cells[0] + 1)


def marked(x: str) -> str:
    """What is underlined in each pane, by the number that is selected."""
    told, u = "", update_of(x)
    for quantity in (each for each in Hero(update=u).quantities if each.role is not Role.ENTRY):
        shown = ((type(pane).__name__, picked(pane, 118, 20)) for pane in panes_at(x, quantity))
        panes = (f"{name} {' '.join(map(str.strip, texts))}" for name, texts in shown if texts)
        told += f"{x} {quantity.role.value}: {'; '.join(panes)}\n"
    return told


X_WINS = {1: 0, 2: 3, 3: 1, 4: 4, 5: 2}
"""X 1, 2, 3 against O 4, 5: X wins at its third move."""


def told(rule: str) -> Iterator[str]:
    """The words of the backups in the first game of two untrained learners: target, write."""
    run = Run.of(parse_player(rule), parse_player(rule), 0)
    timeline, target = Timeline(run), ""
    timeline.show(run.play(X_WINS))
    timeline.seek(0)
    while timeline.step_phase():
        if isinstance(timeline.event, Backup) and timeline.phase in (TARGET, WRITE):
            words = sentence(update_at(timeline))
            if timeline.phase == WRITE:
                yield f"{rule} {timeline.event.player}: {target} {words}\n"
            target = words


def test_what_is_marked_and_told_is_as_it_is_kept() -> None:
    """`AFTERSTATE_NEW_SNAPSHOTS=1` writes it anew; look at the change."""
    found = marked("td") + marked("q")
    for name in (name for name, rule in rules().items() if rule.learns):
        first, *_, one_more, last = told(name)
        found += first + one_more + last
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        KEPT.write_text(found, encoding="utf-8")
    assert found == KEPT.read_text(encoding="utf-8")


def test_an_entry_is_followed_as_itself_whatever_becomes_of_it():
    timeline = at_backup("td", phase=TARGET)
    (entry,) = (read.entry for read in update_at(timeline).reads.values() if read.entry >= 0)
    roles = []
    for _ in range(12):
        selected = Hero(update=update_at(timeline), chosen=Quantity(Role.ENTRY, entry)).selected
        assert selected is not None and selected.entry == entry
        roles.append(selected.role)
        timeline.step_phase()
    assert roles.index(Role.READ) < roles.index(Role.OLD) < roles.index(Role.NEW)


@pytest.mark.parametrize("x", ["td", "negamax", "q", "double-q", "menace", "menace-code"])
def test_a_breakpoint_is_proposed_that_stops_where_the_entry_is_written(x):
    timeline = at_backup(x)
    update = update_at(timeline)
    condition = parse(update.condition(update.backup.entry))
    condition.check(timeline.recording.layout)
    assert timeline.row in condition.rows(timeline.recording).tolist()
    if x == "q":
        assert update.condition(update.table.rewards + 1) == "", "a reward has no writer"


@pytest.mark.parametrize(
    ("old", "new", "role"),
    [(0.3, 0.2, "better"), (-0.3, 0.1, "better"), (0.1, -0.3, "worse"), (0.04, 0.3, "worse"),
     (0.3, 0.04, "text"), (0.2, 0.2, "text")],
)  # fmt: skip
def test_a_change_is_judged_by_where_it_ends(old: float, new: float, role: str) -> None:
    """From so far beside the value under current play to so far; near it nothing is wrong."""
    u = update_of("td")
    v_pi = u.v_pi[u.step.position]
    assert u.role_of_change(replace(u.backup, old=v_pi + old, new=v_pi + new)) == role


def test_a_board_is_compared_with_what_it_is_worth_to_the_player_of_its_value() -> None:
    """One table of negamax values each board for the last mover."""
    u = update_of("negamax")
    state = EvaluatedState(u.recording.layout, u.after, u.event.game)
    hero = Hero(update=u, rows=50)
    for number, (step, board) in enumerate(zip(u.steps, hero.boards, strict=True)):
        side = Side(space().ply[board.position] % 2).other
        told = [joined(line).split()[-1] for line in hero._below(number, PEN)]
        exact = decimals(float(state.v_pi(side)[board.position]))
        assert step.is_end or told[-1] == exact


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
    arcs = Hero(update=update_at(figure)).arcs
    assert sorted((arc.source, arc.to) for arc in arcs) == [(1, 0), (3, 2), (4, 3)]


def test_the_exploratory_move_and_the_best_sibling_are_told_and_why_there_is_no_backup(figure):
    figure.seek(rows_of(figure, NoBackup)[0] + 1)
    hero = Hero(update=update_at(figure), rows=24)
    best, *others = choice_of(hero.update).items
    assert (best.cells, best.value) == ((1,), 0.9)
    assert all(one.value < best.value for one in others)
    assert any("explored: no news" in line for line in lines_of(hero, 118, 20))
    assert hero.words == "O explored 7, which says nothing of V(S₁): it stays."
    assert hero.update.index == 1
