"""Runs, recordings, timelines and traces: all that was played comes back, every bit, both ways."""

import json
from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made import LEARNERS, own_rule, run_of

from afterstate_lab.game import Board
from afterstate_lab.learners.ask.table import exported_rows
from afterstate_lab.learners.kernel.kernel import Kernel
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape import run as runs
from afterstate_lab.learners.tape.recording import Backup, Cursor
from afterstate_lab.learners.tape.timeline import GAMES_BEFORE, Sweep, Timeline, first_shown


def bits(run):
    return run.memory.tobytes(), run.tally.tolist()


def test_places_that_are_not_there_are_refused():
    run = run_of(games=10)
    asked = [(run.memory_at, -1), (run.record, 3, 2), (run.record, 0, 11)]
    for ask, *games in [*asked, *((at, 11) for at in (run.memory_at, run.rewind, run.fork))]:
        with pytest.raises(IndexError, match="the run has 10 games"):
            ask(*games)
    with pytest.raises(IndexError, match="the run has 10 games"):
        run.make_ready(11)
    recording = run.record(0, 10)
    cursor = Cursor(recording, 5)
    for at in (-1, 10**9):
        with pytest.raises(IndexError, match=f"is not a moment from 0 to {recording.size}"):
            cursor.seek(at)
    assert cursor.at == 5


@given(st.lists(st.integers(1, 5_000), max_size=400))
def test_keyframes_are_few_and_never_far(steps):
    nothing = np.zeros(1), np.zeros(1, dtype=np.int64)
    frames, game, longest = (runs.Keyframe(0, *nothing),), 0, 1
    for step in steps:
        game += step
        longest = max(longest, step + runs.spacing(game))
        frames = runs.with_keyframe(frames, game, *nothing)
    games = [frame.game for frame in frames]
    assert games == sorted(set(games))
    assert games[0] == 0
    assert len(games) <= runs.MOST
    gaps = [b - a for a, b in zip(games, [*games[1:], game], strict=True)]
    assert max(gaps) <= max(2 * longest, 3 * runs.spacing(game))


def test_rewinding_takes_games_back_as_if_they_had_never_been():
    """Also those that were reached again for a look before, and those that were kept."""
    run, straight = run_of(games=1_300, seed=4), run_of(games=1_234, seed=4)
    run.train(1_700)
    run.memory_at(1_310)
    run.rewind(1_234)
    assert (run.games, bits(run)) == (1_234, bits(straight))
    for each in (run, straight):
        each.seat(runs.Seating(o=runs.Seat.FROZEN))
        each.train(100)
    assert bits(run) == bits(straight)
    assert run.memory_at(1_320).tobytes() == straight.memory_at(1_320).tobytes()
    assert bits(run) != bits(run_of(games=1_334, seed=4))


def test_a_rule_that_fails_leaves_the_run_as_it_was_before(tmp_path):
    hook = """
        def after_step(v, tape, me, steps, greedy, t, over, game):
            if game.clock[0] == 150 and t == 3:
                raise ValueError('it fails here')
            backup(v, tape, me, steps[t - 1], steps[t], 0.0, me.alpha)
    """
    rule = own_rule(tmp_path, hook)
    run, straight = run_of(rule, "td"), run_of(rule, "td")
    run.train(20)
    run.train(80)
    with pytest.raises(ValueError, match="it fails here"):
        run.train(100)
    straight.train(run.games)
    assert (run.games, bits(run)) == (100, bits(straight))


# Made ready: nothing that was played again once has to be played again.

MANY = 400
td_against_q = partial(run_of, "td", "q", seed=3)


def test_after_it_going_to_the_latest_game_plays_only_what_is_shown(monkeypatch):
    played, play = [], Kernel.play

    def noted(kernel, v, first, last, *args, **options):
        played.append((first, last))
        return play(kernel, v, first, last, *args, **options)

    monkeypatch.setattr(Kernel, "play", noted)
    run = td_against_q(games=MANY)
    run.make_ready(first_shown(MANY - 1))
    del played[:]
    Timeline(run).go_to(MANY - 1, at_end=True)
    assert [(a, b) for a, b in played if a < b] == [(first_shown(MANY - 1), MANY)]


def test_a_game_is_at_the_first_of_its_columns():
    """Ten games share 25 columns: each begins where no column before shows it."""
    sweep = Sweep(td_against_q(games=10), 10, 25)
    for game in range(1, 11):
        assert sweep.column_of(game) == sweep.shown.tolist().index(game)


def test_back_a_game_is_to_the_start_of_this_one_and_then_of_the_one_before():
    timeline, seen = Timeline(run_of(games=3)), []
    timeline.go_to(2, at_end=True)
    while timeline.previous_game():
        seen.append((timeline.game, timeline.row - timeline.rows.start))
    assert seen == [(2, 0), (1, 0), (0, 0)]


def test_a_sweep_is_of_no_run_that_was_rewound_since():
    run = run_of(games=10)
    sweep = Sweep(run, 10, 25)
    assert sweep.fits(run, 10, 25)
    run.rewind(5)
    run.train(5)
    assert not sweep.fits(run, 10, 25)


SPECS = [
    *LEARNERS, "td:decay=.7,every=10", "q:symmetry=on,step=1/n", "menace:empty=refill",
    "mc:alpha=.97,epsilon=.9",
]  # fmt: skip
"""The last goes so far that a difference from the old value is rounded."""


