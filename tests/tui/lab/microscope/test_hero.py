"""Step's picture: the stairs are the table of every game, and arrows start where backups read."""

import random
from types import SimpleNamespace

import numpy as np
import pytest
from drawing import PEN, lines_of

from afterstate_lab.learners.engine.backups import BACKUP
from afterstate_lab.learners.judge.evaluated_state import optimum
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.recording import Backup
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import TARGET, Sweep, Timeline
from afterstate_lab.tui.blocks.cells import Size, solid
from afterstate_lab.tui.lab.microscope.picture import LEFT, Hero, Stairs
from afterstate_lab.tui.lab.microscope.reading import Update, update_at
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.pages.value import ValueCard

COLUMNS = 66


def run_of(x: str, games: int, o: str = "td", seed: int = 1) -> Run:
    run = Run.of(parse_player(x), parse_player(o), seed)
    run.train(games // 2)
    run.train(games - games // 2)
    return run


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
    run, dice = run_of(x, games), random.Random(games)
    sweep = Sweep(run, games, columns)
    sweep.make()
    other, known = run_of(x, 0), {}
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
    run = run_of("td", games)
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


@pytest.mark.slow
def test_the_first_game_that_moved_a_board_is_found_between_two_columns():
    run = run_of("td", 3000)
    sweep = Sweep(run, 3000, COLUMNS)
    sweep.make()
    recording = run.record(0, 3000)
    columns = recording.columns
    changes = np.flatnonzero(columns.new != columns.old)
    for entry in {int(columns.entry[row]) for row in changes[::331]}:
        first = int(recording.games[changes[columns.entry[changes] == entry][0]]) + 1
        found = sweep.first_change(entry)
        assert found in ((first, True), None) or sweep.values[sweep.column_of(first), entry] == 0.5


@pytest.mark.parametrize(
    ("x", "arrows"),
    [("td", {(2, 3), (1, 2)}), ("chain", {(2, 3), (1, 2)}), ("mc", {(0, 3), (1, 3), (2, 3)}),
     ("nstep:n=2", {(1, 3), (2, 3), (0, 2)}), ("q", {(2, 3), (1, 2)})],
)  # fmt: skip
def test_arrows_come_from_the_step_that_each_backup_read(x: str, arrows: set[tuple[int, int]]):
    timeline = Timeline(run_of(x, 40, "random", 5))
    for game in range(10, 40):
        hero = Hero(update=last_target(timeline, game))
        arcs = {(arc.to, arc.source) for arc in hero.arcs}
        end = len(hero.update.steps) - 1
        same = {(to - 3 + end, source - 3 + end) for to, source in arrows}
        assert {arc for arc in arcs if arc[0] >= end - 2} <= same | {(0, end)}
        assert any(arc.role == "now" for arc in hero.arcs)


def test_a_result_is_shown_walking_back_and_told_in_words():
    run = run_of("td", 60)
    u = last_target(Timeline(run), 39)
    text = "\n".join(lines_of(Hero(update=u, rows=24), 80, 14))
    assert "V(S₂)  ← .545 + .1 [ 1.00 − .545 ]  =  ?" in text
    assert "◂──────── −.1 × .085 ────────◂━━━━━━━━ +.1 × .455 ━━━━━━━━" in text
    sweep = Sweep(run, 60, COLUMNS)
    sweep.make()
    assert list(Stairs(update=u, sweep=sweep, rows=24).say()) == [
        "First moved: S 2 in game 17, S 1 in game 13, S 0 in game 14.",
        "The result is known at once. What it is worth walks back one board a game.",
    ]


@pytest.mark.parametrize("size", [Size(), Size(7, 3), Size(11, 5)])
def test_marks_are_symmetric_and_unlike(size: Size):
    x, o = (solid(mark, size.columns, size.rows) for mark in "XO")
    assert all([row[::-1] for row in mark] == list(mark) for mark in (x, o)) and x != o
