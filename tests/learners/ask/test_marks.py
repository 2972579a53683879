"""The marks of a run, each proved by what is so before its game and after it."""

import numpy as np
import pytest
from made import run_of

from afterstate_lab.game import Side
from afterstate_lab.learners.ask import marks as m
from afterstate_lab.learners.ask.marks import Marks, find_marks
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.judge.figures import BEATABLE
from afterstate_lab.learners.tape.recording import RESULTS
from afterstate_lab.learners.tape.timeline import summarise


@pytest.mark.quick("random-double-q")
@pytest.mark.parametrize(
    ("x", "o"),
    [
        ("td:alpha=.3", "td:alpha=.3"),
        ("random", "double-q"),
        ("q:alpha=.5", "random"),
        ("negamax:alpha=.5", "negamax:alpha=.5"),
    ],
)
def test_every_mark_is_the_one_that_evaluating_each_game_finds(x, o):
    run = run_of(x, o, 100, 7)
    found = find_marks(run)
    memories = [run.memory_at(games) for games in range(run.games + 1)]
    verdicts = [evaluate_memory(run.layout, v) for v in memories]
    for side in Side:
        holds = [n for n, pair in enumerate(verdicts) if pair[side] and not pair[side][BEATABLE]]
        mark = found.found.get(m.HOLDS[side])
        assert (holds[:1] or [None]) == [None if mark is None else mark.place.game + 1]


def test_results_and_the_largest_error_are_those_of_the_recorded_games():
    run = run_of("td", "q", 700, 7)
    found = find_marks(run)
    games = summarise(run.record(0, run.games))
    for code, kind in m.RESULTS.items():
        first = next(n for n, game in games.items() if game.last.result == RESULTS[code])
        assert found.found[kind].place.game == first
    largest = max(game.largest_error for game in games.values())
    mark = found.found[m.ERROR]
    game = run.record(mark.place.game, mark.place.game + 1)
    assert mark.error == np.abs(game.errors)[mark.place.row] == largest


def test_marks_of_a_run_that_went_on_are_those_of_the_whole_run():
    run = run_of("td:alpha=.3", games=150, seed=7)
    first = find_marks(run)
    run.train(150)
    assert find_marks(run, first) == find_marks(run)


def test_a_search_that_is_stopped_finds_nothing_and_one_of_no_games_no_marks():
    assert find_marks(run_of(games=50), stop=lambda: True) is None
    assert find_marks(run_of()) == Marks()