@lru_cache(maxsize=1)
def walked(spec):
    """A run, games of it, and memory at every place, by the plain reading of event after event."""
    run = run_of(spec, games=62, seed=11)
    recording = run.record(50, 62)
    v = recording.before.copy()
    told = [v.tobytes()]
    for row, event in enumerate(recording.events()):
        if isinstance(event, Backup):
            assert v[event.entry] == event.old
            v[event.entry] = event.new
            v[event.entry + len(v) // 2] += 1.0
        for table, counted in zip(
            (recording.layout.x, recording.layout.o), recording.counted, strict=True
        ):
            v[table.counter] += counted[row]
        told.append(v.tobytes())
    return run, recording, told


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=12)
@given(data=st.data())
def test_a_random_walk_restores_every_bit(spec, data):
    run, recording, at_place = walked(spec)
    assert at_place[-1] == run.memory.tobytes()
    place = st.integers(0, recording.size)
    cursor = Cursor(recording, data.draw(place))
    for at in data.draw(st.lists(place, min_size=1, max_size=8)):
        cursor.seek(at)
        assert cursor.at == at
        assert cursor.v.tobytes() == at_place[at]


def test_greedy_moves_are_counted_only_while_a_decaying_learner_learns():
    spec = parse_player("td:decay=.5,every=3")
    run = runs.Run(spec, parse_player("td"), seed=2)
    run.train(10)
    run.seat(runs.Seating(runs.Seat.FROZEN, runs.Seat.LEARNS))
    run.train(10)
    run.seat(runs.Seating())
    run.train(10)
    recording = run.record(0, 30)
    x, o = recording.counted
    assert run.memory[run.layout.x.counter] == x.sum() > 0
    assert not o.any()
    assert not (x & (recording.games >= 10) & (recording.games < 20)).any()
    assert Cursor(recording, recording.size).v.tobytes() == run.memory.tobytes()


def timeline_at(game):
    run = run_of(games=60, seed=5)
    timeline = Timeline(run)
    timeline.go_to(game)
    return timeline


def where(timeline):
    assert timeline.event is not None
    return timeline.place, timeline.phase, timeline.v.tobytes()


@pytest.mark.parametrize("step", ["step", "step_phase"])
def test_steps_back_over_the_windows_edge_are_those_forth(step):
    # A window begins GAMES_BEFORE games earlier: so many games back lie beyond its edge.
    timeline = timeline_at(50)
    forth: Callable[[], bool] = getattr(timeline, step)
    back: Callable[[], bool] = getattr(timeline, f"{step}_back")
    places = [where(timeline)]
    while timeline.game >= 50 - GAMES_BEFORE - 2:
        assert back()
        places.append(where(timeline))
    for place in reversed(places[:-1]):
        assert forth()
        assert where(timeline) == place


def traced(run, games):
    run.train(games)
    return list(runs.trace_games(run, run.games - games, run.games))


def replayed(fresh, told, tables):
    """The table by the lines alone: what it starts with, then every backup's new value."""
    table = {(row.player, row.board, row.cell): [row.value] * tables + [0] for row in fresh}
    for event in told:
        if event["kind"] == "backup":
            entry = table[event["player"], event["board"], event["cell"]]
            which = event.get("table", 1) - 1
            assert event["old"] == entry[which]
            entry[which] = event["new"]
            entry[-1] += 1
    return {place: (sum(values) / tables, visits) for place, (*values, visits) in table.items()}


@pytest.mark.quick("td", "menace", "q", "double-q")
@pytest.mark.parametrize(
    "spec",
    [
        *("td", "td:symmetry=on,epsilon=.5..0,over=50", "chain:plies=all", "tdlambda"),
        *("q", "double-q", "menace"),
        *("td:decay=.8,every=20", "mc:step=1/n", "nstep", "negamax", "sarsa:symmetry=on"),
        *("expected-sarsa", "menace:empty=refill", "menace-code"),
    ],
)
def test_a_trace_replayed_from_its_own_lines_gives_the_exported_table(spec):
    run = run_of(spec, seed=5)
    fresh = list(exported_rows(run.layout, run.memory))
    told = json.loads(json.dumps(traced(run, 150)))
    table = replayed(fresh, told, run.x.rule.tables)
    rows = list(exported_rows(run.layout, run.memory))
    assert {(r.player, r.board, r.cell): (r.value, r.visits) for r in rows} == table
    assert sum(visits for _, visits in table.values()) > 150


def test_the_first_lines_of_a_run_worked_by_hand():
    first, second, *_ = traced(run_of("td:epsilon=0"), 1)
    cell, dice = first.pop("cell"), first.pop("dice")
    assert cell == 1 + int(dice["pick"] * 9)
    about = {"game": 0, "ply": 1, "player": "X", "board": "." * 9}
    after, values = str(Board().play(cell - 1)), {str(n): 0.5 for n in range(1, 10)}
    move = {"kind": "move", "afterstate": after, "choice": "greedy", "values": values}
    numbers = {"old": 0.5, "target": 0.5, "step": 0.1, "trace": 1.0, "new": 0.5}
    assert first == about | move
    assert second == about | {"kind": "backup", "rule": "td", "cell": None} | numbers
