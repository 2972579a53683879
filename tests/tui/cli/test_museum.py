"""`afterstate museum`: the pieces, their stories, and their price."""

import json

import pytest

from afterstate_lab.game import reachable_boards
from afterstate_lab.learners.grading.price import price_of
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.museum import PIECES, is_missed, piece, story
from afterstate_lab.tui.lab.resume_hint import player_name


@pytest.mark.parametrize("name", PIECES)
def test_a_piece_is_a_player_by_its_name(name: str):
    spec = parse_player(f"museum:{name}:alpha=0.3")
    assert str(spec) == f"museum:{name}:alpha=0.3"
    assert spec.rule is piece(name)
    assert player_name(str(spec)) == f"museum:{name}"
    assert spec.rule.summary and spec.rule.source
    assert all(part.endswith((".", ".)", '."', "`.")) for part in story(name))


def test_a_copy_that_is_lost_learns_nothing_and_costs_everything(afterstate):
    """All values stay equal, so it plays any move that does not win at once with one chance."""
    outcome = afterstate("museum", "lost-copy", "--games", "50", "--seeds", "2", "--json")
    lost, td = json.loads(outcome.out)["prices"]
    assert (lost["spec"], td["spec"]) == ("museum:lost-copy", "td")
    untrained = price_of(parse_player("td"), 0, 1)
    for side in "XO":
        assert lost[side]["beatable"] == 2
        for key in ("right", "worst_loss"):
            assert lost[side][key] == untrained[side][key]


def test_the_stories_tell_figures_that_hold():
    won = [str(board) for board in reachable_boards() if board.winner]
    assert f"{sum(map(is_missed, won))} of the {len(won)} won boards" in " ".join(
        story("missed-wins")
    )
    players = map(parse_player, ("museum:born-winners", "td"))
    told = [price_of(player, 1000, 5)["X"]["right"] for player in players]
    said = " ".join(story("born-winners"))
    assert f"{told[0] * 100:.0f} of 100 decisions of X are right, and {told[1] * 100:.0f}" in said
