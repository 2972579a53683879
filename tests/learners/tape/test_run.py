"""A run: its settings and scripts say everything, so any place of it can be reached again."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made import own_rule, run_of

from afterstate_lab.game import IllegalMoveError
from afterstate_lab.learners.kernel.kernel import Kernel
from afterstate_lab.learners.tape.recording import Cursor
from afterstate_lab.learners.tape.run import MOST, Keyframe, Seat, Seating, spacing, with_keyframe
from afterstate_lab.learners.tape.timeline import Timeline, first_shown

SPECS = ("td", "td:decay=.8,every=50", "q", "double-q", "menace", "negamax", "tdlambda")


def bits(run):
    return run.memory.tobytes(), run.tally.tolist()


@pytest.mark.quick("td", "menace")
@pytest.mark.parametrize("spec", SPECS)
def test_a_recording_leads_from_memory_before_to_memory_after(spec):
    run = run_of(spec, games=3_000, seed=5)
    for first, last in ((0, 20), (1_234, 1_240), (2_999, 3_000), (3_000, 3_000)):
        recording = run.record(first, last)
        assert recording.before.tobytes() == run.memory_at(first).tobytes()
        end = Cursor(recording, recording.size)
        assert end.v.tobytes() == run.memory_at(last).tobytes()


def test_places_that_are_not_there_are_refused():
    run = run_of(games=10)
    for ask in (
        lambda: run.memory_at(11),
        lambda: run.memory_at(-1),
        lambda: run.record(3, 2),
        lambda: run.record(0, 11),
        lambda: run.rewind(11),
        lambda: run.fork(11),
        lambda: run.make_ready(11),
    ):
        with pytest.raises(IndexError, match="the run has 10 games"):
            ask()


@given(st.lists(st.integers(1, 5_000), max_size=400))
def test_keyframes_are_few_and_never_far(steps):
    nothing = np.zeros(1), np.zeros(1, dtype=np.int64)
    frames, game, longest = (Keyframe(0, *nothing),), 0, 1
    for step in steps:
        game += step
        longest = max(longest, step + spacing(game))
        frames = with_keyframe(frames, game, *nothing)
    games = [frame.game for frame in frames]
    assert games == sorted(set(games))
    assert games[0] == 0
    assert len(games) <= MOST
    gaps = [b - a for a, b in zip(games, [*games[1:], game], strict=True)]
    assert max(gaps) <= max(2 * longest, 3 * spacing(game))


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ({1: 4, 3: 4}, "Cell 5 is taken by X"),
        ({1: 0, 2: 0}, "Cell 1 is taken by X"),
        ({1: 0, 2: 3, 3: 1, 4: 4, 5: 2, 6: 8}, "The game is over"),
        ({1: 0, 2: 3, 3: 1, 4: 4, 5: 2, 7: 8}, "The game is over"),
        ({1: 9}, "No cell 10 at ply 1"),
        ({1: -1}, "No cell 0 at ply 1"),
        ({10: 0}, "No cell 1 at ply 10"),
        ({0: 0}, "No cell 1 at ply 0"),
    ],
)
def test_a_script_that_is_not_legal_is_refused_and_nothing_is_lost(script, why):
    run = run_of(games=3)
    before = bits(run)
    with pytest.raises(IllegalMoveError, match=why):
        run.play(script)
    assert (run.games, bits(run)) == (3, before)


def test_rewinding_takes_games_back_as_if_they_had_never_been():
    run, straight = run_of(games=5_000, seed=4), run_of(games=1_234, seed=4)
    run.rewind(1_234)
    assert run.games == 1_234
    assert run.memory.tobytes() == straight.memory.tobytes()
    run.train(100)
    straight.train(100)
    assert run.memory.tobytes() == straight.memory.tobytes()
    assert run.memory_at(1_300).tobytes() == straight.memory_at(1_300).tobytes()


def test_a_rule_that_fails_leaves_the_run_as_it_was_before(tmp_path):
    hook = """
        def after_step(v, tape, me, steps, greedy, t, over, game):
            if game.clock[0] == 150 and t == 3:
                raise ValueError('it fails here')
            backup(v, tape, me, steps[t - 1], v[steps[t]], me.alpha)
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


def td_against_q(games):
    return run_of("td", "q", games, 3)


@cache
def straight_memories():
    """Memory after every game of a run that is trained game by game."""
    run = td_against_q(0)
    memories = [run.memory.tobytes()]
    for _ in range(MANY):
        run.train(1)
        memories.append(run.memory.tobytes())
    return memories


@settings(max_examples=8)
@given(st.lists(st.integers(0, MANY), min_size=1, max_size=8))
def test_the_order_in_which_places_are_looked_at_does_not_matter(games):
    run, memories = td_against_q(MANY), straight_memories()
    assert [run.memory_at(game).tobytes() for game in games] == [memories[g] for g in games]


def test_after_it_going_to_the_latest_game_plays_only_what_is_shown(monkeypatch):
    played, play = [], Kernel.play

    def noted(kernel, v, first, last, *args, **options):
        played.append((first, last))
        return play(kernel, v, first, last, *args, **options)

    monkeypatch.setattr(Kernel, "play", noted)
    run = td_against_q(MANY)
    run.make_ready(first_shown(MANY - 1))
    del played[:]
    Timeline(run).go_to(MANY - 1, at_end=True)
    assert [(a, b) for a, b in played if a < b] == [(first_shown(MANY - 1), MANY)]


def test_what_was_reached_is_forgotten_with_the_games_that_are_taken_back():
    run, other = td_against_q(MANY), td_against_q(300)
    run.memory_at(390)
    run.rewind(300)
    for each in (run, other):
        each.seat(Seating(o=Seat.FROZEN))
        each.train(MANY - 300)
    assert run.memory_at(395).tobytes() == other.memory_at(395).tobytes()
    assert run.memory_at(395).tobytes() != td_against_q(395).memory.tobytes()
