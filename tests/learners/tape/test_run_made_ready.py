"""A run that is made ready: nothing that was played again once has to be played again."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from afterstate_lab.learners.kernel.kernel import Kernel
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape import run as run_module
from afterstate_lab.learners.tape.run import Run, Seat, Seating
from afterstate_lab.learners.tape.timeline import Timeline, first_shown

GAMES = 400


def trained(games: int) -> Run:
    run = Run(parse_player("td"), parse_player("q"), 3)
    run.train(games)
    return run


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The stretches that are played, as they are."""
    stretches: list[tuple[int, int]] = []
    play = Kernel.play

    def noted(kernel: Kernel, v, first, last, *args, **options):
        stretches.append((first, last))
        return play(kernel, v, first, last, *args, **options)

    monkeypatch.setattr(Kernel, "play", noted)
    return stretches


@cache
def straight_memories() -> list[bytes]:
    """Memory after every game of a run that is trained game by game."""
    run = trained(0)
    memories = [run.memory.tobytes()]
    for _ in range(GAMES):
        run.train(1)
        memories.append(run.memory.tobytes())
    return memories


@settings(max_examples=20)
@given(st.lists(st.integers(0, GAMES), min_size=1, max_size=8))
def test_the_order_in_which_places_are_looked_at_does_not_matter(games: list[int]):
    run, memories = trained(GAMES), straight_memories()
    assert [run.memory_at(game).tobytes() for game in games] == [memories[g] for g in games]


def test_after_it_going_to_the_latest_game_plays_only_what_is_shown(played):
    run = trained(GAMES)
    run.make_ready(first_shown(GAMES - 1))
    del played[:]
    Timeline(run).go_to(GAMES - 1, at_end=True)
    assert [(a, b) for a, b in played if a < b] == [(first_shown(GAMES - 1), GAMES)]


def test_what_was_reached_is_forgotten_with_the_games_that_are_taken_back():
    run, other = trained(GAMES), trained(300)
    run.memory_at(390)
    run.rewind(300)
    for each in (run, other):
        each.seat(Seating(o=Seat.FROZEN))
        each.train(GAMES - 300)
    assert run.memory_at(395).tobytes() == other.memory_at(395).tobytes()
    assert run.memory_at(395).tobytes() != trained(395).memory.tobytes()


@pytest.mark.parametrize(("many", "expected"), [(GAMES, []), (5, [GAMES, 20])])
def test_a_long_run_gets_the_compiler_for_whoever_played_long(monkeypatch, many, expected):
    run = trained(GAMES)
    run.seat(Seating(o=Seat.FROZEN))
    run.train(20)
    run.seat(Seating(x=Seat.HUMAN))
    run.play({})
    compiled = []
    games = {run.kernel(Seating()): GAMES, run.kernel(Seating(o=Seat.FROZEN)): 20}
    monkeypatch.setattr(Kernel, "compile", lambda kernel: compiled.append(games[kernel]))
    monkeypatch.setattr(run_module, "MANY_GAMES", many)
    run.make_ready(GAMES)
    assert compiled == expected


def test_a_place_that_is_not_there_cannot_be_made_ready():
    with pytest.raises(IndexError):
        trained(10).make_ready(11)
