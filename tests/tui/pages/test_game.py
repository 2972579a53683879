"""A game looked at: its review, and the same game with another player."""

import pytest
from reading import lines, trained_lab

from afterstate_lab.learners.ask.what_if import replay_game
from afterstate_lab.learners.grading.grade import grade
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.cli.grade import summary_of
from afterstate_lab.tui.lab.log import both_games, sentences
from afterstate_lab.tui.lab.session import WhatIfSummary
from afterstate_lab.tui.pages.review import Review


@pytest.mark.parametrize("other", ["td", "td:alpha=0.5", "q", "random", "mc"])
def test_the_log_has_every_event_of_both_games_from_the_first_that_differs(other: str):
    run, spec = Run(parse_player("td"), parse_player("td"), 5), parse_player(other)
    run.train(60)
    result = replay_game(run, 40, x=spec)
    asked = WhatIfSummary(run, result, "X", spec)
    first, *_ = result.differences or [0]
    assert len(both_games(asked).lines) == len(result.pairs[first:])
    assert bool(result.differences) == (other != "td")
    for which, recording in enumerate((result.original, result.other)):
        events = [(pair.one, pair.other)[which] for pair in result.pairs]
        there = [event for event in events if event is not None]
        assert sorted(map(repr, there)) == sorted(map(repr, recording.events()))
    said = sentences(asked)
    assert (said == ["Every event is the same."]) == (other == "td")


def test_a_graded_bug_is_told_by_its_first_difference():
    found = grade(parse_player("museum:draw-as-loss"), parse_player("td"), games=60, seeds=1)
    said = " ".join(sentences(summary_of(found)))
    assert "First difference: another target. " in said
    assert " .50000 to .50000 " in said and " Would be: .45000." in said


def test_a_review_shows_every_verdict_whole():
    run = Run.of(parse_player("human"), parse_player("td"), 1)
    run.play({1: 0, 2: 4, 3: 8, 4: 2, 5: 6, 6: 3, 7: 7})
    shown = "\n".join(lines(Review(trained_lab(games=0), run, 0).page()))
    assert "the only move that keeps the draw" in shown
    assert "lost the draw: 2 4 6 8 kept it" in shown
