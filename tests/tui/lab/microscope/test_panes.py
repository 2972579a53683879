"""The panes of Step in any room, what is selected in them, what they hide, and Figure 1.1 of S&B.

The stairs are the table of every game, and arrows start where backups read.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from made import run_of
from reading import (
    PEN,
    at_backup,
    compare,
    cut_numbers,
    framed,
    lines_of,
    panes_at,
    picked,
    session_of,
    update_of,
)

from afterstate_lab.game import Side, space
from afterstate_lab.learners.ask.conditions import parse
from afterstate_lab.learners.engine.backups import BACKUP
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, optimum
from afterstate_lab.learners.rules.equation import TermRole as Role
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.learners.tape.recording import Backup, Move, NoBackup
from afterstate_lab.learners.tape.timeline import TARGET, WRITE, Sweep, Timeline
from afterstate_lab.tui.blocks.block import Quantity
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.lab.log import log_view
from afterstate_lab.tui.lab.microscope.choice import choice_of
from afterstate_lab.tui.lab.microscope.picture import LEFT, Hero, Stairs
from afterstate_lab.tui.lab.microscope.reading import Update, update_at
from afterstate_lab.tui.lab.microscope.words import sentence, terms_of
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.pages.value import MASKED, ValueCard
from afterstate_lab.tui.theme.glyphs import ASCII
from afterstate_lab.tui.theme.numerals import decimals

KEPT = Path(__file__).parents[3] / "scenarios" / "blocks" / "microscope.txt"
BARE = Pen(ASCII, paints=False, colours=False)
READ = Quantity(Role.READ)
SIZES = (15, 7), (21, 6), (28, 13), (50, 10), (78, 6), (120, 30)


@pytest.mark.parametrize("x", ["td", "double-q", "menace", "tdlambda", "q"])
def test_every_pane_keeps_to_its_room_and_to_ascii_where_it_must_and_cuts_no_number(x: str):
    u, panes = update_of(x), panes_at(x)
    for pane, (columns, rows) in product((*panes, *panes_at(x, READ)), SIZES):
        for pen in (PEN, BARE):
            lines = framed(pane, columns, rows, pen)
            assert len(lines) <= rows and max(map(len, lines)) <= columns
        assert all(line.isascii() for line in lines)
    for pane in (*panes, Hero(update=u, rows=40), Stairs(update=u, sweep=None, rows=40)):
        assert not [*cut_numbers(pane, 76, 80, 100, 120, 200)]


def marked(x: str) -> Iterator[str]:
    """What is underlined in the picture, by the number that is selected."""
    for quantity in Hero(update=update_of(x)).quantities:
        if quantity.role is not Role.ENTRY:
            texts = picked(panes_at(x, quantity)[1], 118, 20)
            yield f"{x} {quantity.role.value}: Hero {' '.join(map(str.strip, texts))}\n"


X_WINS = {1: 0, 2: 3, 3: 1, 4: 4, 5: 2}
"""X 1, 2, 3 against O 4, 5: X wins at its third move."""


def told(rule: str) -> Iterator[str]:
    """The words of the backups in the first game of two untrained learners: target, write."""
    run = run_of(rule)
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
    found = "".join((*marked("td"), *marked("q")))
    for name in (name for name, rule in rules().items() if rule.learns):
        first, *_, one_more, last = told(name)
        found += first + one_more + last
    compare(found, KEPT)


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


def test_figure_1_1_has_no_arrow_over_an_exploratory_move_and_says_why():
    """The opponent opens, and the second own move is exploratory, since O has learned to like
    another one better: backups go from c to a and from g to e, but none from e to c.
    """
    run = run_of("human", "td:epsilon=0")
    board, table = 0, run.layout.o
    for ply in (1, 2, 3):
        board = int(space().successor[board, A_TO_G[ply]])
    better = int(table.entries.of_edge[space().edge_of[board, 1]])
    run.memory[table.base + better] = 0.9
    timeline = Timeline(run)
    timeline.show(run.play(A_TO_G))
    events = [(row, timeline.event_at(row)) for row in timeline.rows]
    own = [(row, event) for row, event in events if getattr(event, "player", "") == "O"]
    moves = [event for _, event in own if isinstance(event, Move)]
    assert [move.exploratory for move in moves] == [False, True, False, False]
    timeline.seek(max(row for row, event in own if isinstance(event, Backup)) + 1)
    arcs = Hero(update=update_at(timeline)).arcs
    assert sorted((arc.source, arc.to) for arc in arcs) == [(1, 0), (3, 2), (4, 3)]
    timeline.seek(next(row for row, event in own if isinstance(event, NoBackup)) + 1)
    hero = Hero(update=update_at(timeline), rows=24)
    best, *others = choice_of(hero.update).items
    assert (best.cells, best.value) == ((1,), 0.9)
    assert all(one.value < best.value for one in others)
    assert any("explored: no news" in line for line in lines_of(hero, 118, 20))
    assert hero.words == "O explored 7, which says nothing of V(S₁): it stays."
    assert hero.update.index == 1


COLUMNS = 66


def last_target(timeline: Timeline, game: int, player: str = "X") -> Update:
    timeline.go_to(game)
    rows = [row for row in timeline.rows if isinstance(timeline.event_at(row), Backup)]
    timeline.seek([row for row in rows if timeline.event_at(row).player == player][-1] + 1)
    timeline.step_phase_back()
    assert timeline.phase == TARGET
    return update_at(timeline)


@pytest.mark.parametrize("moments", [6, pytest.param(63, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("x", "games", "columns"),
    [("td", 7, 66), ("td", 60, 66), ("td", 3000, 12), ("mc", 400, 66), ("tdlambda", 60, 66),
     ("double-q", 200, 66), ("menace", 200, 66), ("negamax", 61, 66)],
)  # fmt: skip
def test_every_cell_of_the_stairs_is_the_table_of_its_game(x, games, columns, moments):
    """Compared with the same run trained again, game by game, and with the tape at the cursor:
    together at 504 moments if slow.
    """
    run, dice = run_of(x, "td", games // 2, 1), random.Random(games)
    run.train(games - games // 2)
    sweep = Sweep(run, games, columns)
    sweep.make()
    other, known = run_of(x, "td", 0, 1), {}
    for game in sorted(set(sweep.shown.tolist())):
        other.train(game - other.games)
        known[game] = other.memory.copy()
    assert (sweep.shown[0], sweep.shown[-1]) == (1, games)
    assert columns == 66 or games // 2 in sweep.shown, "a column begins at a keyframe"
    timeline = Timeline(run)
    for _ in range(moments):
        timeline.go_to(dice.randrange(games))
        timeline.seek(dice.choice(timeline.rows))
        timeline.step_phase()
        block = Stairs(update=update_at(timeline), sweep=sweep, rows=24)
        first, stop = block.own
        assert first <= sweep.column_of(timeline.game + 1) < stop
        drawn = lines_of(block, 80, 10)
        assert drawn[0].strip().startswith(f"{block.update.player}'s boards")
        for strip in block.strips:
            entry = strip.step.entry
            expected = [known[game][entry] for game in sweep.shown.tolist()]
            expected[first:stop] = [timeline.v[entry]] * (stop - first)
            assert strip.values.tolist() == expected
    cells = [role for text, role in block.draw(80, 10, PEN)[1] for _ in text][LEFT : LEFT + columns]
    assert {role.split()[0] for role in cells[:stop]} == {"heat"}
    assert {role.split()[0] for role in cells[stop:]} <= {"heatlater"}


@pytest.mark.parametrize("games", [60, 400])
def test_the_life_of_a_value_is_each_of_its_writes_and_counts_them_all(games: int):
    run = run_of("td", "td", games, 1)
    session, recording = Session(run), run.record(0, games)
    sweep = session.sweep = Sweep(run, games, COLUMNS)
    sweep.make()
    u = last_target(session.timeline, games - 1)
    kinds, columns = recording.kinds == BACKUP, recording.columns
    for entry in u.step.entries:
        rows = np.flatnonzero(kinds & (columns.entry == entry))
        written = zip((recording.games[rows] + 1).tolist(), columns.new[rows].tolist(), strict=True)
        new = {0: 0.5, **dict(written)}
        curve = ValueCard(SimpleNamespace(session=session), entry).curve()
        known = dict(curve.series[0].points)
        assert known.keys() == {*sweep.shown.tolist(), *([0] if games == 60 else [])}
        assert known == {x: new[max(game for game in new if game <= x)] for x in known}
        before = f"{len(rows) - 1} of {len(rows)} backup{'s' * (len(rows) != 1)} so far"
        assert curve.right == before
        (level,) = curve.levels
        assert level.label.startswith(f"{optimum(run.layout, u.table.side)} ")


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("spec", ["q:alpha=0.5", "tdlambda:alpha=0.5", "mc:alpha=0.5", "menace"])
def test_nothing_tells_what_is_written_before_it_is_foretold(spec: str, wanted: bool):
    """A lesson asks for it before, and plain mode reads the log."""
    made = session_of(spec, "random", 60)
    made.timeline.go_to(40)
    made.enter_step_mode()
    made.predictions.wanted = wanted
    backup = made.timeline.event
    while not isinstance(backup, Backup) or backup.new == backup.old:
        assert made.timeline.step()
        backup = made.timeline.event
    while made.timeline.phase > TARGET:
        made.timeline.step_phase_back()
    card = ValueCard(SimpleNamespace(session=made), made.picture.update.entry)
    assert (card.curve().note == MASKED) == wanted
    for is_written in (False, True):
        picture, log = lines_of(replace(made.picture, rows=24), 118, 20), log_view(made).lines
        assert ("→?" in joined(log[-1])) == ("?" in "".join(picture)) != is_written
        numbers = (term.number for term in terms_of(made.picture.update))
        told = "\n".join([*map(joined, log), *picture, *numbers])
        assert spec == "menace" or (decimals(backup.new, 5) in told) == is_written
        made.timeline.step_phase()
