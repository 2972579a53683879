"""`afterstate museum`: the pieces, their stories, and their price."""

import json

import numpy as np
import pytest

from afterstate_lab.game import reachable_boards
from afterstate_lab.learners.grading.price import price_of
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.museum import PIECES, is_missed, piece, story
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.lab.resume_hint import player_name


def test_the_list_names_every_piece(afterstate):
    lines = afterstate("museum").out.splitlines()
    assert [line.split(": ")[0] for line in lines] == [f"museum:{name}" for name in PIECES]


@pytest.mark.parametrize("name", PIECES)
def test_a_piece_is_a_player_by_its_name(name: str):
    spec = parse_player(f"museum:{name}:alpha=0.3")
    assert str(spec) == f"museum:{name}:alpha=0.3"
    assert spec.rule is piece(name)
    assert player_name(str(spec)) == f"museum:{name}"
    assert spec.rule.summary
    assert spec.rule.source
    assert all(part.endswith((".", ".)", '."', "`.")) for part in story(name))


def test_a_copy_that_is_lost_learns_nothing_and_costs_everything(afterstate):
    """All values stay equal, so it plays any move that does not win at once with one chance."""
    outcome = afterstate("museum", "lost-copy", "--games", "50", "--seeds", "2", "--json")
    told = json.loads(outcome.out)
    lost, td = told["prices"]
    assert (lost["spec"], td["spec"]) == ("museum:lost-copy", "td")
    untrained = price_of(parse_player("td"), 0, 1)
    for side in "XO":
        assert lost[side]["beatable"] == 2
        assert lost[side]["right"] == untrained[side]["right"]
        assert lost[side]["worst_loss"] == untrained[side]["worst_loss"]


def test_the_price_is_that_of_evaluate(afterstate, tmp_path):
    words = ("--x", "museum:first-cell", "--o", "museum:first-cell", "--games", "300")
    trained = json.loads(afterstate("train", *words, "--json").out)["evaluation"]
    told = price_of(parse_player("museum:first-cell"), 300, 1)
    for side in "XO":
        assert told[side]["beatable"] == trained[side]["beatable"]
        assert told[side]["worst_loss"] == trained[side]["worst_loss"]
        assert told[side]["rms_minimax"] == trained[side]["rms_minimax"]


def test_the_stories_tell_figures_that_hold():
    won = [str(board) for board in reachable_boards() if board.winner]
    missed = sum(map(is_missed, won))
    assert f"{missed} of the {len(won)} won boards" in " ".join(story("missed-wins"))
    told = [
        price_of(parse_player(name), 1000, 5)["X"]["right"]
        for name in ("museum:born-winners", "td")
    ]
    said = " ".join(story("born-winners"))
    assert f"{told[0] * 100:.0f} of 100 decisions of X are right, and {told[1] * 100:.0f}" in said


def test_nothing_is_learned_when_the_step_is_gone():
    """After its 1,000 games the vanishing step writes what is there."""
    spec = parse_player("museum:vanishing-step")
    run = Run(spec, spec, 3)
    run.train(1000)
    values = run.memory[: run.layout.values].copy()
    run.train(200)
    assert np.array_equal(values, run.memory[: run.layout.values])
