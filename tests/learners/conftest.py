"""Runs that several tests look at; none of them may be changed."""

from collections.abc import Callable
from functools import cache

import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run


@cache
def trained_run(x: str, o: str, games: int, seed: int) -> Run:
    """Two players after so many games, with a keyframe every 100."""
    run = Run(parse_player(x), parse_player(o), seed)
    while run.games < games:
        run.train(min(100, games - run.games))
    return run


@pytest.fixture(scope="session")
def trained() -> Callable[..., Run]:
    """`trained(x, o, games, seed)`: a run, shared with all who ask for the same."""

    def run_of(x: str = "td", o: str = "td", games: int = 3_000, seed: int = 5) -> Run:
        return trained_run(x, o, games, seed)

    return run_of
