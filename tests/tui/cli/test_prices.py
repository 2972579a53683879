"""`afterstate players`: pieces of the museum, and their figures."""

import pytest

from afterstate_lab.game import Side, reachable_boards
from afterstate_lab.learners.experiments.run import Experiment
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.museum import PIECES, missed_wins, piece, story
from afterstate_lab.tui.cli.players import priced
from afterstate_lab.tui.lab.labels import player_name


@pytest.mark.parametrize("name", PIECES)
def test_a_piece_is_a_player_by_its_name(name: str):
    spec = parse_player(f"museum:{name}:alpha=0.3")
    assert str(spec) == f"museum:{name}:alpha=0.3"
    assert spec.rule is piece(name)
    assert player_name(str(spec)) == f"museum:{name}"
    assert spec.rule.summary and spec.rule.source
    assert all(part.endswith((".", ".)", '."', "`.")) for part in story(name))


def test_the_stories_tell_figures_that_hold():
    won = sum(board.winner is not None for board in reachable_boards())
    assert f"{len(missed_wins())} of the {won} won boards" in " ".join(story("missed-wins"))
    found = [
        arm.verdict(Side.X)
        for arm in Experiment(priced("museum:born-winners", 1000, 5)).work().arms
    ]
    told = [one["optimal"] / one["decisions"] for one in found]
    said = " ".join(story("born-winners"))
    assert f"{told[0] * 100:.0f} of 100 decisions of X are right, and {told[1] * 100:.0f}" in said
