"""The table of exact figures: every row is whole, and JSON made from it is the contract's."""

import json

import pytest

from afterstate_lab.game import Side
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.judge.evaluation import Evaluation
from afterstate_lab.learners.judge.figures import FIGURES, Figure
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player

PLAY = ["spec", "beatable", "worst_loss", "vs_random", "vs_perfect", "optimal", "missed_wins"]


def state(x: str, o: str = "random") -> EvaluatedState:
    layout = Layout.of(parse_player(x), parse_player(o))
    return EvaluatedState(layout, layout.fresh())


def evaluated(x: str, *, at_end: bool = False) -> Evaluation:
    found = Evaluation.of(state(x), Side.X, at_end=at_end)
    assert found is not None
    return found


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_a_figure_says_what_it_is_and_how_it_follows(figure: Figure):
    assert figure.meaning and figure.follows
    assert (figure.of_play is None) != (figure.of_state is None)
    assert figure.symbol.count("{}") == bool(figure.symbol)
    assert figure.path or figure.symbol, "nobody could ask for it"


def test_the_order_of_the_keys_is_the_contracts():
    assert list(evaluated("td").as_json()) == [*PLAY, "rms_minimax", "coverage"]
    menace = evaluated("menace", at_end=True).as_json()
    ends = ["rms_minimax", "coverage", "as_played", "rms_optimal", "rms_behaviour"]
    assert list(menace) == [*PLAY, *ends]
    assert list(menace["as_played"]) == PLAY[1:]


@pytest.mark.parametrize("x", ["td", "q:epsilon=.2", "menace", "negamax", "menace-code"])
@pytest.mark.parametrize("at_end", [False, True])
def test_what_is_written_is_read_again(x: str, at_end: bool):
    found = evaluated(x, at_end=at_end)
    again = Evaluation.read(json.loads(json.dumps(found.as_json())), at_end=at_end)
    assert again == found
