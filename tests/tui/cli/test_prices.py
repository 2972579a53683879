"""`afterstate players` and `turn`: pieces of the museum, their figures, and ranges of settings."""

import pytest

from afterstate_lab.game import Side, reachable_boards
from afterstate_lab.learners.experiments.plan import read_range
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


def test_a_range_is_whole_numbers_for_a_whole_number_and_never_has_a_value_twice():
    players = parse_player("nstep"), parse_player("random")
    for text, values in (
        ("n=1:4:7", ["1", "2", "3", "4"]), ("alpha=0.1:0.3:3", ["0.1", "0.2", "0.3"]),
        ("alpha=1:0:2", ["1", "0"]), ("epsilon=.1:.1:5", ["0.1"]),
    ):  # fmt: skip
        assert read_range(*players, text) == (text.partition("=")[0], values)
