"""Runs that several tests look at; none of them may be changed."""

from functools import cache

import pytest

from afterstate_lab.learners.experiments.plan import Plan
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run


@cache
def trained_run(x, o, games, seed):
    """Two players after so many games, with a keyframe every 100."""
    run = Run(parse_player(x), parse_player(o), seed)
    while run.games < games:
        run.train(min(100, games - run.games))
    return run


@pytest.fixture(scope="session")
def trained():
    """`trained(x, o, games, seed)`: a run, shared with all who ask for the same."""
    return lambda x="td", o="td", games=3_000, seed=5: trained_run(x, o, games, seed)


@pytest.fixture(scope="session")
def tiny():
    from made import TINY

    return Plan.parse(TINY)
