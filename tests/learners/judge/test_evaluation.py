"""Exact verdicts of worked cases; `tests/tui/truth` has a referee for each metric."""

import json

import pytest
from made import run_of, state_of

from afterstate_lab.game import Side
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.evaluation import (
    Evaluation,
    evaluations,
    expected_result,
)
from afterstate_lab.learners.judge.figures import FIGURES


@pytest.mark.parametrize(
    ("x", "o", "win", "draw"),
    [
        ("random", "random", 737 / 1260, 8 / 63),
        ("perfect", "random", 75257 / 77760, 1 - 75257 / 77760),
        ("random", "perfect", 0.0, 757 / 3402),
        ("perfect:epsilon=1", "random", 737 / 1260, 8 / 63),
        ("perfect", "perfect", 0.0, 1.0),
    ],
)
def test_what_is_to_be_expected_of_opponents(x, o, win, draw):
    run = run_of(x, o)
    expected = expected_result(run.layout, run.memory)
    assert expected is not None
    assert expected.win == pytest.approx(win, abs=1e-12)
    assert expected.draw == pytest.approx(draw, abs=1e-12)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_a_figure_says_what_it_is_and_how_it_follows(figure):
    assert figure.meaning and figure.follows
    assert figure.column is not None or figure.name in f.UNLIKE
    assert figure.symbol.count("{}") == bool(figure.symbol)
    assert figure.key or figure.symbol, "nobody could ask for it"


def test_the_least_chance_to_lose_makes_a_player_beatable():
    found = (f.BEATABLE.kind.of(loss, None, Side.X) for loss in (0.0, 1e-12, 1.0))
    assert [*found] == [False, True, True]


@pytest.mark.parametrize("x", ["td", "q:epsilon=.2", "menace", "negamax", "menace-code"])
@pytest.mark.parametrize("at_end", [False, True])
def test_what_is_written_is_read_again(x, at_end):
    found, _ = evaluations(state_of(x), at_end=at_end)
    again = Evaluation.read(json.loads(json.dumps(found.as_json())), at_end=at_end)
    assert again == found is not None
